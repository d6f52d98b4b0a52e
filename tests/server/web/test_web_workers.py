"""Work in other processes: answers, errors, progress, cancelling, sticky keys, and what an agent's fault comes to."""

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from typing import Any
from unittest import mock

import pytest
from houses import in_a_house, plan_of

from manhunt.agents.turns import TurnEnd
from manhunt.errors import BadText
from manhunt.games.registry import make_game
from manhunt.ids import PLAYERS, Seat
from manhunt.server import agent_turns
from manhunt.server import house as house_module
from manhunt.server.agent_turns import Turn
from manhunt.server.house import House
from manhunt.server.jobs import Jobs, JobState
from manhunt.server.progress import report
from manhunt.server.rooms import Room
from manhunt.server.workers import NoWorkers, Pool, TaskFailed, TaskTooLong, WorkerDied
from manhunt.store.games import load_record

HERE = __name__


def with_pool(scene: Callable[[Pool], Awaitable[Any]], n_workers: int = 1) -> Any:
    async def run() -> Any:
        pool = Pool(n_workers, 1)
        try:
            return await scene(pool)
        finally:
            await pool.close()

    return asyncio.run(run())


@pytest.fixture(autouse=True)
def importable(monkeypatch) -> None:
    """Workers find the functions of this file."""
    monkeypatch.setenv("PYTHONPATH", os.path.dirname(__file__))


# What workers are asked to do.


def add(a: int, b: int) -> int:
    return a + b


