"""The turn of a team that is not confirmed yet: made from what the team sees, never from the truth."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Self

from manhunt.core.errors import IllegalAction
from manhunt.core.game import AnyGame, View
from manhunt.core.ids import Seat
from manhunt.core.registry import kit_of

SEAT = Seat.PURSUERS
"""The seat whose pieces can be shared."""


class Team:
    """The pieces of a seat as places that people hold, numbered as the game's kit part `team` has them."""

    def __init__(self, game: AnyGame, config: Any, part: Any) -> None:
        self._game, self._config, self._part = game, config, part
        self.names = tuple(name for name, _ in part.places(config))
        self.ids = tuple(f"{SEAT.value}/{i}" for i in range(len(self.names)))

    @classmethod
    def of(cls, game: AnyGame, config: Any) -> Self | None:
        """None where one person holds the whole seat."""
        part = kit_of(game.name).part("team")
        return cls(game, config, part) if part is not None and part.places(config) else None

    def place_of(self, action: Any) -> str:
        index: int = self._part.place_of(self._config, action)
        return self.ids[index]

    def place_of_text(self, text: str) -> str:
        """BadText or IllegalAction if it is no move of a piece of this team."""
        action = self._game.parse_action(self._config, text)
        try:
            return self.place_of(action)
        except (ValueError, IndexError, AssertionError):
            raise IllegalAction(f"{text} is not a move of {self._game.called(SEAT)}") from None

    def open_places(self, view: View) -> frozenset[str]:
        """Those that can move now."""
        return frozenset(map(self.place_of, view.legal))

    def planned(self, view: View, texts: Iterable[str]) -> View:
        """What the team would see after these moves; IllegalAction if one does not fit."""
        actions = [self._game.parse_action(self._config, text) for text in texts]
        planned: View = self._part.planned(view, actions)
        return planned

    def places_by_action(self, view: View) -> dict[str, str]:
        """The place of every action on offer, by its notation."""
        return {self._game.format_action(self._config, action): self.place_of(action) for action in view.legal}


@dataclass(frozen=True, slots=True)
class DraftMove:
    place: str
    person: int | None
    action: str
    words: str = ""
    picks: tuple[str, ...] = ()
    """Where the piece came from and goes to, as in its offer."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a team wants to play from ply number `ply` on, and who has confirmed it."""

    ply: int
    moves: tuple[DraftMove, ...] = ()
    confirmed: frozenset[int] = frozenset()

    @property
    def actions(self) -> tuple[str, ...]:
        return tuple(move.action for move in self.moves)

    def view(self, team: Team, view: View) -> View:
        """What the team would see after the drafted moves."""
        return team.planned(view, self.actions) if self.moves else view

    def with_move(self, team: Team, view: View, move: DraftMove) -> Draft:
        """One more move; a second one of the same piece takes the place of the first. IllegalAction if it cannot be."""
        kept = self.without(team, view, move.place) if self.has(move.place) else self
        team.planned(view, (*kept.actions, move.action))
        return replace(self, moves=(*kept.moves, move), confirmed=frozenset())

    def without(self, team: Team, view: View, place: str) -> Draft:
        """Without the move of a piece, and without those that are not possible without it."""
        return self.only(team, view, [move for move in self.moves if move.place != place])

    def only(self, team: Team, view: View, moves: Iterable[DraftMove]) -> Draft:
        """Those of these moves that are possible one after the other."""
        fitting: list[DraftMove] = []
        for move in moves:
            try:
                team.planned(view, [kept.action for kept in (*fitting, move)])
            except IllegalAction:
                continue
            fitting.append(move)
        return replace(self, moves=tuple(fitting), confirmed=frozenset())

    def has(self, place: str) -> bool:
        return any(move.place == place for move in self.moves)

    def to_json(self) -> dict[str, Any]:
        moves = [{**asdict(move), "picks": list(move.picks)} for move in self.moves]
        return {"ply": self.ply, "moves": moves, "confirmed": sorted(self.confirmed)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        moves = tuple(DraftMove(**{**row, "picks": tuple(row["picks"])}) for row in data["moves"])
        return cls(data["ply"], moves, frozenset(data["confirmed"]))


def needed(members: Mapping[int, Collection[str]], places: Collection[str]) -> list[int]:
    """The people who must agree: those who hold one of these places."""
    return sorted(person for person, held in members.items() if not set(places).isdisjoint(held))
