"""The notebook of Fugitive for the Marshal: `hide 2`, `he low`, `I 7`, `guess 12 15 no`, `show 2 12 4 9`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from manhunt.analysis.notebook import Button, Contradiction, Notebook
from manhunt.analysis.seat_log import SeatLog
from manhunt.boards.board import Board
from manhunt.core.errors import BadConfig, BadText, IllegalAction, ManhuntError, unknown
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.draw.scene_json import scene_json
from manhunt.games.fugitive.beliefs.marshal_table import MarshalTable
from manhunt.games.fugitive.beliefs.notes import MarshalNotes
from manhunt.games.fugitive.rules.config import Config, make_config
from manhunt.games.fugitive.rules.public import Phase
from manhunt.games.fugitive.rules.words import ordinal, tell
from manhunt.games.fugitive.show.scene import ending, scene

OPTIONS = ("preset", "opening_hideouts", "must_guess", "allow_last_sprint", "pass_bonus", "first_draws")
EXAMPLE = "hide 2 · he low · I 7 · guess 12 15 no · show 2 12 4 9"
HOW = (
    "write hide 2 (a hideout with two sprint cards), escape 1, pass, he low, I 7 (you drew it), guess 12 15 no, "
    "guess 12 yes, show 2 12 4 9 (hideout 2 is 12 with 4 and 9)"
)
MOST_SPRINTS = 9
_FILLERS = {"the", "draws", "draw", "drew", "from", "pile", "with", "sprint", "sprints", "cards", "card", "is", "and"}
_FILLERS |= {"at", "hideout", "has", "places", "placed", "guesses", "guessed", "fugitive:", "marshal:"}
_YES = {"yes", "y", "hit", "found", "right", "+"}
_NO = {"no", "n", "miss", "missed", "wrong", "-"}
Event = dict[str, Any]


def open_notebook(options: Mapping[str, Any], board: Board | None = None) -> FugitiveNotebook:
    for name in options:
        if name not in OPTIONS:
            raise BadConfig(f"no option {name!r} in a notebook of Fugitive; it has {', '.join(OPTIONS)}")
    given = {key: value for key, value in options.items() if key != "preset" and value is not None}
    return FugitiveNotebook(make_config(options.get("preset"), **given))


class FugitiveNotebook(Notebook):
    def __init__(self, config: Config) -> None:
        self.config = config
        self.tables = [MarshalTable.begin(config)]
        """Before the first line and after each."""
        self.events: list[Event] = []

    @property
    def table(self) -> MarshalTable:
        return self.tables[-1]

    # -- lines -------------------------------------------------------------------------------------

    def enter(self, text: str) -> str:
        head, *rest = _words_of(text)
        entries: dict[str, Callable[[list[str], str], tuple[MarshalTable, list[Event]]]] = {
            "hide": lambda words, line: self._places(words, line, escape=False),
            "escape": lambda words, line: self._places(words, line, escape=True),
            "pass": self._passes,
            "he": self._he_draws,
            "i": self._i_draw,
            "guess": self._guesses,
            "show": self._shows,
        }
        entry = entries.get(_SAME.get(head, head))
        if entry is None and head.isdigit() and rest and rest[-1] in _YES | _NO:
            entry, rest = self._guesses, [head, *rest]
        if entry is None:
            raise BadText(f"{text!r} is not an entry; {HOW}")
        table, events = entry(rest, text)
        self._check_notes(table)
        self.tables.append(table)
        self.events += [{"v": len(self.events) + 1 + i, **event} for i, event in enumerate(events)]
        words = "; ".join(line for event in events if (line := tell(event)) is not None)
        return words if table.end is None else f"{words}; {_ending(table)}"

    def _check_notes(self, table: MarshalTable) -> None:
        """What quick notes can tell; whether anything fits at all is counted when the page is made."""
        try:
            MarshalNotes.of(table.public, table.hand)
        except ManhuntError:
            raise IllegalAction("no row of hideouts fits this line and those before it") from None

    def _places(self, rest: list[str], text: str, *, escape: bool) -> tuple[MarshalTable, list[Event]]:
        n_sprints = _number(rest[0], text) if rest else 0
        if len(rest) > 1:
            raise BadText(f"{text!r}: how many sprint cards is one number, as in hide 2")
        table = self.table.he_places(n_sprints, escape=escape)
        card = self.config.last if escape else None
        return table, [{"t": "placed", "position": len(table.public.row), "sprints": n_sprints, "card": card}]

    def _passes(self, rest: list[str], text: str) -> tuple[MarshalTable, list[Event]]:
        if rest:
            raise BadText(f"{text!r}: pass stands alone")
        return self.table.he_passes(), [{"t": "passed", "round": self.table.state.round}]

    def _he_draws(self, rest: list[str], text: str) -> tuple[MarshalTable, list[Event]]:
        if len(rest) != 1:
            raise BadText(f"{text!r}: write the pile he drew from, as in he {self.config.pile_names[0]}")
        pile = self._pile(rest[0])
        return self.table.he_draws(pile), [_drew(self.config, "evader", pile)]

    def _i_draw(self, rest: list[str], text: str) -> tuple[MarshalTable, list[Event]]:
        if not rest or not rest[-1].isdigit() or len(rest) > 2:
            raise BadText(f"{text!r}: write the card that you drew, as in I 7")
        card = _number(rest[-1], text)
        table = self.table.she_draws(card)
        pile = self.config.pile_of[card]
        assert pile is not None
        if len(rest) == 2 and self._pile(rest[0]) != pile:
            raise BadText(f"{text!r}: {card} belongs to the {self.config.pile_names[pile]} pile")
        return table, [_drew(self.config, "pursuers", pile), {"t": "card", "card": card}]

    def _pile(self, word: str) -> int:
        names = [i for i, name in enumerate(self.config.pile_names) if name == word or name[0] == word]
        if len(names) != 1:
            raise BadText(unknown("pile", word, self.config.pile_names))
        return names[0]

    def _guesses(self, rest: list[str], text: str) -> tuple[MarshalTable, list[Event]]:
        if rest in (["none"], ["nothing"]):
            said: Event = {"t": "guessed", "round": self.table.state.round, "numbers": [], "hit": False}
            return self.table.she_guesses((), False), [said]
        if not rest or rest[-1] not in _YES | _NO:
            raise BadText(f"{text!r}: end it with yes or no, as in guess 12 15 no")
        numbers = tuple(sorted(_number(word, text) for word in rest[:-1]))
        hit = rest[-1] in _YES
        if not numbers:
            raise BadText(f"{text!r}: a guess has one number or more")
        table = self.table.she_guesses(numbers, hit)
        if hit:
            for number in numbers:
                if not self._positions_of(table, number):
                    raise IllegalAction(f"{number} cannot be on the row, from what is known")
        return table, [{"t": "guessed", "round": self.table.state.round, "numbers": list(numbers), "hit": hit}]

    def _shows(self, rest: list[str], text: str) -> tuple[MarshalTable, list[Event]]:
        if len(rest) < 2:
            raise BadText(f"{text!r}: write position and card, then the sprint cards, as in show 2 12 4 9")
        position, card, *sprints = (_number(word, text) for word in rest)
        table = self.table.turn_up(position, card, tuple(sprints))
        return table, [{"t": "revealed", "position": position, "card": card, "sprints": sorted(sprints)}]

    def _positions_of(self, table: MarshalTable, number: int) -> list[int]:
        notes = MarshalNotes.of(table.public, table.hand)
        hidden = [i for i, spot in enumerate(table.public.row, 1) if spot.card is None]
        taken = {position for position, _, _ in table.turned}
        return [i for i in hidden if i not in taken and number in notes.candidates(i)]

    # -- what is shown -----------------------------------------------------------------------------

    def log(self) -> SeatLog:
        opening = self.tables[0].view()
        return SeatLog("fugitive", Seat.PURSUERS, opening, tuple(self.events), self.table.view())

    def page(self) -> dict[str, Any]:
        from manhunt.analysis.insights import insight_of

        self._check_worlds()
        return {
            "game": "fugitive",
            "board": None,
            "scene": scene_json(scene(self.table.view())),
            "notes": insight_of("notes", self.log(), {}),
            "toTurnUp": list(self.table.found),
            "offers": [],
            "table": self._options(),
        }

    def _options(self) -> dict[str, Any]:
        """The options as they are now, for the form."""
        config = self.config
        return {
            "presets": list(make_game("fugitive").presets),
            "last": config.last,
            "opening_hideouts": config.opening_hideouts.value,
            "must_guess": config.must_guess,
            "pass_bonus": config.pass_bonus,
            "allow_last_sprint": config.allow_last_sprint,
        }

    def _check_worlds(self) -> None:
        """Contradiction with the first line after which no deal fits; there is none before it and all after it."""
        if _is_possible(self.table):
            return
        low, high = 0, len(self.tables) - 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if _is_possible(self.tables[middle]) else (low, middle)
        raise Contradiction(high - 1, "no deal and no draws fit this line and those before it")

    def next(self) -> list[Button]:
        table, names = self.table, self.config.pile_names
        if table.found:
            return self._turn_up_buttons()
        if table.state.phase is Phase.FUGITIVE_DRAW:
            piles = [i for i, size in enumerate(table.sizes) if size]
            draws = [
                _button(f"he {names[i]}", f"he draws {names[i]}") for i in (piles[:1] if table.state.bonus else piles)
            ]
            return [*draws, _button("pass", "no bonus card")] if table.state.bonus else draws
        if table.state.phase is Phase.FUGITIVE_PLAY:
            return self._placing_buttons()
        if table.state.phase is Phase.MARSHAL_DRAW:
            return [self._draw_button(i) for i, size in enumerate(table.sizes) if size]
        if table.state.phase is Phase.OVER:
            return []
        most = 1 if table.state.phase is Phase.MANHUNT else None
        numbers = [str(n) for n in range(1, self.config.last)]
        answers = [_button("yes", "right", "offer"), _button("no", "wrong", "danger")]
        guess = _button("guess", "my guess", "belief", pick=_pick(numbers, most, "numbers guessed"), then=answers)
        return [guess] if self.config.must_guess else [guess, _button("guess none", "no guess")]

    def _placing_buttons(self) -> list[Button]:
        table, last = self.table, self.config.last
        most = min(table.n_fugitive - 1, MOST_SPRINTS)
        counts = [str(n) for n in range(most + 1)]
        buttons = [_button("hide", "hideout", "belief", pick=_pick(counts, 1, "sprint cards under it"))]
        if table.public.row:
            escape = _pick(counts, 1, f"sprint cards under {last}")
            buttons.append(_button("escape", f"escape ({last})", "danger", pick=escape))
        if table.against_pass() is not None:
            return buttons
        first = table.state.round == 1 and table.public.row
        return [*buttons, _button("pass", "no second hideout" if first else "he passes")]

    def _draw_button(self, pile: int) -> Button:
        name = self.config.pile_names[pile]
        seen = {*self.table.hand, *self.table.open_cards()}
        cards = [str(card) for card in self.config.cards_of(pile) if card not in seen]
        return _button("I", f"I draw {name}", "ferry", pick=_pick(cards, 1, f"my card of the {name} pile"))

    def _turn_up_buttons(self) -> list[Button]:
        table = self.table
        unseen = [str(card) for card in table.unseen() if card not in table.found]
        number, buttons = table.found[0], []
        for position in self._positions_of(table, number):
            n = table.public.row[position - 1].n_sprints
            words = f"{number} is the {ordinal(position)} hideout"
            pick = {"pick": _pick(unseen, n, f"sprint cards under {number}")} if n else {}
            buttons.append(_button(f"show {position} {number}", words, "offer", **pick))
        return buttons


_SAME = {"f": "he", "fugitive": "he", "m": "i", "me": "i", "marshal": "i", "h": "hide", "g": "guess", "shown": "show"}


def _is_possible(table: MarshalTable) -> bool:
    from manhunt.games.fugitive.beliefs.worlds import NO_WORLD
    from manhunt.games.fugitive.show.insights import worlds_of

    if not table.public.n_hidden:
        return True
    try:
        worlds_of(table.public, table.hand)
    except ManhuntError as error:
        return str(error) != NO_WORLD
    return True


def _words_of(text: str) -> list[str]:
    words = [word for word in re.split(r"[\s,;:]+", text.strip().lower()) if word]
    words = words[:1] + [word for word in words[1:] if word not in _FILLERS]
    if not words:
        raise BadText(f"an empty line; {HOW}")
    return words


def _number(word: str, text: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 4):
        raise BadText(f"{text!r}: {word!r} is not a number; {HOW}")
    return int(word)


def _drew(config: Config, side: str, pile: int) -> Event:
    return {"t": "drew", "side": side, "pile": config.pile_names[pile]}


def _ending(table: MarshalTable) -> str:
    assert table.end is not None
    return ending(table.end)


def _pick(options: Sequence[str], n: int | None, words: str) -> dict[str, Any]:
    return {"from": list(options), "n": n, "words": words}


def _button(text: str, words: str, colour: str | None = None, **more: Any) -> Button:
    return {"text": text, "words": words, **({"colour": colour} if colour else {}), **more}
