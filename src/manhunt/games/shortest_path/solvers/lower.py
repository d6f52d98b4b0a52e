"""Lower bounds: what an adversary of short memory forces.

He remembers his raises on a few *watched* edges, `horizon` of them at most. Any other raise he makes nearby, and it
counts for one step: on an edge at the traveller's node for the step that follows, on an edge one step ahead for the
step after it (if the traveller comes there). Then he forgets it. What he forgets makes edges look cheaper than they
are, so the traveller pays in the whole game at least what he pays here. A position here is no more than a node, a
tally of the watched edges and at most one raised arc, so all of them can be worked out.

With a window (`beta`) positions from where the traveller ends at `beta` or above are left out: the value is exact if it
comes out below `beta`, and if not, it is still a lower bound of `beta` at least.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from manhunt.core import thinking_time
from manhunt.core.arrays import Floats, Int64s
from manhunt.core.errors import ManhuntError
from manhunt.games.shortest_path.rules import kernels
from manhunt.games.shortest_path.rules.packed import PackedShortestPath, new_scratch, pack_costs, pack_game
from manhunt.games.shortest_path.rules.state import ShortestPathState
from manhunt.games.shortest_path.solvers import lower_kernels
from manhunt.games.shortest_path.solvers.certificate import LowerCertificate
from manhunt.games.shortest_path.solvers.lower_kernels import NO_BLOCK, TallyWork, WatchedEdges

MOST_BYTES = 400_000_000
"""What the tables of one solved game may take."""
MOST_TALLIES = 3_000_000
FEW_TALLIES = 2_000
AT_ONCE = 40_000
"""Values between two looks at how many tallies are left."""
STEP_SECONDS = 0.01
"""Between two looks at the clock, about."""
SECONDS_A_TALLY, SECONDS_A_VALUE = 1e-6, 3e-7
NARROW, WIDER, FAR = 1.03, 1.25, 1.8
NO_WINDOW = 1e308
"""Above all sums of costs."""
MARGIN = 1e-9
NODES_IN_PLAY = 24
"""How many nodes of good lines are searched for an edge that is worth watching."""


class LowerBudget:
    """Seconds and tallies that may still be spent."""

    def __init__(self, seconds: float = math.inf, tallies: float = math.inf) -> None:
        self.end = thinking_time.now() + seconds
        self.tallies = tallies
        self.at_once = 1
        """How many tallies to work out between two looks at the clock."""

    @property
    def seconds(self) -> float:
        return self.end - thinking_time.now()

    def next_step(self, n: int, took_seconds: float) -> int:
        """Steps twice as long as long as they are short, half as long when they are not."""
        self.at_once = max(1, n // 2) if took_seconds > STEP_SECONDS else 2 * n
        return self.at_once

    @property
    def spent(self) -> bool:
        return self.tallies <= 0 or thinking_time.now() >= self.end


@dataclass(frozen=True, slots=True)
class TallyLevel:
    """The blocks of all tallies with as many raises; `place` tells the row of a tally, or NO_BLOCK."""

    place: Int64s
    blocks: Floats


def lower_value(state: ShortestPathState, edges: Sequence[int], horizon: int) -> float:
    """What the adversary who watches `edges` with this horizon forces from here on: the check of a certificate."""
    value = _static(state)
    while True:
        memory = Memory(state, edges, horizon, _above(value))
        memory.solve(LowerBudget(), most_bytes=None)
        if memory.exact:
            return memory.value
        value = memory.value


def find_lower(state: ShortestPathState, seconds: float, upper: float = math.inf) -> LowerCertificate:
    """The best lower bound that is found in this time; it ends sooner when `upper` is reached."""
    return find_memory(state, LowerBudget(seconds), upper).certificate


def find_memory(state: ShortestPathState, budget: LowerBudget, upper: float = math.inf) -> Memory:
    """The same with the tables to play by.

    First nothing is watched, then the edges at the target; then one more edge at a time. Where the edges at the target
    bring nothing, single edges are tried without them before: that costs little.
    """
    none = Memory(state, (), 0, math.inf)
    none.solve(LowerBudget())
    game, horizon = none.game, _straight(none)
    at_target = target_edges(game)
    best = _better(none, at_target, horizon, upper, -MARGIN, budget, FAR) or none
    if best.value < none.value + MARGIN:
        few = _climb(none, upper, budget)
        more = (*at_target, *(edge for edge in few.edges if edge not in at_target))
        best = (_better(few, more, horizon, upper, -MARGIN, budget) or few) if few.edges else best
    for longer in (2, 5):
        if n_tallies(len(best.edges), horizon + longer) <= FEW_TALLIES:
            best = _better(best, best.edges, horizon + longer, upper, MARGIN, budget) or best
    return _climb(best, upper, budget)


def _straight(memory: Memory) -> int:
    """The raises during a walk without detours that still matter."""
    return int(memory.game.hops[memory.state.quarry]) - 1 + memory.state.ply % 2


def _climb(best: Memory, upper: float, budget: LowerBudget) -> Memory:
    """One more edge after the other, as long as one is found that brings something."""
    while True:
        horizon = max(best.horizon, _straight(best))
        tries = ((*best.edges, edge) for edge in edges_in_play(best, budget))
        found = (_better(best, edges, horizon, upper, MARGIN, budget) for edges in tries)
        better = next((memory for memory in found if memory is not None), None)
        if better is None:
            return best
        best = better


def _better(
    best: Memory,
    edges: tuple[int, ...],
    horizon: int,
    upper: float,
    gain: float,
    budget: LowerBudget,
    window: float = NARROW,
) -> Memory | None:
    """Solved in ever wider windows until the value lies inside.

    None if the value is not above the best one by more than `gain`, if that has reached `upper` already, or if time
    or room does not suffice.
    """
    if best.value >= upper - MARGIN or budget.spent or n_tallies(len(edges), horizon) > MOST_TALLIES:
        return None
    beta = min(best.value * window + 0.1, upper * (1 + MARGIN) + MARGIN)
    while True:
        memory = Memory(best.state, edges, horizon, beta)
        if not memory.solve(budget) or memory.value <= best.value + gain:
            return None
        if memory.exact:
            return memory
        beta = _above(memory.value)


def _above(value: float) -> float:
    return value * WIDER + 1.0


def _static(state: ShortestPathState) -> float:
    """The cheapest way at current costs."""
    game = pack_game(state.config)
    return float(_distances(game, pack_costs(state.config, state.raises), game.target)[state.quarry])


def _distances(game: PackedShortestPath, costs: Floats, root: int) -> Floats:
    out, after = np.empty(game.n_nodes), np.empty(game.n_nodes, dtype=np.int64)
    kernels.distances(game, costs, root, out, after, new_scratch(game))
    return out


def n_tallies(n_edges: int, horizon: int) -> int:
    return math.comb(horizon + n_edges, n_edges)


def target_edges(game: PackedShortestPath) -> tuple[int, ...]:
    return tuple(sorted(int(edge) for edge in game.edge[game.indptr[game.target] : game.indptr[game.target + 1]]))


class Memory:
    """The game against one such adversary from a position on, and after `solve` its values."""

    def __init__(self, state: ShortestPathState, edges: Sequence[int], horizon: int, beta: float) -> None:
        self.state, self.horizon = state, horizon
        self.edges = tuple(int(edge) for edge in edges)
        self.game = pack_game(state.config)
        _check(self.game, self.edges, horizon)
        self.watch = _watch(self.game, state, self.edges, horizon, beta)
        self.levels: list[TallyLevel] = []
        self.value = 0.0
        self._replied: bytes | None = None
        """The tally whose replies are in the room."""
        self._work = new_tally_work(self.game, len(self.edges))
        self._scratch = new_scratch(self.game)

    @property
    def exact(self) -> bool:
        """The value is that of the game without a window."""
        return self.value < self.watch.beta - MARGIN

    @property
    def certificate(self) -> LowerCertificate:
        return LowerCertificate(self.value, self.edges, self.horizon)

    def solve(self, budget: LowerBudget, most_bytes: int | None = MOST_BYTES) -> bool:
        """Work all levels out; False, and no values, if the budget or the room ends before."""
        self._replied = None
        levels: list[TallyLevel] = []
        above = TallyLevel(np.empty(0, dtype=np.int64), np.empty((0, 0)))
        left = None if most_bytes is None else most_bytes // (8 * len(self._work.reply))
        for level in range(self.horizon, -1, -1):
            found = self._solve_level(level, above, left, budget)
            if found is None:
                return False
            levels.append(found)
            above = found
            if left is not None:
                left -= len(found.blocks)
        self.levels = levels[::-1]
        self.value = self._root_value()
        return True

    def _solve_level(self, level: int, above: TallyLevel, left: int | None, budget: LowerBudget) -> TallyLevel | None:
        n = n_tallies(len(self.edges) - 1, level) if self.edges else int(level == 0)
        rows = n if left is None else min(n, left)
        place = np.full(max(n, 1), NO_BLOCK, dtype=np.int64)
        blocks = np.empty((rows, len(self._work.reply)))
        self._work.tally[:] = 0
        self._work.tally[:1] = level
        used, done, tables = 0, n == 0, (above.place, above.blocks)
        # Tallies are counted in steps of the same size on every machine; the clock is looked at more often.
        most, left_over = max(1, AT_ONCE // len(self._work.reply)), n
        if math.isinf(budget.tallies):
            most = min(most, budget.at_once)
        while not done:
            before, began = used, thinking_time.now()
            used, done = lower_kernels.solve_some(
                self.game, self.watch, level, most, tables, place, blocks, used, self._work, self._scratch
            )
            n_looked = min(most, left_over)
            thinking_time.add_work(
                SECONDS_A_TALLY * n_looked + SECONDS_A_VALUE * (used - before) * len(self._work.reply)
            )
            budget.tallies -= n_looked
            if math.isinf(budget.tallies):
                most = budget.next_step(most, thinking_time.now() - began)
            left_over -= most
            full = used == rows and used == before
            if not done and (full or budget.spent):
                return None
        return TallyLevel(place, blocks[:used])

    def _root_value(self) -> float:
        node = int(self.state.quarry)
        if node == self.game.target:
            return 0.0
        tally = np.zeros(len(self.edges), dtype=np.int64)
        if self.state.ply % 2:
            return float(self.replies(tally)[node])
        return self.standing(tally, node)

    def standing(self, tally: Int64s, node: int, arc: int = -1) -> float:
        """The value with the traveller to move; `arc` is the one that is dearer for this step."""
        level = int(tally.sum())
        if level > self.horizon:
            return 0.0
        table = self.levels[level]
        row = table.place[lower_kernels.rank(self.watch.choose, tally)]
        if row == NO_BLOCK:
            return lower_kernels.beyond(self.watch, level, node)
        return float(table.blocks[row, node if arc < 0 else self.game.n_nodes + arc])

    def replies(self, tally: Int64s) -> Floats:
        """The block of values with the adversary to move (room that the next call uses again)."""
        level = int(tally.sum())
        work = self._work
        if self._replied == tally.tobytes():
            return work.reply
        self._replied = tally.tobytes()
        work.tally[:] = tally
        outside = np.maximum(self.watch.beta - np.maximum(self.watch.paid, level - self.watch.late), 0.0)
        work.reply[self.game.n_nodes :] = np.repeat(outside, np.diff(self.game.indptr))
        n_live = lower_kernels.prepare(self.game, self.watch, level, work, self._scratch)
        last = level == self.horizon
        place = np.empty(0, dtype=np.int64) if last else self.levels[level + 1].place
        blocks = np.empty((0, 0)) if last else self.levels[level + 1].blocks
        lower_kernels.start_reply(self.game, self.watch, level, n_live, place, blocks, work)
        lower_kernels.settle(self.game, n_live, work)
        return work.reply

    def steps(self, node: int, raised: tuple[int, ...], ahead: int = -1) -> list[tuple[float, float, int]]:
        """Where each step of the traveller ends, what it costs, and its arc, best first; after `replies`.

        Arcs in `raised` are raised once for each mention, for this step, the arc `ahead` for the next one.
        """
        game, work, found = self.game, self._work, list[tuple[float, float, int]]()
        for slot in range(int(game.indptr[node]), int(game.indptr[node + 1])):
            cost = float(work.costs[game.edge[slot]])
            for _ in range(raised.count(slot)):
                cost = lower_kernels.cost_if_raised(game, cost, slot)
            to = int(game.to[slot])
            after = game.n_nodes + ahead if starts_at(game, ahead, to) else to
            found.append((cost + float(work.reply[after]), cost, slot))
        return sorted(found)


def starts_at(game: PackedShortestPath, arc: int, node: int) -> bool:
    """False for -1, which is no arc."""
    return arc >= 0 and bool(game.indptr[node] <= arc < game.indptr[node + 1])


@dataclass(frozen=True, slots=True)
class RaiseOption:
    """A raise that the adversary may choose, what it is worth to him, and what he will remember of it."""

    edge: int
    value: float
    watched: int = -1
    """The place of the edge among the watched ones."""
    arc: int = -1
    """The arc at the traveller's node that is dearer for his next step."""
    ahead: int = -1
    """The arc one step ahead that is dearer for the step after that."""


