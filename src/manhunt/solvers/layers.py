"""The exhaustive question for one start of a hunt: can the quarry escape whatever the pursuers do?

Forward, layer by layer, everything reachable; backward, on the quarry's turn some move must do, on the pursuers'
every move must still do.

Long games repeat themselves. Forward, what can be reached at the end of a round is sooner or later what could be
reached some rounds before, and from there on the layers go round in a circle: they are kept once. Backward through
the circle, the nodes from which the quarry lasts only become fewer; when one layer is as it was one circle later, so
are all before it. So the cost depends on the rounds until both have happened, not on the rounds of the game.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Int16s, Int32s, Int64s, Words
from manhunt.core.ids import Node
from manhunt.solvers import layer_kernels as kernels
from manhunt.solvers.bitsets import node_sets
from manhunt.solvers.hunt import Hunt, placement, placement_number
from manhunt.solvers.memory import check_memory

DENSE_CODES = 1 << 26
"""Up to so many pursuer tuples a layer is indexed by an array, above by binary search."""
QUARRY = -3
"""Who moves after a layer, beside the pursuers' numbers and those of the kernels."""
MOST_CODES = 1 << 62
ADVICE = "take fewer rounds or pursuers, or more memory"
"""What to do where a start does not fit into the memory."""
Progress = Callable[[int, int], None]
"""Called after each round with its number and the states counted so far."""


class PolicyEntry(NamedTuple):
    """What the quarry does on this node in this round (counted before its move), and how long it survives then."""

    round: int
    quarry: Node
    pursuers: tuple[Node, ...]
    to: Node
    survives: int | None = None
    """Rounds survived from here on under best play, if requested."""


@dataclass(slots=True)
class _TreeLayer:
    """Pursuer tuples reached before the turn of `who`, and the quarry's nodes that are not caught."""

    who: int
    codes: Int64s
    live: Words
    n_states: int


class Circle(NamedTuple):
    """From layer `first` on, each layer is as the one `period` layers before."""

    first: int
    period: int

    def place(self, i: int) -> int:
        """The first layer that is as layer `i`."""
        return i if i < self.first else self.first + (i - self.first) % self.period


@dataclass(frozen=True, slots=True)
class WonSets:
    """For every layer up to `last`, the quarry's nodes from which it can reach that layer uncaught."""

    last: int
    back: list[Words]
    """From layer `last` backward, as far as something changed."""
    circle: Circle | None = None
    head: tuple[Words, ...] = ()
    """Before the circle."""

    def __getitem__(self, i: int) -> Words:
        if self.circle is not None and i < self.circle.first:
            return self.head[i]
        reached = self.last - len(self.back) + 1
        if i < reached:
            assert self.circle is not None
            i = reached + (i - reached) % self.circle.period
        return self.back[self.last - i]


@dataclass(slots=True)
class SolvedStart:
    """The answer for one start."""

    quarry: Node
    pursuers: tuple[Node, ...]
    forced_escape: bool
    states_evaluated: int
    policy_size: int
    first_move: Node | None
    survival_rounds: int
    """Rounds survived under best play; `max_rounds` if the escape is forced."""
    tree: "StartTree"

    def policy(self, with_survival: bool = False) -> Iterator[PolicyEntry]:
        """Entries for all reachable quarry states that are not over: by round, pursuers, node."""
        return self.tree.policy(with_survival)


def pursuer_turns(hunt: Hunt, *, at_once: bool = False, any_order: bool = False) -> tuple[int, ...]:
    """Whose turns the pursuers' part of a round has: one after the other, unless all move at once or in any order."""
    if at_once:
        return (kernels.ALL_AT_ONCE,)
    return (kernels.IN_ANY_ORDER,) * hunt.n_pursuers if any_order else tuple(range(hunt.n_pursuers))


def can_number(n_nodes: int, n_pursuers: int) -> bool:
    """Whether all placements of the pursuers, with who has moved, fit into a number of a layer."""
    return bool((2 * n_nodes) ** n_pursuers < MOST_CODES)


def solve_start(
    hunt: Hunt,
    quarry: Node,
    pursuers: tuple[Node, ...],
    turns: tuple[int, ...],
    max_rounds: int,
    *,
    max_memory: int | None = None,
    advice: str = ADVICE,
    on_round: Progress | None = None,
) -> SolvedStart:
    """Answer the question for a start in which the first side is to move; `turns` come from `pursuer_turns`."""
    tree = StartTree(hunt, quarry, pursuers, turns, max_rounds, max_memory, advice)
    tree.grow(on_round)
    return tree.answer()


