"""An agent that is asked for advice: it hears what the seat was told, and nothing else."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from manhunt.agents.base import Advice, Limit
from manhunt.agents.registry import make_agent

if TYPE_CHECKING:
    from manhunt.server.seats import SeatLog


def ask_adviser(spec: str, log: SeatLog, limit: Limit) -> Advice:
    """What the agent would do in this seat's place; the same whenever it is asked."""
    agent = make_agent(spec, log.game, log.seat)
    agent.start(log.opening)
    agent.observe(log.events)
    advice = agent.act(log.view, limit, Random(len(log.events)))
    agent.stop()
    return advice
