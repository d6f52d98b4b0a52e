"""One step ahead: the quarry away from the nearest detective, the detectives towards where it probably is."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from manhunt.core import thinking_time
from manhunt.core.arrays import Floats
from manhunt.core.game import View
from manhunt.core.ids import Seat
from manhunt.games.pursuit.beliefs.candidates import PursuitCandidates
from manhunt.games.pursuit.rules.actions import JointMove
from manhunt.games.pursuit.rules.views import PursuitView
from manhunt.search.one_step import CATCH, FAR_HOPS, NO_WAY, Hunters, OneStepAgent, Player, Runner, hops_of_board

_ACTIONS_PER_LOOK_AT_THE_CLOCK = 256


class PursuitGreedyAgent(OneStepAgent):
    """One step: Mr X away from the nearest detective, detectives towards the most likely node.

    `model` and `style` have no effect here; they allow the same spec in a tournament with several games.
    """

    games = ("pursuit",)

    def __init__(self, model: str = "", temperature: float = 0.0, style: str = "") -> None:
        super().__init__(temperature)

    def player_for(self, view: View) -> Player:
        return Runner() if view.seat is Seat.EVADER else _PursuitDetectives(PursuitCandidates())


class _PursuitDetectives(Hunters):
    def is_behind(self, view: PursuitView) -> bool:
        return not view.placing and super().is_behind(view)

    def rate(self, view: PursuitView, deadline: float) -> Floats:
        legal: Sequence[Any] = view.legal
        if view.placing:
            return self._rate_places(view)
        if not isinstance(legal[0], JointMove):
            return super().rate(view, deadline)
        self.spread(view.config.board)
        hops = hops_of_board(view.config.board).hops
        ratings, self.expected = np.full(len(legal), -np.inf), np.full(len(legal), float(FAR_HOPS))
        for i, move in enumerate(legal):
            rows = hops[list(move.to_all)]
            self.expected[i] = rows.min(axis=0) @ self.chance
            caught = self.chance[sorted(set(move.to_all))].sum()
            ratings[i] = CATCH * caught - self.expected[i] - 0.1 * (rows.mean(axis=0) @ self.chance)
            if i % _ACTIONS_PER_LOOK_AT_THE_CLOCK == 0 and thinking_time.now() > deadline:
                break
        return ratings

    def _rate_places(self, view: PursuitView) -> Floats:
        """Where detectives choose their places: all nodes should be near to one of them."""
        board = view.config.board
        hops = hops_of_board(board).hops
        self.chance = np.full(board.n_nodes, 1 / board.n_nodes)
        so_far = hops[list(view.pursuers)].min(axis=0) if view.pursuers else np.full(board.n_nodes, NO_WAY)
        moves: Sequence[Any] = view.legal
        self.expected = np.minimum(so_far, hops[[move.to for move in moves]]) @ self.chance
        return -self.expected
