"""The exhaustive question for one start: can the quarry escape whatever the detectives do?

Forward, layer by layer, everything reachable; backward, on the quarry's turn some move must do, on the detectives'
every move must still do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from manhunt.errors import BadConfig
from manhunt.games.pursuit.config import Config, Order, Visibility
from manhunt.games.pursuit.state import State
from manhunt.ids import Node, Side
from manhunt.solvers import exhaustive_kernels as kernels
from manhunt.solvers.bitsets import Hunt, build_hunt, n_words
from manhunt.solvers.memory import check_memory

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from manhunt.solvers.bitsets import Words

    Numbers = NDArray[np.int64]

DENSE_CODES = 1 << 26
"""Up to so many detective tuples a layer is indexed by an array, above by binary search."""
QUARRY = -3
"""Who moves after a layer, beside the detectives' numbers and those of the kernels."""
Progress = Callable[[int, int], None]
"""Called after each round with its number and the states counted so far."""


class PolicyEntry(NamedTuple):
    """What the quarry does on this node in this round (counted before his move), and how long it helps."""

    round: int
    quarry: Node
    pursuers: tuple[Node, ...]
    to: Node
    survives: int | None = None
    """Rounds survived from here on under best play, where asked for."""


@dataclass(slots=True)
class _Layer:
    """Detective tuples reached before the turn of `who`, and the quarry's nodes that are not caught."""

    who: int
    round: int
    codes: Numbers
    live: Words


@dataclass(slots=True)
class OneStart:
    """The answer for one start."""

    config: Config
    quarry: Node
    pursuers: tuple[Node, ...]
    forced_escape: bool
    states_evaluated: int
    policy_size: int
    first_move: Node | None
    survival_rounds: int
    """Rounds survived under best play; `max_rounds` if the escape is forced."""
    _tree: _Tree

    def policy(self, with_survival: bool = False) -> Iterator[PolicyEntry]:
        """Entries for all reachable quarry states that are not over: by round, detectives, node."""
        return self._tree.policy(with_survival)


def solve_one_start(state: State, *, max_memory: int | None = None, on_round: Progress | None = None) -> OneStart:
    """Answer the question for a state in which the first side is to move."""
    config = state.config
    if config.visibility is not Visibility.ALWAYS:
        raise BadConfig(
            f"visibility is {config.visibility.value}; only games with visibility always are solved exactly"
        )
    if config.max_rounds is None:
        raise BadConfig("one start needs a limit of rounds; give --max-rounds")
    n, k = config.board.n_nodes, config.n_detectives
    if (2 * n) ** k >= 1 << 62:
        raise BadConfig(f"{k} detectives on {n} nodes are too many to number; take fewer detectives")
    tree = _Tree(state, max_memory)
    tree.grow(on_round)
    return tree.answer()


