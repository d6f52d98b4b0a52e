"""PettingZoo environments of all games: `env("GAME")`, or `from manhunt.adapters.pettingzoo import GAME_v0`."""

from __future__ import annotations

import copy
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from manhunt.adapters.episode import ENDLESS_PLIES, Episode, Payoff
from manhunt.adapters.pettingzoo_parallel import ParallelGameEnv
from manhunt.adapters.rendering import RENDER_MODES, check_render_mode, parse_seat, render
from manhunt.adapters.spaces import action_space, info_of, observation_space
from manhunt.core.arrays import Int8s
from manhunt.core.errors import BadConfig, IllegalAction, missing_extra, unknown
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.outcome import usual_payoff
from manhunt.core.registry import find_name, make_game

try:
    from pettingzoo import AECEnv
    from pettingzoo.utils.env_logger import EnvLogger
except ImportError:
    raise missing_extra("PettingZoo is not installed; get it with", "rl") from None

VERSION = 0
TOGETHER, EACH = "together", "each"


def env(game: str, preset: str | None = None, **options: Any) -> CheckedEnv:
    """The environment with PettingZoo's usual checks; see `GameEnv` for the options."""
    return CheckedEnv(game, preset, **options)


def raw_env(game: str, preset: str | None = None, **options: Any) -> GameEnv:
    """The environment without PettingZoo's checks: an illegal action raises IllegalAction."""
    return GameEnv(game, preset, **options)


def parallel_env(game: str, preset: str | None = None, **options: Any) -> ParallelGameEnv:
    """For games in which all pursuers move at once; BadConfig for all others."""
    return ParallelGameEnv(game, preset, **options)


