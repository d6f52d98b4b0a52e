"""Kernels: how the detectives' belief follows a move of Mr X, and how good a place is for him.

`follow` is one step of a filter: with a(u) how much a careful Mr X likes node u (`appeal`), a belief p becomes, for the
ticket that he is seen to pay,

    p'(u) ~ sum over v of p(v) * a(u) / (sum of a over all his fares from v),   over fares v -> u with this ticket

It fills all four tickets in one pass over the fares from the belief's nodes. `rate_options` gives every move of Mr X

    (1 - found) / (1 + exp(-score))

where `score` weighs the safety of the two best ways on from its end, hops to the two nearest detectives, the entropy of
the belief that it leaves and what its tickets cost, and `found` is how surely a detective next to its end would step
onto it: certain where everybody sees him there, else by the end's share of what the detectives can reach at once.
Ways on are worked out once for each end, entropy and reach once for each belief.
"""

from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Floats, Int32s
from manhunt.core.jit import kernel
from manhunt.games.scotland_yard.agents.minimax_search.arrays import DetectivesTurn, MinimaxScratch, TicketGraph
from manhunt.games.scotland_yard.agents.minimax_search.config import Weights
from manhunt.games.scotland_yard.agents.minimax_search.plans import STAYS, held_after, nearest_two
from manhunt.games.scotland_yard.agents.minimax_search.replies import appeal

NO_BELIEF = -1


class Tastes(NamedTuple):
    """Mr X's weights; see `Config`."""

    escape: float
    distance: float
    hiding: float
    blame: float
    saving: float


class Options(NamedTuple):
    """Moves of Mr X: where each ends, which belief it leaves (NO_BELIEF: he is seen there), what its tickets cost."""

    to: Int32s
    belief: Int32s
    cost: Floats
    value: Floats


@kernel
def follow(
    graph: TicketGraph,
    scratch: MinimaxScratch,
    weights: Weights,
    turn: DetectivesTurn,
    belief: Floats,
    held: int,
    out: Floats,
) -> None:
    """out[ticket]: the belief after Mr X is seen to pay this ticket; all zeros if he could not have."""
    out[:] = 0.0
    scratch.steps[0, :] = -1.0
    for node in range(len(belief)):
        if belief[node] <= 0.0:
            continue
        all_ways = 0.0
        for k in range(graph.indptr[held, node], graph.indptr[held, node + 1]):
            to = graph.fares[k] >> 8
            if scratch.steps[0, to] < 0.0:
                scratch.steps[0, to] = appeal(graph, scratch, weights, turn, to)
            all_ways += scratch.steps[0, to]
        if all_ways <= 0.0:
            continue
        for k in range(graph.indptr[held, node], graph.indptr[held, node + 1]):
            to = graph.fares[k] >> 8
            out[graph.fares[k] >> 3 & 3, to] += belief[node] * scratch.steps[0, to] / all_ways
    for ticket in range(out.shape[0]):
        total = out[ticket].sum()
        if total > 0.0:
            out[ticket] /= total


@kernel
def rate_options(
    graph: TicketGraph,
    scratch: MinimaxScratch,
    tastes: Tastes,
    turn: DetectivesTurn,
    beliefs: Floats,
    options: Options,
    held: int,
) -> None:
    """Fill options.value: how likely Mr X gets away with each move, from 0 to 1."""
    n_beliefs, n = beliefs.shape
    hidden, within = np.zeros(n_beliefs), np.zeros(n_beliefs)
    n_hunters = np.zeros(n_beliefs)
    for i in range(n_beliefs):
        hidden[i] = entropy_of(beliefs[i]) / np.log(n + 1.0)
        within[i], n_hunters[i] = covered_by(graph, turn, beliefs[i])
    scratch.steps[1, :] = -1.0
    for m in range(len(options.to)):
        to, which = options.to[m], options.belief[m]
        near, second = nearest_two(graph, turn, to)
        if scratch.steps[1, to] < 0.0:
            scratch.steps[1, to] = way_on(graph, scratch, turn, to, held)
        score = tastes.escape * (scratch.steps[1, to] - 0.5) - tastes.saving * options.cost[m]
        score += tastes.distance * (0.75 * min(near, 4) + 0.25 * min(second, 4) - 2.5) / 3.0
        found = 1.0 if near <= 1 else 0.0
        if which != NO_BELIEF:
            score += tastes.hiding * (hidden[which] - 0.5) * 2.0
            if near == 1:
                share = beliefs[which, to] / max(within[which], 1e-9)
                found = min(1.0, tastes.blame * share * n_hunters[which] / len(turn.places))
        else:
            score -= tastes.hiding
        options.value[m] = (1.0 - found) / (1.0 + np.exp(-score))


@kernel
def entropy_of(belief: Floats) -> float:
    entropy = 0.0
    for chance in belief:
        if chance > 0.0:
            entropy -= chance * np.log(chance)
    return entropy


@kernel
def covered_by(graph: TicketGraph, turn: DetectivesTurn, belief: Floats) -> tuple[float, float]:
    """How much of a belief lies within one step of some detective, and how many detectives have some of it."""
    within, n_hunters = 0.0, 0
    for node in range(len(belief)):
        if belief[node] > 0.0 and nearest_two(graph, turn, node)[0] <= 1:
            within += belief[node]
    for d in range(len(turn.places)):
        row = graph.hops[held_after(turn.counts[d], STAYS), turn.places[d]]
        for node in range(len(belief)):
            if belief[node] > 0.0 and row[node] <= 1:
                n_hunters += 1
                break
    return within, float(n_hunters)


@kernel
def way_on(graph: TicketGraph, scratch: MinimaxScratch, turn: DetectivesTurn, node: int, held: int) -> float:
    """The safety of the two best ways on from a node, when every detective has come one step nearer."""
    best, other, last = 0.0, 0.0, -1
    for k in range(graph.indptr[held, node], graph.indptr[held, node + 1]):
        to = graph.fares[k] >> 8
        if to == last:
            continue
        last = to
        near, second = nearest_two(graph, turn, to)
        safe = scratch.safety[max(near - 1, 0), max(second - 1, 0)]
        if safe > best:
            best, other = safe, best
        elif safe > other:
            other = safe
    return 0.75 * best + 0.25 * other
