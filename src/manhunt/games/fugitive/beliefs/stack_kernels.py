"""Compiled steps of the count of worlds: the ways to fill the hidden stacks.

The number of histories of a row, each stack of k cards counted in all its k! orders, is the sum over all sequences of
kinds for its hidden sprint cards of

    prod_i price_i(even cards in stack i) * prod_i,p before_i[p, u] * after_i[p, u']     (here)
    * prod_kind falling(cards left of the kind, cards spent of it) * prod_p filling[p, u]     (end_kernels.py)

u and u' are the cards used of pile p before and after position i, on the row and under it. If he had s cards of the
pile by then, before = (s - u)! and after = 1 / (s - u')!: their product is the ways to find slots for the new cards.

What comes later depends on a sequence only by how many cards of each kind it spends. So each node of the tree of rows
has a vector: by spending state (`Spending`), the sum over the sequences so far. Vectors lie side by side, a line for
each state, so that many of them are worked on at once.

All numbers are floats. With a modulus (a prime below 2**26) they are residues, and every operation is exact.
"""

from typing import NamedTuple

import numpy as np

from manhunt.core.jit import kernel
from manhunt.games.fugitive.beliefs.row_kernels import Array, RowTree

MOST_LANES = 32
"""Vectors that are worked on side by side, at most."""
CACHED = 1 << 19
"""Numbers that such a group may have, so that it stays in a fast cache."""


class Spending(NamedTuple):
    """Sprint cards spent by kind, all vectors that can occur, in layers by how many they are."""

    spent: Array  # uint8[states, kinds]
    per_pile: Array  # int64[states, piles]
    after: Array  # int32[states, kinds]: the state with one card of a kind more, -1 if there is none
    start: Array  # int64[layers + 1]


class PaymentPairs(NamedTuple):
    """The payments that children make, parent after parent; each is a vector of the next level."""

    start: Array  # int64[parents + 1]
    payment: Array  # int64[pairs]


@kernel
def times(a: float, b: float, modulus: float) -> float:
    x = a * b
    if modulus > 0.0:
        x -= modulus * np.floor(x / modulus)
        if x < 0.0:
            x += modulus
    return x


@kernel
def reduce(values: Array, modulus: float) -> None:
    for lane in range(values.shape[0]):
        values[lane] = times(values[lane], 1.0, modulus)


@kernel
def grow_spending(most: Array, room: Array, radix: Array, index: Array, codes: Array, spending: Spending) -> int:
    """Fill the layers one card after another; returns the number of states, -1 if there is no room for them."""
    n_layers, n_kinds, n_piles = room.shape[0], most.shape[0], room.shape[1]
    spending.spent[0] = 0
    spending.per_pile[0] = 0
    codes[0] = 0
    spending.start[0], spending.start[1] = 0, 1
    count = 1
    for layer in range(n_layers):
        for state in range(spending.start[layer], spending.start[layer + 1]):
            for kind in range(n_kinds):
                spending.after[state, kind] = -1
                pile = kind // 2 - 1
                if layer == n_layers - 1 or spending.spent[state, kind] == most[kind]:
                    continue
                if pile >= 0 and spending.per_pile[state, pile] >= room[layer + 1, pile]:
                    continue
                code = codes[state] + radix[kind]
                if index[code] < 0:
                    if count == codes.shape[0]:
                        return -1
                    index[code] = count
                    codes[count] = code
                    for k in range(n_kinds):
                        spending.spent[count, k] = spending.spent[state, k]
                    for p in range(n_piles):
                        spending.per_pile[count, p] = spending.per_pile[state, p]
                    spending.spent[count, kind] += 1
                    if pile >= 0:
                        spending.per_pile[count, pile] += 1
                    count += 1
                spending.after[state, kind] = index[code]
        if layer < n_layers - 1:
            spending.start[layer + 2] = count
    return count