class GameEnv(AECEnv):  # type: ignore[misc]
    """One game, seat by seat. Rewards are 0 until the end; then the evader gets `payoff` and the pursuers the opposite.

    With `pursuers="each"` every pursuing piece is a separate agent; if the rules leave the order open, the first piece
    that can move goes first. `belief=True` adds what everybody can work out to each observation. All other options are
    those of the game.
    """

    def __init__(
        self,
        game: str,
        preset: str | None = None,
        *,
        pursuers: str = TOGETHER,
        belief: bool = False,
        render_mode: str | None = None,
        render_seat: str = "spectator",
        max_plies: int | None = None,
        payoff: Payoff = usual_payoff,
        **options: Any,
    ) -> None:
        super().__init__()
        check_render_mode(render_mode)
        if pursuers not in (TOGETHER, EACH):
            raise BadConfig(unknown("kind of pursuers", pursuers, (TOGETHER, EACH)))
        name = find_name(game) or game
        self.episode = Episode(name, make_game(name).make_config(preset, **options), belief=belief)
        size = self.episode.kit.size_of(self.episode.config)
        self.max_plies = max_plies or (ENDLESS_PLIES if size.endless else None)
        self.payoff = payoff
        self.render_mode, self._render_seat = render_mode, parse_seat(render_seat)
        self.metadata = {
            "name": f"{name}_v{VERSION}",
            "render_modes": list(RENDER_MODES),
            "render_fps": 2,
            "is_parallelizable": False,
        }
        self._pieces = _n_pieces(self.episode) if pursuers == EACH else None
        self._seats = {"evader_0": Seat.EVADER, **dict.fromkeys(self._pursuer_names(), Seat.PURSUERS)}
        self.possible_agents = list(self._seats)
        encoder = self.episode.encoder
        self._no_action = np.zeros(encoder.n_actions, np.int8)
        self._no_action.setflags(write=False)
        self.observation_spaces = {agent: observation_space(encoder, belief) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(encoder) for agent in self.possible_agents}

    def _pursuer_names(self) -> list[str]:
        return ["pursuers_0"] if self._pieces is None else [f"pursuer_{piece}" for piece in range(self._pieces)]

    # -- PettingZoo's contract -------------------------------------------------------------------

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.episode.deal(seed)
        self.n_plies = 0
        self._chosen: tuple[int, ...] = ()
        self.agents: list[str] = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._skip_agent_selection = None
        self._publish()

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if not 0 <= action < len(self._mask) or not self._mask[action]:
            self._refuse(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._play(int(action))
        self._publish()

    def _refuse(self, action: Any) -> None:
        legal = np.flatnonzero(self._mask)
        some = ", ".join(map(str, legal[:8])) + (", ..." if len(legal) > 8 else "")
        raise IllegalAction(f"action {action} is not legal for {self.agent_selection}; legal: {some}")

    def observe(self, agent: str) -> dict[str, Any]:
        mask = self._mask if agent == self.agent_selection else self._no_action
        return {"observation": self.episode.observe(self._seats[agent]), "action_mask": mask.copy()}

    def render(self) -> Any:
        return render(self.episode.view(self._render_seat), self.render_mode)

    def close(self) -> None:
        """Does nothing: there are no windows or files to close."""

    def fork(self) -> GameEnv:
        """An independent environment in the same position, with the same future."""
        return copy.deepcopy(self)

    # -- turns -----------------------------------------------------------------------------------

    def _play(self, number: int) -> None:
        if not self._legal_parts:
            self.episode.play(number)
            self.n_plies += 1
            return
        self._chosen = (*self._chosen, number)
        if self._pieces == len(self._chosen):
            self.episode.play_action(self._legal_parts[self._chosen])
            self._chosen = ()
            self.n_plies += 1

    def _publish(self) -> None:
        """Whose turn it is, with what they may do; or the end."""
        seat = self.episode.to_act
        self._legal_parts: dict[tuple[int, ...], Any] = {}
        self._mask: Int8s = self._no_action
        ended = seat is None
        if not ended and (self.max_plies is None or self.n_plies < self.max_plies):
            assert seat in PLAYERS
            before, self.agent_selection = self.agent_selection, self._select(seat)
            self.infos[before] = {"action_mask": self._no_action}
            self.infos[self.agent_selection] = {"action_mask": self._mask}
            return
        (self.terminations if ended else self.truncations).update(dict.fromkeys(self.agents, True))
        outcome = self.episode.outcome
        value = self.payoff(outcome) if outcome is not None else 0.0
        for agent in self.agents:
            self.rewards[agent] = value if self._seats[agent] is Seat.EVADER else -value
            self.infos[agent] = {"action_mask": self._no_action, **info_of(outcome)}
        self._accumulate_rewards()
        self._deads_step_first()

    def _select(self, seat: Seat) -> str:
        """The agent that acts for a seat; sets the mask."""
        episode = self.episode
        if self._pieces is None or seat is Seat.EVADER:
            self._mask = episode.mask()
            return "evader_0" if seat is Seat.EVADER else "pursuers_0"
        encoder, legal = episode.encoder, episode.view(seat).legal
        self._legal_parts = {encoder.parts_of(action): action for action in legal if encoder.parts_of(action)}
        if self._legal_parts:
            piece = len(self._chosen)
            numbers = [parts[piece] for parts in self._legal_parts if parts[:piece] == self._chosen]
        else:
            piece = min(encoder.piece_of(action) or 0 for action in legal)
            numbers = [encoder.number_of(action) for action in legal if encoder.piece_of(action) in (piece, None)]
        self._mask = self._no_action.copy()
        self._mask[numbers] = 1
        return f"pursuer_{piece}"


class CheckedEnv(GameEnv):
    """Does what PettingZoo's wrappers do to an environment, without the time they take.

    An illegal action ends the game with -1 for its agent and 0 for all others, a number outside the action space is
    an AssertionError, and `step`, `observe` and `render` before `reset` are refused.
    """

    def step(self, action: Any) -> None:
        self._check_reset(EnvLogger.error_step_before_reset)
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        is_over = self.terminations[agent] or self.truncations[agent]
        assert is_over or self.action_spaces[agent].contains(action), "action is not in action space"
        super().step(action)

    def _refuse(self, action: Any) -> None:
        EnvLogger.warn_on_illegal_move()
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards[agent] = -1.0
        self._accumulate_rewards()
        self._deads_step_first()

    def observe(self, agent: str) -> dict[str, Any]:
        self._check_reset(EnvLogger.error_observe_before_reset)
        return super().observe(agent)

    def render(self) -> Any:
        self._check_reset(EnvLogger.error_render_before_reset)
        return super().render()

    def _check_reset(self, complain: Callable[[], None]) -> None:
        if "agents" not in self.__dict__:
            complain()


def _n_pieces(episode: Episode) -> int:
    n = episode.kit.size_of(episode.config).pieces
    if n < 2:
        raise BadConfig(f"the pursuers have one piece in this {episode.kit.name}; leave out pursuers={EACH!r}")
    return n


def __getattr__(name: str) -> SimpleNamespace:
    """`GAME_v0`, as PettingZoo's own environments are named: a namespace with `env`, `raw_env` and `parallel_env`."""
    game, _, version = name.rpartition("_v")
    if version != str(VERSION) or find_name(game) is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return SimpleNamespace(
        env=lambda preset=None, **options: env(game, preset, **options),
        raw_env=lambda preset=None, **options: raw_env(game, preset, **options),
        parallel_env=lambda preset=None, **options: parallel_env(game, preset, **options),
    )