def options(memory: Memory, tally: Int64s, node: int, arc: int = -1) -> list[RaiseOption]:
    """The raises worth a thought, the traveller at `node`, `arc` there dearer; the best is worth the position."""
    game, found = memory.game, list[RaiseOption]()
    if int(tally.sum()) < memory.horizon:
        for i, edge in enumerate(memory.edges):
            tally[i] += 1
            found.append(RaiseOption(edge, memory.standing(tally, node, arc), watched=i))
            tally[i] -= 1
    reply = memory.replies(tally)
    best = memory.steps(node, (arc,))[0][2]
    found.append(RaiseOption(int(game.edge[best]), memory.steps(node, (arc, best))[0][0], arc=best))
    to = int(game.to[best])
    if to != game.target:
        after = max(range(int(game.indptr[to]), int(game.indptr[to + 1])), key=lambda slot: reply[game.n_nodes + slot])
        found.append(RaiseOption(int(game.edge[after]), memory.steps(node, (arc,), after)[0][0], ahead=after))
    return found


def edges_in_play(memory: Memory, budget: LowerBudget) -> list[int]:
    """Edges that are not watched, near the nodes of good lines: those of likely lines first."""
    game, start = memory.game, memory.state
    zero = np.zeros(len(memory.edges), dtype=np.int64)
    waiting: list[tuple[float, int, tuple[int, ...], int]] = []
    if start.ply % 2:
        waiting.append((0.0, int(start.quarry), tuple(zero), -1))
    else:
        _walk_on(memory, zero, int(start.quarry), 0.0, None, -1, waiting)
    seen, edges = set[tuple[int, tuple[int, ...], int]](), dict[int, None]()
    while waiting and len(seen) < NODES_IN_PLAY and not budget.spent:
        loss, node, counts, arc = heapq.heappop(waiting)
        if (node, counts, arc) in seen:
            continue
        seen.add((node, counts, arc))
        for slot in range(int(game.indptr[node]), int(game.indptr[node + 1])):
            edges.setdefault(int(game.edge[slot]))
        tally = np.array(counts, dtype=np.int64)
        _walk_on(memory, tally, node, loss, max(options(memory, tally, node, arc), key=lambda o: o.value), arc, waiting)
    return [edge for edge in edges if edge not in memory.edges]


