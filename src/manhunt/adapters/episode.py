"""One game of an environment, from the deal to the end, played by the numbers of its actions."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

from manhunt.core.arrays import Float32s, Int8s
from manhunt.core.belief import Belief
from manhunt.core.encoding import Encoder
from manhunt.core.errors import BadConfig
from manhunt.core.events import Event, number_events
from manhunt.core.game import View
from manhunt.core.ids import Seat
from manhunt.core.kit import Kit
from manhunt.core.outcome import Outcome
from manhunt.core.registry import kit_of
from manhunt.core.seeds import seeded

Payoff = Callable[[Outcome], float]


def usual_payoff(outcome: Outcome) -> float:
    """The evader's reward at the end: 1 or -1; with a cost, 1 / (1 + cost) for an evader who arrives."""
    return outcome.value if outcome.cost is None else 1 / (1 + outcome.cost)


class Episode:
    """Holds the truth of one game; hands out what a seat may know, as numbers.

    Copies are independent and have the same future: states are never changed, so they are shared, and generators and
    beliefs are copied. Pickling keeps the game's name, the config and the state.
    """

    def __init__(self, game: str, config: Any, *, belief: bool = False) -> None:
        self.kit: Kit = kit_of(game)
        self.config = config
        self.encoder: Encoder = self.kit.encoder(config)
        self.belief: Belief[Any] | None = None
        if belief:
            if self.kit.belief is None or not self.encoder.belief_size:
                raise BadConfig(f"{game} has no belief planes for this config; leave out belief=True")
            self.belief = self.kit.belief()
        self.rng = Random()
        self.state: Any = None
        self._views: dict[Seat, Any] = {}
        self._n_events = 0

    # -- play ------------------------------------------------------------------------------------

    def deal(self, seed: int | None = None) -> None:
        """A new game; the same seed gives the same one. Without a seed the generator goes on."""
        if seed is not None:
            self.rng = seeded(seed, "environment")
        self._become(self.kit.game.new(self.config, self.rng))
        if self.belief is not None:
            self.belief.start(self.view(Seat.SPECTATOR))
            self._n_events = 0
            self._tell(self.kit.game.opening_events(self.state))
        self._resolve_chance()

    def play(self, number: int) -> None:
        """The seat to act takes the action with this number; IllegalAction if it may not."""
        seat = self.to_act
        view = self.view(seat if seat is not None else Seat.SPECTATOR)
        self.apply(self.encoder.action_of(number, view))

    def apply(self, action: Any) -> None:
        self._apply(action)
        self._resolve_chance()

    def _apply(self, action: Any) -> None:
        game, before = self.kit.game, self.state
        self._become(game.apply_action(before, action))
        if self.belief is not None:
            self._tell(game.events(before, action, self.state))

    def _resolve_chance(self) -> None:
        if self.kit.game.capabilities.chance:
            while self.to_act is Seat.CHANCE:
                self._apply(self.kit.game.sample_chance(self.state, self.rng))

    def _become(self, state: Any) -> None:
        self.state = state
        self._views.clear()

    def _tell(self, events: tuple[Event, ...]) -> None:
        assert self.belief is not None
        for event in number_events(events, self._n_events):
            self.belief.update(event.seen_by(Seat.SPECTATOR))
        self._n_events += len(events)

    # -- what a seat may know --------------------------------------------------------------------

    @property
    def to_act(self) -> Seat | None:
        return self.kit.game.to_act(self.state)

    @property
    def outcome(self) -> Outcome | None:
        return self.kit.game.outcome(self.state)

    def view(self, seat: Seat) -> View:
        made: View | None = self._views.get(seat)
        if made is None:
            made = self._views[seat] = self.kit.game.view(self.state, seat)
        return made

    def mask(self, seat: Seat) -> Int8s:
        return self.encoder.mask(self.view(seat))

    def observe(self, seat: Seat) -> Float32s:
        return self.encoder.observe(self.view(seat))

    def observe_belief(self) -> Float32s:
        assert self.belief is not None
        return self.encoder.belief_planes(self.belief)

    # -- copies ----------------------------------------------------------------------------------

    def __deepcopy__(self, memo: dict[int, Any]) -> Episode:
        twin = copy.copy(self)
        memo[id(self)] = twin
        twin.rng = copy.copy(self.rng)
        twin._views = dict(self._views)
        twin.belief = copy.deepcopy(self.belief, memo)
        return twin

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "kit": self.kit.name, "encoder": None, "_views": {}}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self.kit = kit_of(kept["kit"])
        self.encoder = self.kit.encoder(self.config)
