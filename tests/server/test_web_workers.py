"""Jobs and agents in worker processes: progress, cancelling, and what an agent's fault comes to."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

import hanging_agents
import local_rooms
from local_rooms import plan_of, with_rooms
from manhunt.analysis.progress import report
from manhunt.analysis.seat_log import SeatLog
from manhunt.core.errors import BadText
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import make_game
from manhunt.core.turns import TurnEnd
from manhunt.server import agent_turns, room_registry
from manhunt.server.agent_turns import AgentTurn, TurnTask
from manhunt.server.jobs import Jobs, JobState
from manhunt.server.room_registry import RoomRegistry
from manhunt.server.rooms import GameRoom
from manhunt.store.games import load_record
from manhunt.workers.deadlines import PREPARING_SECONDS
from manhunt.workers.pool import Lane, WorkerDied, WorkerPool

HERE = __name__


def with_pool(scene: Callable[[WorkerPool], Awaitable[Any]], n_workers: int = 1) -> Any:
    async def run() -> Any:
        pool = WorkerPool({Lane.GENERAL: n_workers, Lane.EXPRESS: 1, Lane.JOBS: 1})
        try:
            return await scene(pool)
        finally:
            await pool.close()

    return asyncio.run(run())


@pytest.fixture(autouse=True)
def importable(monkeypatch) -> None:
    """Workers find the functions of this file, and what it imports."""
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join([os.path.dirname(__file__), os.path.dirname(local_rooms.__file__)])
    )


# What workers are asked to do.


def nap(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def refuse() -> None:
    raise BadText("line 3: no such card")


def count(n: int, seen: str) -> str:
    """Goes on with the next part when the file says that the last one was seen; not every report is passed on."""
    for i in range(n):
        while Path(seen).read_text() != str(i + 1):
            report(i + 1, n, f"part {i + 1}")
            time.sleep(0.01)
    return "counted"


def test_jobs_tell_how_far_they_are(tmp_path) -> None:
    file = tmp_path / "seen"
    file.write_text("")

    async def scene(pool: WorkerPool) -> None:
        jobs = Jobs(pool)
        job = jobs.start(f"{HERE}:count", 3, str(file))
        assert job.task is not None
        for i in (1, 2, 3):
            async with asyncio.timeout(300):
                while job.done != i:
                    await asyncio.sleep(0.01)
            file.write_text(str(i))
        await job.task
        assert job.to_json() == {
            "state": "done",
            "progress": {"done": 3, "total": 3, "words": "part 3"},
            "result": "counted",
        }
        endless = jobs.start(f"{HERE}:nap", 600.0)
        await asyncio.sleep(0.1)
        assert jobs.cancel(endless.id).to_json()["state"] == "cancelled"
        failing = jobs.start(f"{HERE}:refuse")
        assert failing.task is not None
        await failing.task
        assert (failing.state, failing.error) == (JobState.FAILED, "line 3: no such card")
        await jobs.close()

    with_pool(scene)


def test_nobody_cancels_what_others_wait_for(tmp_path) -> None:
    async def scene(pool: WorkerPool) -> None:
        jobs = Jobs(pool)
        job = jobs.start(f"{HERE}:nap", 600.0, key="film", owner="a")
        assert jobs.start(f"{HERE}:nap", 600.0, key="film", owner="b") is job
        for stranger in ("c", "a", "a"):
            assert jobs.cancel(job.id, stranger).state is JobState.RUNNING
        assert jobs.cancel(job.id, "b").state is JobState.CANCELLED
        await jobs.close()

    with_pool(scene)


def test_a_result_that_is_there_is_kept_once(tmp_path) -> None:
    async def scene(pool: WorkerPool) -> None:
        jobs = Jobs(pool)
        first = jobs.done({"large": 1}, key="analysis")
        assert jobs.done({"large": 1}, key="analysis") is first
        assert jobs.done({"other": 1}, key="another") is not first

    with_pool(scene)


@pytest.mark.parametrize(
    ("turn", "why"),
    [
        (AgentTurn(TurnEnd.CRASH, detail="KeyError: 'quarry at 108'"), "crash"),
        (AgentTurn(TurnEnd.ILLEGAL, detail="not legal: 108"), "illegal action"),
        (AgentTurn(TurnEnd.OK, action="T999"), "illegal action"),
        (AgentTurn(TurnEnd.OK, action="no notation"), "illegal action"),
        (AgentTurn(TurnEnd.TIMEOUT, detail="no answer"), "time"),
    ],
)
def test_a_failed_turn_of_an_agent_is_a_forfeit(tmp_path, scripted_pool, turn: AgentTurn, why: str) -> None:
    """Everybody hears that, and why; the details are for the seat alone."""
    scripted_pool.turns = [turn]

    async def scene(rooms: RoomRegistry) -> None:
        room = (await rooms.begin(plan_of("scotland_yard", evader="greedy"))).room
        while not room.over:
            await asyncio.sleep(0.01)
        public = room.log(Seat.PURSUERS).events
        assert {"t": "forfeit", "seat": "evader", "why": why} in [
            {k: v for k, v in event.items() if k != "v"} for event in public
        ]
        assert "108" not in str(public[4:])
        assert any(event.get("t") == "fault" for event in room.log(Seat.EVADER).events)
        assert "outcome: pursuers forfeit" in load_record(rooms.store, room.uid)
        assert scripted_pool.forgotten

    with_rooms(tmp_path, scripted_pool, scene)


def test_a_room_that_nobody_uses_leaves_nothing_behind(tmp_path, scripted_pool, monkeypatch) -> None:
    monkeypatch.setattr(room_registry, "SWEEP_SECONDS", 0.01)
    monkeypatch.setattr(room_registry, "IDLE_SECONDS", 0.0)

    async def scene(rooms: RoomRegistry) -> None:
        uid = (await rooms.begin(plan_of("pursuit"))).room.uid
        rooms.open()
        async with asyncio.timeout(300):
            while rooms.n_rooms or not scripted_pool.forgotten:
                await asyncio.sleep(0.01)
        assert set(scripted_pool.forgotten) >= {(uid, seat) for seat in PLAYERS}
        assert (await rooms.find(uid)).uid == uid

    with_rooms(tmp_path, scripted_pool, scene)


def test_a_dead_worker_is_no_forfeit_at_once(tmp_path, scripted_pool) -> None:
    """It may have been ended by the system; a second one that dies is the agent's fault."""
    scripted_pool.turns = [WorkerDied("killed"), WorkerDied("killed again")]

    async def scene(rooms: RoomRegistry) -> str:
        room = (await rooms.begin(plan_of("pursuit", evader="greedy"))).room
        while not room.over:
            await asyncio.sleep(0.01)
        return str(room.referee.outcome)

    assert with_rooms(tmp_path, scripted_pool, scene) == "pursuers forfeit"
    assert scripted_pool.turns == []