def _walk_on(
    memory: Memory,
    tally: Int64s,
    node: int,
    loss: float,
    raised: RaiseOption | None,
    arc: int,
    waiting: list[tuple[float, int, tuple[int, ...], int]],
) -> None:
    """All steps of the traveller after a raise, with what they lose against the best of them."""
    game = memory.game
    if raised is not None and raised.watched >= 0:
        tally[raised.watched] += 1
    memory.replies(tally)
    ahead = -1 if raised is None else raised.ahead
    steps = memory.steps(node, (arc, -1 if raised is None else raised.arc), ahead)
    for total, _, slot in steps:
        to = int(game.to[slot])
        if to != game.target and total < math.inf:
            kept = ahead if starts_at(game, ahead, to) else -1
            heapq.heappush(waiting, (loss + total - steps[0][0], to, tuple(int(n) for n in tally), kept))


def _check(game: PackedShortestPath, edges: tuple[int, ...], horizon: int) -> None:
    if horizon < 0:
        raise ManhuntError(f"a horizon of {horizon} raises; the minimum is 0")
    if len(set(edges)) < len(edges) or not all(0 <= edge < game.n_edges for edge in edges):
        raise ManhuntError(f"watched edges {list(edges)}: give different numbers from 0 to {game.n_edges - 1}")


