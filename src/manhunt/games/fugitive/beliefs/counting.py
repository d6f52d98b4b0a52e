"""The exact count: rows, then the ways to complete each of them, with compiled steps.

Weights are floats, right to some fifteen digits; a count is never lost to zero, so that candidates are exact. Exact
whole numbers come from residues modulo some primes, put together by the Chinese remainder theorem.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import factorial, prod

import numpy as np

from manhunt.core.arrays import Bools, Bytes, Floats, Int64s, Words
from manhunt.core.errors import ManhuntError
from manhunt.games.fugitive.beliefs import card_kernels, end_kernels, row_kernels, stack_kernels
from manhunt.games.fugitive.beliefs.arithmetic import (
    FLOATS,
    Arithmetic,
    after_table,
    before_table,
    combine,
    end_table,
    primes_for,
    residues,
)
from manhunt.games.fugitive.beliefs.end_kernels import Ends, Fold
from manhunt.games.fugitive.beliefs.evidence import Evidence, hidden_positions
from manhunt.games.fugitive.beliefs.models import CHANCE_ONLY, PlayModel, paid_placement
from manhunt.games.fugitive.beliefs.row_kernels import RowTree
from manhunt.games.fugitive.beliefs.row_limits import list_rows, row_limits_of, unseen_kinds
from manhunt.games.fugitive.beliefs.stack_kernels import PaymentPairs, Spending
from manhunt.games.fugitive.rules.public import Card

MOST_STATES = 1 << 26


@dataclass(frozen=True)
class Leaves:
    """Vectors at the last level: what is left to do does not depend on them when only unseen cards change."""

    vectors: Floats
    vector_of: Int64s
    factors: Floats
    worlds: bool
    arithmetic: Arithmetic


class Count:
    """Bytes and the structures to weigh them; `weights` gives a number for each row, in the order of `rows`.

    `pick` tells which rows count at all, by their face-down cards; a row's own weight does not depend on others.
    """

    def __init__(
        self, evidence: Evidence, model: PlayModel = CHANCE_ONLY, pick: Callable[[Words], Bools] | None = None
    ) -> None:
        self.evidence, self.model = evidence, model
        config = evidence.config
        self.n_piles, self.n_kinds = len(config.piles), 2 * len(config.piles) + 2
        self.hidden = np.array(hidden_positions(evidence.public.row), np.int64)
        self.n_sprints = [evidence.n_hidden_sprints(i) for i in range(evidence.n)]
        self.stack_orders = prod(map(factorial, self.n_sprints))
        self.limits = row_limits_of(evidence)
        self.rows = list_rows(self.limits)
        if pick is not None:
            self.rows = self.rows[pick(self.masks_of(self.rows))]
        self.left = unseen_kinds(evidence)
        self._row_factors: Floats | None = None
        self._n_in_piles = tuple(
            len(config.cards_of(pile)) - sum(config.pile_of[card] == pile for card in evidence.hand)
            for pile in range(self.n_piles)
        )
        if len(self.rows):
            self._grow_tree()
            self._find_leaves()
            self.spending = self._grow_spending()

    @property
    def positions(self) -> tuple[int, ...]:
        """The face-down ones, from 1."""
        return tuple(int(i) + 1 for i in self.hidden)

    def masks_of(self, rows: Bytes) -> Words:
        """Their face-down cards as bits."""
        masks = np.zeros(len(rows), np.uint64)
        row_kernels.row_masks(rows, self.hidden, masks)
        return masks

    def _grow_tree(self) -> None:
        n, most = self.rows.shape[1], len(self.rows)
        self._prices, payments = self._payments()
        n_payments = np.array([len(prices) for prices in self._prices], np.int64)
        self.tree = RowTree(
            np.zeros(n, np.int64),
            np.empty((n, most), np.int32),
            np.empty((n, most), np.int32),
            np.empty((n, most, self.n_piles), np.int16),
        )
        self._node_of = np.zeros(most, np.int64)
        row_kernels.grow_tree(self.limits, self.rows, payments, n_payments, self.tree, self._node_of)
        self._used = self.tree.used[-1] if n else np.zeros((1, self.n_piles), np.int16)

    def _find_leaves(self) -> None:
        """Bytes of one node whose face-down cards have the same kinds have the same weight."""
        most = len(self.rows)
        self.leaf_of, first = np.empty(most, np.int64), np.empty(most, np.int64)
        kinds = np.zeros((most, self.n_kinds), np.int64)
        row_kernels.row_kinds(self.rows, self.hidden, self.limits.group, kinds)
        n_nodes = int(self.tree.n_nodes[-1]) if self.evidence.n else 1
        n_leaves = row_kernels.find_leaves(self._node_of, n_nodes, kinds, self.leaf_of, first)
        first = first[:n_leaves]
        self.leaf_node, self.leaf_kinds = self._node_of[first], kinds[first]
        self.leaf_row = first

    def _payments(self) -> tuple[Sequence[Floats], Int64s]:
        """Per position the different weighings of even cards, and which of them a placement asks for."""
        if self.model == CHANCE_ONLY:
            return _plain_payments(self.evidence.config.reach, self.evidence.config.last, tuple(self.n_sprints))
        evidence, last = self.evidence, self.evidence.config.last
        numbers = np.zeros((evidence.n, last + 1, last + 1), np.int64)
        prices, self._row_factors = [], np.ones(len(self.rows))
        for i in range(evidence.n):
            known: dict[tuple[float, ...], int] = {}
            before = self.rows[:, i - 1] if i else np.zeros(len(self.rows), np.uint8)
            for pair in np.unique(before.astype(np.int64) * (last + 1) + self.rows[:, i]).tolist():
                previous, card = divmod(pair, last + 1)
                price = self.price(i, previous, card)
                numbers[i, previous, card] = known.setdefault(price, len(known))
            prices.append(np.array(list(known)))
            if not self.n_sprints[i]:
                self._row_factors *= prices[i][numbers[i, before, self.rows[:, i]], 0]
                prices[i], numbers[i] = np.ones((1, 1)), 0
        return prices, numbers

    def price(self, i: int, previous: Card, card: Card) -> tuple[float, ...]:
        """By the even cards in a hidden stack, the model's factor for paying so; a face-up stack has one price."""
        spot, reach = self.evidence.public.row[i], self.evidence.config.reach
        shown = None if spot.sprints is None else sum(c % 2 == 0 for c in spot.sprints)
        return _price(self.model, reach, previous, card, spot.n_sprints, shown, spot.round)

    def _grow_spending(self) -> Spending:
        """The states, cut where slots cannot hold more sprint cards whatever the row is."""
        total = sum(self.n_sprints)
        least = np.zeros((self.evidence.n, self.n_piles), np.int64)
        row_kernels.least_used(self.tree, least)
        room = np.zeros((total + 1, self.n_piles), np.int64)
        layer = 0
        for i, k in enumerate(self.n_sprints):
            room[layer + 1 : layer + k + 1] = np.maximum(0, self.limits.slots[i] - least[i])
            layer += k
        self._most_spent = int(room.max(initial=0))
        most = np.minimum(self.left, total)
        most[2:] = np.minimum(most[2:], np.repeat(room.max(axis=0, initial=0), 2))
        radix = np.concatenate(([1], np.cumprod(most + 1)[:-1]))
        size = int(prod((most + 1).tolist()))
        if size > MOST_STATES:
            raise ManhuntError(f"{total} hidden sprint cards of this deck can be placed in too many ways to count")
        spending = Spending(
            np.empty((size, self.n_kinds), np.uint8),
            np.empty((size, self.n_piles), np.int64),
            np.empty((size, self.n_kinds), np.int32),
            np.zeros(total + 2, np.int64),
        )
        index = np.full(size, -1, np.int32)
        index[0] = 0
        codes = np.empty(size, np.int64)
        stack_kernels.grow_spending(most, room, radix, index, codes, spending)
        shape = self.n_piles + 1, int(spending.start[-1] - spending.start[-2])
        self._fold = Fold(np.zeros(shape[0] + 1, np.int64), np.empty(shape, np.int64), np.empty(shape, np.int64))
        end_kernels.fold_states(spending, total, radix, codes, self._fold)
        return spending

    def leaves(self, *, worlds: bool = False, arithmetic: Arithmetic = FLOATS) -> Leaves:
        """Carry the ways through all positions; needs at least one row."""
        modulus, layer, n_parents = float(arithmetic.modulus), 0, 1
        vectors, vector_of = np.ones((1, 1)), np.zeros(1, np.int64)
        width = self._most_spent + 1
        factors = np.ones((1, self.n_piles, width))
        start = self.spending.start
        for i, k in enumerate(self.n_sprints):
            slots, n_nodes = self.evidence.slots[i], int(self.tree.n_nodes[i])
            before, after = before_table(arithmetic, slots, worlds), after_table(arithmetic, slots, worlds)
            if k:
                stack_kernels.close_factors(self.tree, i - 1, before, modulus, factors)
                pairs = PaymentPairs(np.empty(n_parents + 1, np.int64), np.empty(n_nodes, np.int64))
                prices, sharing = self._prices[i], np.empty(n_nodes, np.int64)
                n_vectors = stack_kernels.pair_up(self.tree, i, n_parents, len(prices), pairs, sharing)
                out = np.empty((start[layer + k + 1] - start[layer + k], n_vectors))
                stack_kernels.climb(self.spending, layer, prices, pairs, vector_of, factors, modulus, vectors, out)
                vectors, vector_of, layer = out, sharing, layer + k
                factors = np.ones((n_nodes, self.n_piles, width))
                stack_kernels.close_factors(self.tree, i, after, modulus, factors)
            else:
                vector_of, old = vector_of[self.tree.parent[i, :n_nodes]], factors
                factors = np.empty((n_nodes, self.n_piles, width))
                stack_kernels.open_factors(self.tree, i, before, after, modulus, old, factors)
            n_parents = n_nodes
        return Leaves(vectors, vector_of, factors, worlds, arithmetic)

    def weights(self, leaves: Leaves, drawn: int | None = None) -> Floats:
        """By row, the number of histories (or worlds), each stack counted in all its orders.

        `drawn`: as if the Marshal held one unseen card of that kind more; for rows without that card.
        """
        out = np.empty(len(self.leaf_node))
        end_kernels.finish(self.spending, self._fold, self.ends(leaves, drawn), float(leaves.arithmetic.modulus), out)
        found = out[self.leaf_of]
        return np.asarray(found if self._row_factors is None else found * self._row_factors)

    def expect_ends(self, leaves: Leaves) -> tuple[Floats, Floats]:
        """Per leaf and kind, how likely one card of it is a hidden sprint card, and how likely in his hand."""
        spent, held = (np.zeros((len(self.leaf_node), self.n_kinds)) for _ in range(2))
        n_his, in_piles = np.array(self.evidence.n_his, np.int64), np.array(self._n_in_piles, np.int64)
        card_kernels.expect_ends(self.spending, self.ends(leaves), n_his, in_piles, spent, held)
        return spent, held

    def ends(self, leaves: Leaves, drawn: int | None = None) -> Ends:
        left, n_left = self.left.copy(), list(self._n_in_piles)
        if drawn is not None:
            left[drawn] -= 1
            n_left[drawn // 2 - 1] -= 1
        return Ends(
            sum(self.n_sprints),
            left,
            leaves.arithmetic.falling,
            end_table(leaves.arithmetic, self.evidence.n_his, tuple(n_left), leaves.worlds),
            self._used,
            leaves.factors,
            leaves.vector_of,
            leaves.vectors,
            self.leaf_node,
            self.leaf_kinds,
        )

    def exact_sums(self, bound: float, add: Callable[[Floats], Sequence[float]], *, worlds: bool = False) -> list[int]:
        """Exact sums over rows, stacks without order; `add(weights)` makes the sums, none above the bound."""
        moduli = primes_for(bound)
        found = []
        for modulus in moduli:
            weights = self.weights(self.leaves(worlds=worlds, arithmetic=residues(modulus)))
            found.append([int(value) % modulus for value in add(weights)])
        return [value // self.stack_orders for value in combine(found, moduli)]


@lru_cache(maxsize=1 << 16)
def _price(
    model: PlayModel, reach: int, previous: Card, card: Card, n_sprints: int, n_even: int | None, round_: int
) -> tuple[float, ...]:
    """By even cards where their number is not known."""
    placements = [
        paid_placement(reach, previous, card, n_sprints, n, round_)
        for n in (range(n_sprints + 1) if n_even is None else (n_even,))
    ]
    return tuple(float(model.factor(each)) if each.overpay >= 0 else 0.0 for each in placements)


@lru_cache(maxsize=512)
def _plain_payments(reach: int, last: int, n_sprints: tuple[int, ...]) -> tuple[Sequence[Floats], Int64s]:
    """With chance alone only the number of even cards that are needed counts."""
    steps = np.arange(last + 1)[None, :] - np.arange(last + 1)[:, None]
    stacks = np.array(n_sprints, np.int64)[:, None, None]
    needs = np.clip(steps[None] - reach - stacks, 0, stacks)
    return [np.triu(np.ones((k + 1, k + 1))) for k in n_sprints], needs
