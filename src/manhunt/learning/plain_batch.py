"""Many games in one batch for games that bring no compiled one, or against an agent: a plain loop over games."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from manhunt.agents.registry import make_agent
from manhunt.core.agent import Agent, Limit
from manhunt.core.arrays import Bools, Int64s, Words
from manhunt.core.batch import OVER, Batch
from manhunt.core.belief import Belief
from manhunt.core.events import Event, number_events
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.kernel_random import below
from manhunt.core.kit import Kit
from manhunt.core.outcome import usual_payoff
from manhunt.core.seeds import seeded

MOST_PLIES = 2_000
"""A game that takes longer is broken off, with the value 0."""
RANDOM = "random"


class PlainBatch(Batch):
    """As `core.batch` says, but `opponent` (an agent's spec) plays the other seat, and beliefs follow the events of the
    pursuers' own seat: their planes are zeros in what the evader sees."""

    def __init__(
        self,
        kit: Kit,
        config: Any,
        n_games: int,
        *,
        seat: Seat | None = None,
        belief: bool = False,
        opponent: str = RANDOM,
    ) -> None:
        super().__init__(kit.encoder(config), n_games, seat=seat, observations=True, belief=belief)
        self.games = [_PlainGame(kit, config, seat, opponent, belief) for _ in range(n_games)]

    def choose(self, rng: Words, out: Int64s) -> None:
        for i, mask in enumerate(self.masks):
            legal = np.flatnonzero(mask)
            out[i] = legal[below(rng, len(legal))] if len(legal) else 0

    def _seed(self, seeds: Words, where: Bools) -> None:
        for i in np.flatnonzero(where):
            self.games[i].rng = seeded(int(seeds[i]), "batch")

    def _deal(self, where: Bools) -> None:
        for i in np.flatnonzero(where):
            self.games[i].begin()
            self._publish(i)

    def _refused(self, numbers: Int64s) -> int:
        refused = (self.to_act != OVER) & (self.masks[np.arange(self.n_games), numbers] == 0)
        return int(refused.argmax()) if refused.any() else OVER

    def _step(self, numbers: Int64s) -> None:
        for i, game in enumerate(self.games):
            if self.to_act[i] == OVER:
                game.begin()
            else:
                game.play(game.offers[numbers[i]])
            self._publish(i)

    def _publish(self, i: Any) -> None:
        game, encoder, size = self.games[i], self.encoder, self.encoder.observation_size
        acting = game.to_act
        self.to_act[i] = OVER if acting is None else PLAYERS.index(acting)
        self.values[i] = game.value
        looks = self.seat or acting or Seat.PURSUERS
        view = game.rules.view(game.state, looks)
        game.offers = {} if acting is None else {encoder.number_of(action): action for action in view.legal}
        self.masks[i] = 0
        self.masks[i, list(game.offers)] = 1
        self.observations[i, :size] = encoder.observe(view)
        if game.belief is not None:
            shown = looks is Seat.PURSUERS
            self.observations[i, size:] = encoder.belief_planes(game.belief) if shown else 0


class _PlainGame:
    """One game of a batch; an opponent answers at once."""

    def __init__(self, kit: Kit, config: Any, seat: Seat | None, opponent: str, belief: bool) -> None:
        self.rules, self.config = kit.game, config
        self.rng = Random(0)
        self.offers: dict[int, Any] = {}
        self.other = None if seat is None else next(other for other in PLAYERS if other is not seat)
        self.agent: Agent | None = None
        if opponent != RANDOM:
            assert self.other is not None
            self.agent = make_agent(opponent, kit.name, self.other)
        self.belief: Belief[Any] | None = kit.belief() if belief and kit.belief is not None else None
        self.state: Any = None
        self.to_act: Seat | None = None
        self.value = 0.0
        self._n_events = self._n_plies = 0

    def begin(self) -> None:
        rules = self.rules
        self.state = rules.new(self.config, self.rng)
        self._n_events = self._n_plies = 0
        if self.belief is not None:
            self.belief.start(rules.view(self.state, Seat.PURSUERS))
        if self.agent is not None:
            assert self.other is not None
            self.agent.start(rules.view(self.state, self.other))
        self._tell(rules.opening_events(self.state))
        self._go_on()

    def play(self, action: Any) -> None:
        self._apply(action)
        self._go_on()

    def _go_on(self) -> None:
        """Chance and the opponent act until it is the learner's turn, or the game is over."""
        rules = self.rules
        acting = rules.to_act(self.state)
        while acting is not None and (acting is Seat.CHANCE or acting is self.other) and self._n_plies < MOST_PLIES:
            self._apply(self._answer(acting))
            acting = rules.to_act(self.state)
        self.to_act = acting if self._n_plies < MOST_PLIES else None
        outcome = rules.outcome(self.state) if acting is None else None
        self.value = 0.0 if outcome is None else usual_payoff(outcome)
        if self.to_act is None and self.agent is not None:
            self.agent.stop()

    def _answer(self, acting: Seat) -> Any:
        if acting is Seat.CHANCE:
            return self.rules.sample_chance(self.state, self.rng)
        if self.agent is None:
            return self.rng.choice(self.rules.legal_actions(self.state))
        return self.agent.act(self.rules.view(self.state, acting), Limit(), self.rng).action

    def _apply(self, action: Any) -> None:
        before, self._n_plies = self.state, self._n_plies + 1
        self.state = self.rules.apply_action(before, action)
        if self.belief is not None or self.agent is not None:
            self._tell(self.rules.events(before, action, self.state))

    def _tell(self, events: Sequence[Event]) -> None:
        numbered = number_events(events, self._n_events)
        self._n_events += len(numbered)
        if self.belief is not None:
            self.belief.observe(event.seen_by(Seat.PURSUERS) for event in numbered)
        if self.agent is not None and self.other is not None:
            self.agent.observe([event.seen_by(self.other) for event in numbered])
