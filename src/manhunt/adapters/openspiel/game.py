"""The classes that OpenSpiel asks for: a game, its states and its observer."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, ClassVar

import numpy as np
import pyspiel

from manhunt.adapters.openspiel.positions import Deal, Position, numbers_of, player_of, rules_for
from manhunt.adapters.openspiel.resampling import resample
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.kit import Kit

PARAMETERS: Mapping[str, Any] = {"preset": "", "board": "", "options": "", "max_plies": 0}
LONGEST_TENSOR = 1 << 20
"""Information states with more numbers than this have no tensor."""
_TYPE = pyspiel.GameType


class ManhuntGame(pyspiel.Game):  # type: ignore[misc]
    """One config of one game, for two players: the evader is player 0, the pursuers are player 1."""

    kit: ClassVar[Kit]
    kind: ClassVar[Any]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**PARAMETERS, **(params or {})}
        self.rules = rules_for(self.kit.name, *(given[name] for name in PARAMETERS))
        rules, capabilities = self.rules, self.kit.game.capabilities
        self.history_shape = (rules.max_plies + 1, rules.encoder.observation_size)
        most_outcomes = rules.dealing.most_outcomes
        kind = game_type(
            self.kit,
            self.kind.short_name,
            has_chance=bool(most_outcomes) or capabilities.chance,
            has_tensor=int(np.prod(self.history_shape)) <= LONGEST_TENSOR,
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.encoder.n_actions,
            max_chance_outcomes=max(most_outcomes, rules.kit.size_of(rules.config).choices * capabilities.chance),
            num_players=len(PLAYERS),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=rules.max_plies,
        )
        super().__init__(kind, info, {name: given[name] for name in PARAMETERS})

    def max_chance_nodes_in_history(self) -> int:
        return self.rules.most_chance_nodes

    def new_initial_state(self) -> ManhuntState:
        return ManhuntState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> ManhuntObserver:
        return ManhuntObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class ManhuntState(pyspiel.State):  # type: ignore[misc]
    """Where a game is: one position, which clones share."""

    def __init__(self, game: ManhuntGame) -> None:
        super().__init__(game)
        self.position: Deal | Position = game.rules.root
        self._ready: Position | None = None

    def current_player(self) -> int:
        at = self.position
        if isinstance(at, Position) and at.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        if isinstance(at, Deal) or at.seat is Seat.CHANCE:
            return int(pyspiel.PlayerId.CHANCE)
        assert at.seat is not None
        return player_of(at.seat)

    def is_terminal(self) -> bool:
        return isinstance(self.position, Position) and self.position.is_over

    def _legal_actions(self, player: int) -> list[int]:
        return list(self._at.actions)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.position.odds

    def _apply_action(self, action: int) -> None:
        self.position, self._ready = self._ready or self.position.after(action), None

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.text(action)

    def returns(self) -> list[float]:
        value = self._at.value if self.is_terminal() else 0.0
        return [value, -value]

    def __str__(self) -> str:
        at = self.position
        return "to be dealt" if isinstance(at, Deal) else at.rules.game.format_state(at.state)

    def __deepcopy__(self, memo: object) -> ManhuntState:
        copy: ManhuntState = self.clone()
        return copy

    @property
    def _at(self) -> Position:
        assert isinstance(self.position, Position)
        return self.position

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> ManhuntState:
        """Another state that this player cannot tell from this one, with its whole history."""
        made: ManhuntState = self.get_game().new_initial_state()
        if isinstance(self.position, Deal):
            return made
        past = resample(self.position, PLAYERS[player_id], Random(int(probability_sampler() * 2**53)))
        drawn = past[0].rules.dealing.drawn_of(past[0].setup)
        while isinstance(made.position, Deal):
            made.apply_action(drawn[len(made.position.drawn)])
        for number, position in zip(numbers_of(past), past[1:], strict=True):
            made._ready = position
            made.apply_action(number)
        return made


class ManhuntObserver:
    """Tensors are the encoder's; with perfect recall, one row for every ply. Strings are views or all events so far.

    Public information is what a spectator knows; private information alone is what a seat knows beyond it, in tensors
    the difference of both.
    """

    def __init__(self, game: ManhuntGame, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"the observer takes no parameters, not {params}")
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("an observer knows the secrets of one player at most")
        self._recalls, self._sees_public = kind.perfect_recall, kind.public_info
        self._is_private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        shape = game.history_shape if self._recalls else game.history_shape[1:]
        if self._recalls and not game.get_type().provides_information_state_tensor:
            shape = (0,)
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        name = "history" if self._recalls else "observation"
        self.dict = {name: self.tensor.reshape(shape)}

    def set_from(self, state: ManhuntState, player: int) -> None:
        at = state.position
        self.tensor.fill(0)
        if isinstance(at, Deal) or not self.tensor.size:
            return
        look = at.history if self._recalls else at.observation
        if self._is_private:
            self.tensor += look(PLAYERS[player]).ravel()
        if self._is_private != self._sees_public:
            self.tensor += look(Seat.SPECTATOR).ravel() * (-1 if self._is_private else 1)

    def string_from(self, state: ManhuntState, player: int) -> str:
        at, seat = state.position, PLAYERS[player] if self._is_private else Seat.SPECTATOR
        is_all = self._sees_public or not self._is_private
        if isinstance(at, Deal) or (self._recalls and is_all):
            return at.told(seat)
        if self._recalls:
            return at.secrets(seat)
        own, public = at.view_json(seat), {} if is_all else at.view_json(Seat.SPECTATOR)
        return json.dumps({key: value for key, value in own.items() if is_all or public.get(key) != value})


def game_type(kit: Kit, short_name: str, *, has_chance: bool = True, has_tensor: bool = True) -> Any:
    chance, information = _TYPE.ChanceMode, _TYPE.Information
    return _TYPE(
        short_name=short_name,
        long_name=kit.title,
        dynamics=_TYPE.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if has_chance else chance.DETERMINISTIC,
        information=(
            information.IMPERFECT_INFORMATION if kit.game.capabilities.hidden else information.PERFECT_INFORMATION
        ),
        utility=_TYPE.Utility.ZERO_SUM,
        reward_model=_TYPE.RewardModel.TERMINAL,
        max_num_players=len(PLAYERS),
        min_num_players=len(PLAYERS),
        provides_information_state_string=True,
        provides_information_state_tensor=has_tensor,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=dict(PARAMETERS),
    )


def game_class(kit: Kit, short_name: str) -> type[ManhuntGame]:
    """The class that `pyspiel.register_game` wants."""
    name = "".join(word.capitalize() for word in short_name.split("_"))
    return type(name, (ManhuntGame,), {"kit": kit, "kind": game_type(kit, short_name)})