@dataclass(eq=False)
class StartTree:
    """All layers of one start's game tree."""

    hunt: Hunt
    quarry: Node
    pursuers: tuple[Node, ...]
    turns: tuple[int, ...]
    max_rounds: int
    max_memory: int | None
    advice: str

    def __post_init__(self) -> None:
        self._order = (QUARRY, *self.turns) if self.hunt.quarry_first else (*self.turns, QUARRY)
        self.n_layers = self.max_rounds * len(self._order) + 1
        n, k = self.hunt.n_nodes, self.hunt.n_pursuers
        assert can_number(n, k), "too many pursuers to number"
        self.states = 0
        self.layers: list[_TreeLayer] = []
        """Those that differ; `layer` knows all."""
        self.circle: Circle | None = None
        self.n_codes = n**k * (2**k if kernels.IN_ANY_ORDER in self.turns else 1)
        widest = max(1, int(np.max(np.diff(self.hunt.indptr), initial=0)))
        room = widest**k if kernels.ALL_AT_ONCE in self.turns else widest * k
        self._room = np.empty(room, dtype=np.int64)
        self._seen = np.zeros(self.n_codes if self.n_codes <= DENSE_CODES else 0, dtype=np.bool_)
        self._rank = np.empty(len(self._seen), dtype=np.int32)
        self._bytes = self._room.nbytes + self._seen.nbytes + self._rank.nbytes

    def grow(self, on_round: Progress | None) -> None:
        """Forward to the end of the last round."""
        turns = self._order
        codes = np.array([placement_number(self.pursuers, self.hunt.n_nodes)], dtype=np.int64)
        sets = node_sets([(self.quarry,)], self.hunt.n_nodes)
        self._add(turns[0], codes, sets)
        known = {self._digest(): 0}
        for number in range(1, self.max_rounds + 1):
            for turn, following in zip(turns, (*turns[1:], turns[0]), strict=True):
                codes, sets = self._step(self.layers[-1], turn)
                self._add(following, codes, sets)
            if on_round:
                on_round(number, self.states)
            first = known.setdefault(self._digest(), number)
            if first != number:
                self.circle = Circle(first * len(turns), (number - first) * len(turns))
                break
        self.states = self._sum([layer.n_states for layer in self.layers], self.n_layers)
        if on_round:
            on_round(self.max_rounds, self.states)

    def layer(self, i: int) -> _TreeLayer:
        return self.layers[i if self.circle is None else self.circle.place(i)]

    def _digest(self) -> bytes:
        last = self.layers[-1]
        return hashlib.blake2b(last.codes.tobytes() + last.live.tobytes()).digest()

    def _sum(self, values: list[int], n: int) -> int:
        """Of the first `n` layers, where `values` has those of the kept ones."""
        if self.circle is None:
            return sum(values[:n])
        # How many were caught on the way into a layer depends on the one before it: numbers repeat one layer later.
        first, period = self.circle.first + 1, self.circle.period
        if n <= first:
            return sum(values[:n])
        round_and_round = values[first : first + period]
        whole, rest = divmod(n - first, period)
        return sum(values[:first]) + whole * sum(round_and_round) + sum(round_and_round[:rest])

    def _add(self, who: int, codes: Int64s, sets: Words) -> None:
        n_states = int(kernels.settle(self.hunt, codes, sets))
        self.states += n_states
        self.layers.append(_TreeLayer(who, codes, sets, n_states))
        self._bytes += 2 * sets.nbytes + codes.nbytes  # the way back holds the sets once more

    def _step(self, layer: _TreeLayer, turn: int) -> tuple[Int64s, Words]:
        if turn == QUARRY:
            self._check_memory(layer.live.nbytes)
            after = np.zeros_like(layer.live)
            kernels.quarry_forward(self.hunt, layer.codes, layer.live, after)
            return layer.codes, after
        before = self._before(layer)
        codes = self._children(before, layer.live, turn)
        self._check_memory(len(codes) * (8 + layer.live.shape[1] * 8))
        sets = np.zeros((len(codes), layer.live.shape[1]), dtype=np.uint64)
        rank = self._rank_of(codes)
        kernels.carry_forward(self.hunt, before, layer.live, turn, self._room, codes, rank, sets)
        return codes, sets

    def _before(self, layer: _TreeLayer) -> Int64s:
        """The layer's codes, with everybody waiting where that is part of the code and the round has just begun."""
        if layer.who != kernels.IN_ANY_ORDER or self._moved(layer):
            return layer.codes
        n, k = self.hunt.n_nodes, self.hunt.n_pursuers
        waiting = np.int64((2**k - 1) * n**k)
        return layer.codes + waiting

    def _moved(self, layer: _TreeLayer) -> bool:
        return len(layer.codes) > 0 and int(layer.codes[0]) >= self.hunt.n_nodes**self.hunt.n_pursuers

    def _children(self, codes: Int64s, live: Words, turn: int) -> Int64s:
        """The sorted codes that the turn leads to."""
        if len(self._seen):
            self._seen[:] = False
            kernels.mark_children(self.hunt, codes, live, turn, self._room, self._seen)
            reached: Int64s = np.flatnonzero(self._seen)
            return reached
        nothing = np.empty(0, dtype=np.int64)
        total = kernels.list_children(self.hunt, codes, live, turn, self._room, nothing)
        self._check_memory(3 * 8 * total)
        every = np.empty(total, dtype=np.int64)
        kernels.list_children(self.hunt, codes, live, turn, self._room, every)
        found: Int64s = np.unique(every)
        return found

    def _rank_of(self, codes: Int64s) -> Int32s:
        if len(self._rank):
            self._rank[codes] = np.arange(len(codes), dtype=np.int32)
        return self._rank

    def _check_memory(self, more: int) -> None:
        done = (len(self.layers) - 1) // len(self._order)
        what = f"this start (round {done} of {self.max_rounds}, {self.states:,} states so far)"
        # Against a given limit everything counts; what is free now already lacks what the layers hold.
        needed = self._bytes // 2 + 2 * more if self.max_memory is None else self._bytes + 2 * more
        check_memory(needed, self.max_memory, what, self.advice)

    def answer(self) -> SolvedStart:
        won = self.won_until(self.n_layers - 1)
        escape = bool(won[0].any())
        size = self._policy_size()
        return SolvedStart(
            quarry=self.quarry,
            pursuers=self.pursuers,
            forced_escape=escape,
            states_evaluated=self.states,
            policy_size=size,
            first_move=self._first_move(won),
            survival_rounds=self.max_rounds if escape else self._survival_rounds(),
            tree=self,
        )

    def won_until(self, last: int) -> WonSets:
        back: list[Words] = [self.layer(last).live]
        i, circle = last, self.circle
        while i > 0:
            if circle is not None and len(back) > circle.period and i >= circle.first:
                if np.array_equal(back[-1], back[-1 - circle.period]):
                    break
                if len(back) % circle.period == 0:
                    self._check_memory(sum(sets.nbytes for sets in back[-circle.period :]))
            i -= 1
            back.append(self._back(i, back[-1]))
        if i == 0 or circle is None:
            return WonSets(last, back)
        later = WonSets(last, back, circle)[circle.first]
        head: list[Words] = []
        for number in range(circle.first - 1, -1, -1):
            later = self._back(number, later)
            head.append(later)
        return WonSets(last, back, circle, tuple(reversed(head)))

    def _back(self, i: int, later: Words) -> Words:
        """What is won in layer `i`, if `later` is won in the one after it."""
        layer, after = self.layer(i), self.layer(i + 1)
        now = layer.live.copy()
        if layer.who == QUARRY:
            kernels.quarry_back(self.hunt, now, later)
        else:
            rank = self._rank_of(after.codes)
            codes = self._before(layer)
            kernels.carry_back(self.hunt, codes, now, layer.who, self._room, after.codes, rank, later)
        return now

    def _survival_rounds(self) -> int:
        """The last round whose end the start can reach; more rounds are never easier, so double, then halve."""

        def lasts(rounds: int) -> bool:
            return bool(self.won_until(rounds * len(self._order))[0].any())

        low, high = 0, 1
        while high < self.max_rounds and lasts(high):
            low, high = high, min(2 * high, self.max_rounds)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if lasts(middle) else (low, middle)
        return low

    def _quarry_layers(self) -> range:
        """Numbers of the layers in which the quarry still has to move."""
        return range(self._order.index(QUARRY), self.n_layers - 1, len(self._order))

    def _policy_size(self) -> int:
        sizes = [
            int(kernels.count_choices(self.hunt, layer.codes, layer.live)) if layer.who == QUARRY else 0
            for layer in self.layers
        ]
        return self._sum(sizes, self.n_layers - 1)

    def _choices(self, i: int, won: WonSets) -> Int64s:
        """Rows (tuple's place, quarry, to) of one quarry layer."""
        layer = self.layer(i)
        out = np.empty((max(1, int(np.bitwise_count(layer.live).sum())), 3), dtype=np.int64)
        n = kernels.choose_moves(self.hunt, layer.codes, layer.live, won[i + 1], out)
        return out[:n]

    def _first_move(self, won: WonSets) -> Node | None:
        if self.layers[0].who != QUARRY:
            return None
        choices = self._choices(0, won)
        return Node(int(choices[0, 2])) if len(choices) else None

    def policy(self, with_survival: bool) -> Iterator[PolicyEntry]:
        won = self.won_until(self.n_layers - 1)
        rounds = self._rounds_left() if with_survival else {}
        for i in self._quarry_layers():
            layer = self.layer(i)
            if not len(layer.codes):
                return  # everybody is caught, and nothing comes after it
            for place, quarry, to in self._choices(i, won).tolist():
                survives = int(rounds[i][place, quarry]) if with_survival else None
                pursuers = placement(int(layer.codes[place]), self.hunt.n_nodes, self.hunt.n_pursuers)
                yield PolicyEntry(i // len(self._order), Node(quarry), pursuers, Node(to), survives)

    def _rounds_left(self) -> dict[int, Int16s]:
        """For every quarry layer, tuple and node the rounds survived from there on."""
        per_round = len(self._order)
        layers = self._quarry_layers()
        shape = {i: (len(self.layer(i).codes), self.hunt.n_nodes) for i in layers}
        left = {i: np.zeros(shape[i], dtype=np.int16) for i in layers}
        for number in range(1, self.max_rounds + 1):
            won = self.won_until(number * per_round)
            for i in layers:
                if i < number * per_round:
                    bits = np.unpackbits(won[i].view(np.uint8), axis=1, bitorder="little")
                    left[i] += bits[:, : self.hunt.n_nodes]
        return left
