"""Games of hidden information that are small enough to be solved: exact values in place of quick games.

With s for the equilibrium and V(h) for the evader's chance after history h when both play s, a seat that knows infoset
I believes in its histories by the chances of deals and of the other side's moves under s, and its action a is worth the
mean of V(ha) over them, K(a). Then

- W = V(h) is what the true position is worth,
- choice = K(played) - K(best), at most 0 for the mover (0 for whatever s would play),
- luck = V(ha) - V(h) - choice: it averages to 0 over what the mover could not know, whatever they play, as long as the
  other side plays s. After a move that s never makes it may average to more: a solution need not punish it fully.

Where the solution says nothing, because its owner would not have come there, the best action by K is taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from manhunt.analysis.findings import (
    NOTHING_BETTER,
    Curve,
    CurveAxis,
    Findings,
    Judged,
    mark_of,
)
from manhunt.analysis.progress import report
from manhunt.core.arrays import Floats, Int64s
from manhunt.core.errors import ManhuntError
from manhunt.core.game import AnyGame
from manhunt.core.ids import PLAYERS, Seat, Side
from manhunt.core.registry import kit_of
from manhunt.play.hindsight import Hindsight
from manhunt.solvers.equilibrium.cfr import Equilibrium, policy_of
from manhunt.solvers.equilibrium.sequence_form import solve_exactly
from manhunt.solvers.equilibrium.tree import HistoryTree, Kind, build_tree

MOST_HISTORIES = 30_000
MOST_PLIES, MOST_NODES = 40, 12
"""Larger games are not even tried."""
TREMBLE = 1e-7
"""How often the other side is believed to do anything at all, so that every infoset has a belief."""
EXACT = 1e-7
"""Differences below this are those of the linear program."""
SWEEPS = 30


def solved_findings(past: Hindsight) -> Findings | None:
    """The analysis of a game that is small enough; None for others."""
    if not is_small(past):
        return None
    report(0, past.last + 1, "solving the game")
    solved = solved_game(past.game, past.config)
    return None if solved is None else findings_by(past, solved)


@lru_cache(maxsize=2)
def solved_game(game: AnyGame, config: Any) -> SolvedGame | None:
    """One solution for all records of a game; None where it has too many histories."""
    try:
        tree = build_tree(game, config, most_histories=MOST_HISTORIES)
    except ManhuntError:
        return None
    return SolvedGame(tree, solve_exactly(tree.form))


def is_small(past: Hindsight) -> bool:
    """Whether something is hidden, and the game is worth trying to list."""
    game, size = past.game, kit_of(past.game.name).size_of(past.config)
    if not game.capabilities.hidden or all(knows_all(past, seat) for seat in PLAYERS):
        return False
    if game.capabilities.board and past.config.board.n_nodes > MOST_NODES:
        return False
    return 0 < size.plies <= MOST_PLIES


def knows_all(past: Hindsight, seat: Seat) -> bool:
    """Whether all events of the game were for this seat, too."""
    return all(seat in event.audience for happened in past.happened for event in happened)


@dataclass(frozen=True)
class SolvedGame:
    """A tree with its solution. Values are the evader's winning chance."""

    tree: HistoryTree
    equilibrium: Equilibrium

    @cached_property
    def children(self) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in self.tree.nodes.kind]
        for node, parent in enumerate(self.tree.nodes.parent):
            if parent >= 0:
                found[parent].append(node)
        for row in found:
            row.sort(key=lambda node: int(self.tree.nodes.branch[node]))
        return found

    @cached_property
    def policies(self) -> tuple[Floats, Floats]:
        """By sequence; where the solution is silent, the best action against the other side."""
        form, weights = self.tree.form, (self.equilibrium.evader, self.equilibrium.pursuers)
        sides = (form.evader, form.pursuers)
        policies = [policy_of(side, each) for side, each in zip(sides, weights, strict=True)]
        for _ in range(SWEEPS):
            values, changed = self._values(policies), False
            for side, sequences in enumerate(weights):
                action_values = self._action_values(side, policies, values)
                for infoset in self.tree.infosets[side]:
                    own = slice(infoset.first, infoset.first + len(infoset.actions))
                    if sequences[own].sum() > EXACT:
                        continue
                    best = int((np.argmax if side == 0 else np.argmin)(action_values[own]))
                    wanted = np.eye(len(infoset.actions))[best]
                    changed |= bool((policies[side][own] != wanted).any())
                    policies[side][own] = wanted
            if not changed:
                break
        return policies[0], policies[1]

    @cached_property
    def values(self) -> Floats:
        """V by node."""
        return self._values(self.policies)

    @cached_property
    def known(self) -> tuple[Floats, Floats]:
        """K by sequence of either side."""
        return tuple(self._action_values(side, self.policies, self.values) for side in (0, 1))  # type: ignore[return-value]

    @cached_property
    def _layers(self) -> list[Int64s]:
        """Nodes by the number of steps to the root, which itself is left out."""
        parents = self.tree.nodes.parent
        depth = np.zeros(len(parents), np.int64)
        for node in range(1, len(depth)):
            depth[node] = depth[parents[node]] + 1
        return [np.flatnonzero(depth == steps) for steps in range(1, int(depth.max()) + 1)]

    @cached_property
    def _chosen(self) -> tuple[tuple[Int64s, Int64s, Int64s], ...]:
        """Per side the nodes that it chooses to go to, their sequences, and how many it could choose from."""
        nodes, found = self.tree.nodes, []
        for side, infosets in enumerate(self.tree.infosets):
            first = np.array([infoset.first for infoset in infosets], np.int64)
            sizes = np.array([len(infoset.actions) for infoset in infosets], np.int64)
            children = 1 + np.flatnonzero(nodes.kind[nodes.parent[1:]] == side)
            which = nodes.infoset[nodes.parent[children]]
            found.append((children, first[which] + nodes.branch[children], sizes[which]))
        return tuple(found)

    def _values(self, policies: Any) -> Floats:
        nodes, steps = self.tree.nodes, self.tree.nodes.odds.copy()
        for (children, sequences, _), policy in zip(self._chosen, policies, strict=True):
            steps[children] = policy[sequences]
        values = np.where(nodes.kind == Kind.END, (nodes.payoff + 1) / 2, 0.0)
        for layer in reversed(self._layers):
            np.add.at(values, nodes.parent[layer], steps[layer] * values[layer])
        return values

    def _reach(self, side: int, policies: Any) -> Floats:
        """By node the chance of deals, of chance and of the other side's moves on the way, which tremble."""
        nodes, steps = self.tree.nodes, self.tree.nodes.odds.copy()
        children, sequences, sizes = self._chosen[1 - side]
        steps[children] = (1 - TREMBLE) * policies[1 - side][sequences] + TREMBLE / sizes
        reach = np.ones(len(steps))
        for layer in self._layers:
            reach[layer] = reach[nodes.parent[layer]] * steps[layer]
        return reach

    def _action_values(self, side: int, policies: Any, values: Floats) -> Floats:
        """K by sequence of a side."""
        n = (self.tree.form.evader, self.tree.form.pursuers)[side].n_sequences
        children, sequences, _ = self._chosen[side]
        reach = self._reach(side, policies)[self.tree.nodes.parent[children]]
        weights = np.bincount(sequences, reach, n)
        sums = np.bincount(sequences, reach * values[children], n)
        return np.divide(sums, weights, out=np.zeros(n), where=weights > 0)

    def path(self, past: Hindsight) -> list[int]:
        """For each ply the node of the tree that it is at, or that it leads to where there is no choice."""
        tree, game = self.tree, past.game
        node = 0
        if len(tree.deals) > 1:
            starts = (game.start(tree.config, setup) for setup, _ in tree.deals)
            node = self.children[0][next(i for i, state in enumerate(starts) if state == past.states[0])]
        found = [node]
        for ply, action in enumerate(past.actions):
            options = past.options(ply)
            if len(options) > 1:
                node = self.children[node][options.index(action)]
            found.append(node)
        return found


