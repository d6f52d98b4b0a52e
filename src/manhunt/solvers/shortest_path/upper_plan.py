"""A traveller's plan with a certain bound: one path, or the proofs of a search, from which every step can be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from manhunt.games.shortest_path.costs import edge_index
from manhunt.games.shortest_path.state import State
from manhunt.ids import Node
from manhunt.solvers.shortest_path.upper_arena import useful_arcs
from manhunt.solvers.shortest_path.upper_frames_kernels import has_bit
from manhunt.solvers.shortest_path.upper_paths import committed_value
from manhunt.solvers.shortest_path.upper_proof import Prover, place
from manhunt.solvers.shortest_path.upper_shelf_kernels import best_proof


@dataclass(frozen=True, slots=True)
class Step:
    """Where to go now, and what the plan is sure not to exceed from here on.

    With a `path` that holds if the whole path is walked: the plan says nothing about its later nodes.
    """

    to: Node
    bound: float
    path: tuple[Node, ...] | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """From `root` on the traveller pays at most `value` when he takes the steps that `step` tells; only on `arcs`."""

    root: State
    value: float
    arcs: tuple[tuple[Node, Node], ...]
    prover: Prover | None = None

    def step(self, way: Sequence[Node], state: State) -> Step | None:
        """The step after the nodes walked since the root, both ends included; None where the plan has none.

        Once a step has a path, `path_plan` of it is the plan from there on.
        """
        return self._path_step(state) if self.prover is None else _proved_step(self.prover, self.root, way, state)

    def _path_step(self, state: State) -> Step | None:
        after = dict(self.arcs)
        path = [state.quarry]
        while path[-1] in after and len(path) <= len(self.arcs):
            path.append(after[path[-1]])
        if len(path) < 2 or path[-1] != state.config.target:
            return None
        return Step(path[1], committed_value(state, path))


def path_plan(root: State, path: Sequence[Node], value: float) -> Plan:
    return Plan(root, value, tuple(zip(path, path[1:], strict=False)))


def proved_plan(root: State, prover: Prover) -> Plan:
    """What a prover has just said YES to."""
    ground, index = prover.ground, edge_index(root.config.board)
    zone = set(prover.zone())
    arena, names = ground.arena, ground.node_of
    arcs = [
        (names[node], names[arena.to[arc]])
        for node in range(len(names))
        for arc in range(arena.indptr[node], arena.indptr[node + 1])
        if index[names[node], names[arena.to[arc]]] in zone
    ]
    return Plan(root, prover.bound, tuple(useful_arcs(arcs, root.quarry, root.config.target)), prover)


def _proved_step(prover: Prover, root: State, way: Sequence[Node], state: State) -> Step | None:
    ground = prover.ground
    local = {node: i for i, node in enumerate(ground.node_of)}
    if any(node not in local for node in way) or len(way) >= len(prover.frames.node):
        return None
    raised = {
        i: state.raises[edge] - root.raises[edge]
        for i, edge in enumerate(ground.edge_of)
        if state.raises[edge] > root.raises[edge]
    }
    place(prover, [local[node] for node in way], raised)
    entry = best_proof(ground.arena, prover.frames, prover.proofs, len(way) - 1)
    if entry < 0:
        return None
    to = int(ground.arena.to[prover.proofs.move[entry]])
    path = _path_of(prover, entry, local[way[-1]]) if prover.proofs.is_path[entry] else None
    return Step(ground.node_of[to], float(prover.proofs.bound[entry]), path)


def _path_of(prover: Prover, entry: int, node: int) -> tuple[Node, ...]:
    """The path whose edges are the zone of the proof."""
    arena, zone = prover.arena, prover.proofs.zone[entry]
    path = [node]
    while path[-1] != arena.target:
        arcs = range(arena.indptr[path[-1]], arena.indptr[path[-1] + 1])
        arc = next(arc for arc in arcs if has_bit(zone, arena.edge[arc]) and arena.to[arc] not in path)
        path.append(int(arena.to[arc]))
    return tuple(prover.ground.node_of[node] for node in path)
