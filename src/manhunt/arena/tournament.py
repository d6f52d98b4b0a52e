"""Run a plan to its end, or on from where it was stopped, here, in processes or on a cluster."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any

from manhunt.arena.folder import Folder, seal, sources_changed
from manhunt.arena.ledger import Ledger
from manhunt.arena.own_agents import Entries
from manhunt.arena.players import Task, Warn, make_players, no_warning
from manhunt.arena.schedule import KERNEL, Plan, make_plan
from manhunt.arena.summary import summary_of
from manhunt.core.agent import Limit
from manhunt.core.thinking_time import WALL

BATCH = 2_000
"""Compiled games of one cell that are played in one go."""


def run_tournament(
    plan: Plan,
    *,
    out: Path | None = None,
    workers: int | None = None,
    ray: str | None = None,
    watch: Callable[[Ledger], object] | None = None,
    warn: Warn = no_warning,
    is_enough: Callable[[Ledger], bool] | None = None,
) -> Ledger:
    """Play the missing games and return the ledger; its plan has the seed.

    `workers` is a number of processes (all processors if None, this process if 0); `ray` is `local` or the address of
    a cluster. `watch` is called after every finished task. `is_enough` may end the run before all games are played.
    """
    plan = seal(plan, out)
    with ExitStack() as stack:
        folder = stack.enter_context(Folder(out, plan)) if out is not None else None
        ledger = folder.ledger if folder is not None else Ledger(plan)
        if folder is not None and not folder.is_new and sources_changed(folder.path):
            warn(f"the program has changed since {out} was begun; its older games may not be comparable")
        if ledger.n_finished < plan.n_matches and not (is_enough and is_enough(ledger)):
            if ray is not None or workers != 0:
                for agent in plan.own:
                    agent.pack()  # a clear refusal here, before anybody is started
            players = make_players(plan, workers, ray, warn)
            stack.callback(players.close)
            for batch in players.play(tasks_of(plan, ledger)):
                if folder is not None:
                    folder.append(batch)
                for played in batch:
                    ledger.book(played)
                if watch is not None:
                    watch(ledger)
                if is_enough is not None and is_enough(ledger):
                    break
        if folder is not None and ledger.n_finished == plan.n_matches:
            folder.finish(summary_of(ledger))
    return ledger


def run_arena(
    game: str,
    evaders: Entries,
    pursuers: Entries,
    n_games: int,
    *,
    seed: int | None = None,
    limit: Limit | None = None,
    clock: str = WALL,
    out: Path | str | None = None,
    workers: int | None = None,
    ray: str | None = None,
    **options: Any,
) -> Ledger:
    """Plan and play in one call: `run_arena(GAME, [MyAgent, "random"], "greedy", 100)`.

    Everything else (`board`, `preset`, ...) is an option of the game. Records are kept if you give a folder `out`. For
    more control, such as watching the run, use `make_plan` and `run_tournament`.

    Examples:
        >>> ledger = run_arena("pursuit", ["random", "greedy"], "random", 2, seed=1, workers=0)
        >>> ledger.n_finished
        4
    """
    records = out is not None
    plan = make_plan(
        game, evaders, pursuers, n_games, options=options, seed=seed, limit=limit, records=records, clock=clock
    )
    return run_tournament(plan, out=None if out is None else Path(out), workers=workers, ray=ray)


def tasks_of(plan: Plan, ledger: Ledger) -> Iterator[Task]:
    """What is missing: game by game, or for compiled games many of one cell at once."""
    if plan.path != KERNEL:
        yield from ((number,) for number in list(ledger.unfinished()))
        return
    for cell in range(plan.n_cells):
        missing = (n for n in range(cell, plan.n_matches, plan.n_cells) if not ledger.is_finished(n))
        while batch := tuple(islice(missing, BATCH)):
            yield batch
