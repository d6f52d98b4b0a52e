"""Tasks while kernels are still cold: light ones go to workers that do not wait for the compiler."""

from typing import Any

from manhunt.core.registry import kit_of, kits
from manhunt.core.warm import PAGE, is_decided, is_light, is_warm, topics_of, work_of_agents
from manhunt.workers.pool import Lane, TaskTooLong, WorkerPool

PLAIN_SECONDS = 8.0
"""What takes longer than this without compiled kernels is done with them, however long they take to compile."""


def runs_plain(work: str) -> bool:
    """Whether some work is light, cold, and to be decided by us."""
    return not is_decided() and is_light(work) and not is_warm(work)


def work_of_turn(game: str, spec: str) -> str:
    """What an agent's turn belongs to: named levels belong to the page, which does not wait for the compiler."""
    kit = kit_of(game)
    is_level = any(level.title and level.spec == spec for level in kit.levels)
    return f"{game}/{PAGE if is_level and PAGE in topics_of(kit) else spec.partition(':')[0]}"


def cold_work() -> list[str]:
    """What visitors will ask for and is not compiled yet: the pages first, then the agents that they can choose."""
    pages = [f"{kit.name}/{PAGE}" for kit in kits() if PAGE in topics_of(kit)]
    agents = [work for kit in kits() for work in work_of_agents(kit, [level.spec for level in kit.levels])]
    return [] if is_decided() else [work for work in (*pages, *agents) if not is_warm(work)]


async def run_task(pool: WorkerPool, work: str, what: str, *args: Any, limit_seconds: float, **options: Any) -> Any:
    """The answer of a task, wherever it is quickest now; `options` are those of `WorkerPool.run`."""
    if runs_plain(work):
        try:
            limit = min(PLAIN_SECONDS, limit_seconds)
            return await pool.run(what, *args, lane=Lane.PLAIN, limit_seconds=limit, **options)
        except TaskTooLong:
            pass
    return await pool.run(what, *args, limit_seconds=limit_seconds, **options)
