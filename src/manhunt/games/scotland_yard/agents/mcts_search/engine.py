"""A search with all that it needs for one config, kept by an agent from one decision to the next."""

from collections.abc import Iterable
from dataclasses import dataclass

from manhunt.core import thinking_time
from manhunt.core.agent import Limit
from manhunt.core.arrays import Int32s
from manhunt.core.kernel_random import new_rng
from manhunt.games.scotland_yard.agents.mcts_search.iterate import MctsSettings, new_mcts_scratch, open_root, search
from manhunt.games.scotland_yard.agents.mcts_search.moves import Filter
from manhunt.games.scotland_yard.agents.mcts_search.playout import Habits
from manhunt.games.scotland_yard.agents.mcts_search.worlds import only_taxis, walking_distances
from manhunt.games.scotland_yard.rules import packed
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig
from manhunt.search import tree as trees
from manhunt.search.time_control import iterate_within
from manhunt.search.worlds import PlaceWeights

MOST_EDGES = 1 << 22
"""The tree stops growing there; about 150 MB."""
FIRST_SECRET = 3
NEAR_HOPS = 3.0
LONGEST_LINE = 12


@dataclass(frozen=True, slots=True)
class MctsResult:
    """What a search says of its root: edges by number of visits, best first."""

    action: int
    escape_rate: float
    gap: float
    line: tuple[int, ...]
    n_iterations: int
    n_nodes: int
    depth: int
    seconds: float


class Engine:
    def __init__(self, config: ScotlandYardConfig, settings: MctsSettings, epsilon: float, *, thrift: bool) -> None:
        board = config.board
        hops = walking_distances(board)
        self.config = config
        self.settings = settings
        self.table = packed.pack_table(config)
        self.sieve = Filter(int(thrift), FIRST_SECRET, NEAR_HOPS, only_taxis(board), hops)
        self.habits = Habits(hops, int(epsilon * (1 << 32)))
        self.scratch = new_mcts_scratch(packed.state_size(config), packed.most_actions(config), board.n_nodes)
        self.tree = trees.new_tree(MOST_EDGES)
        self.forget()

    def forget(self) -> None:
        """Empty the tree."""
        trees.clear(self.tree)
        self.scratch.history[:] = 0.0

    def go_on(self, keys: Iterable[int]) -> None:
        """Make the node behind these public moves the root; an empty tree if it is not there or the pool is filling."""
        node = int(self.tree.counts[trees.ROOT])
        for key in keys:
            node = trees.find_child(self.tree, node, key)
            if node == trees.NONE:
                break
        if node == trees.NONE or self.tree.counts[trees.N_EDGES] > MOST_EDGES // 2:
            self.forget()
        else:
            self.tree.counts[trees.ROOT] = node

    def run(self, root: Int32s, worlds: PlaceWeights, guesses: PlaceWeights, limit: Limit, seed: int) -> MctsResult:
        """Search until the limit, whose seconds count from now."""
        began, rng = thinking_time.now(), new_rng(seed)
        self.tree.counts[trees.DONE] = self.tree.counts[trees.DEEPEST] = 0
        open_root(self.table, root, self.tree, self.sieve, self.scratch)

        def run(n: int) -> None:
            search(
                self.table,
                root,
                worlds,
                guesses,
                self.tree,
                self.settings,
                self.sieve,
                self.habits,
                self.scratch,
                n,
                rng,
            )

        iterate_within(limit, run)
        return self._found(root, thinking_time.now() - began)

    def _found(self, root: Int32s, seconds: float) -> MctsResult:
        tree = self.tree
        counts = tree.counts
        block = trees.find_block(
            tree, int(counts[trees.ROOT]), trees.OPEN if root[packed.WAITING] else int(root[packed.QUARRY])
        )
        edges = trees.ranked_edges(tree, block)
        best = edges[0]
        visits = [int(tree.visits[edge]) for edge in edges]
        second = visits[1] if len(visits) > 1 else 0
        return MctsResult(
            int(tree.action[best]),
            float(tree.escapes[best] / max(1, visits[0])),
            (visits[0] - second) / max(1, sum(visits)),
            self._line(root),
            int(counts[trees.DONE]),
            int(counts[trees.N_NODES]),
            int(counts[trees.DEEPEST]),
            seconds,
        )

    def _line(self, root: Int32s) -> tuple[int, ...]:
        """The most visited moves from the root on; Mr X's from the place he would most often move from."""
        tree, line = self.tree, list[int]()
        node = int(tree.counts[trees.ROOT])
        place = trees.OPEN if root[packed.WAITING] else int(root[packed.QUARRY])
        while node != trees.NONE and len(line) < LONGEST_LINE:
            block = trees.busiest_block(tree, node, place)
            if block == trees.NONE:
                break
            edge = trees.ranked_edges(tree, block)[0]
            if tree.visits[edge] == 0:
                break
            action = int(tree.action[edge])
            line.append(action)
            if action & 7 == 0:
                place = action >> 24 if action & packed.DOUBLE_BIT else action >> 8
            node = int(tree.child[edge])
        return tuple(line)
