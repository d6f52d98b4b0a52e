"""Pursuit for programs that learn: as any board game, and joint moves besides."""

from typing import Any

from manhunt.core.arrays import Float32s
from manhunt.core.encoding import BoardEncoder, Plane
from manhunt.games.pursuit.rules.actions import JointMove, PursuitAction
from manhunt.games.pursuit.rules.config import PursuitConfig, PursuitOrder, Visibility, size_of


class PursuitEncoder(BoardEncoder):
    """After the moves of single pieces come the joint moves, in the order of their node tuples."""

    def __init__(self, config: PursuitConfig) -> None:
        hidden = config.visibility is not Visibility.ALWAYS
        super().__init__(config, config.n_detectives, size_of(config), has_belief=hidden)
        self._first_joint = self.n_actions
        self.has_joint_actions = config.order is PursuitOrder.AT_ONCE
        if self.has_joint_actions:
            self.n_actions += self.n_nodes**self.n_pursuers

    def own_planes(self) -> tuple[Plane, ...]:
        waiting = Plane("waiting", "By pursuer: 1 if it has not moved or been placed in this round.", self.n_pursuers)
        placing = Plane("placing", "1 while the pieces choose their places.", 1)
        return (*super().own_planes(), waiting, placing)

    def number_of(self, action: PursuitAction) -> int:  # type: ignore[override]
        if not isinstance(action, JointMove):
            return super().number_of(action)
        number = 0
        for node in action.to_all:
            number = number * self.n_nodes + node
        return self._first_joint + number

    def parts_of(self, action: PursuitAction) -> tuple[int, ...]:
        nodes = action.to_all if isinstance(action, JointMove) else ()
        return tuple((piece + 1) * self.n_nodes + node for piece, node in enumerate(nodes))

    def observe(self, view: Any) -> Float32s:
        out = super().observe(view)
        for piece in view.waiting:
            out[self._starts["waiting"] + piece] = 1
        out[self._starts["placing"]] = view.placing
        return out
