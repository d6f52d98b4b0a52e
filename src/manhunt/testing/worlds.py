"""Other worlds: games with other secrets that look the same to one seat, move by move."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from manhunt.core.events import Event
from manhunt.core.game import AnyGame, Setup
from manhunt.core.ids import Seat
from manhunt.core.registry import game_names, kit_of

Setups = Callable[[Any, Setup, Seat], Iterator[Setup]]
"""Config, true setup, seat: other setups that could look like it to the seat (those that do not are dropped later)."""
DEALS = 400


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
    parents: "list[tuple[_World, Any]]"


class OtherWorlds:
    """Follows a game and all (or many) others that look the same to `seat`, by brute force over the rules.

    At every ply each world tries its legal actions and keeps those whose events look to the seat as in the true game.
    Worlds with the same state are merged. If there are more than `most`, a random part is kept: some are lost, but none
    is wrong.
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
        for other in (setups or setups_for(game))(config, setup, seat):
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
        may_look_alike = _look_alike_of(game)
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
        """Up to n other games that led to this view, with a different state now if possible."""
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


def setups_for(game: AnyGame) -> Setups:
    """The game's own way to find other setups; else other deals by lot, as many as are quickly tried."""
    worlds = _worlds_of(game)
    if worlds is not None:
        made: Setups = worlds.setups
        return made

    def deals(config: Any, setup: Setup, seat: Seat) -> Iterator[Setup]:
        rng = Random(0)
        return (game.deal(config, rng) for _ in range(DEALS if game.capabilities.hidden else 0))

    return deals


def _worlds_of(game: AnyGame) -> Any:
    return kit_of(game.name).part("worlds") if game.name in game_names() else None


def _look_alike_of(game: AnyGame) -> Callable[[Any, Any], bool]:
    """A quick test that spares most of the work; what it lets through is compared event by event."""
    return getattr(_worlds_of(game), "may_look_alike", _anything)


def _anything(action: Any, other: Any) -> bool:
    return True
