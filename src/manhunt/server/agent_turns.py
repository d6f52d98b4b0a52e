"""Agents that think in worker processes: what goes there, and what an agent's turn can come to.

A worker keeps the agents that thought in it, by game and seat, with the number of events each has heard. One that is
not there (another worker, a new process) is made again from what its seat knows: opening view and all events.
"""

import contextlib
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from manhunt.agents.registry import make_agent
from manhunt.analysis.seat_log import SeatLog
from manhunt.core.agent import Agent, Limit
from manhunt.core.crash import crash_text
from manhunt.core.errors import ManhuntError
from manhunt.core.game import View
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import kit_of, kits, make_game
from manhunt.core.seeds import seeded
from manhunt.core.turns import TurnEnd, TurnFailed
from manhunt.play.referee import Referee
from manhunt.server.first_use import PLAIN_SECONDS, run_task, runs_plain, work_of_turn
from manhunt.workers.deadlines import PREPARING_SECONDS, decision_seconds, must_end_within
from manhunt.workers.pool import (
    Lane,
    MakeArguments,
    NoWorkers,
    TaskFailed,
    TaskTooLong,
    Worker,
    WorkerDied,
    WorkerPool,
)

MOST_AGENTS = 64
"""Agents that a worker keeps; the one that was not asked for the longest time goes first."""
ATTEMPTS = 2
"""A worker that dies may have been ended by somebody else; the second one that dies is the agent's fault."""
THINK = f"{__name__}:think"
REHEARSE = f"{__name__}:rehearse"
REHEARSED_PLIES = 40
"""Within so many the agent is asked for the first time."""


@dataclass(frozen=True)
class TurnTask:
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
class AgentTurn:
    """What came of it: an action in notation, or why there is none; `detail` is for the seat alone."""

    end: TurnEnd
    action: str = ""
    detail: str = ""
    is_missing: bool = False
    """The worker does not have the agent and needs the whole task."""


_kept: OrderedDict[tuple[str, Seat], tuple[Agent, int]] = OrderedDict()


def think(task: TurnTask) -> AgentTurn:
    """In the worker: bring the agent up to date, and ask it."""
    key = (task.uid, task.seat)
    agent, n_heard = _kept.pop(key, (None, 0))
    if agent is None or n_heard < task.n_heard:
        if task.opening is None:
            return AgentTurn(TurnEnd.CRASH, is_missing=True)
        agent, n_heard = None, 0
    try:
        if agent is None:
            assert task.opening is not None
            with must_end_within(PREPARING_SECONDS):
                agent = make_agent(task.spec, task.view.game, task.seat)
                agent.start(task.opening)
        with must_end_within(decision_seconds(task.seconds)):
            if news := list(task.events[n_heard - task.n_heard :]):
                agent.observe(news)
            advice = agent.act(task.view, Limit(task.seconds), seeded(task.seed, task.seat.value))
        action = make_game(task.view.game).format_action(task.view.config, advice.action)
    except ManhuntError as error:
        return AgentTurn(TurnEnd.ILLEGAL, detail=str(error))
    except TurnFailed as failure:
        return AgentTurn(failure.end, detail=failure.detail)
    except Exception as error:  # whatever an agent raises is its own loss
        return AgentTurn(TurnEnd.CRASH, detail=crash_text(error))
    _kept[key] = (agent, task.n_heard + len(task.events))
    while len(_kept) > MOST_AGENTS:
        _kept.popitem(last=False)
    return AgentTurn(TurnEnd.OK, action)


def rehearse(name: str) -> None:
    """In a worker: one turn of the agent that one click chooses, so that everything it needs is imported."""
    kit, game = kit_of(name), make_game(name)
    quick = kit.lobby.quick
    assert quick is not None
    agent_seat = next(seat for seat in PLAYERS if seat is not quick.you)
    config = game.make_config(quick.preset, **({} if quick.board is None else {"board": quick.board}))
    referee = Referee(game, config, {agent_seat: make_agent(quick.agent, name, agent_seat)})
    for _ in range(REHEARSED_PLIES):
        if referee.over or referee.to_act is agent_seat:
            break
        if referee.to_act is quick.you:
            referee.submit(game.legal_actions(referee.state)[0])
        else:
            referee.step()
    if not referee.over:
        referee.step()


async def rehearse_plain(pool: WorkerPool) -> None:
    """Have the worker without compiled kernels import what the first visitors will wait for, game by game."""
    for kit in sorted(kits(), key=lambda kit: kit.lobby.order):
        quick = kit.lobby.quick
        if quick is not None and runs_plain(work_of_turn(kit.name, quick.agent)):
            with contextlib.suppress(TaskFailed, NoWorkers):
                await pool.run(REHEARSE, kit.name, lane=Lane.PLAIN, limit_seconds=PLAIN_SECONDS)


async def _ask(pool: WorkerPool, work: str, prepare: MakeArguments, **options: Any) -> AgentTurn:
    turn: AgentTurn = await run_task(pool, work, THINK, prepare=prepare, **options)
    return turn


async def ask(
    pool: WorkerPool, uid: str, spec: str, log: SeatLog, seconds: float, seed: int, owner: str = ""
) -> AgentTurn:
    """In the server: one turn of an agent, wherever there is a worker for it; NoWorkers when there can be none."""
    key = (uid, log.seat)

    def prepare(worker: Worker, whole: bool = False) -> tuple[TurnTask]:
        n_heard = 0 if whole else worker.memory.get(key, 0)
        opening = log.opening if n_heard == 0 else None
        worker.memory[key] = len(log.events)
        return (TurnTask(uid, spec, log.seat, log.view, opening, n_heard, log.events[n_heard:], seconds, seed),)

    kind = f"{log.game} {log.seat.value} {spec} {seconds:g}"
    limit = decision_seconds(seconds) + 2 * PREPARING_SECONDS  # where the worker does not say itself that it hangs
    work = work_of_turn(log.game, spec)
    asking = partial(_ask, pool, work, key=key, kind=kind, limit_seconds=limit, owner=owner, usual_seconds=seconds)
    for attempt in range(ATTEMPTS):
        try:
            turn: AgentTurn = await asking(prepare)
            if turn.is_missing:
                turn = await asking(partial(prepare, whole=True))
            return turn
        except NoWorkers:
            raise
        except TaskTooLong as error:
            return AgentTurn(TurnEnd.TIMEOUT, detail=f"{error} ({seconds:g} s)")
        except TaskFailed as error:
            if not isinstance(error, WorkerDied) or attempt == ATTEMPTS - 1:
                return AgentTurn(TurnEnd.CRASH, detail=str(error))
    raise AssertionError("the last attempt returns")
