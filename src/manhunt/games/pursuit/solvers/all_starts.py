"""All starts of a game of Pursuit, solved at once by a backward sweep over the board."""

from functools import lru_cache

from manhunt.core.errors import BadConfig
from manhunt.core.ids import Node, Side
from manhunt.games.pursuit.rules.config import PursuitConfig, PursuitOrder, Visibility
from manhunt.solvers.hunt import Hunt, make_hunt
from manhunt.solvers.memory import check_memory
from manhunt.solvers.retrograde import AllStarts, Progress, bytes_needed, solve_hunt


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
    """Refuse configs whose starts cannot be told by places alone."""
    check_open(config)
    if not config.may_share and config.order is not PursuitOrder.IN_ORDER and config.n_detectives > 1:
        order = config.order.value
        raise BadConfig(f"all starts with order {order} need may_share; without sharing only in-order is supported")


def check_all_starts(config: PursuitConfig, max_memory: int | None = None, *, extra_bytes: int = 0) -> None:
    """Refuse what cannot be solved, or not within the memory."""
    check_solvable(config)
    n, k = config.board.n_nodes, config.n_detectives
    what = f"board {config.board.name} ({n} nodes) with {k} detectives"
    check_memory(bytes_needed(n, k) + extra_bytes, max_memory, what, "take fewer detectives, or raise --max-memory")


def solve_all_starts(
    config: PursuitConfig,
    max_rounds: int | None = None,
    *,
    max_memory: int | None = None,
    on_round: Progress | None = None,
    stop_when_hopeless: bool = False,
    n_threads: int | None = None,
) -> AllStarts:
    """Sweep backwards until nothing changes, `max_rounds` are done, or (if asked) some placement loses everybody."""
    check_all_starts(config, max_memory)
    return solve_hunt(
        build_hunt(config),
        max_rounds,
        max_memory=max_memory,
        on_round=on_round,
        stop_when_hopeless=stop_when_hopeless,
        n_threads=n_threads,
    )