@kernel
def open_factors(
    tree: RowTree, level: int, before: Array, after: Array, modulus: float, old: Array, out: Array
) -> None:
    """Factors still to be laid on a node's vector, by pile and cards spent: a parent's and this placement's slots."""
    for node in range(tree.n_nodes[level]):
        parent = tree.parent[level, node]
        for p in range(before.shape[0]):
            was = tree.used[level - 1, parent, p] if level > 0 else np.int16(0)
            now = tree.used[level, node, p]
            for a in range(out.shape[2]):
                out[node, p, a] = old[parent, p, a]
                if now != was:
                    factor = times(before[p, a + was], after[p, a + now], modulus)
                    out[node, p, a] = times(out[node, p, a], factor, modulus)


@kernel
def close_factors(tree: RowTree, level: int, table: Array, modulus: float, factors: Array) -> None:
    """Lay one half of a placement's slots on: `table` by pile and cards used."""
    for node in range(factors.shape[0]):
        for p in range(table.shape[0]):
            used = tree.used[level, node, p] if level >= 0 else np.int16(0)
            for a in range(factors.shape[2]):
                factors[node, p, a] = times(factors[node, p, a], table[p, a + used], modulus)


@kernel
def pair_up(tree: RowTree, level: int, n_parents: int, n_payments: int, pairs: PaymentPairs, vector_of: Array) -> int:
    """Children of one parent that pay alike share a vector; returns how many vectors there are."""
    index = np.full(n_parents * n_payments, -1, np.int64)
    for node in range(tree.n_nodes[level]):
        index[tree.parent[level, node] * n_payments + tree.payment[level, node]] = 0
    count = 0
    for parent in range(n_parents):
        pairs.start[parent] = count
        for payment in range(n_payments):
            if index[parent * n_payments + payment] == 0:
                index[parent * n_payments + payment] = count
                pairs.payment[count] = payment
                count += 1
    pairs.start[n_parents] = count
    for node in range(tree.n_nodes[level]):
        vector_of[node] = index[tree.parent[level, node] * n_payments + tree.payment[level, node]]
    return count


