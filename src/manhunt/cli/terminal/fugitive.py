"""Fugitive in the terminal: its options, its row of cards, its notepad, and whole turns typed in one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from manhunt.cli.screen import COLOURS
from manhunt.cli.terminal.contract import Screen, Setting
from manhunt.errors import BadConfig, BadText
from manhunt.games.fugitive.words import sprint_text, tell
from manhunt.ids import Seat, Side

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from rich.text import Text

    from manhunt.cli.terminal.contract import Item
    from manhunt.games.fugitive.actions import Action
    from manhunt.games.fugitive.views import View

STYLES = {
    "open": "",
    "in the Fugitive's hand": "taxi",
    "in the Marshal's hand": "ferry",
    "hideout, face up": f"bold {COLOURS['offer']}",
    "hideout, face down": "bold reverse",
    "sprint card": f"strike {COLOURS['quiet']}",
    "missed since the last hideout": f"strike {COLOURS['quiet']}",
}
COLUMNS = 14
CARD = 6


class FugitiveScreen(Screen["View"]):
    game = "fugitive"
    words = {"fugitive": Seat.EVADER, "marshal": Seat.PURSUERS}  # noqa: RUF012
    clickable = False
    beside_from = 170
    help = "type low to draw, 7 4 9 to hide at 7 with sprints 4 9, 12 15 to guess; q quits"
    examples = {  # noqa: RUF012
        "watch": (
            "manhunt watch fugitive --seed 7",
            "manhunt watch fugitive --preset mini --reveal",
            "manhunt watch fugitive --no-viz --record game.record.txt --save end.svg",
        ),
        "play": (
            "manhunt play fugitive --as marshal",
            "manhunt play fugitive --as fugitive --opening exactly_two --pass-bonus",
        ),
    }

    _known: tuple[object, Mapping[int, float]] | None = None
    """The last table and hand that chances were worked out for, and these."""

    def add_options(self, parser: argparse.ArgumentParser, command: str) -> None:
        rules = parser.add_argument_group("fugitive: switches of the rule book")
        text = "hideouts of the first turn: one_or_two (default) or exactly_two"
        rules.add_argument("--opening", metavar="O", help=text)
        rules.add_argument("--no-must-guess", action="store_true", help="the Marshal may leave a guess out")
        rules.add_argument("--last-sprint", action="store_true", help="the last card may be a sprint card")
        rules.add_argument("--pass-bonus", action="store_true", help="a Fugitive who passes may draw one more card")

    def set_up(self, options: argparse.Namespace, seed: int) -> Setting:
        from manhunt.games.fugitive.config import make_config

        if options.figure:
            raise BadConfig("fugitive has no window; leave --figure out")
        switches: dict[str, Any] = {}
        if options.opening is not None:
            switches["opening_hideouts"] = options.opening
        if options.no_must_guess:
            switches["must_guess"] = False
        if options.last_sprint:
            switches["allow_last_sprint"] = True
        if options.pass_bonus:
            switches["pass_bonus"] = True
        return Setting(make_config(options.preset, **switches))

    def save_pictures(self, views: Sequence[View], path: Path, theme: str) -> None:
        from manhunt.draw.fugitive_figure import save_views

        save_views(views, path, theme, self.probabilities(views[-1]))

    def probabilities(self, view: View) -> Mapping[int, float]:
        """By number, how likely a face-down hideout has it, for those who do not know; exact, by chance alone."""
        if view.seat is Seat.EVADER or view.outcome is not None or not view.row:
            return {}
        if self._known is None or self._known[0] != (view.public, view.marshal):
            from manhunt.beliefs.fugitive.worlds import Worlds

            public = view.public
            if view.marshal is None:  # to those who see no hand, her cards are as good as in their piles
                public = replace(public, draws=tuple(draw for draw in public.draws if draw.side is Side.EVADER))
            hideouts = Worlds(public, view.marshal or ()).hideouts
            chances = {number: float(hideouts[number]) for number in range(1, view.config.last)}
            self._known = (view.public, view.marshal), chances
        return self._known[1]

    def expand(self, view: View, text: str) -> Sequence[Any]:
        """`low` draws, `7 4 9` or `hide 7 4 9` places, `12 15` or `guess 12 15` guesses."""
        from manhunt.games.fugitive.actions import Ask, Done, Hide, Name, Sprint, TakeFrom
        from manhunt.games.fugitive.public import Phase

        head, *rest = text.lower().replace(",", " ").replace("+", " ").split()
        drawing = view.phase in (Phase.FUGITIVE_DRAW, Phase.MARSHAL_DRAW)
        if drawing and not rest:
            named = [i for i, name in enumerate(view.config.pile_names) if name.startswith(head)]
            legal = [TakeFrom(i) for i in named if TakeFrom(i) in view.legal]
            return legal if len(legal) == 1 and head != "p" else ()
        numbers = rest if head in ("hide", "guess", "name", "sprint") and rest else [head, *rest]
        if not all(word.isascii() and word.isdigit() for word in numbers):
            return ()
        cards = [int(word) for word in numbers]
        if view.phase is Phase.FUGITIVE_PLAY:
            if view.pending:
                return _checked(view, [*map(Sprint, sorted(cards)), Done()])
            return _checked(view, [Hide(cards[0]), *map(Sprint, sorted(cards[1:])), Done()])
        if view.phase is Phase.MANHUNT:
            if len(cards) > 1:
                raise BadText("in the manhunt one number is named at a time; type the first")
            return _named(view, [Name(cards[0])])
        if view.phase is Phase.MARSHAL_GUESS:
            return [*_named(view, [Name(number) for number in sorted(set(cards))]), Ask()]
        return ()

    def header(self, view: View) -> str:
        from manhunt.draw.fugitive import title_of

        return title_of(view)

    def picture(self, view: View, columns: int, rows: int, losing: Sequence[Any] = ()) -> Text:
        from rich.text import Text

        row, pad = self._row(view, columns), self._notepad(view)
        room = max(rows - len(pad) - 1, 4)
        lines = [*row[-(room - room % 4) :], Text(""), *pad] if len(row) > room else [*row, Text(""), *pad]
        return Text("\n").join(lines[:rows])

    def _row(self, view: View, columns: int) -> list[Text]:
        """Cards as boxes with their sprint cards below; four lines for each row of them."""
        from rich.text import Text

        from manhunt.draw.fugitive import was_found

        cards: list[tuple[str, str, str]] = [("0", "bold", "start")]
        for own, seen in zip(view.row, view.public.row, strict=True):
            is_up = seen.card is not None and (view.outcome is None or was_found(view, seen.card))
            number = "?" if own.card is None else str(own.card)
            style = STYLES["hideout, face up"] if is_up else "belief"
            cards.append((number, style, sprint_text(own.sprints, own.n_sprints)))
        widths = [max(CARD, len(below) + 1) for _, _, below in cards]
        lines: list[Text] = []
        i = 0
        while i < len(cards):
            four, used = [Text(), Text(), Text(), Text()], 0
            while i < len(cards) and (used == 0 or used + widths[i] <= columns):
                (number, style, below), width = cards[i], widths[i]
                for text, part in zip(four, ("┌──┐", f"│{number:>2}│", "└──┘"), strict=False):
                    text.append(part, style).append(" " * (width - 4))
                four[3].append(f"{below:<{width}}", "quiet")
                used += width
                i += 1
            lines += four
        return lines

    def _notepad(self, view: View) -> list[Text]:
        from rich.text import Text

        from manhunt.draw.fugitive import Mark, notepad

        chances = self.probabilities(view)
        lines: list[Text] = []
        marks = notepad(view)
        for i, (number, mark) in enumerate(marks.items()):
            if i % COLUMNS == 0:
                lines.append(Text())
            chance = chances.get(number)
            if chance is not None and mark in (Mark.OPEN, Mark.MISSED):
                lines[-1].append(f"{number:>3} ", _shade(chance))
            else:
                lines[-1].append(" " * (3 - len(str(number)))).append(str(number), STYLES[mark.value]).append(" ")
        legend = Text()
        if chances:
            for chance, word in ((0.0, "no"), (0.1, "hardly"), (0.4, "maybe"), (1.0, "sure")):
                legend.append(f" {word} ", _shade(chance))
            lines.append(legend.append(" a hideout", "quiet"))
            legend = Text()
        for mark in Mark:
            if mark is not Mark.OPEN and mark in marks.values():
                legend.append(mark.value, STYLES[mark.value]).append("   ")
        return [*lines, legend]

    def notes(self, view: View) -> list[Text]:
        from rich.text import Text

        return [Text().append(f"{name:<10}", "quiet").append(text) for name, text in self._facts(view)]

    def briefing(self, view: View) -> list[str]:
        row = []
        for own, seen in zip(view.row, view.public.row, strict=True):
            text = f"{'?' if own.card is None else own.card}{sprint_text(own.sprints, own.n_sprints)}"
            row.append(text if seen.card is not None else f"({text})")
        return [f"row: 0 {' '.join(row)}".rstrip(), *(f"{name}: {text}" for name, text in self._facts(view))]

    def _facts(self, view: View) -> list[tuple[str, str]]:
        from manhunt.draw.fugitive import hand_text

        drawn = [0] * len(view.config.piles)
        for draw in view.public.draws:
            drawn[draw.pile] += draw.side is Side.EVADER
        sizes = zip(view.config.pile_names, view.pile_sizes, drawn, strict=True)
        piles = ", ".join(f"{name} {n} (he drew {taken})" for name, n, taken in sizes)
        guesses = [
            f"{guess.round}: {' '.join(map(str, guess.numbers))} {'found' if guess.hit else 'missed'}"
            for guess in reversed(view.public.guesses)
        ]
        facts = [
            ("piles", piles or "none"),
            ("Fugitive", hand_text(view.fugitive, view.hand_sizes[0])),
            ("Marshal", hand_text(view.marshal, view.hand_sizes[1])),
            ("guesses", "; ".join(guesses) or "none yet"),
        ]
        if view.pending:
            word = "placing" if view.seat is Seat.EVADER else "naming"
            facts.append((word, " ".join(map(str, view.pending))))
        return facts

    def offer_rows(self, view: View, items: Sequence[Item], columns: int) -> list[Text]:
        """The steps in groups: `hide 1 2 3 6`, `pass`."""
        from rich.text import Text

        groups: dict[str, list[str]] = {}
        for item in items:
            word, _, rest = item.notation.partition(":")
            groups.setdefault(word, []).append(rest)
        line = Text()
        for word, rests in groups.items():
            numbers = [rest for rest in rests if rest]
            text = f"{numbers[0]} to {numbers[-1]}" if word == "name" and len(numbers) > 3 else " ".join(numbers)
            line.append(word, f"bold {COLOURS['offer']}").append(f" {text}   " if text else "   ", "quiet")
        return [line]

    def prompt(self, view: View) -> str:
        from manhunt.games.fugitive.public import Phase

        if view.phase is Phase.FUGITIVE_PLAY:
            return "Sprint cards:" if view.pending else "Your hideout:"
        return "Draw from:" if view.phase in (Phase.FUGITIVE_DRAW, Phase.MARSHAL_DRAW) else "Your guess:"

    def describe(self, view: View, action: Action) -> str:
        from manhunt.games.fugitive.notation import format_action

        return format_action(view.config, action).replace(":", " ")

    def tell(self, event: Mapping[str, Any]) -> str | None:
        return tell(event)

    def ending(self, view: View) -> str:
        from manhunt.draw.fugitive import ending

        assert view.outcome is not None
        return f"{ending(view.outcome)} in round {view.round}"


def _shade(chance: float) -> str:
    """A background from nothing to the belief's colour."""
    if chance <= 0:
        return "quiet"
    share = 0.15 + 0.85 * min(chance, 1.0)
    red, green, blue = (round(20 + share * (full - 20)) for full in (0xB0, 0x6A, 0xC4))
    return f"#FFFFFF on #{red:02X}{green:02X}{blue:02X}"


def _named(view: View, names: list[Any]) -> list[Any]:
    for name in names:
        if name not in view.legal:
            low = view.pending[-1] + 1 if view.pending else 1
            raise BadText(f"{name.number} cannot be named; numbers now go from {low} to {view.config.last - 1}")
    return names


def _checked(view: View, steps: list[Any]) -> list[Any]:
    """The steps of a placement, tried on what the Fugitive knows before any of them is made."""
    from manhunt.games.fugitive import rules
    from manhunt.games.fugitive.actions import Done
    from manhunt.games.fugitive.state import Hideout, State

    row = tuple(
        Hideout(own.card or 0, own.sprints or (), own.round, own.n_draws, seen.card is not None)
        for own, seen in zip(view.row, view.public.row, strict=True)
    )
    state = State(
        view.config,
        tuple((0,) * size for size in view.pile_sizes),
        view.hand,
        row=row,
        draws=view.public.draws,
        round=view.round,
        phase=view.phase,
        pending=view.pending,
    )
    for step in steps:
        rules.check_action(state, step)
        if not isinstance(step, Done):
            state = rules.apply_action(state, step)
    return steps
