"""The agent that plays from a policy file, as `manhunt learn` writes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.belief import Belief
from manhunt.core.encoding import Encoder
from manhunt.core.errors import BadAgent
from manhunt.core.game import View
from manhunt.core.ids import Seat
from manhunt.core.registry import kit_of
from manhunt.search.policy_net import Legal, judge, load_policy


class LearnedAgent(Agent):
    """Plays a policy that `manhunt learn` trained: `file` is its policy.npz; sample=false always takes the likeliest.

    It sees what the game's encoder makes of its view and, as a pursuer, of the belief that follows its own events.
    """

    def __init__(self, file: Path, sample: bool = True) -> None:
        self.file, self.sample = Path(file), sample
        self.net, self.card = load_policy(self.file)
        try:
            self.games = (str(self.card["game"]),)  # type: ignore[misc]
            self.seats = tuple(map(Seat, self.card["seats"]))  # type: ignore[misc]
            self._has_belief = bool(self.card["belief"])
        except (KeyError, TypeError, ValueError):
            raise BadAgent(f"{self.file}: its card does not say which game and seats it plays") from None
        self._encoder: Encoder | None = None
        self._belief: Belief[Any] | None = None

    def start(self, view: View) -> None:
        kit = kit_of(view.game)
        encoder = kit.encoder(view.config)
        n_inputs = encoder.observation_size + (encoder.belief_size if self._has_belief else 0)
        wanted, known = (n_inputs, encoder.n_actions), (len(self.net.w1), len(self.net.actions))
        if wanted != known:
            raise BadAgent(
                f"{self.file} was trained for another setting of {view.game}: it has {known[0]} inputs and {known[1]} "
                f"actions, this game {wanted[0]} and {wanted[1]}"
            )
        self._encoder, self._belief = encoder, None
        if self._has_belief and view.seat is Seat.PURSUERS and kit.belief is not None:
            self._belief = kit.belief()
            self._belief.start(view)

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        if self._belief is not None:
            self._belief.observe(events)

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        if self._encoder is None:
            self.start(view)
        assert self._encoder is not None
        row = np.zeros((1, len(self.net.w1)), np.float32)
        size = self._encoder.observation_size
        row[0, :size] = self._encoder.observe(view)
        if self._belief is not None:
            row[0, size:] = self._encoder.belief_planes(self._belief)
        numbers = np.array([self._encoder.number_of(action) for action in view.legal], np.int64)
        log_chances, values = judge(self.net, row, Legal(np.zeros_like(numbers), numbers))
        chances = np.exp(log_chances.astype(np.float64))
        chosen = rng.choices(range(len(numbers)), chances.tolist())[0] if self.sample else int(chances.argmax())
        value = float(np.clip(values[0], -1, 1))
        return Advice(
            view.legal[chosen],
            value if view.seat is Seat.EVADER else -value,
            confidence=min(float(chances[chosen]), 1.0),
            counters={"legal": len(numbers)},
        )
