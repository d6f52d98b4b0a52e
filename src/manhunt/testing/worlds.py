"""Other worlds: games with other secrets that look the same to one seat, move by move."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any

from manhunt.errors import BadConfig
from manhunt.games.base import AnyGame, Setup
from manhunt.games.events import Event
from manhunt.ids import Seat

Setups = Callable[[Any, Setup, Seat], Iterator[Setup]]
"""Config, true setup, seat: other setups that could look like it to the seat (those that do not are dropped later)."""


@dataclass(frozen=True, slots=True)
class Past:
    """A game up to some position: its setup, the actions so far and the states they lead through."""

    setup: Setup
    actions: tuple[Any, ...]
    states: tuple[Any, ...]


@dataclass(slots=True)
class _World:
    """One state of one ply, with the worlds it can come from."""

    state: Any
    setup: Setup | None
    parents: list[tuple[_World, Any]]


class OtherWorlds:
    """Follows a game and all (or many) others that look the same to `seat`: brute force over the rules.

    At every ply each world tries its legal actions; those stay whose events, as the seat may see them, are those of
    the true game. Worlds of one state are one. More than `most` are thinned out by lot, which loses some but makes
    none that does not belong.
    """

    def __init__(
        self,
        game: AnyGame,
        config: Any,
        setup: Setup,
        seat: Seat,
        *,
        rng: Random,
        setups: Setups | None = None,
        most: int = 64,
    ) -> None:
        self.game, self.seat, self.rng, self.most = game, seat, rng, most
        self.config = config
        self._true = game.start(config, setup)
        seen = self._looks(game.opening_events(self._true))
        view = game.view(self._true, seat)
        worlds = {self._true: _World(self._true, setup, [])}
        for other in (setups or setups_for(game.name))(config, setup, seat):
            state = game.start(config, other)
            if self._looks(game.opening_events(state)) == seen and game.view(state, seat) == view:
                worlds.setdefault(state, _World(state, other, []))
        self._worlds = self._thinned(worlds)

    def advance(self, action: Any) -> None:
        """The true game went on with this action."""
        game, before = self.game, self._true
        after = game.apply_action(before, action)
        seen, view = self._looks(game.events(before, action, after)), game.view(after, self.seat)
        shared = game.to_act(before) is self.seat  # then everybody made the same move in all worlds
        may_look_alike = _MAY_LOOK_ALIKE.get(game.name, _anything)
        worlds: dict[Any, _World] = {}
        for source in self._worlds:
            for option in (action,) if shared else game.legal_actions(source.state):
                if not may_look_alike(action, option):
                    continue
                state = game.apply_action(source.state, option)
                if self._looks(game.events(source.state, option, state)) != seen:
                    continue
                if game.view(state, self.seat) != view:
                    continue
                worlds.setdefault(state, _World(state, None, [])).parents.append((source, option))
        self._true = after
        self._worlds = self._thinned(worlds)

    def pasts(self, n: int) -> list[Past]:
        """Up to n other games that led to this view, with another state now where there is one."""
        others = [world for world in self._worlds if world.state != self._true]
        chosen = self.rng.sample(others, min(n, len(others)))
        return [self._past(world) for world in chosen]

    def _past(self, world: _World) -> Past:
        states, actions = [world.state], list[Any]()
        while world.setup is None:
            world, action = self.rng.choice(world.parents)
            states.append(world.state)
            actions.append(action)
        return Past(world.setup, tuple(reversed(actions)), tuple(reversed(states)))

    def _looks(self, events: tuple[Event, ...]) -> list[Mapping[str, Any]]:
        return [event.seen_by(self.seat) for event in events]

    def _thinned(self, worlds: dict[Any, _World]) -> list[_World]:
        every = list(worlds.values())
        if len(every) <= self.most:
            return every
        kept = self.rng.sample(every, self.most)
        true = worlds[self._true]
        return kept if true in kept else [*kept[1:], true]


def setups_for(game: str) -> Setups:
    if game not in _SETUPS:
        raise BadConfig(f"no way is known to find other worlds of {game}; give check_agent its `setups`")
    return _SETUPS[game]


def _scotland_yard_setups(config: Any, setup: Setup, seat: Seat) -> Iterator[Setup]:
    """Mr X elsewhere: on another start place, or on any node if the setup was free."""
    if seat is Seat.EVADER:
        return
    free = setup.get("free", True)
    mrx = setup["mrx"] if isinstance(setup["mrx"], Mapping) else {"at": setup["mrx"]}
    for label in config.board.labels if free or not config.mrx_starts else config.mrx_starts:
        yield {**setup, "mrx": {**mrx, "at": label}, "free": free}


def _pursuit_setups(config: Any, setup: Setup, seat: Seat) -> Iterator[Setup]:
    """The quarry elsewhere; where pieces are placed in play there is but one setup."""
    if seat is Seat.EVADER or not setup:
        return
    for label in config.board.labels:
        yield {**setup, "mrx": label}


def _no_setups(config: Any, setup: Setup, seat: Seat) -> Iterator[Setup]:
    """A game without secrets has but one world."""
    return iter(())


def _fugitive_setups(config: Any, setup: Setup, seat: Seat) -> Iterator[Setup]:
    """Two cards of a pile exchanged: among its undrawn ones, for the Marshal with the dealt ones as well."""
    for pile, (dealt, rest) in enumerate(zip(setup["dealt"], setup["piles"], strict=True)):
        n_dealt = len(dealt)
        for i, j in combinations(range(n_dealt + len(rest)), 2):
            if j < n_dealt or (i < n_dealt and seat is Seat.EVADER):
                continue
            cards = [*dealt, *rest]
            cards[i], cards[j] = cards[j], cards[i]
            parts = {"dealt": cards[:n_dealt], "piles": cards[n_dealt:]}
            yield {
                key: [part if k == pile else each for k, each in enumerate(setup[key])] for key, part in parts.items()
            }


_SETUPS: dict[str, Setups] = {
    "fugitive": _fugitive_setups,
    "scotland_yard": _scotland_yard_setups,
    "pursuit": _pursuit_setups,
    "shortest_path": _no_setups,
}


def _anything(action: Any, other: Any) -> bool:
    return True


def _same_tickets(action: Any, other: Any) -> bool:
    """Moves of Scotland Yard with other tickets need not be tried: everybody sees those."""
    names = ("ticket", "ticket1", "ticket2")
    return all(getattr(action, name, None) == getattr(other, name, None) for name in names)


def _same_kind(action: Any, other: Any) -> bool:
    """In Fugitive everybody sees what kind of step was made, and which pile was drawn from."""
    return type(action) is type(other) and getattr(action, "pile", None) == getattr(other, "pile", None)


_MAY_LOOK_ALIKE: dict[str, Callable[[Any, Any], bool]] = {"fugitive": _same_kind, "scotland_yard": _same_tickets}
"""Quick tests that spare most of the work; what they let through is compared event by event."""