def findings_by(past: Hindsight, solved: SolvedGame) -> Findings:
    game, path = past.game, solved.path(past)
    whose = game.called(Seat.EVADER)
    found = Findings(
        CurveAxis("chance", f"{whose}'s winning chance", 0.0, 1.0),
        [
            f"This game is solved: all its {solved.tree.n_histories:,} histories are listed, and a linear program gives"
            " the equilibrium. Nothing is estimated.",
            "A move is worth what it brings on average over all that its player could not know, if both sides play the"
            " equilibrium from there on.",
        ],
        "?! / ? / ??: lost more than 5 / 10 / 20 points of winning chance",
        surprise_how="",
    )
    for ply in range(past.last):
        found.truth.append((ply, float(solved.values[path[ply]])))
        if len(past.options(ply)) > 1 and past.acting(ply) in PLAYERS:
            found.moves.append(_judged(past, solved, ply, path[ply]))
        report(ply + 1, past.last + 1, f"round {past.round(ply)}")
    outcome = past.record.outcome
    assert outcome is not None
    found.payoff = float(outcome.winner is Side.EVADER)
    words = f"{whose[0].upper()}{whose[1:]}'s chance in the true position, by the solver"
    found.curves.append(Curve(words, None, [(ply, v, v, v) for ply, v in [*found.truth, (past.last, found.payoff)]]))
    return found


def _judged(past: Hindsight, solved: SolvedGame, ply: int, node: int) -> Judged:
    seat = past.acting(ply)
    assert seat is not None
    side = PLAYERS.index(seat)
    options = past.options(ply)
    first = solved.tree.infosets[side][solved.tree.nodes.infoset[node]].first
    known = solved.known[side][first : first + len(options)]
    best = int((np.argmax if side == 0 else np.argmin)(known))
    played = options.index(past.actions[ply])
    lost = float(abs(known[best] - known[played]))
    text, value = past.game.format_action(past.config, options[played]), float(known[played])
    if lost < EXACT:
        return Judged(ply, seat.value, text, None, value, 0.0, 0.0, 0.0, None, NOTHING_BETTER)
    better = past.game.format_action(past.config, options[best])
    words = f"{100 * lost:.0f} points less likely to win (exact)"
    return Judged(ply, seat.value, text, better, value, lost, lost, lost, mark_of(lost), words)
