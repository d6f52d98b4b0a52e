"""Exact candidates for Pursuit where the quarry is hidden: the rules themselves say what could have happened."""

from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

from manhunt.beliefs.by_rules import BeliefByRules, Look
from manhunt.core.game import AnyGame
from manhunt.games.pursuit.rules.actions import JointMove, PursuitAction, PursuitMove
from manhunt.games.pursuit.rules.game import PursuitGame
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.games.pursuit.rules.views import PursuitView


class PursuitCandidates(BeliefByRules):
    """The states that fit what the seat has received, one for each node of the quarry; all are equally likely."""

    game: ClassVar[AnyGame] = PursuitGame()

    def worlds_of(self, view: PursuitView) -> Iterable[PursuitState]:
        nodes = view.config.board.nodes() if view.quarry is None and not view.placing else (view.quarry,)
        return (replace(view.state, quarry=node) for node in nodes)

    def actions_for(self, world: PursuitState, look: Look) -> Iterable[PursuitAction]:
        """The detectives' moves are public, so only the observed one is tried."""
        legal = super().actions_for(world, look)
        if look.get("t") != "moved" or look.get("piece") == "quarry":
            return legal
        node = world.config.board.node
        if look.get("pieces") == "all":
            moved: PursuitAction = JointMove(tuple(node(label) for label in look["to"]))
        else:
            moved = PursuitMove(node(look["to"]), look["piece"])
        return (moved,) if moved in legal else ()
