"""What the value nets look at, in plain Python: Mr X's node, what is public, and the belief that everybody can hold.

Nothing depends on the number of a station, so a net can be used on any board and with one to five detectives. The
compiled twin is `feature_kernels.py`; the two must agree.
"""

from collections.abc import Sequence

import numpy as np

from manhunt.core.arrays import Float32s, Floats
from manhunt.core.ids import Node, Transport
from manhunt.games.scotland_yard.agents.minimax_search.routes import hops_by_holding
from manhunt.games.scotland_yard.rules.actions import Ticket
from manhunt.games.scotland_yard.rules.rules import fares
from manhunt.games.scotland_yard.rules.state import ScotlandYardState

FAR_HOPS = 9
"""Detectives farther away count as this far."""
TIE = 1e-9
"""Probabilities that differ by less count as equal."""

NODE_FEATURES = (
    "near",  # hops of the nearest detective, with the kinds of ticket each has
    "second",
    "mean_hops",
    "within_1",  # detectives
    "within_2",
    "within_3",
    "near_is_1",
    "near_is_2",
    "exits",  # nodes that Mr X can go to
    "safe_exits",  # of these, where no detective can go next
    "far_exits",
    "best_exit",  # the most hops of the nearest detective
    "quiet_exits",  # where at most one detective is within two hops
    "safe_by_taxi",
    "safe_by_bus",
    "safe_by_underground",
    "onward",  # the most ways on, to nodes that no detective reaches in two moves, from a safe exit
    "probability",
    "log_probability",
    "likelier",  # how likely Mr X is on nodes that are likelier than his
    "belief_hops",  # expected hops from his node to where he is believed to be
    "belief_within_1",
    "belief_within_2",
    "suspected",  # probability times detectives who can go there
    "first_to",  # nodes that Mr X reaches before any detective
    "not_after",  # nodes that no detective reaches before Mr X
    "bus_stop",
    "underground_station",
    "ferry_pier",
)
PUBLIC_FEATURES = (
    "log_effective",  # of the belief: 1 / sum of squares
    "log_candidates",
    "reachable",  # probability of nodes that a detective can go to
    "likeliest",
    "surrounded",  # probability of nodes that two detectives are within two hops of
    "rounds_left",
    "until_shown",  # rounds before the next shown one
    "shown_soon",
    "just_shown",
    "taxi",  # Mr X's tickets
    "bus",
    "underground",
    "secret",
    "double",
    "fewest_tickets",  # of one detective
    "their_underground",  # per detective
    "their_bus",
    "their_taxi",
    "detectives",
    "effective_by_time",
)
FEATURES = NODE_FEATURES + PUBLIC_FEATURES
N_NODE, N_PUBLIC, N_FEATURES = len(NODE_FEATURES), len(PUBLIC_FEATURES), len(FEATURES)


def feature_row(state: ScotlandYardState, belief: Floats) -> Float32s:
    """The features of a state, Mr X's true node included."""
    rows = detective_hops(state)
    return np.array([*_node_features(state, belief, rows), *_public_features(state, belief, rows)], np.float32)


def detective_hops(state: ScotlandYardState) -> list[list[int]]:
    """For every detective the moves to each node, as if the kinds of ticket he has never ran out."""
    table = hops_by_holding(state.config.board)
    held = [sum(1 << t for t in range(3) if tickets[t]) for tickets in state.tickets[1:]]
    return [
        [min(int(h), FAR_HOPS) for h in table[kinds, node]] for kinds, node in zip(held, state.pursuers, strict=True)
    ]


def _nearest(rows: Sequence[Sequence[int]], node: int) -> tuple[int, int]:
    hops = [*sorted(row[node] for row in rows), FAR_HOPS]
    return hops[0], hops[1]