@kernel
def climb(
    spending: Spending, layer: int, prices: Array, pairs: PaymentPairs, vector_of: Array, factors: Array,
    modulus: float, vectors: Array, out: Array,
) -> None:  # fmt: skip
    """A position with a hidden stack; `prices[payment, n_even]` weighs how it was paid."""
    # out[y, pair] = sum over e and x of prices[payment of pair, e] * (sequences with e even cards that lead from state
    #                x to state y) * (vector of the parent at x) * (factors still to be laid on it)
    # One column of `out` is a pair of a parent and a payment; children that pay alike share it. Parents are taken in
    # groups of `lanes`, as many as fit into a fast cache with all their numbers: one[x, e * lanes + lane]. For each
    # group: what its pairs pay (line_up), the vectors with their factors (open_lanes), the cards of the stack one after
    # the other (spread), and the sum over e (pay). Cost: parents * states * kinds * cards of the stack * even cards.
    n_cards, n_parents = prices.shape[1] - 1, factors.shape[0]
    widest = widest_layer(spending, layer, n_cards)
    lanes = 4 * max(1, min(MOST_LANES, n_parents + 3, CACHED // (widest * (n_cards + 1))) // 4)
    one, two = np.empty((widest, (n_cards + 1) * lanes)), np.empty((widest, (n_cards + 1) * lanes))
    table = np.zeros((factors.shape[1], factors.shape[2], lanes))
    costs, lane_of = np.empty((n_cards + 1, out.shape[1])), np.empty(out.shape[1], np.int64)
    for begin in range(0, n_parents, lanes):
        n_lanes = min(lanes, n_parents - begin)
        least = line_up(prices, pairs, begin, n_lanes, modulus, costs, lane_of)
        open_lanes(spending, layer, factors, begin, n_lanes, table, vector_of, modulus, vectors, one)
        ways = spread(spending, layer, n_cards, least, lanes, modulus, one, two)
        low, high = pairs.start[begin], pairs.start[begin + n_lanes]
        for y in range(out.shape[0]):
            pay(costs[:, low:high], lane_of[low:high], least, lanes, ways[y], modulus, out[y, low:high])


@kernel
def widest_layer(spending: Spending, layer: int, n_cards: int) -> int:
    widest = 0
    for j in range(n_cards + 1):
        widest = max(widest, spending.start[layer + j + 1] - spending.start[layer + j])
    return widest


@kernel
def line_up(
    prices: Array, pairs: PaymentPairs, begin: int, n_lanes: int, modulus: float, costs: Array, lane_of: Array
) -> int:
    """For the pairs of some parents: their lanes, what each number of even cards weighs; returns the least such."""
    n_cards = prices.shape[1] - 1
    least = int(n_cards)
    for lane in range(n_lanes):
        for pair in range(pairs.start[begin + lane], pairs.start[begin + lane + 1]):
            lane_of[pair] = lane
            orders = 1.0
            for e in range(n_cards + 1):
                costs[e, pair] = times(prices[pairs.payment[pair], e], orders, modulus)
                orders = orders * (n_cards - e) / (e + 1)
                if costs[e, pair] != 0.0:
                    least = min(least, e)
    return least


@kernel
def open_lanes(
    spending: Spending, layer: int, factors: Array, begin: int, n_lanes: int, table: Array, vector_of: Array,
    modulus: float, vectors: Array, out: Array,
) -> None:  # fmt: skip
    """The vectors of some parents with the factors still to be laid on; lanes without a parent are 0."""
    # out[x, lane] = vectors[x, vector of the parent] * prod_p factors[parent, p, cards of pile p that x spends]
    # A factor depends on x by one number for each pile, so that all states share factors.shape[2] of them. `table`
    # turns them round: the inner loops then run over neighbouring lanes. Cost: states * piles * lanes.
    first, lanes = spending.start[layer], table.shape[2]
    for p in range(factors.shape[1]):
        for a in range(factors.shape[2]):
            for lane in range(n_lanes):
                table[p, a, lane] = factors[begin + lane, p, a]
    for x in range(spending.start[layer + 1] - first):
        line = out[x, :lanes]
        line[n_lanes:] = 0.0
        for lane in range(n_lanes):
            line[lane] = vectors[x, vector_of[begin + lane]]
        for p in range(factors.shape[1]):
            factor = table[p, spending.per_pile[first + x, p]]
            if modulus > 0.0:
                for lane in range(n_lanes):
                    line[lane] = times(line[lane], factor[lane], modulus)
            else:
                for lane in range(n_lanes):
                    line[lane] *= factor[lane]


@kernel
def spread(
    spending: Spending, layer: int, n_cards: int, least: int, lanes: int, modulus: float, one: Array, two: Array
) -> Array:
    """The ways to add a stack of cards to the vectors in `one`, even cards first, by the number of even ones.

    Each line has `lanes` numbers for no even card, as many for one, and so on; from `least` even cards on they are
    right at the end. Returns the array that holds the result.
    """
    # The number of sequences does not depend on where its even cards stand: those with all even cards first are
    # counted, and line_up multiplies by the binomial coefficient. So an even card is added only where all cards so far
    # are even (e = j, the `top` lanes), and what has its first odd card at e < least ends below `least`: left out.
    n_kinds = spending.spent.shape[1]
    here, there = one, two
    for j in range(n_cards):
        first, last = spending.start[layer + j], spending.start[layer + j + 1]
        n_next = spending.start[layer + j + 2] - last
        low, top, end = min(least, j + 1) * lanes, j * lanes, (j + 1) * lanes
        there[:n_next, low : end + lanes] = 0.0
        for x in range(last - first):
            if not here[x, min(low, top) : end].any():
                continue
            for kind in range(n_kinds):
                to = spending.after[first + x, kind]
                if to < 0:
                    continue
                even = kind % 2
                begin = top if even else low
                source, target = here[x, begin:end], there[to - last, begin + even * lanes : end + even * lanes]
                for i in range(source.shape[0]):
                    target[i] += source[i]
        if modulus > 0.0:
            for y in range(n_next):
                reduce(there[y, low : end + lanes], modulus)
        here, there = there, here
    return here


@kernel
def pay(costs: Array, lane_of: Array, least: int, lanes: int, ways: Array, modulus: float, out: Array) -> None:
    """The ways by even cards, weighed by what each pair pays for them."""
    out[:] = 0.0
    for e in range(least, costs.shape[0]):
        line = ways[e * lanes : (e + 1) * lanes]
        for i in range(out.shape[0]):
            out[i] += costs[e, i] * line[lane_of[i]]
        if modulus > 0.0:
            reduce(out, modulus)
