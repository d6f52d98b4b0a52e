"""All starts of a game of Pursuit, solved at once by a backward sweep over the board."""

from functools import lru_cache
from pathlib import Path

from manhunt.core.errors import BadConfig
from manhunt.core.ids import Node, Side
from manhunt.games.pursuit.rules.config import PursuitConfig, PursuitOrder, Visibility
from manhunt.solvers.hunt import Hunt, make_hunt
from manhunt.solvers.memory import check_memory, free_bytes, memory_text
from manhunt.solvers.retrograde import AllStarts, Progress, bytes_needed, solve_hunt
from manhunt.solvers.sharded_sweep import OrderedShards, SortedShards, solve_in_shards
from manhunt.solvers.sorted_sweep import solve_sorted, sorted_bytes_needed


@lru_cache(maxsize=8)
def build_hunt(config: PursuitConfig) -> Hunt:
    """A config's board and switches in the form of the solvers."""
    nodes, neighbours = tuple(config.board.nodes()), config.board.neighbours
    return make_hunt(
        [_steps(config, node, config.detectives_may_stay) for node in nodes],
        [_steps(config, node, config.quarry_may_stay) for node in nodes],
        [(node, *neighbours(node)) if config.reach_hops else (node,) for node in nodes],
        n_pursuers=config.n_detectives,
        quarry_first=config.first is Side.EVADER,
        may_share=config.may_share,
        may_step_onto=config.may_step_onto,
    )


def _steps(config: PursuitConfig, node: Node, may_stay: bool) -> tuple[Node, ...]:
    near = config.board.neighbours(node)
    return tuple(sorted((*near, node))) if may_stay else near


def check_open(config: PursuitConfig) -> None:
    """Refuse games with a hidden quarry."""
    if config.visibility is not Visibility.ALWAYS:
        raise BadConfig(
            f"visibility is {config.visibility.value}; only games with visibility always are solved exactly"
        )


def check_solvable(config: PursuitConfig) -> None:
    """Refuse configs whose starts have no table: a hidden quarry, or an order that tables do not know."""
    check_open(config)
    if not config.may_share and config.order is not PursuitOrder.IN_ORDER and config.n_detectives > 1:
        order = config.order.value
        raise BadConfig(f"tables with order {order} need may_share; without sharing only in-order is supported")


def check_order(config: PursuitConfig) -> None:
    """Refuse the one order of moving that no sweep knows."""
    stuck = not config.may_share and not config.detectives_may_stay and config.n_detectives > 1
    if config.order is PursuitOrder.ANY and stuck:
        raise BadConfig("order any needs may_share or detectives_may_stay to solve all starts; or take order at-once")


def check_all_starts(config: PursuitConfig, max_memory: int | None = None, *, for_table: bool = False) -> None:
    """Refuse what cannot be solved, or not within the memory."""
    n, k = config.board.n_nodes, config.n_detectives
    what = f"board {config.board.name} ({n} nodes) with {k} detectives"
    advice, small = "take fewer detectives, or raise --max-memory", sorted_bytes_needed(n, k)
    fits = small <= (free_bytes() if max_memory is None else max_memory)
    if for_table:
        check_solvable(config)
        advice += f"; without --table it needs {memory_text(small)}" if fits and config.interchangeable else ""
        check_memory(2 * bytes_needed(n, k), max_memory, what, advice)
        return
    check_open(config)
    check_order(config)
    advice += ", or work on the disk with --folder DIR"
    if config.interchangeable:
        check_memory(small, max_memory, what, advice)
        return
    if fits and k > 1:
        advice += f"; --set order=at-once or --set may_share=true needs {memory_text(small)}"
    check_memory(bytes_needed(n, k), max_memory, what, advice)


def solve_all_starts(
    config: PursuitConfig,
    max_rounds: int | None = None,
    *,
    max_memory: int | None = None,
    on_round: Progress | None = None,
    stop_when_hopeless: bool = False,
    n_threads: int | None = None,
) -> AllStarts:
    """Sweep backwards until nothing changes, `max_rounds` are done, or (if requested) one placement catches every
    quarry.

    Interchangeable detectives are solved over sorted tuples, which takes less memory and time; the counts are the same.

    Examples:
        >>> from manhunt import make_game
        >>> config = make_game("pursuit").make_config(board="path:5", n_detectives=1)
        >>> solve_all_starts(config).states
        20
    """
    check_all_starts(config, max_memory)
    solve = solve_sorted if config.interchangeable else solve_hunt
    return solve(
        build_hunt(config),
        max_rounds,
        max_memory=max_memory,
        on_round=on_round,
        stop_when_hopeless=stop_when_hopeless,
        n_threads=n_threads,
    )


def solve_through_files(
    config: PursuitConfig,
    folder: Path,
    max_rounds: int | None = None,
    *,
    ray: str | None = None,
    max_memory: int | None = None,
    on_round: Progress | None = None,
    n_threads: int | None = None,
) -> AllStarts:
    """As `solve_all_starts`, in shards that lie in files of a folder; on a Ray cluster if its address is given."""
    check_open(config)
    check_order(config)
    if config.n_detectives < 2:
        raise BadConfig("working through files needs two or more detectives")
    kind = SortedShards if config.interchangeable else OrderedShards
    shards = kind(build_hunt(config), folder.resolve())
    return solve_in_shards(shards, max_rounds, ray=ray, max_memory=max_memory, on_round=on_round, n_threads=n_threads)
