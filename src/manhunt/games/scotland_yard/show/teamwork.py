"""One detective for a person, the others for an agent, in the order of seats."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from manhunt.cli.terminal.contract import Team
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.games.scotland_yard.rules.actions import Piece, ScotlandYardAction
from manhunt.games.scotland_yard.rules.config import ScotlandYardOrder
from manhunt.games.scotland_yard.rules.views import ScotlandYardView


def team_with(piece: Piece) -> Team:
    """The person moves `piece` when it is the first in seat order who can move."""

    def mine(view: ScotlandYardView) -> tuple[ScotlandYardAction, ...]:
        return in_turn(view).legal if view.legal and view.legal[0].piece is piece else ()

    return Team(mine, InTurn)


def in_turn(view: ScotlandYardView) -> ScotlandYardView:
    """The same view where the detectives move in the order of seats."""
    first = view.legal[0].piece if view.legal else None
    legal = tuple(action for action in view.legal if action.piece is first)
    return replace(view, config=replace(view.config, order=ScotlandYardOrder.SEATED), legal=legal)


class InTurn(Agent):
    """Another agent, which is told that the detectives move in the order of seats."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.games, self.seats = agent.games, agent.seats  # type: ignore[misc]

    def start(self, view: Any) -> None:
        self.agent.start(in_turn(view))

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        self.agent.observe(events)

    def act(self, view: Any, limit: Limit, rng: Random) -> Advice:
        return self.agent.act(in_turn(view), limit, rng)

    def stop(self) -> None:
        self.agent.stop()
