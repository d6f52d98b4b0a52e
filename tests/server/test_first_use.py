"""While kernels are cold, light tasks of the page do not wait for the compiler."""

import asyncio

import pytest

from manhunt.core import warm
from manhunt.core.ids import PLAYERS
from manhunt.core.jit import MODE_VARIABLE
from manhunt.core.registry import kit_of, kits
from manhunt.play.referee import Referee
from manhunt.server import agent_turns, first_use
from manhunt.workers.pool import Lane, WorkerPool

HOW = "manhunt.core.jit:is_plain"
LIGHT, HEAVY = "pursuit/page", "scotland_yard/mcts"


@pytest.fixture
def cold(monkeypatch, tmp_path) -> None:
    monkeypatch.delenv(MODE_VARIABLE, raising=False)
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(warm, "shipped_card", dict)


def run(work: str, what: str = HOW, *args: object) -> object:
    async def ask() -> object:
        pool = WorkerPool({Lane.GENERAL: 1, Lane.PLAIN: 1})
        try:
            return await first_use.run_task(pool, work, what, *args, limit_seconds=120.0)
        finally:
            await pool.close()

    return asyncio.run(ask())


def test_light_work_is_plain_until_it_is_warm(cold) -> None:
    assert run(LIGHT) is True
    warm.set_warm(LIGHT)
    assert run(LIGHT) is False


def test_heavy_work_is_compiled(cold) -> None:
    assert run(HEAVY) is False


def test_a_level_with_a_name_is_part_of_the_page_and_other_agents_are_not() -> None:
    levels = [level for level in kit_of("scotland_yard").levels if level.title]
    assert {first_use.work_of_turn("scotland_yard", level.spec) for level in levels} == {"scotland_yard/page"}
    assert first_use.work_of_turn("scotland_yard", "champion:depth=2") == "scotland_yard/champion"
    assert first_use.work_of_turn("scotland_yard", "mcts") == HEAVY


def test_what_takes_too_long_is_done_with_compiled_kernels(cold, monkeypatch) -> None:
    """A limit that nothing can keep: the worker is ended, and another one asked."""
    monkeypatch.setattr(first_use, "PLAIN_SECONDS", 0.0)
    assert run(LIGHT) is False


def test_pages_are_compiled_before_agents_and_nothing_twice(cold) -> None:
    wanted = first_use.cold_work()
    kinds = [work.endswith("/page") for work in wanted]
    assert kinds == sorted(kinds, reverse=True)
    assert HEAVY in wanted
    for work in wanted:
        warm.set_warm(work)
    assert first_use.cold_work() == []


def test_whoever_sets_the_mode_decides(cold, monkeypatch) -> None:
    monkeypatch.setenv(MODE_VARIABLE, "compiled")
    assert first_use.cold_work() == []
    assert run(LIGHT) is False


@pytest.mark.parametrize("name", [kit.name for kit in kits() if kit.lobby.quick is not None])
def test_a_rehearsal_asks_the_agent_that_two_clicks_choose(name: str, monkeypatch) -> None:
    asked = []

    def listen(self: Referee) -> object:
        asked.append(self.to_act)
        return step(self)

    step = Referee.step
    monkeypatch.setattr(Referee, "step", listen)
    agent_turns.rehearse(name)
    quick = kit_of(name).lobby.quick
    assert asked[-1] is next(seat for seat in PLAYERS if seat is not quick.you)


def test_rehearsals_are_for_cold_kernels_alone(cold, monkeypatch) -> None:
    rehearsed = []

    class Pool:
        async def run(self, what: str, name: str, *, lane: Lane, limit_seconds: float) -> None:
            assert (what, lane) == (agent_turns.REHEARSE, Lane.PLAIN)
            rehearsed.append(name)

    asyncio.run(agent_turns.rehearse_plain(Pool()))
    assert rehearsed[0] == "scotland_yard"
    monkeypatch.setenv(MODE_VARIABLE, "compiled")
    rehearsed.clear()
    asyncio.run(agent_turns.rehearse_plain(Pool()))
    assert rehearsed == []
