"""Agents that think in worker processes: what goes there, and what an agent's turn can come to.

A worker keeps the agents that thought in it, by game and seat, with the number of events each has heard. One that is
not there (another worker, a new process) is made again from what its seat knows: opening view and all events.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from manhunt.agents.base import Agent, Limit
from manhunt.agents.registry import make_agent
from manhunt.agents.turns import TurnEnd, TurnFailed
from manhunt.errors import ManhuntError
from manhunt.games.base import View
from manhunt.games.registry import make_game
from manhunt.ids import Seat
from manhunt.play.referee import seeded
from manhunt.server.seats import SeatLog
from manhunt.server.workers import NoWorkers, Pool, TaskFailed, TaskTooLong, Worker, WorkerDied

MOST_AGENTS = 64
"""Agents that a worker keeps; the one that was not asked for the longest time goes first."""
PATIENCE_SECONDS = 300.0
"""How much longer than its limit an agent may take (compiling, reading tables) before it counts as hung."""
ATTEMPTS = 2
"""A worker that dies may have been ended by somebody else; the second one that dies is the agent's fault."""
THINK = f"{__name__}:think"


@dataclass(frozen=True)
class Errand:
    """A turn as it goes to a worker. Without `opening` the worker is taken to have the agent, `n_heard` events old."""

    uid: str
    spec: str
    seat: Seat
    view: View
    opening: View | None
    n_heard: int
    events: Sequence[dict[str, Any]]
    seconds: float
    seed: int


@dataclass(frozen=True)
class Turn:
    """What came of it: an action in notation, or why there is none; `detail` is for the seat alone."""

    end: TurnEnd
    action: str = ""
    detail: str = ""
    is_missing: bool = False
    """The worker does not have the agent and needs the whole errand."""


_kept: OrderedDict[tuple[str, Seat], tuple[Agent, int]] = OrderedDict()


def think(errand: Errand) -> Turn:
    """In the worker: bring the agent up to date, and ask it."""
    key = (errand.uid, errand.seat)
    agent, n_heard = _kept.pop(key, (None, 0))
    if agent is None or n_heard < errand.n_heard:
        if errand.opening is None:
            return Turn(TurnEnd.CRASH, is_missing=True)
        agent, n_heard = None, 0
    try:
        if agent is None:
            agent = make_agent(errand.spec, errand.view.game, errand.seat)
            assert errand.opening is not None
            agent.start(errand.opening)
        if news := list(errand.events[n_heard - errand.n_heard :]):
            agent.observe(news)
        advice = agent.act(errand.view, Limit(errand.seconds), seeded(errand.seed, errand.seat.value))
        action = make_game(errand.view.game).format_action(errand.view.config, advice.action)
    except ManhuntError as error:
        return Turn(TurnEnd.ILLEGAL, detail=str(error))
    except TurnFailed as failure:
        return Turn(failure.end, detail=failure.detail)
    except Exception as error:  # whatever an agent raises is its own loss
        return Turn(TurnEnd.CRASH, detail=f"{type(error).__name__}: {error}")
    _kept[key] = (agent, errand.n_heard + len(errand.events))
    while len(_kept) > MOST_AGENTS:
        _kept.popitem(last=False)
    return Turn(TurnEnd.OK, action)


async def ask(pool: Pool, uid: str, spec: str, log: SeatLog, seconds: float, seed: int) -> Turn:
    """In the server: one turn of an agent, wherever there is a worker for it; NoWorkers when there can be none."""
    key = (uid, log.seat)

    def prepare(worker: Worker, whole: bool = False) -> tuple[Errand]:
        n_heard = 0 if whole else worker.memory.get(key, 0)
        opening = log.opening if n_heard == 0 else None
        worker.memory[key] = len(log.events)
        return (Errand(uid, spec, log.seat, log.view, opening, n_heard, log.events[n_heard:], seconds, seed),)

    kind = f"{log.game} {log.seat.value} {spec}"
    limit = seconds + PATIENCE_SECONDS
    for attempt in range(ATTEMPTS):
        try:
            turn: Turn = await pool.run(THINK, key=key, kind=kind, prepare=prepare, limit_seconds=limit)
            if turn.is_missing:
                whole = partial(prepare, whole=True)
                turn = await pool.run(THINK, key=key, kind=kind, prepare=whole, limit_seconds=limit)
            return turn
        except NoWorkers:
            raise
        except TaskTooLong as error:
            return Turn(TurnEnd.TIMEOUT, detail=str(error))
        except TaskFailed as error:
            if not isinstance(error, WorkerDied) or attempt == ATTEMPTS - 1:
                return Turn(TurnEnd.CRASH, detail=str(error))
    raise AssertionError("the last attempt returns")
