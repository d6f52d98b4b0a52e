"""The exhaustive question for one start of Pursuit: can the quarry escape whatever the detectives do?"""

from dataclasses import dataclass, fields

from manhunt.core.errors import BadConfig
from manhunt.games.pursuit.rules.config import PursuitConfig, PursuitOrder
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.games.pursuit.solvers.all_starts import build_hunt, check_open
from manhunt.solvers.layers import Progress, SolvedStart, can_number, pursuer_turns, solve_start

ADVICE = "take fewer rounds or detectives, or raise --max-memory"


@dataclass(slots=True)
class OneStart(SolvedStart):
    """The solution of one start, with its game."""

    config: PursuitConfig


def solve_one_start(
    state: PursuitState, *, max_memory: int | None = None, on_round: Progress | None = None
) -> OneStart:
    """Answer the question for a state in which the first side is to move."""
    config = state.config
    check_open(config)
    if config.max_rounds is None:
        raise BadConfig("one start needs a limit of rounds; give --max-rounds")
    n, k = config.board.n_nodes, config.n_detectives
    if not can_number(n, k):
        raise BadConfig(f"{k} detectives on {n} nodes are too many to number; take fewer detectives")
    assert state.quarry is not None
    hunt = build_hunt(config)
    found = solve_start(
        hunt,
        state.quarry,
        state.pursuers,
        pursuer_turns(hunt, at_once=config.order is PursuitOrder.AT_ONCE, any_order=config.order is PursuitOrder.ANY),
        config.max_rounds,
        max_memory=max_memory,
        advice=ADVICE,
        on_round=on_round,
    )
    return OneStart(**{field.name: getattr(found, field.name) for field in fields(found)}, config=config)