class _Tree:
    """All layers of one start's game tree."""

    def __init__(self, state: State, max_memory: int | None) -> None:
        assert state.quarry is not None
        assert state.config.max_rounds is not None
        self.config, self.state, self.max_memory = state.config, state, max_memory
        self.max_rounds = state.config.max_rounds
        self.hunt: Hunt = build_hunt(state.config)
        self.states = 0
        self.layers: list[_Layer] = []
        n, k = self.hunt.n_nodes, self.hunt.n_detectives
        self.n_codes = n**k * (2**k if self.config.order is Order.ANY else 1)
        widest = max(1, int(np.max(np.diff(self.hunt.indptr), initial=0)))
        room = widest**k if self.config.order is Order.AT_ONCE else widest * k
        self._room = np.empty(room, dtype=np.int64)
        self._seen = np.zeros(self.n_codes if self.n_codes <= DENSE_CODES else 0, dtype=np.bool_)
        self._rank = np.empty(len(self._seen), dtype=np.int32)
        self._bytes = self._room.nbytes + self._seen.nbytes + self._rank.nbytes

    def grow(self, on_round: Progress | None) -> None:
        """Forward to the end of the last round."""
        turns = [QUARRY, *self._detective_turns()]
        if self.config.first is Side.PURSUERS:
            turns = [*turns[1:], QUARRY]
        code = 0
        for node in self.state.pursuers:
            code = code * self.hunt.n_nodes + node
        codes = np.array([code], dtype=np.int64)
        sets = np.zeros((1, n_words(self.hunt.n_nodes)), dtype=np.uint64)
        assert self.state.quarry is not None
        sets[0, self.state.quarry // 64] = np.uint64(1 << (self.state.quarry % 64))
        number = 0
        self._add(turns[0], number, codes, sets)
        for _ in range(self.max_rounds):
            for turn, following in zip(turns, [*turns[1:], turns[0]], strict=True):
                number += turn == QUARRY
                codes, sets = self._step(self.layers[-1], turn)
                self._add(following, number, codes, sets)
            if on_round:
                on_round(number, self.states)

    def _detective_turns(self) -> list[int]:
        k = self.hunt.n_detectives
        if self.config.order is Order.AT_ONCE:
            return [kernels.ALL_AT_ONCE]
        return list(range(k)) if self.config.order is Order.IN_ORDER else [kernels.IN_ANY_ORDER] * k

    def _add(self, who: int, number: int, codes: Numbers, sets: Words) -> None:
        self.states += int(kernels.settle(self.hunt, codes, sets))
        self.layers.append(_Layer(who, number, codes, sets))
        self._bytes += 2 * sets.nbytes + codes.nbytes  # the way back holds the sets once more

    def _step(self, layer: _Layer, turn: int) -> tuple[Numbers, Words]:
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

    def _before(self, layer: _Layer) -> Numbers:
        """The layer's codes, with everybody waiting where that is part of the code and the round has just begun."""
        if layer.who != kernels.IN_ANY_ORDER or self._moved(layer):
            return layer.codes
        n, k = self.hunt.n_nodes, self.hunt.n_detectives
        waiting = np.int64((2**k - 1) * n**k)
        return layer.codes + waiting

    def _moved(self, layer: _Layer) -> bool:
        return len(layer.codes) > 0 and int(layer.codes[0]) >= self.hunt.n_nodes**self.hunt.n_detectives

    def _children(self, codes: Numbers, live: Words, turn: int) -> Numbers:
        """The sorted codes that the turn leads to."""
        if len(self._seen):
            self._seen[:] = False
            kernels.mark_children(self.hunt, codes, live, turn, self._room, self._seen)
            reached: Numbers = np.flatnonzero(self._seen)
            return reached
        nothing = np.empty(0, dtype=np.int64)
        total = kernels.list_children(self.hunt, codes, live, turn, self._room, nothing)
        self._check_memory(3 * 8 * total)
        every = np.empty(total, dtype=np.int64)
        kernels.list_children(self.hunt, codes, live, turn, self._room, every)
        found: Numbers = np.unique(every)
        return found

    def _rank_of(self, codes: Numbers) -> NDArray[np.int32]:
        if len(self._rank):
            self._rank[codes] = np.arange(len(codes), dtype=np.int32)
        return self._rank

    def _check_memory(self, more: int) -> None:
        done = self.layers[-1].round
        what = f"this start (round {done} of {self.max_rounds}, {self.states:,} states so far)"
        advice = "take fewer rounds or detectives, or raise --max-memory"
        # Against a given limit everything counts; what is free now already lacks what the layers hold.
        needed = self._bytes // 2 + 2 * more if self.max_memory is None else self._bytes + 2 * more
        check_memory(needed, self.max_memory, what, advice)

    def answer(self) -> OneStart:
        won = self.won_until(len(self.layers) - 1)
        escape = bool(won[0].any())
        size = sum(self._sizes())
        return OneStart(
            config=self.config,
            quarry=self.state.quarry,  # type: ignore[arg-type]
            pursuers=self.state.pursuers,
            forced_escape=escape,
            states_evaluated=self.states,
            policy_size=size,
            first_move=self._first_move(won),
            survival_rounds=self.max_rounds if escape else self._survival_rounds(),
            _tree=self,
        )

    def won_until(self, last: int) -> list[Words]:
        """For every layer up to `last` the quarry's nodes from which he can reach that layer uncaught."""
        won: list[Words] = [self.layers[last].live]
        for i in range(last - 1, -1, -1):
            layer, after = self.layers[i], self.layers[i + 1]
            later, now = won[-1], layer.live.copy()
            if layer.who == QUARRY:
                kernels.quarry_back(self.hunt, now, later)
            else:
                rank = self._rank_of(after.codes)
                codes = self._before(layer)
                kernels.carry_back(self.hunt, codes, now, layer.who, self._room, after.codes, rank, later)
            won.append(now)
        return won[::-1]

    def _survival_rounds(self) -> int:
        """The last round whose end the start can reach; more rounds are never easier, so halve."""
        per_round = (len(self.layers) - 1) // self.max_rounds
        low, high = 0, self.max_rounds
        while high - low > 1:
            middle = (low + high) // 2
            if self.won_until(middle * per_round)[0].any():
                low = middle
            else:
                high = middle
        return low

    def _quarry_layers(self) -> list[int]:
        """Numbers of the layers in which the quarry still has to move."""
        return [i for i, layer in enumerate(self.layers[:-1]) if layer.who == QUARRY]

    def _sizes(self) -> Iterator[int]:
        for i in self._quarry_layers():
            yield int(kernels.count_choices(self.hunt, self.layers[i].codes, self.layers[i].live))

    def _choices(self, i: int, won: list[Words]) -> Numbers:
        """Rows (tuple's place, quarry, to) of one quarry layer."""
        layer = self.layers[i]
        out = np.empty((max(1, int(np.bitwise_count(layer.live).sum())), 3), dtype=np.int64)
        n = kernels.choose_moves(self.hunt, layer.codes, layer.live, won[i + 1], out)
        return out[:n]

    def _first_move(self, won: list[Words]) -> Node | None:
        if self.layers[0].who != QUARRY:
            return None
        choices = self._choices(0, won)
        return Node(int(choices[0, 2])) if len(choices) else None

    def policy(self, with_survival: bool) -> Iterator[PolicyEntry]:
        won = self.won_until(len(self.layers) - 1)
        rounds = self._rounds_left() if with_survival else {}
        for i in self._quarry_layers():
            layer = self.layers[i]
            for place, quarry, to in self._choices(i, won).tolist():
                survives = int(rounds[i][place, quarry]) if with_survival else None
                pursuers = self._nodes_of(int(layer.codes[place]))
                yield PolicyEntry(layer.round, Node(quarry), pursuers, Node(to), survives)

    def _nodes_of(self, code: int) -> tuple[Node, ...]:
        nodes = []
        for _ in range(self.hunt.n_detectives):
            code, node = divmod(code, self.hunt.n_nodes)
            nodes.append(Node(node))
        return tuple(reversed(nodes))

    def _rounds_left(self) -> dict[int, NDArray[np.int16]]:
        """For every quarry layer, tuple and node the rounds survived from there on."""
        per_round = (len(self.layers) - 1) // self.max_rounds
        layers = self._quarry_layers()
        shape = {i: (len(self.layers[i].codes), self.hunt.n_nodes) for i in layers}
        left = {i: np.zeros(shape[i], dtype=np.int16) for i in layers}
        for number in range(1, self.max_rounds + 1):
            won = self.won_until(number * per_round)
            for i in layers:
                if i < number * per_round:
                    bits = np.unpackbits(won[i].view(np.uint8), axis=1, bitorder="little")
                    left[i] += bits[:, : self.hunt.n_nodes]
        return left
