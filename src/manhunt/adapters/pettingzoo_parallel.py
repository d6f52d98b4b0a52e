"""PettingZoo's parallel environments, for games in which all pursuers move at once: each piece is an agent."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from manhunt.adapters.episode import ENDLESS_PLIES, Episode, Payoff
from manhunt.adapters.rendering import RENDER_MODES, check_render_mode, parse_seat, render
from manhunt.adapters.spaces import info_of, observation_space
from manhunt.core.arrays import Int8s
from manhunt.core.errors import BadConfig, missing_extra
from manhunt.core.ids import Seat
from manhunt.core.outcome import usual_payoff
from manhunt.core.registry import find_name, make_game

try:
    from gymnasium import spaces
    from pettingzoo import ParallelEnv
except ImportError:
    raise missing_extra("PettingZoo is not installed; get it with", "rl") from None

EVADER = "evader_0"


class ParallelGameEnv(ParallelEnv):  # type: ignore[misc]
    """Each step is one ply. Agents that do not act in it must wait, which is the last number of the action space.

    An action outside an agent's mask ends the game with -1 for that agent and 0 for the others. A joint move that the
    rules do not allow ends it with -1 for all pursuers. Otherwise rewards are those of `GameEnv`.
    """

    def __init__(
        self,
        game: str,
        preset: str | None = None,
        *,
        belief: bool = False,
        render_mode: str | None = None,
        render_seat: str = "spectator",
        max_cycles: int = ENDLESS_PLIES,
        payoff: Payoff = usual_payoff,
        **options: Any,
    ) -> None:
        check_render_mode(render_mode)
        name = find_name(game) or game
        self.episode = Episode(name, make_game(name).make_config(preset, **options), belief=belief)
        encoder = self.episode.encoder
        if not encoder.has_joint_actions:
            raise BadConfig(f"in this {name} no pieces move at the same time; use env() instead")
        self.max_cycles, self.payoff = max_cycles, payoff
        self.render_mode, self._render_seat = render_mode, parse_seat(render_seat)
        self.metadata = {"name": f"{name}_v0", "render_modes": list(RENDER_MODES), "render_fps": 2}
        n_pieces = self.episode.kit.size_of(self.episode.config).pieces
        self.possible_agents = [EVADER, *(f"pursuer_{piece}" for piece in range(n_pieces))]
        self.wait = encoder.n_actions
        self.observation_spaces = {a: observation_space(encoder, belief, waits=True) for a in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(encoder.n_actions + 1) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self.episode.deal(seed)
        self.agents = list(self.possible_agents)
        self.n_cycles = 0
        return self._seen()

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        agents, episode, outcome = self.agents, self.episode, None
        self.n_cycles += 1
        illegal = [agent for agent in agents if not self._masks[agent][actions[agent]]]
        if not illegal:
            illegal = self._play(actions)
        rewards = {agent: -1.0 if agent in illegal else 0.0 for agent in agents}
        if not illegal and (outcome := episode.outcome) is not None:
            value = self.payoff(outcome)
            rewards = {agent: value if agent == EVADER else -value for agent in agents}
        ended = bool(illegal) or outcome is not None
        cut = not ended and self.n_cycles >= self.max_cycles
        observations, infos = self._seen()
        if ended or cut:
            self.agents = []
            infos = {agent: {**info, **info_of(outcome)} for agent, info in infos.items()}
        return observations, rewards, dict.fromkeys(agents, ended), dict.fromkeys(agents, cut), infos

    def _play(self, actions: dict[str, int]) -> list[str]:
        """Nobody, or the agents whose choices do not go together."""
        if not self._joint:
            self.episode.play(next(number for number in actions.values() if number != self.wait))
            return []
        pieces = self.possible_agents[1:]
        action = self._joint.get(tuple(int(actions[piece]) for piece in pieces))
        if action is None:
            return pieces
        self.episode.play_action(action)
        return []

    def _seen(self) -> tuple[dict[str, Any], dict[str, Any]]:
        self._masks = self._new_masks()
        seen = {}
        for agent in self.agents:
            vector = self.episode.observe(Seat.EVADER if agent == EVADER else Seat.PURSUERS)
            seen[agent] = {"observation": vector, "action_mask": self._masks[agent].copy()}
        return seen, {agent: {"action_mask": self._masks[agent].copy()} for agent in self.agents}

    def _new_masks(self) -> dict[str, Int8s]:
        numbers: dict[str, list[int]] = {agent: [] for agent in self.possible_agents}
        seat, encoder = self.episode.to_act, self.episode.encoder
        legal = self.episode.view(seat).legal if seat is not None else ()
        self._joint = {parts: action for action in legal if (parts := encoder.parts_of(action))}
        for parts in self._joint:
            for piece, number in enumerate(parts):
                numbers[f"pursuer_{piece}"].append(number)
        for action in () if self._joint else legal:
            mover = encoder.piece_of(action)
            numbers[EVADER if mover is None else f"pursuer_{mover}"].append(encoder.number_of(action))
        masks = {}
        for agent, chosen in numbers.items():
            masks[agent] = np.zeros(self.wait + 1, np.int8)
            masks[agent][chosen or [self.wait]] = 1
        return masks

    def render(self) -> Any:
        return render(self.episode.view(self._render_seat), self.render_mode)

    def close(self) -> None:
        """Does nothing: there are no windows or files to close."""

    def fork(self) -> ParallelGameEnv:
        """An independent environment in the same position, with the same future."""
        return copy.deepcopy(self)