def _node_features(state: ScotlandYardState, belief: Floats, rows: Sequence[Sequence[int]]) -> list[float]:
    board, node = state.config.board, state.quarry
    near, second = _nearest(rows, node)
    hops = [row[node] for row in rows]
    within = [sum(h <= limit for h in hops) for limit in (1, 2, 3)]
    ways = _ways(state, node, rows)
    exits = {to: _nearest(rows, to) for _, to in ways}
    safe = [to for to, (n, _) in exits.items() if n > 1]
    safe_by = [sum(ticket == kind and to in safe for ticket, to in ways) for kind in range(3)]
    onward = [len({end for _, end in _ways(state, to, rows) if _nearest(rows, end)[0] > 2}) for to in safe]
    own = [min(int(h), FAR_HOPS) for h in hops_by_holding(board)[7, node]]
    his = float(belief[node])
    kinds = {kind for _, kind in board.steps(node)}
    return [
        near / 4,
        second / 5,
        sum(hops) / len(hops) / 5,
        within[0] / 2,
        within[1] / 3,
        within[2] / 5,
        near == 1,
        near == 2,
        len(exits) / 8,
        len(safe) / 6,
        sum(n > 2 for n, _ in exits.values()) / 6,
        max((n for n, _ in exits.values()), default=0) / 4,
        sum(s > 2 for _, s in exits.values()) / 6,
        safe_by[0] / 4,
        safe_by[1] / 4,
        safe_by[2] / 3,
        max(onward, default=0) / 6,
        his,
        float(np.log(his + 1e-4)) / 6,
        sum(p for p in belief if p > his + TIE),
        sum(p * h for p, h in zip(belief, own, strict=True)) / 6,
        sum(p for p, h in zip(belief, own, strict=True) if h <= 1),
        sum(p for p, h in zip(belief, own, strict=True) if h <= 2),
        his * within[0],
        sum(own[v] < _nearest(rows, v)[0] for v in board.nodes()) ** 0.5 / 8,
        sum(own[v] <= _nearest(rows, v)[0] for v in board.nodes()) ** 0.5 / 8,
        Transport.BUS in kinds,
        Transport.UNDERGROUND in kinds,
        Transport.FERRY in kinds,
    ]


def _ways(state: ScotlandYardState, node: Node, rows: Sequence[Sequence[int]]) -> list[tuple[Ticket, Node]]:
    """What Mr X's tickets allow from a node, to where no detective stands."""
    held = state.tickets[0]
    return [(ticket, to) for ticket, to in fares(state.config.board)[node] if held[ticket] and to not in state.pursuers]


def _public_features(state: ScotlandYardState, belief: Floats, rows: Sequence[Sequence[int]]) -> list[float]:
    likely = {v: float(p) for v, p in enumerate(belief) if p > 0}
    rounds, n = state.config.rounds, state.round
    upcoming = [i for i, shown in enumerate(rounds[n:]) if shown]
    wait = upcoming[0] if upcoming else len(rounds) - n
    mrx, theirs = state.tickets[0], state.tickets[1:]
    effective = float(np.log(1 / max(sum(p * p for p in likely.values()), 1e-9))) / 4
    return [
        effective,
        float(np.log(max(len(likely), 1))) / 4,
        sum(p for v, p in likely.items() if _nearest(rows, v)[0] <= 1),
        max(likely.values(), default=0.0),
        sum(p for v, p in likely.items() if _nearest(rows, v)[1] <= 2),
        state.rounds_left / 24,
        wait / 5,
        1 / (1 + wait),
        n > 0 and rounds[n - 1],
        min(mrx.taxi, 8) / 8,
        min(mrx.bus, 8) / 8,
        min(mrx.underground, 6) / 6,
        mrx.secret / 5,
        mrx.double / 2,
        min(16, *(sum(held[:3]) for held in theirs)) / 16,
        sum(held.underground for held in theirs) / len(theirs) / 4,
        sum(held.bus for held in theirs) / len(theirs) / 8,
        sum(held.taxi for held in theirs) / len(theirs) / 10,
        len(theirs) / 5,
        effective * state.rounds_left / 24,
    ]
