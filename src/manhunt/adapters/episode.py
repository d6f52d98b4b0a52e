"""One game of an environment, from the deal to the end, played by the numbers of its actions."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from manhunt.core.agent import Agent
from manhunt.core.arrays import Float32s, Int8s
from manhunt.core.belief import Belief
from manhunt.core.encoding import Encoder
from manhunt.core.errors import BadConfig
from manhunt.core.events import Event, number_events
from manhunt.core.ids import Seat
from manhunt.core.kit import Kit
from manhunt.core.outcome import Outcome
from manhunt.core.registry import kit_of
from manhunt.core.seeds import seeded
from manhunt.core.stepper import Stepper

MAX_DEALS = 100
ENDLESS_PLIES = 1000
"""Where the rules set no end, a game is cut off after so many plies."""
Payoff = Callable[[Outcome], float]


class Episode:
    """Holds the truth of one game and returns what a seat may know, as numbers.

    If the game has a stepper, it plays, and the rules catch up when a view is needed. Copies are independent and have
    the same future: states never change, so they are shared; generators and beliefs are copied.
    """

    to_act: Seat | None = None

    def __init__(
        self, game: str, config: Any, *, belief: bool = False, opponent: Agent | None = None, seat: Seat = Seat.EVADER
    ) -> None:
        """The opponent hears what happens in its seat; it is up to others to let it move."""
        self.kit: Kit = kit_of(game)
        self.config = config
        self.encoder: Encoder = self.kit.encoder(config)
        self.belief: Belief[Any] | None = None
        if belief:
            if self.kit.belief is None or not self.encoder.belief_size:
                raise BadConfig(f"{game} has no belief planes for this config; leave out belief=True")
            self.belief = self.kit.belief()
        self.opponent, self.opponent_seat = opponent, seat
        self.rng = Random()
        self._state: Any = None
        self._stepper: Stepper | None = self._new_stepper()
        self._ahead: list[int] = []
        self._views: dict[Seat, Any] = {}
        self._n_events = 0

    def _new_stepper(self) -> Stepper | None:
        """None where somebody hears every event, which the rules alone can tell."""
        make: Callable[[Any], Stepper] | None = None if self._has_listeners else self.kit.part("stepper")
        return None if make is None else make(self.config)

    @property
    def _has_listeners(self) -> bool:
        hears = self.opponent is not None and type(self.opponent).observe is not Agent.observe
        return hears or self.belief is not None

    # -- play ------------------------------------------------------------------------------------

    def deal(self, seed: int | None = None) -> None:
        """Deal a new game that is not over at once. The same seed gives the same game; without a seed the generator
        continues.
        """
        game = self.kit.game
        if seed is not None:
            self.rng = seeded(seed, "environment")
        for _ in range(MAX_DEALS):
            state = game.new(self.config, self.rng)
            if game.outcome(state) is None:
                break
        else:
            raise BadConfig(f"all games of {self.kit.name} with this config are over before the first move")
        self.begin(state)

    def begin(self, state: Any) -> None:
        """Start from the first state of a game."""
        self._ahead = []
        self._become(state)
        self._n_events = 0
        if self.belief is not None:
            self.belief.start(self.view(Seat.SPECTATOR))
        if self.opponent is not None:
            self.opponent.start(self.view(self.opponent_seat))
        if self._has_listeners:
            self._tell(self.kit.game.opening_events(state))
        if self._stepper is not None:
            self._stepper.begin(state)
        self._resolve_chance()

    def play(self, number: int) -> None:
        """The seat to act plays the action with this number, which must be legal."""
        if self._stepper is not None:
            self._ahead.append(number)
            self._views.clear()
            self._stepper.play(number)
            self.to_act = self._stepper.to_act
            return
        assert self.to_act is not None
        self._apply(self.encoder.action_of(number, self.view(self.to_act)))
        self._resolve_chance()

    def play_action(self, action: Any) -> None:
        """Like `play`, with an action; IllegalAction if it is not legal."""
        assert self.to_act is not None
        number = self.encoder.number_of(action)
        if not self.mask()[number]:
            raise self.encoder.refusal(number, self.view(self.to_act))
        self.play(number)

    def _apply(self, action: Any) -> None:
        game, before = self.kit.game, self._state
        self._become(game.apply_action(before, action))
        if self._has_listeners:
            self._tell(game.events(before, action, self._state))

    def _resolve_chance(self) -> None:
        while self.to_act is Seat.CHANCE:
            self._apply(self.kit.game.sample_chance(self._state, self.rng))

    def _become(self, state: Any) -> None:
        self._state = state
        self.to_act = self.kit.game.to_act(state)
        self._views.clear()

    def _tell(self, events: tuple[Event, ...]) -> None:
        numbered = number_events(events, self._n_events)
        self._n_events += len(events)
        if self.belief is not None:
            self.belief.observe([event.seen_by(Seat.SPECTATOR) for event in numbered])
        if self.opponent is not None:
            self.opponent.observe([event.seen_by(self.opponent_seat) for event in numbered])

    # -- what a seat may know --------------------------------------------------------------------

    @property
    def state(self) -> Any:
        """The truth; never show it to an agent."""
        game = self.kit.game
        for number in self._ahead:
            seat = game.to_act(self._state)
            assert seat is not None
            action = self.encoder.action_of(number, game.view(self._state, seat))
            self._state = game.apply_action(self._state, action)
        self._ahead.clear()
        return self._state

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.kit.game.outcome(self._state) if self._stepper is None else self._stepper.outcome

    def view(self, seat: Seat) -> Any:
        """What a seat knows now."""
        made = self._views.get(seat)
        if made is None:
            made = self._views[seat] = self.kit.game.view(self.state, seat)
        return made

    def mask(self) -> Int8s:
        """By number: 1 if the seat to act may play that action."""
        if self._stepper is not None:
            return self._stepper.mask
        assert self.to_act is not None
        return self.encoder.mask(self.view(self.to_act))

    def observe(self, seat: Seat) -> Float32s:
        """What a seat sees, then the belief's planes if requested."""
        if self._stepper is not None:
            return self._stepper.observe(seat)
        vector = self.encoder.observe(self.view(seat))
        if self.belief is None:
            return vector
        return np.concatenate([vector, self.encoder.belief_planes(self.belief)])

    # -- copies ----------------------------------------------------------------------------------

    def __deepcopy__(self, memo: dict[int, Any]) -> Episode:
        twin = copy.copy(self)
        memo[id(self)] = twin
        twin.rng = copy.copy(self.rng)
        twin._ahead, twin._views = list(self._ahead), dict(self._views)
        twin.belief = copy.deepcopy(self.belief, memo)
        twin.opponent = copy.deepcopy(self.opponent, memo)
        twin._stepper = None if self._stepper is None else self._stepper.copy()
        return twin

    def __copy__(self) -> Episode:
        twin = object.__new__(Episode)
        twin.__dict__.update(self.__dict__)
        return twin

    def __getstate__(self) -> dict[str, Any]:
        """The state by the rules; tables are built again."""
        kept = {**self.__dict__, "kit": self.kit.name, "_state": self.state, "_views": {}}
        del kept["encoder"], kept["_stepper"]
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self.kit = kit_of(kept["kit"])
        self.encoder = self.kit.encoder(self.config)
        self._stepper = self._new_stepper()
        if self._stepper is not None and self._state is not None:
            self._stepper.begin(self._state)
