"""The features of `features.py` again, compiled, in the steps in which a search needs them. Nothing checks its input.

What depends on the detectives alone (`place_detectives`) is made once for all moves of Mr X, what is public
(`public_features`) once for every sight of a move, and the rest for each node where he may stand: `ground_features` do
not depend on the belief, `belief_features` do. `chance_at` asks a net without making whole rows: a hidden layer is a
sum over features, so its parts are kept and added up.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from manhunt.boards.board import Board
from manhunt.core.arrays import Bytes, Float32s, Floats, Int32s
from manhunt.core.ids import Transport
from manhunt.core.jit import kernel
from manhunt.games.scotland_yard.agents.minimax_search.routes import hops_by_holding
from manhunt.games.scotland_yard.beliefs.models import SoftModel, pack_model_graph
from manhunt.games.scotland_yard.beliefs.weighted_kernels import ModelGraph
from manhunt.games.scotland_yard.champion.features import FAR_HOPS, N_FEATURES, N_NODE, TIE
from manhunt.games.scotland_yard.champion.nets import N_HIDDEN, add_features, chance_of
from manhunt.games.scotland_yard.rules import packed
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig
from manhunt.games.scotland_yard.rules.packed import FareTable, pack_table
from manhunt.search.value_net import ValueNet

MOST_DETECTIVES = 5
ALL_KINDS = 7
SECRET, DOUBLE = 3, 4
BELIEF, AFTER_BELIEF = 17, 24
"""The features of a node from BELIEF to before AFTER_BELIEF depend on the belief."""
NOT_KEPT = -1


class ChampionGraph(NamedTuple):
    """What stays the same during a game: fares, hops by kinds of ticket, kinds of station, and the model `soft`."""

    table: FareTable
    hops: Bytes
    """At most FAR_HOPS."""
    stations: Float32s
    model: ModelGraph
    theta: Floats


class Placement(NamedTuple):
    """Hops of each detective, of the nearest and of the second nearest, to every node.

    `sums` has by node the part of a net's hidden layer that the ground features make, for Mr X with the kinds of ticket
    `held` (NOT_KEPT: not made yet). It belongs to one net: between two calls of `place_detectives` only one is asked.
    """

    rows: Bytes
    near: Bytes
    second: Bytes
    within_1: Bytes
    sums: Float32s
    held: Int32s


class Spread(NamedTuple):
    """Where a belief is not 0: how many nodes (one number), which, and how likely."""

    n: Int32s
    nodes: Int32s
    chances: Floats


def pack_champion_graph(config: ScotlandYardConfig, soft: SoftModel) -> ChampionGraph:
    board = config.board
    return ChampionGraph(pack_table(config), _hops(board), _stations(board), pack_model_graph(board), soft.theta)


@lru_cache(maxsize=32)
def _hops(board: Board) -> Bytes:
    """Hops by kinds of ticket, from and to."""
    table = np.minimum(hops_by_holding(board), FAR_HOPS).astype(np.uint8)
    table.setflags(write=False)
    return table


@lru_cache(maxsize=32)
def _stations(board: Board) -> Float32s:
    """By node whether there are buses, undergrounds and ferries."""
    kinds = (Transport.BUS, Transport.UNDERGROUND, Transport.FERRY)
    here = [[kind in {k for _, k in board.steps(node)} for kind in kinds] for node in board.nodes()]
    table = np.array(here, np.float32)
    table.setflags(write=False)
    return table


def new_placement(n_nodes: int) -> Placement:
    return Placement(
        np.zeros((MOST_DETECTIVES, n_nodes), np.uint8),
        np.zeros(n_nodes, np.uint8),
        np.zeros(n_nodes, np.uint8),
        np.zeros(n_nodes, np.uint8),
        np.zeros((n_nodes, N_HIDDEN), np.float32),
        np.full(n_nodes, NOT_KEPT, np.int32),
    )


def new_spread(n_nodes: int) -> Spread:
    return Spread(np.zeros(1, np.int32), np.zeros(n_nodes, np.int32), np.zeros(n_nodes))


@kernel
def spread_out(belief: Floats, out: Spread) -> None:
    n = 0
    for node in range(len(belief)):
        if belief[node] > 0.0:
            out.nodes[n] = node
            out.chances[n] = belief[node]
            n += 1
    out.n[0] = n


@kernel
def place_detectives(graph: ChampionGraph, state: Int32s, out: Placement) -> None:
    far, one = np.uint8(FAR_HOPS), np.uint8(1)
    out.near[:] = far
    out.second[:] = far
    out.within_1[:] = 0
    out.held[:] = NOT_KEPT
    for d in range(graph.table.n_detectives):
        hops = graph.hops[state[packed.HELD + 1 + d] & ALL_KINDS, state[packed.PLACES + d]]
        row = out.rows[d]
        for node in range(len(hops)):
            h = hops[node]
            row[node] = h
            out.second[node] = min(out.second[node], max(out.near[node], h))
            out.near[node] = min(out.near[node], h)
            out.within_1[node] += np.uint8(h <= one)


@kernel
def public_features(graph: ChampionGraph, state: Int32s, spread: Spread, placement: Placement, out: Float32s) -> None:
    n, squares, most, reachable, surrounded = int(spread.n[0]), 0.0, 0.0, 0.0, 0.0
    for i in range(n):
        node, p = spread.nodes[i], spread.chances[i]
        squares += p * p
        most = max(most, p)
        if placement.near[node] <= 1:
            reachable += p
        if placement.second[node] <= 2:
            surrounded += p
    shown, n_logged = graph.table.shown, state[packed.N_LOGGED]
    left, wait = len(shown) - n_logged, 0
    while n_logged + wait < len(shown) and not shown[n_logged + wait]:
        wait += 1
    out[0] = np.log(1.0 / max(squares, 1e-9)) / 4.0
    out[1] = np.log(max(n, 1)) / 4.0
    out[2], out[3], out[4] = reachable, most, surrounded
    out[5] = left / 24.0
    out[6] = wait / 5.0
    out[7] = 1.0 / (1.0 + wait)
    out[8] = 1.0 if n_logged > 0 and shown[n_logged - 1] else 0.0
    mrx = state[packed.TICKETS : packed.TICKETS + 5]
    out[9] = min(mrx[0], 8) / 8.0
    out[10] = min(mrx[1], 8) / 8.0
    out[11] = min(mrx[2], 6) / 6.0
    out[12] = mrx[SECRET] / 5.0
    out[13] = mrx[DOUBLE] / 2.0
    fewest, taxi, bus, underground = 16, 0, 0, 0
    n_detectives = graph.table.n_detectives
    for d in range(n_detectives):
        held = state[packed.TICKETS + 5 * (d + 1) : packed.TICKETS + 5 * (d + 1) + 3]
        fewest = min(fewest, held[0] + held[1] + held[2])
        taxi += held[0]
        bus += held[1]
        underground += held[2]
    out[14] = fewest / 16.0
    out[15] = underground / n_detectives / 4.0
    out[16] = bus / n_detectives / 8.0
    out[17] = taxi / n_detectives / 10.0
    out[18] = n_detectives / 5.0
    out[19] = out[0] * left / 24.0


@kernel
def node_features(
    graph: ChampionGraph, placement: Placement, spread: Spread, public: Float32s, held: int, node: int, out: Float32s
) -> None:
    """All features of Mr X on a node with these kinds of ticket (bits), the public ones copied."""
    ground_features(graph, placement, held, node, out)
    belief_features(graph.hops[ALL_KINDS, node], placement.within_1[node], spread, node, out)
    out[N_NODE:] = public


@kernel
def ground_features(graph: ChampionGraph, placement: Placement, held: int, node: int, out: Float32s) -> None:
    near, second = placement.near[node], placement.second[node]
    within_2, within_3, total = 0, 0, 0
    n_detectives = graph.table.n_detectives
    for d in range(n_detectives):
        hops = placement.rows[d, node]
        within_2 += hops <= 2
        within_3 += hops <= 3
        total += hops
    out[0] = near / 4.0
    out[1] = second / 5.0
    out[2] = total / n_detectives / 5.0
    out[3] = placement.within_1[node] / 2.0
    out[4] = within_2 / 3.0
    out[5] = within_3 / 5.0
    out[6] = near == 1
    out[7] = near == 2
    exit_features(graph, placement, held, node, out)
    own, first_to, not_after = graph.hops[ALL_KINDS, node], 0, 0
    for v in range(len(own)):
        first_to += own[v] < placement.near[v]
        not_after += own[v] <= placement.near[v]
    out[AFTER_BELIEF] = np.sqrt(float(first_to)) / 8.0
    out[AFTER_BELIEF + 1] = np.sqrt(float(not_after)) / 8.0
    for i in range(3):
        out[AFTER_BELIEF + 2 + i] = graph.stations[node, i]


@kernel
def belief_features(own: Bytes, within_1: int, spread: Spread, node: int, out: Float32s) -> None:
    """`own` are the hops from the node, `within_1` the detectives who can go there."""
    his = 0.0
    for i in range(spread.n[0]):
        if spread.nodes[i] == node:
            his = spread.chances[i]
    likelier, expected, mass_1, mass_2 = 0.0, 0.0, 0.0, 0.0
    for i in range(spread.n[0]):
        p, hops = spread.chances[i], own[spread.nodes[i]]
        likelier += p if p > his + TIE else 0.0
        expected += p * hops
        mass_1 += p if hops <= 1 else 0.0
        mass_2 += p if hops <= 2 else 0.0
    out[BELIEF] = his
    out[BELIEF + 1] = np.log(his + 1e-4) / 6.0
    out[BELIEF + 2], out[BELIEF + 3] = likelier, expected / 6.0
    out[BELIEF + 4], out[BELIEF + 5] = mass_1, mass_2
    out[BELIEF + 6] = his * within_1


@kernel
def public_sums(net: ValueNet, public: Float32s, out: Float32s) -> None:
    """The part of the hidden layer that the public features make."""
    out[:] = net.b1
    add_features(net, public, 0, N_FEATURES - N_NODE, N_NODE, out)


@kernel
def keep_ground(graph: ChampionGraph, net: ValueNet, placement: Placement, held: int, node: int, row: Float32s) -> None:
    """Fill `placement.sums` of a node; `row` is room of the caller."""
    ground_features(graph, placement, held, node, row)
    kept = placement.sums[node]
    kept[:] = 0.0
    add_features(net, row, 0, BELIEF, 0, kept)
    add_features(net, row, AFTER_BELIEF, N_NODE, 0, kept)
    placement.held[node] = held


@kernel
def chance_at(
    hops: Bytes,
    net: ValueNet,
    placement: Placement,
    spread: Spread,
    sums: Float32s,
    node: int,
    row: Float32s,
    hidden: Float32s,
) -> float:
    """What the net says of Mr X on a node for which `keep_ground` was called.

    `hops` is `graph.hops` of ALL_KINDS; the whole graph is left out because it costs more to hand over than to use.
    `sums` are those of `public_sums`, `row` and `hidden` room of the caller.
    """
    belief_features(hops[node], placement.within_1[node], spread, node, row)
    kept = placement.sums[node]
    for j in range(len(hidden)):
        hidden[j] = sums[j] + kept[j]
    add_features(net, row, BELIEF, AFTER_BELIEF, 0, hidden)
    return chance_of(net, hidden)


@kernel
def exit_features(graph: ChampionGraph, placement: Placement, held: int, node: int, out: Float32s) -> None:
    """Where Mr X can go; the fares of a node are in the order of their destinations."""
    table = graph.table
    n, n_safe, n_far, n_quiet, best, onward, last = 0, 0, 0, 0, 0, 0, -1
    taxi, bus, underground = 0, 0, 0
    for k in range(table.indptr[held, node], table.indptr[held, node + 1]):
        to, ticket = table.fares[k] >> 8, table.fares[k] >> 3 & 3
        hops = int(placement.near[to])
        if hops == 0:
            continue
        if hops > 1:
            taxi += ticket == 0
            bus += ticket == 1
            underground += ticket == 2
        if to == last:
            continue
        last = to
        n += 1
        n_far += hops > 2
        n_quiet += placement.second[to] > 2
        best = max(best, hops)
        if hops > 1:
            n_safe += 1
            ways, last_end = 0, -1
            for j in range(table.indptr[held, to], table.indptr[held, to + 1]):
                end = table.fares[j] >> 8
                if end != last_end:
                    ways += placement.near[end] > 2
                    last_end = end
            onward = max(onward, ways)
    out[8] = n / 8.0
    out[9] = n_safe / 6.0
    out[10] = n_far / 6.0
    out[11] = best / 4.0
    out[12] = n_quiet / 6.0
    out[13] = taxi / 4.0
    out[14] = bus / 4.0
    out[15] = underground / 3.0
    out[16] = onward / 6.0
