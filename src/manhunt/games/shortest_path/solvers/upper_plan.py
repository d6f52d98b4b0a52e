"""A traveller's plan with a certain bound: one path, or the proofs of a search, from which every step can be read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from manhunt.core.ids import Node, Seat
from manhunt.games.shortest_path.rules import kernels
from manhunt.games.shortest_path.rules.costs import MOST_COST, edge_index, factors, raised_cost
from manhunt.games.shortest_path.rules.packed import new_scratch, pack_costs, pack_game
from manhunt.games.shortest_path.rules.rules import whose_turn
from manhunt.games.shortest_path.rules.state import ShortestPathState
from manhunt.games.shortest_path.solvers.upper_arena import useful_arcs
from manhunt.games.shortest_path.solvers.upper_frames_kernels import has_bit
from manhunt.games.shortest_path.solvers.upper_proof import Prover, place
from manhunt.games.shortest_path.solvers.upper_results_kernels import best_proof

SPREAD = 1.5
"""Random paths are shortest by costs that are up to so much dearer."""


@dataclass(frozen=True, slots=True)
class PlanStep:
    """Where to go now, and what the plan is sure not to exceed from here on.

    With a `path` that holds if the whole path is walked: the plan says nothing about its later nodes.
    """

    to: Node
    bound: float
    path: tuple[Node, ...] | None = None


@dataclass(frozen=True, slots=True)
class TravelPlan:
    """From `root` on the traveller pays at most `value` when he takes the steps that `step` tells; only on `arcs`."""

    root: ShortestPathState
    value: float
    arcs: tuple[tuple[Node, Node], ...]
    prover: Prover | None = None

    def step(self, way: Sequence[Node], state: ShortestPathState) -> PlanStep | None:
        """The step after the nodes walked since the root, both ends included; None where the plan has none.

        Once a step has a path, `path_plan` of it is the plan from there on.
        """
        return self._path_step(state) if self.prover is None else _proved_step(self.prover, self.root, way, state)

    def _path_step(self, state: ShortestPathState) -> PlanStep | None:
        after = dict(self.arcs)
        path = [state.quarry]
        while path[-1] in after and len(path) <= len(self.arcs):
            path.append(after[path[-1]])
        if len(path) < 2 or path[-1] != state.config.target:
            return None
        return PlanStep(path[1], committed_value(state, path))


def committed_value(state: ShortestPathState, path: Sequence[Node]) -> float:
    """The most that the rest of the game can cost along the path.

    Raises can wait: what counts is how many of those made so far are on the edge that is walked now. The sum of
    c * f^x is convex in the numbers of raises, so the dearest way to spread them puts all that are left on one edge
    or none.
    """
    index, every = edge_index(state.config.board), factors(state.config)
    edges = [index[a, b] for a, b in zip(path, path[1:], strict=False)]
    first = 1 if whose_turn(state) is Seat.PURSUERS else 0
    rest = np.zeros(len(edges) + 2)  # by the raises that are left, for the edges behind
    with np.errstate(over="ignore"):
        for i in range(len(edges) - 1, -1, -1):
            cost, factor = raised_cost(every[edges[i]], state.raises[edges[i]]), every[edges[i]]
            all_here = np.minimum(cost * factor ** np.arange(i + first + 1), MOST_COST) + rest[1]
            none_here = cost + rest[1 : i + first + 2]
            rest = np.append(np.maximum(all_here, none_here), 0.0)
    return float(min(rest[first], MOST_COST))


def candidate_paths(state: ShortestPathState, n_random: int) -> Iterator[tuple[Node, ...]]:
    """The shortest path at current costs, then some by costs that chance has made dearer; always the same ones."""
    game = pack_game(state.config)
    costs = pack_costs(state.config, state.raises)
    distance, after = np.empty(game.n_nodes), np.empty(game.n_nodes, dtype=np.int64)
    nodes, scratch, rng = np.empty(game.n_nodes + 1, dtype=np.int64), new_scratch(game), np.random.default_rng(1)
    for i in range(n_random + 1):
        stretch = 1.0 + (SPREAD * rng.random(game.n_edges) if i else np.zeros(game.n_edges))
        kernels.distances(game, costs * stretch, game.target, distance, after, scratch)
        n = kernels.way(after, state.quarry, nodes)
        yield tuple(Node(int(node)) for node in nodes[:n])


def best_path(state: ShortestPathState, n_random: int) -> tuple[float, tuple[Node, ...]]:
    """The path with the smallest certain cost among some, and that cost."""
    paths = dict.fromkeys(candidate_paths(state, n_random))
    return min(((committed_value(state, path), path) for path in paths), key=lambda valued: valued[0])


def path_plan(root: ShortestPathState, path: Sequence[Node], value: float) -> TravelPlan:
    return TravelPlan(root, value, tuple(zip(path, path[1:], strict=False)))


def proved_plan(root: ShortestPathState, prover: Prover) -> TravelPlan:
    """What a prover has just said YES to."""
    named, index = prover.named, edge_index(root.config.board)
    zone = set(prover.zone())
    arena, names = named.arena, named.node_of
    arcs = [
        (names[node], names[arena.to[arc]])
        for node in range(len(names))
        for arc in range(arena.indptr[node], arena.indptr[node + 1])
        if index[names[node], names[arena.to[arc]]] in zone
    ]
    return TravelPlan(root, prover.bound, tuple(useful_arcs(arcs, root.quarry, root.config.target)), prover)


def _proved_step(
    prover: Prover, root: ShortestPathState, way: Sequence[Node], state: ShortestPathState
) -> PlanStep | None:
    named = prover.named
    local = {node: i for i, node in enumerate(named.node_of)}
    if any(node not in local for node in way) or len(way) >= len(prover.frames.node):
        return None
    raised = {
        i: state.raises[edge] - root.raises[edge]
        for i, edge in enumerate(named.edge_of)
        if state.raises[edge] > root.raises[edge]
    }
    place(prover, [local[node] for node in way], raised)
    entry = best_proof(named.arena, prover.frames, prover.proofs, len(way) - 1)
    if entry < 0:
        return None
    to = int(named.arena.to[prover.proofs.move[entry]])
    path = _path_of(prover, entry, local[way[-1]]) if prover.proofs.is_path[entry] else None
    return PlanStep(named.node_of[to], float(prover.proofs.bound[entry]), path)


def _path_of(prover: Prover, entry: int, node: int) -> tuple[Node, ...]:
    """The path whose edges are the zone of the proof."""
    arena, zone = prover.arena, prover.proofs.zone[entry]
    path = [node]
    while path[-1] != arena.target:
        arcs = range(arena.indptr[path[-1]], arena.indptr[path[-1] + 1])
        arc = next(arc for arc in arcs if has_bit(zone, arena.edge[arc]) and arena.to[arc] not in path)
        path.append(int(arena.to[arc]))
    return tuple(prover.named.node_of[node] for node in path)
