"""Kernels of scotfish-lookahead: the best line of Mr X while every detective runs for him by the shortest way."""

from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Floats, Int32s
from manhunt.core.jit import kernel
from manhunt.games.scotland_yard.agents.minimax_search.arrays import TicketGraph
from manhunt.games.scotland_yard.agents.minimax_search.routes import DetectiveWays, count_hops

MOST_DEPTH = 12
NOWHERE = -1


class Chase(NamedTuple):
    """One decision: the map of scores without shadows, and how shadows fall. `held` are kinds of tickets as bits."""

    scores: Floats
    held: Int32s
    mrx_held: int
    shadow: float
    factor: float
    caught: float
    discount: float


class Stack(NamedTuple):
    """One row a level: where Mr X and the detectives are, the next fare, the step being tried and what it is worth by
    itself; the best value so far and its line (from column `level` on)."""

    quarry: Int32s
    places: Int32s
    fare: Int32s
    worth: Floats
    best: Floats
    step: Int32s
    line: Int32s


def new_stack(n_detectives: int) -> Stack:
    rows = MOST_DEPTH + 2
    return Stack(
        np.zeros(rows, np.int32),
        np.zeros((rows, n_detectives), np.int32),
        np.zeros(rows, np.int32),
        np.zeros(rows),
        np.zeros(rows),
        np.zeros(rows, np.int32),
        np.zeros((rows, rows), np.int32),
    )


@kernel
def lower_paths(
    graph: TicketGraph, ways: DetectiveWays, chase: Chase, quarry: int, places: Int32s, counts: Int32s, scores: Floats
) -> None:
    """Lower the nodes on every detective's best ways to Mr X: by the shadow next to him, fading with each move.

    His ways are those that his tickets (one row of `counts`) can pay.
    """
    from_him = np.zeros(len(scores), np.int8)
    for d in range(len(places)):
        count_hops(ways, places[d], counts[d], from_him)
        to_quarry = graph.hops[chase.held[d], :, quarry]
        for node in range(len(scores)):
            on_the_way = from_him[node] + to_quarry[node] == from_him[quarry]
            if on_the_way and node != places[d] and node != quarry:
                scores[node] -= chase.shadow / chase.factor ** (from_him[node] - 1)


@kernel
def score_of(graph: TicketGraph, chase: Chase, node: int, places: Int32s) -> float:
    """The map's score of a node less the shadows of detectives on these places, fading with each move they need."""
    score = chase.scores[node]
    for d in range(len(places)):
        hops = graph.hops[chase.held[d], places[d], node]
        if hops == 0:
            score -= chase.caught
        elif hops <= 5:
            score -= chase.shadow / chase.factor ** (hops - 1)
    return float(score)


@kernel
def run_for(graph: TicketGraph, chase: Chase, places: Int32s, goal: int, out: Int32s) -> bool:
    """Every detective in turn takes the step that brings him nearest to the goal; True if one gets there."""
    out[:] = places
    for d in range(len(places)):
        held = chase.held[d]
        best, best_hops = out[d], np.int64(99)
        for k in range(graph.indptr[held, out[d]], graph.indptr[held, out[d] + 1]):
            to = graph.fares[k] >> 8
            hops = graph.hops[held, to, goal]
            if hops < best_hops:
                is_free = True
                for other in range(len(places)):
                    is_free = is_free and out[other] != to
                if is_free:
                    best, best_hops = to, np.int64(hops)
        out[d] = best
        if best == goal:
            return True
    return False


@kernel
def open_level(graph: TicketGraph, chase: Chase, stack: Stack, level: int) -> None:
    node = stack.quarry[level]
    stack.fare[level] = graph.indptr[chase.mrx_held, node]
    stack.best[level] = -np.inf
    stack.step[level] = NOWHERE
    stack.line[level, :] = NOWHERE


@kernel
def next_step(graph: TicketGraph, chase: Chase, stack: Stack, level: int) -> int:
    """The next free node Mr X can go to at this level; NOWHERE when all were tried. Fares are sorted by node."""
    end, last = graph.indptr[chase.mrx_held, stack.quarry[level] + 1], stack.step[level]
    while stack.fare[level] < end:
        to = graph.fares[stack.fare[level]] >> 8
        stack.fare[level] += 1
        if to == last:
            continue
        last = to
        is_free = True
        for place in stack.places[level]:
            is_free = is_free and place != to
        if is_free:
            stack.step[level] = to
            return int(to)
    return NOWHERE


@kernel
def take_back(stack: Stack, level: int, value: float, goes_on: bool) -> None:
    """The step being tried was followed to its end: keep it, and the line after it, if it is the best."""
    if value > stack.best[level]:
        stack.best[level] = value
        stack.line[level, :] = NOWHERE
        if goes_on:
            stack.line[level, level + 1 :] = stack.line[level + 1, level + 1 :]
        stack.line[level, level] = stack.step[level]


@kernel
def line_value(
    graph: TicketGraph, chase: Chase, quarry: int, places: Int32s, depth: int, budget: int, stack: Stack
) -> tuple[float, int]:
    """The worth of Mr X standing here while the detectives are to move, and the nodes looked at.

    Each of `depth` further steps adds its score; being caught costs what is left at the price of a detective's own
    node. Minus infinity means that the nodes of the budget were not enough.
    """
    worth = score_of(graph, chase, quarry, places)
    stack.line[0, :] = NOWHERE
    if run_for(graph, chase, places, quarry, stack.places[0]):
        return worth - chase.caught * (1 + depth), 1
    stack.quarry[0] = quarry
    open_level(graph, chase, stack, 0)
    if depth == 0:
        return worth, 1
    level, nodes = 0, 1
    while True:
        to = next_step(graph, chase, stack, level)
        if to == NOWHERE:
            best = stack.best[level]
            if best == -np.inf:  # stranded
                best = -chase.caught * (depth - level)
            if level == 0:
                return worth + chase.discount * best, nodes
            level -= 1
            take_back(stack, level, stack.worth[level] + chase.discount * best, True)
            continue
        if nodes == budget:
            return -np.inf, nodes
        nodes += 1
        gain = score_of(graph, chase, to, stack.places[level])
        if run_for(graph, chase, stack.places[level], to, stack.places[level + 1]):
            take_back(stack, level, gain - chase.caught * (depth - level), False)
        elif level + 1 == depth:
            take_back(stack, level, gain, False)
        else:
            stack.worth[level] = gain
            level += 1
            stack.quarry[level] = to
            open_level(graph, chase, stack, level)
