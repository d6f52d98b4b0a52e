"""A table as a value: its people, who holds which place, what was agreed, and the games played so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

import msgspec

from manhunt.core.errors import ManhuntError
from manhunt.core.game import AnyGame
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import kit_of
from manhunt.server.limits import PERSON
from manhunt.server.table_options import TableOptions

HOST = 1
"""The number of whoever made the table, who is its host while they are not away."""


class NotAllowed(ManhuntError):
    """Something that this person cannot do at this table now."""


class Phase(Enum):
    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"


class OnLeave(Enum):
    """What happens in a game to the place of somebody who has been away for a while."""

    HOST = "host"
    """It waits; the host may free it."""
    ANYONE = "anyone"
    """Anyone may take it over."""
    AGENT = "agent"
    """An agent takes it over."""


@dataclass(frozen=True, slots=True)
class Place:
    """A part of a seat that one person can hold."""

    id: str
    seat: Seat
    name: str
    letter: str
    index: int


@dataclass(frozen=True, slots=True)
class Person:
    id: int
    name: str
    token_hash: str
    wins: int = 0


@dataclass(frozen=True, slots=True)
class Rematch:
    """Another game that somebody asked for."""

    swap: bool
    agreed: frozenset[int]


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game of the series, with the places as they were at its end."""

    play: str
    winner: Seat
    words: str
    reason: str
    names: Mapping[str, tuple[str, ...]]
    holders: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Terms:
    """What the host decides before a game: how it is played, and who may watch."""

    rules: TableOptions = field(default_factory=TableOptions)
    spectators: str = "live"
    seconds: float = 1.0
    """How long an agent may think about a move."""
    public: bool = False
    """Listed in the lobby."""
    on_leave: OnLeave = OnLeave.HOST

    def to_json(self) -> dict[str, Any]:
        others = {"spectators": self.spectators, "seconds": self.seconds, "public": self.public}
        return {**self.rules.to_json(), **others, "on_leave": self.on_leave.value}


@dataclass(frozen=True, slots=True)
class Table:
    """All of it; the functions of `changes` make the next one."""

    uid: str
    game: str
    places: tuple[Place, ...]
    people: tuple[Person, ...] = ()
    holders: Mapping[str, int] = field(default_factory=dict)
    """Who holds a place, by its id; agents play the others."""
    agents: Mapping[str, str] = field(default_factory=dict)
    """By seat, who plays the places that nobody holds."""
    terms: Terms = field(default_factory=Terms)
    preset: str | None = None
    board: str | None = None
    seed: int | None = None
    """Of the first game."""
    shared: bool = False
    """Somebody may play both sides, on one screen."""
    phase: Phase = Phase.WAITING
    play: str | None = None
    """The present game, or the last one."""
    sides: frozenset[tuple[int, str]] = frozenset()
    """Who has had a place of which seat in the present game."""
    rematch: Rematch | None = None
    series: tuple[PlayedGame, ...] = ()
    n_joined: int = 0

    def person(self, number: int) -> Person:
        for person in self.people:
            if person.id == number:
                return person
        raise NotAllowed("join the table first")

    def place(self, name: str) -> Place:
        for place in self.places:
            if place.id == name:
                return place
        raise NotAllowed(f"there is no place {name[:40]!r}; choose one of {', '.join(p.id for p in self.places)}")

    def places_of(self, seat: Seat) -> tuple[Place, ...]:
        return tuple(place for place in self.places if place.seat is seat)

    def members(self, seat: Seat, holders: Mapping[str, int] | None = None) -> dict[int, frozenset[str]]:
        """Those who hold places of a seat, each with theirs, in the order of joining."""
        found: dict[int, set[str]] = {}
        for place, person in (self.holders if holders is None else holders).items():
            if self.place(place).seat is seat:
                found.setdefault(person, set()).add(place)
        return {person: frozenset(found[person]) for person in sorted(found)}

    @property
    def seated(self) -> list[int]:
        """Those with a place, in the order of joining."""
        return sorted(set(self.holders.values()))

    def holders_in(self, play: str) -> Mapping[str, int]:
        """The places as they are in the present game, or were at the end of an earlier one."""
        if play == self.play and self.phase is Phase.PLAYING:
            return self.holders
        return next((played.holders for played in reversed(self.series) if played.play == play), {})

    def spec_of(self, seat: Seat) -> str:
        """The seat as plans and records write it: `person:Anna, Ben`, or an agent."""
        names = [self.person(number).name for number in self.members(seat)]
        return f"{PERSON}:{', '.join(names)}" if names else self.agents[seat.value]

    @property
    def seats(self) -> dict[Seat, str]:
        return {seat: self.spec_of(seat) for seat in PLAYERS}

    def names_of(self, seat: Seat) -> tuple[str, ...]:
        """Of people; of the level of an agent that has the whole seat."""
        if members := self.members(seat):
            return tuple(self.person(number).name for number in members)
        spec = self.agents[seat.value]
        return (kit_of(self.game).title_of_level(seat, spec) or spec,)

    def to_text(self) -> str:
        return msgspec.json.encode(self).decode()


def table_of(text: str) -> Table:
    """The inverse of `to_text`."""
    return msgspec.json.decode(text, type=Table)


def places_of(game: AnyGame, config: Any) -> tuple[Place, ...]:
    """One for the evader; the pursuers have one for each piece of a game with a team."""
    team = kit_of(game.name).part("team")
    pieces = () if team is None else team.places(config)
    if len(pieces) < 2:
        pursuers = [_whole(game, Seat.PURSUERS)]
    else:
        named = enumerate(pieces)
        pursuers = [Place(f"pursuers/{i}", Seat.PURSUERS, name, letter, i) for i, (name, letter) in named]
    return (_whole(game, Seat.EVADER), *pursuers)


def _whole(game: AnyGame, seat: Seat) -> Place:
    name = game.seat_names[seat]
    return Place(seat.value, seat, name[0].upper() + name[1:], name.split()[-1][0].upper(), 0)


def usual_agents(game: str) -> dict[str, str]:
    """Who plays where nothing else is said: the agent of the quick game, and the level of its name on its own seat."""
    kit = kit_of(game)
    levels = {seat: [level for level in kit.levels if level.seat is seat] for seat in PLAYERS}
    quick = kit.lobby.quick
    usual = {seat: next((level for level in levels[seat] if level.title), levels[seat][-1]).spec for seat in PLAYERS}
    if quick is not None:
        there = Seat.PURSUERS if quick.you is Seat.EVADER else Seat.EVADER
        usual |= {there: quick.agent, quick.you: same_level(game, there, quick.agent) or usual[quick.you]}
    return {seat.value: spec for seat, spec in usual.items()}


def same_level(game: str, seat: Seat, spec: str) -> str | None:
    """The agent of the other seat whose level has the same name."""
    kit = kit_of(game)
    title = kit.title_of_level(seat, spec)
    found = (level.spec for level in kit.levels if level.seat is not seat and level.title == title)
    return next(found, None) if title else None


def with_person(table: Table, person: Person) -> Table:
    """This one in place of whoever had the number."""
    return replace(table, people=tuple(person if each.id == person.id else each for each in table.people))
