"""Fugitive in the terminal: its options, its row of cards, its notepad, and whole turns typed in one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from manhunt.cli.screen import COLOURS
from manhunt.cli.terminal.contract import Screen, Setting
from manhunt.core.errors import BadText
from manhunt.core.ids import Seat, Side
from manhunt.games.fugitive.rules.words import sprint_text

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from rich.text import Text

    from manhunt.cli.terminal.contract import Item
    from manhunt.core.scene import Scene
    from manhunt.games.fugitive.rules.views import FugitiveView


class FugitiveScreen(Screen["FugitiveView"]):
    game = "fugitive"
    words = {"fugitive": Seat.EVADER, "marshal": Seat.PURSUERS}  # noqa: RUF012
    opponents = {"fugitive": "bir-1", "marshal": "l2"}  # noqa: RUF012
    beside_from = 170
    help = "low draws, 7 4 9 hides at 7 with sprints, 12 15 guesses; u undoes, ? is help"
    rules = (
        "The Fugitive runs from 0 to 42 over hideouts, placed face down, each at most 3 above the last one; sprint "
        "cards under it carry further (an odd card 1, an even card 2). The Marshal guesses numbers: if all of them are "
        "hidden hideouts, these are turned over. Both draw a card first. The Marshal wins when all hideouts are found, "
        "the Fugitive wins with 42; if no hideout from 30 on was found by then, the Marshal may still name all that "
        "are hidden, one by one, without a miss."
    )
    legend = (
        ("\u250212\u2502  \u2502 ?\u2502", "a hideout, face up or hidden; +4+9: its sprint cards, +2? two unknown"),
        ("1 2 3 ...", "the notepad: every number, shaded by its chance to be a hidden hideout"),
    )
    notation = (
        ("low middle high", "draw from that pile"),
        ("7 or 7 4 9", "the Fugitive hides at 7, or at 7 with the sprint cards 4 and 9; pass"),
        ("12 or 12 15", "the Marshal guesses 12, or that 12 and 15 both are hideouts"),
    )
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
        rules.add_argument("--no-must-guess", action="store_true", help="the Marshal may skip a guess")
        rules.add_argument("--last-sprint", action="store_true", help="the last card may be a sprint card")
        rules.add_argument("--pass-bonus", action="store_true", help="a Fugitive who passes may draw one more card")

    def set_up(self, options: argparse.Namespace, seed: int) -> Setting:
        from manhunt.games.fugitive.rules.config import make_config

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

    def save_pictures(self, views: Sequence[FugitiveView], path: Path, theme: str) -> None:
        from manhunt.draw.pictures import save_scenes
        from manhunt.games.fugitive.show.scene import scene

        save_scenes([*map(scene, views[:-1]), self._shaded(views[-1])], path, theme)

    def _shaded(self, view: FugitiveView) -> Scene:
        from manhunt.games.fugitive.show.notepad import with_chances
        from manhunt.games.fugitive.show.scene import scene

        return with_chances(scene(view), self.probabilities(view))

    def probabilities(self, view: FugitiveView) -> Mapping[int, float]:
        """By number, how likely a face-down hideout has it, for those who do not know; exact, by chance alone."""
        if view.seat is Seat.EVADER or view.outcome is not None or not view.row:
            return {}
        if self._known is None or self._known[0] != (view.public, view.marshal):
            from manhunt.games.fugitive.beliefs.worlds import Worlds

            public = view.public
            if view.marshal is None:  # to those who see no hand, her cards are as good as in their piles
                public = replace(public, draws=tuple(draw for draw in public.draws if draw.side is Side.EVADER))
            hideouts = Worlds(public, view.marshal or ()).hideouts
            chances = {number: float(hideouts[number]) for number in range(1, view.config.last)}
            self._known = (view.public, view.marshal), chances
        return self._known[1]

    def expand(self, view: FugitiveView, text: str) -> Sequence[Any]:
        """`low` draws, `7 4 9` or `hide 7 4 9` places, `12 15` or `guess 12 15` guesses."""
        from manhunt.games.fugitive.rules.actions import Ask, Done, Hide, Name, Sprint, TakeFrom
        from manhunt.games.fugitive.rules.public import Phase

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

    def picture(self, view: FugitiveView, columns: int, rows: int, losing: Sequence[Any] = ()) -> Text:
        from manhunt.cli.terminal.card_chart import draw_cards

        table = self._shaded(view).table
        assert table is not None
        return draw_cards(table, columns, rows, "a hideout")

    def briefing(self, view: FugitiveView) -> list[str]:
        row = []
        for own, seen in zip(view.row, view.public.row, strict=True):
            text = f"{'?' if own.card is None else own.card}{sprint_text(own.sprints, own.n_sprints)}"
            row.append(text if seen.card is not None else f"({text})")
        return [f"row: 0 {' '.join(row)}".rstrip(), *super().briefing(view)]

    def facts(self, view: FugitiveView) -> list[tuple[str, str]]:
        from manhunt.games.fugitive.show.scene import scene

        shown = scene(view)
        assert shown.table is not None
        piles = [f"{pile['name']} {pile['size']} (he drew {pile['fugitive']})" for pile in shown.page["piles"]]
        guesses = [
            f"{guess.round}: {' '.join(map(str, guess.numbers))} {'found' if guess.hit else 'missed'}"
            for guess in reversed(view.public.guesses)
        ]
        facts = [("piles", ", ".join(piles) or "none"), *shown.table.lines]
        facts.append(("guesses", "; ".join(guesses) or "none yet"))
        if view.pending:
            word = "placing" if view.seat is Seat.EVADER else "naming"
            facts.append((word, " ".join(map(str, view.pending))))
        return facts

    def offer_rows(self, view: FugitiveView, items: Sequence[Item], columns: int) -> list[Text]:
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

    def prompt(self, view: FugitiveView) -> str:
        from manhunt.games.fugitive.rules.public import Phase

        if view.phase is Phase.FUGITIVE_PLAY:
            return "Sprint cards:" if view.pending else "Your hideout:"
        return "Draw from:" if view.phase in (Phase.FUGITIVE_DRAW, Phase.MARSHAL_DRAW) else "Your guess:"


def _named(view: FugitiveView, names: list[Any]) -> list[Any]:
    for name in names:
        if name not in view.legal:
            low = view.pending[-1] + 1 if view.pending else 1
            raise BadText(f"{name.number} cannot be named; numbers now go from {low} to {view.config.last - 1}")
    return names


def _checked(view: FugitiveView, steps: list[Any]) -> list[Any]:
    """The steps of a placement, tried on what the Fugitive knows before any of them is made."""
    from manhunt.games.fugitive.rules import rules
    from manhunt.games.fugitive.rules.actions import Done
    from manhunt.games.fugitive.rules.state import Hideout, State

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