def nap(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def pid() -> int:
    return os.getpid()


def refuse() -> None:
    raise BadText("line 3: no such card")


class Detailed(BadText):
    """An error that is not made from its text alone."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


def refuse_in_detail() -> None:
    raise Detailed(3, "no such card")


def break_down() -> None:
    raise RuntimeError("two\nlines")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def no_answer() -> object:
    return lambda: None


def count(n: int) -> str:
    for i in range(n):
        report(i + 1, n, f"part {i + 1}")
        time.sleep(0.02)
    return "counted"


def test_an_answer_comes_back() -> None:
    assert with_pool(lambda pool: pool.run(f"{HERE}:add", 2, 3)) == 5


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("refuse", BadText, "line 3: no such card"),
        ("refuse_in_detail", BadText, "no such card"),
        ("break_down", TaskFailed, "RuntimeError: two lines"),
        ("no_answer", TaskFailed, "pickle"),
        ("nosuch", TaskFailed, "nosuch"),
        ("die", WorkerDied, "ended"),
    ],
)
def test_an_error_comes_back(name: str, kind: type[Exception], words: str) -> None:
    async def scene(pool: Pool) -> None:
        with pytest.raises(kind, match=words):
            await pool.run(f"{HERE}:{name}")
        assert await pool.run(f"{HERE}:add", 1, 1) == 2

    with_pool(scene)


def test_a_system_without_processes_is_told_and_forgotten() -> None:
    async def scene(pool: Pool) -> None:
        with mock.patch("subprocess.Popen", side_effect=OSError(11, "no more processes")):
            for _ in range(2):
                with pytest.raises(NoWorkers, match="do not start"):
                    await asyncio.wait_for(pool.run(f"{HERE}:add", 1, 1), 20)
        assert await pool.run(f"{HERE}:add", 1, 1) == 2

    with_pool(scene)


def test_a_cancelled_task_ends_its_process_and_another_takes_over() -> None:
    async def scene(pool: Pool) -> tuple[int, int, float]:
        first = await pool.run(f"{HERE}:pid")
        began = time.monotonic()
        task = asyncio.get_running_loop().create_task(pool.run(f"{HERE}:nap", 600.0))
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return first, await pool.run(f"{HERE}:pid"), time.monotonic() - began

    first, second, seconds = with_pool(scene)
    assert first != second
    assert seconds < 300


def test_a_task_that_takes_too_long_is_ended() -> None:
    async def scene(pool: Pool) -> None:
        with pytest.raises(TaskTooLong):
            await pool.run(f"{HERE}:nap", 600.0, limit_seconds=0.2)

    with_pool(scene)


def test_a_key_comes_back_to_its_worker() -> None:
    async def scene(pool: Pool) -> list[tuple[int, int]]:
        async def pair() -> tuple[int, int]:
            a, b = await asyncio.gather(pool.run(f"{HERE}:nap", 0.1, key="a"), pool.run(f"{HERE}:nap", 0.1, key="b"))
            return a, b

        return [await pair() for _ in range(4)]

    pairs = with_pool(scene, 2)
    assert len(set(pairs[1:])) == 1


def test_quick_tasks_pass_long_ones() -> None:
    """With all general workers busy, a kind of task that was quick before goes to the express worker."""

    async def scene(pool: Pool) -> bool:
        pool.start()
        for _ in range(2):
            await pool.run(f"{HERE}:add", 1, 1, kind="quick")
        thinker = asyncio.get_running_loop().create_task(pool.run(f"{HERE}:nap", 600.0))
        await asyncio.sleep(0.1)
        answer = await pool.run(f"{HERE}:add", 1, 1, kind="quick")
        thinker.cancel()
        return answer == 2 and not thinker.done()

    assert with_pool(scene)


def test_jobs_tell_how_far_they_are() -> None:
    async def scene(pool: Pool) -> None:
        jobs = Jobs(pool)
        job = jobs.start(f"{HERE}:count", 20)
        assert job.task is not None
        seen = set()
        while job.state is JobState.RUNNING:
            seen.add(job.done)
            await asyncio.sleep(0.01)
        assert job.to_json() == {
            "state": "done",
            "progress": {"done": 20, "total": 20, "words": "part 20"},
            "result": "counted",
        }
        assert len(seen) > 2
        endless = jobs.start(f"{HERE}:nap", 600.0)
        await asyncio.sleep(0.1)
        assert jobs.cancel(endless.id).to_json()["state"] == "cancelled"
        failing = jobs.start(f"{HERE}:refuse")
        assert failing.task is not None
        await failing.task
        assert (failing.state, failing.error) == (JobState.FAILED, "line 3: no such card")
        await jobs.close()

    with_pool(scene)


@pytest.mark.parametrize(
    ("turn", "why"),
    [
        (Turn(TurnEnd.CRASH, detail="KeyError: 'quarry at 108'"), "crash"),
        (Turn(TurnEnd.ILLEGAL, detail="not legal: 108"), "illegal action"),
        (Turn(TurnEnd.OK, action="T999"), "illegal action"),
        (Turn(TurnEnd.OK, action="no notation"), "illegal action"),
        (Turn(TurnEnd.TIMEOUT, detail="no answer"), "time"),
    ],
)
def test_a_failed_turn_of_an_agent_is_a_forfeit(tmp_path, scripted_pool, turn: Turn, why: str) -> None:
    """Everybody hears that, and why; the details are for the seat alone."""
    scripted_pool.turns = [turn]

    async def scene(house: House) -> None:
        room = (await house.begin(plan_of("scotland_yard", evader="greedy"))).room
        while not room.over:
            await asyncio.sleep(0.01)
        public = room.log(Seat.PURSUERS).events
        assert {"t": "forfeit", "seat": "evader", "why": why} in [
            {k: v for k, v in event.items() if k != "v"} for event in public
        ]
        assert "108" not in str(public[4:])
        assert any(event.get("t") == "fault" for event in room.log(Seat.EVADER).events)
        assert "outcome: pursuers forfeit" in load_record(house.store, room.uid)
        assert scripted_pool.forgotten

    in_a_house(tmp_path, scripted_pool, scene)


def test_a_room_that_nobody_uses_leaves_nothing_behind(tmp_path, scripted_pool, monkeypatch) -> None:
    monkeypatch.setattr(house_module, "SWEEP_SECONDS", 0.01)
    monkeypatch.setattr(house_module, "IDLE_SECONDS", 0.0)

    async def scene(house: House) -> None:
        uid = (await house.begin(plan_of("pursuit"))).room.uid
        house.open()
        async with asyncio.timeout(20):
            while house.n_rooms or not scripted_pool.forgotten:
                await asyncio.sleep(0.01)
        assert set(scripted_pool.forgotten) >= {(uid, seat) for seat in PLAYERS}
        assert (await house.find(uid)).uid == uid

    in_a_house(tmp_path, scripted_pool, scene)


def test_a_dead_worker_is_no_forfeit_at_once(tmp_path, scripted_pool) -> None:
    """It may have been ended by the system; a second one that dies is the agent's fault."""
    scripted_pool.turns = [WorkerDied("killed"), WorkerDied("killed again")]

    async def scene(house: House) -> str:
        room = (await house.begin(plan_of("pursuit", evader="greedy"))).room
        while not room.over:
            await asyncio.sleep(0.01)
        return str(room.referee.outcome)

    assert in_a_house(tmp_path, scripted_pool, scene) == "pursuers forfeit"
    assert scripted_pool.turns == []


def test_an_agent_made_again_from_its_log_moves_as_the_one_that_was_there() -> None:
    """Kept, caught up, or built anew: with the same seed the agent says the same."""
    game = make_game("scotland_yard")

    class Nobody:
        def forget(self, key: object) -> None: ...

    room = Room("x", plan_of("scotland_yard"), _referee(game), {}, None, Nobody())  # type: ignore[arg-type]
    said: dict[str, list[Turn]] = {"kept": [], "new": []}
    heard = 0
    for n in range(12):
        seat = room.referee.to_act
        assert seat is not None
        if seat is Seat.PURSUERS:
            log = room.log(seat)
            opening = log.opening if heard == 0 else None
            kept = agent_turns.Errand("kept", "greedy", seat, log.view, opening, heard, log.events[heard:], 1.0, n)
            anew = agent_turns.Errand(f"new{n}", "greedy", seat, log.view, log.opening, 0, log.events, 1.0, n)
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
    lost = agent_turns.Errand("lost", "greedy", Seat.PURSUERS, log.view, None, 5, (), 1.0, 0)
    assert agent_turns.think(lost).is_missing


def _referee(game: Any) -> Any:
    from manhunt.play.referee import Referee

    return Referee(game, game.make_config(), seed=3)