def test_an_agent_made_again_from_its_log_moves_as_the_one_that_was_there() -> None:
    """Kept, caught up, or built anew: with the same seed the agent says the same."""
    game = make_game("scotland_yard")

    class Nobody:
        def forget(self, key: object) -> None: ...

    room = GameRoom("x", plan_of("scotland_yard"), _referee(game), {}, None, Nobody())  # type: ignore[arg-type]
    said: dict[str, list[AgentTurn]] = {"kept": [], "new": []}
    heard = 0
    for n in range(12):
        seat = room.referee.to_act
        assert seat is not None
        if seat is Seat.PURSUERS:
            log = room.log(seat)
            opening = log.opening if heard == 0 else None
            kept = TurnTask("kept", "greedy", seat, log.view, opening, heard, log.events[heard:], 1.0, n)
            anew = TurnTask(f"new{n}", "greedy", seat, log.view, log.opening, 0, log.events, 1.0, n)
            said["kept"].append(agent_turns.think(kept))
            said["new"].append(agent_turns.think(anew))
            heard = len(log.events)
            action = game.parse_action(room.plan.config, said["kept"][-1].action)
        else:
            action = room.referee.view(seat).legal[0]
        room.referee.submit(action)
        room.kept.clear()
    assert said["kept"] == said["new"]
    assert {turn.end for turn in said["kept"]} == {TurnEnd.OK}
    lost = TurnTask("lost", "greedy", Seat.PURSUERS, log.view, None, 5, (), 1.0, 0)
    assert agent_turns.think(lost).is_missing


def test_an_agent_that_never_returns_is_out_of_time_soon(monkeypatch) -> None:
    """Not after minutes, also where it holds the interpreter."""
    monkeypatch.setattr(agent_turns, "THINK", f"{hanging_agents.__name__}:think")
    spec = f"{hanging_agents.__file__}:Stuck"
    log = _log()
    began = time.monotonic()
    turn = with_pool(lambda pool: agent_turns.ask(pool, "uid", spec, log, 0.05, 1))
    assert turn.end is TurnEnd.TIMEOUT
    assert time.monotonic() - began < PREPARING_SECONDS


def _log() -> SeatLog:
    referee = _referee(make_game("pursuit"))
    seat = referee.to_act
    return SeatLog("pursuit", seat, referee.view(seat), referee.events_for(seat), referee.view(seat))


def _referee(game: Any) -> Any:
    from manhunt.play.referee import Referee

    return Referee(game, game.make_config(), seed=3)
