"""The contract of a batch: thousands of games of one config, dealt and played together by compiled code."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from manhunt.core.arrays import Bools, Float32s, Int8s, Int64s, Words
from manhunt.core.encoding import Encoder
from manhunt.core.errors import BadConfig, IllegalAction
from manhunt.core.ids import PLAYERS, Seat

OVER = -1


class Batch(ABC):
    """Many games of one config at once; actions are the numbers of its encoder.

    The arrays belong to the batch, and every call changes them in place: copy what you want to keep, and do not write
    into them. A game that is over waits for the next `step`, which starts a new one in its place.
    """

    to_act: Int8s
    """By game: the index in `PLAYERS` of the seat to act, or OVER."""
    values: Float32s
    """By game: the value for the evader once it is over, 0 before."""
    masks: Int8s
    """By game and number: 1 if that action is legal; all 0 when the game is over."""
    observations: Float32s
    """By game: what the seat to act sees (the pursuers when it is over), then `shared_planes` if requested.
    If the caller plays one `seat`, always what that seat sees. Rows are empty if observations are off."""

    def __init__(self, encoder: Encoder, n_games: int, *, seat: Seat | None, observations: bool, belief: bool) -> None:
        if n_games < 1:
            raise BadConfig(f"{n_games} games; a batch needs at least one")
        if seat is not None and seat not in PLAYERS:
            raise BadConfig(f"nobody can play the {seat.value}; seats are evader and pursuers, or None for both")
        self.encoder, self.n_games, self.seat, self.has_belief = encoder, n_games, seat, belief
        size = encoder.observation_size + (encoder.belief_size if belief else 0)
        self.to_act = np.full(n_games, OVER, np.int8)
        self.values = np.zeros(n_games, np.float32)
        self.masks = np.zeros((n_games, encoder.n_actions), np.int8)
        self.observations = np.zeros((n_games, size if observations else 0), np.float32)

    def reset(self, seeds: Words | None = None, where: Bools | None = None) -> None:
        """Restart all games or some of them; with seeds, their random generators restart, too."""
        chosen = np.ones(self.n_games, np.bool_) if where is None else where
        if seeds is not None:
            self._seed(seeds, chosen)
        self._deal(chosen)

    def step(self, numbers: Int64s) -> None:
        """Play one action in each game; where a game was over, start a new one and ignore the number.

        If a number is illegal, nothing changes, and IllegalAction names it.
        """
        refused = self._refused(numbers)
        if refused != OVER:
            raise IllegalAction(self._why(refused, int(numbers[refused])))
        self._step(numbers)

    def _why(self, game: int, number: int) -> str:
        legal = np.flatnonzero(self.masks[game])
        some = ", ".join(map(str, legal[:8])) + (", ..." if len(legal) > 8 else "")
        return f"action {number} is not legal in game {game} for the {PLAYERS[self.to_act[game]].value}; legal: {some}"

    @abstractmethod
    def choose(self, rng: Words, out: Int64s) -> None:
        """Write one legal number for each game, all equally likely; 0 where it is over. `rng` is a `new_rng`."""

    @abstractmethod
    def _seed(self, seeds: Words, where: Bools) -> None: ...

    @abstractmethod
    def _deal(self, where: Bools) -> None: ...

    @abstractmethod
    def _refused(self, numbers: Int64s) -> int:
        """The first game in which this number is illegal; OVER if there is none."""

    @abstractmethod
    def _step(self, numbers: Int64s) -> None: ...