def _watch(
    game: PackedShortestPath, state: ShortestPathState, edges: tuple[int, ...], horizon: int, beta: float
) -> WatchedEdges:
    costs = pack_costs(state.config, state.raises)
    ladder = np.empty((len(edges), horizon + 1))
    for i, edge in enumerate(edges):
        cost = costs[edge]
        for j in range(horizon + 1):
            ladder[i, j] = cost
            cost = min(cost * game.factors[edge], game.most_cost)
    size = horizon + len(edges) + 1
    choose = [[math.comb(a, b) for b in range(len(edges) + 1)] for a in range(size)]
    nodes = [node for node in range(game.n_nodes) if game.hops[node] > 0]
    order = sorted(nodes, key=lambda node: (game.hops[node], node))
    return WatchedEdges(
        edges=np.array(edges, dtype=np.int64),
        costs=costs,
        ladder=ladder,
        order=np.array(order, dtype=np.int64),
        choose=np.array(choose, dtype=np.int64),
        paid=_distances(game, costs, int(state.quarry)),
        beta=min(beta, NO_WINDOW),
        late=state.ply % 2,
    )


def new_tally_work(game: PackedShortestPath, n_edges: int) -> TallyWork:
    n, n_arcs = game.n_nodes, len(game.to)
    return TallyWork(
        tally=np.zeros(n_edges, dtype=np.int64),
        costs=np.empty(game.n_edges),
        arcs=np.empty(n_arcs),
        reply=np.empty(n + n_arcs),
        best=np.empty(n),
        distance=np.empty(n),
        after=np.empty(n, dtype=np.int64),
        live=np.empty(n, dtype=np.int64),
        stale=np.zeros(n, dtype=np.int64),
        totals=np.empty(5),
        arc=np.empty(2, dtype=np.int64),
    )
