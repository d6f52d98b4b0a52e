"""Gymnasium environments: one seat of any game against an agent. `register()` makes their ids known."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import numpy as np

from manhunt.adapters.episode import ENDLESS_PLIES, Episode, Payoff
from manhunt.adapters.rendering import RENDER_MODES, check_render_mode, parse_seat, render
from manhunt.adapters.spaces import action_space, info_of, observation_space
from manhunt.agents.registry import make_agent
from manhunt.core.agent import Agent, Limit
from manhunt.core.errors import BadConfig, missing_extra, unknown
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.outcome import usual_payoff
from manhunt.core.registry import find_name, kits, make_game
from manhunt.core.seeds import seeded

try:
    import gymnasium
except ImportError:
    raise missing_extra("Gymnasium is not installed; get it with", "rl") from None

VERSION = 0
Observation = dict[str, Any]
Info = dict[str, Any]


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """You play one seat, an agent plays the other. An illegal action ends the game with a reward of -1.

    Rewards are 0 until the end; then the evader gets `payoff` and the pursuers the opposite. `seconds` or `iterations`
    limit each decision of the opponent. All other options are those of the game.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        preset: str | None = None,
        *,
        seat: str = Seat.PURSUERS.value,
        opponent: str | Agent = "random",
        seconds: float | None = None,
        iterations: int | None = None,
        belief: bool = False,
        render_mode: str | None = None,
        render_seat: str | None = None,
        max_plies: int | None = None,
        payoff: Payoff = usual_payoff,
        **options: Any,
    ) -> None:
        check_render_mode(render_mode)
        name, self.seat = find_name(game) or game, _player(seat)
        other = Seat.EVADER if self.seat is Seat.PURSUERS else Seat.PURSUERS
        agent = make_agent(opponent, name, other) if isinstance(opponent, str) else opponent
        config = make_game(name).make_config(preset, **options)
        self.episode = Episode(name, config, belief=belief, opponent=agent, seat=other)
        self.limit = Limit(seconds, iterations)
        self.max_plies = max_plies or (ENDLESS_PLIES if self.episode.kit.size_of(config).endless else None)
        self.payoff = payoff
        self.render_mode, self._render_seat = render_mode, parse_seat(render_seat or seat)
        self.observation_space = observation_space(self.episode.encoder, belief)
        self.action_space = action_space(self.episode.encoder)
        self._no_action = np.zeros(self.episode.encoder.n_actions, np.int8)
        self._rng = Random()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        super().reset(seed=seed)
        if seed is not None:
            self._rng = seeded(seed, "opponent")
        for _ in range(100):
            self.episode.deal(seed)
            self.n_plies = 0
            self._let_opponent_move()
            if self.episode.to_act is self.seat:
                break
            seed = None
        else:
            raise BadConfig(f"the {self.seat.value} never act: the opponent ends all games before their first turn")
        return self._seen()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Info]:
        episode = self.episode
        if not self._mask[action]:
            observation, info = self._seen()
            return observation, -1.0, True, False, {**info, "illegal": True}
        episode.play(int(action))
        self.n_plies += 1
        self._let_opponent_move()
        outcome = episode.outcome
        terminated = outcome is not None
        truncated = not terminated and self.max_plies is not None and self.n_plies >= self.max_plies
        value = 0.0 if outcome is None else float(self.payoff(outcome))
        reward = value if self.seat is Seat.EVADER else -value
        observation, info = self._seen()
        return observation, reward, terminated, truncated, {**info, **info_of(outcome)}

    def _let_opponent_move(self) -> None:
        episode = self.episode
        agent, seat = episode.opponent, episode.opponent_seat
        assert agent is not None
        while episode.to_act is seat and (self.max_plies is None or self.n_plies < self.max_plies):
            episode.play_action(agent.act(episode.view(seat), self.limit, self._rng).action)
            self.n_plies += 1

    def _seen(self) -> tuple[Observation, Info]:
        is_turn = self.episode.to_act is self.seat
        self._mask = self.episode.mask() if is_turn else self._no_action
        observation = {"observation": self.episode.observe(self.seat), "action_mask": self._mask.copy()}
        return observation, {"action_mask": self._mask.copy()}

    def render(self) -> Any:
        return render(self.episode.view(self._render_seat), self.render_mode)

    def close(self) -> None:
        if self.episode.opponent is not None:
            self.episode.opponent.stop()

    def fork(self) -> SeatEnv:
        """An independent environment in the same position, with the same future if its agent can be copied."""
        return copy.deepcopy(self)


def _player(name: str) -> Seat:
    known = {seat.value: seat for seat in PLAYERS}
    if name not in known:
        raise BadConfig(unknown("seat", name, known))
    return known[name]


def env_id(game: str) -> str:
    """`manhunt/MyGame-v0` for my_game."""
    return f"manhunt/{''.join(word.capitalize() for word in game.split('_'))}-v{VERSION}"


def register() -> tuple[str, ...]:
    """Make the environments of all games known to `gymnasium.make`, those of other packages too; their ids."""
    for kit in kits():
        if env_id(kit.name) not in gymnasium.registry:
            vector = "manhunt.adapters.vector:GameVectorEnv" if kit.has("batch") else None
            entry = "manhunt.adapters.gymnasium:SeatEnv"
            gymnasium.register(env_id(kit.name), entry, kwargs={"game": kit.name}, vector_entry_point=vector)
    return tuple(env_id(kit.name) for kit in kits())
