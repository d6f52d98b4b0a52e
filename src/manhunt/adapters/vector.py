"""Thousands of games as one Gymnasium `VectorEnv`, for every game whose kit brings a batch."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from manhunt.adapters.spaces import action_space, observation_space
from manhunt.core.arrays import Bools, Floats, Int64s
from manhunt.core.batch import OVER, Batch
from manhunt.core.errors import BadConfig, IllegalAction, missing_extra, unknown
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.kernel_random import new_rng
from manhunt.core.registry import find_name, kit_of, kits

try:
    from gymnasium.spaces import Dict, MultiDiscrete, Space
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise missing_extra("Gymnasium is not installed; get it with", "rl") from None

Observation = dict[str, Any]
Infos = dict[str, Any]
Step = tuple[Observation, Floats, Bools, Bools, Infos]


class GameVectorEnv(VectorEnv[Any, Any, Any]):
    """Many games of one config, stepped by one compiled call.

    Without a `seat` you play both sides in turn: each row of the observation is what the seat to act sees, and rewards
    are for the evader. With a `seat` the other side moves at random inside the call, and rewards are for your seat.
    Rewards are 0 until a game is over; the next step starts a new game in its place and ignores the action.

    With `copy=False` you get the arrays of the batch themselves, which the next step overwrites.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        preset: str | None = None,
        seat: str | None = None,
        observations: bool = True,
        belief: bool = False,
        copy: bool = True,
        **options: Any,
    ) -> None:
        kit = kit_of(find_name(game) or game)
        if not kit.has("batch"):
            able = [other.name for other in kits() if other.has("batch")]
            raise BadConfig(f"{game} cannot be stepped in batches; games that can: {', '.join(able)}")
        config = kit.game.make_config(preset, **options)
        mine = None if seat is None else parse_player(seat)
        self.batch: Batch = kit.batch(config, num_envs, seat=mine, observations=observations, belief=belief)
        self.num_envs, self.copy = num_envs, copy
        self._sign = -1.0 if mine is Seat.PURSUERS else 1.0
        self._observes, n_actions = observations, self.batch.encoder.n_actions
        space = observation_space(self.batch.encoder, belief)
        self.single_observation_space = space if observations else Dict({"action_mask": space["action_mask"]})
        self.single_action_space = action_space(self.batch.encoder)
        self.action_space = MultiDiscrete(np.full(num_envs, n_actions))
        self.batch.reset(np.random.default_rng().integers(2**64, size=num_envs, dtype=np.uint64))
        self._chooser = new_rng(secrets.randbits(64))

    @cached_property
    def observation_space(self) -> Space[Any]:  # type: ignore[override]
        """Built when you ask for it, because the bounds of thousands of masks take more memory than the games."""
        return batch_space(self.single_observation_space, self.num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Infos]:
        """Start new games. A number seeds game i with seed + i, a list has one seed per game; without a seed the
        generators continue.

        `options={"reset_mask": array of bools}` restarts only those games.
        """
        where = _where((options or {}).get("reset_mask"), self.num_envs)
        if isinstance(seed, int | np.integer):
            super().reset(seed=int(seed))
            self._chooser = new_rng(int(seed))
            seed = range(int(seed), int(seed) + self.num_envs)
        if seed is not None:
            if len(seed) != self.num_envs:
                raise BadConfig(f"{len(seed)} seeds for {self.num_envs} games; give one for each, or one number")
            seeded = np.array([each is not None for each in seed]) & where
            self.batch.reset(np.array([(each or 0) % 2**64 for each in seed], np.uint64), seeded)
            where = where & ~seeded
        if where.any():
            self.batch.reset(where=where)
        return self._handed_out()

    def step(self, actions: Any) -> Step:
        """Play one action in each game. If one is illegal, IllegalAction is raised and nothing changes."""
        self.batch.step(self._numbers(actions))
        rewards = self._sign * self.batch.values.astype(np.float64)
        over = self.batch.to_act == OVER
        observation, infos = self._handed_out()
        return observation, rewards, over, np.zeros(self.num_envs, np.bool_), infos

    def sample_actions(self) -> Int64s:
        """A random legal action for each game, chosen by compiled code; `reset(seed=...)` seeds this too."""
        out = np.zeros(self.num_envs, np.int64)
        self.batch.choose(self._chooser, out)
        return out

    def _numbers(self, actions: Any) -> Int64s:
        numbers = np.asarray(actions)
        if numbers.shape != (self.num_envs,) or not np.issubdtype(numbers.dtype, np.integer):
            wanted = f"{self.num_envs} whole numbers, one for each game"
            raise IllegalAction(f"actions must be {wanted}, not {numbers.dtype} of shape {numbers.shape}")
        return numbers.astype(np.int64, copy=False)

    def _handed_out(self) -> tuple[Observation, Infos]:
        """Observations, and in the infos the masks again with who acts: 0 the evader, 1 the pursuers, -1 nobody."""
        found: Observation = {"action_mask": self.batch.masks}
        if self._observes:
            found["observation"] = self.batch.observations
        if self.copy:
            found = {name: array.copy() for name, array in found.items()}
        return found, {"action_mask": found["action_mask"], "to_act": self.batch.to_act.copy()}


def parse_player(name: str) -> Seat:
    names = [seat.value for seat in PLAYERS]
    if name not in names:
        raise BadConfig(unknown("seat", name, names))
    return Seat(name)


def _where(mask: Any, n: int) -> Bools:
    if mask is None:
        return np.ones(n, np.bool_)
    where = np.asarray(mask)
    if where.shape != (n,) or where.dtype != np.bool_:
        raise BadConfig(f"reset_mask must be {n} bools, not {where.dtype} of shape {where.shape}")
    return where
