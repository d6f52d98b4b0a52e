"""Compiled steps of the count of worlds: the ways to fill the hidden stacks.

At each node of the tree of rows there is a vector: by the number of sprint cards spent of each kind, the ways to get
there. A stack of k unknown cards is k single cards, odd or even, in any order; the order is divided out at the end.

All numbers are floats. With a modulus (a prime below 2**26) they are residues, and every operation is exact.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manhunt.beliefs.fugitive.row_kernels import Array, Tree
from manhunt.games.jit import kernel

MOST_LANES = 32
"""Vectors that are worked on side by side, at most."""
TILE = 16
"""States whose results are written together."""
CACHED = 1 << 18
"""Numbers that such a group may have, so that it stays in a fast cache."""


class Spending(NamedTuple):
    """Sprint cards spent by kind, all vectors that can occur, in layers by how many they are."""

    spent: Array  # uint8[states, kinds]
    per_pile: Array  # int64[states, piles]
    after: Array  # int32[states, kinds]: the state with one card of a kind more, -1 if there is none
    start: Array  # int64[layers + 1]


class Pairs(NamedTuple):
    """The payments that a parent's children make, as linked lists."""

    first: Array  # int64[parents]
    following: Array  # int64[pairs]
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
def multiply(values: Array, factors: Array, modulus: float) -> None:
    if modulus > 0.0:
        for lane in range(values.shape[0]):
            values[lane] = times(values[lane], factors[lane], modulus)
    else:
        for lane in range(values.shape[0]):
            values[lane] *= factors[lane]


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
def open_factors(tree: Tree, level: int, before: Array, after: Array, modulus: float, old: Array, out: Array) -> None:
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
def close_factors(tree: Tree, level: int, table: Array, modulus: float, factors: Array) -> None:
    """Lay one half of a placement's slots on: `table` by pile and cards used."""
    for node in range(factors.shape[0]):
        for p in range(table.shape[0]):
            used = tree.used[level, node, p] if level >= 0 else np.int16(0)
            for a in range(factors.shape[2]):
                factors[node, p, a] = times(factors[node, p, a], table[p, a + used], modulus)


@kernel
def pair_up(tree: Tree, level: int, n_parents: int, n_payments: int, pairs: Pairs, vector_of: Array) -> int:
    """Children of one parent that pay alike share a vector; returns how many vectors there are."""
    index = np.full(n_parents * n_payments, -1, np.int64)
    pairs.first[:] = -1
    count = 0
    for node in range(tree.n_nodes[level]):
        parent, payment = tree.parent[level, node], tree.payment[level, node]
        key = parent * n_payments + payment
        if index[key] < 0:
            index[key] = count
            pairs.payment[count], pairs.following[count] = payment, pairs.first[parent]
            pairs.first[parent] = count
            count += 1
        vector_of[node] = index[key]
    return count


@kernel
def climb(
    spending: Spending, layer: int, prices: Array, pairs: Pairs, vector_of: Array, factors: Array, modulus: float,
    vectors: Array, out: Array,
) -> None:  # fmt: skip
    """A position with a hidden stack, for some parents side by side; `prices[payment, n_even]` weighs how it was paid.

    As many parents go together as fit into a fast cache.
    """
    n_cards, n_piles, n_parents = prices.shape[1] - 1, factors.shape[1], factors.shape[0]
    first, n_here = spending.start[layer], spending.start[layer + 1] - spending.start[layer]
    n_there = spending.start[layer + n_cards + 1] - spending.start[layer + n_cards]
    widest = widest_layer(spending, layer, n_cards)
    lanes = 4 * max(1, min(MOST_LANES, n_parents + 3, CACHED // (widest * (n_cards + 1))) // 4)
    one, two = np.empty((widest, (n_cards + 1) * lanes)), np.empty((widest, (n_cards + 1) * lanes))
    table = np.zeros((n_piles, factors.shape[2], lanes))
    lowest = np.zeros(prices.shape[0], np.int64)
    for payment in range(prices.shape[0]):
        while lowest[payment] < n_cards and prices[payment, lowest[payment]] == 0.0:
            lowest[payment] += 1
    chosen, place = np.empty(out.shape[0], np.int64), np.empty(out.shape[0], np.int64)
    asked, paid = np.full(prices.shape[0], -1, np.int64), np.empty((TILE, prices.shape[0], lanes))
    for begin in range(0, n_parents, lanes):
        n_lanes, least, n_chosen = min(lanes, n_parents - begin), n_cards, 0
        for lane in range(n_lanes):
            for p in range(n_piles):
                for a in range(factors.shape[2]):
                    table[p, a, lane] = factors[begin + lane, p, a]
            pair = pairs.first[begin + lane]
            while pair >= 0:
                asked[pairs.payment[pair]] = begin
                least = min(least, lowest[pairs.payment[pair]])
                chosen[n_chosen], place[n_chosen] = pair, lane
                n_chosen += 1
                pair = pairs.following[pair]
        for x in range(n_here):
            for lane in range(n_lanes):
                one[x, lane] = vectors[vector_of[begin + lane], x]
            one[x, n_lanes:lanes] = 0.0
            for p in range(n_piles):
                multiply(one[x, :lanes], table[p, spending.per_pile[first + x, p]], modulus)
        ways = spread(spending, layer, n_cards, least, lanes, modulus, one, two)
        for top in range(0, n_there, TILE):
            height = min(TILE, n_there - top)
            for y in range(height):
                for payment in range(prices.shape[0]):
                    if asked[payment] == begin:
                        pay(prices[payment], lowest[payment], ways[top + y], modulus, paid[y, payment])
            for i in range(n_chosen):
                for y in range(height):
                    out[chosen[i], top + y] = paid[y, pairs.payment[chosen[i]], place[i]]


@kernel
def widest_layer(spending: Spending, layer: int, n_cards: int) -> int:
    widest = 0
    for j in range(n_cards + 1):
        widest = max(widest, spending.start[layer + j + 1] - spending.start[layer + j])
    return widest


@kernel
def spread(
    spending: Spending, layer: int, n_cards: int, least: int, lanes: int, modulus: float, one: Array, two: Array
) -> Array:
    """All ways to add a stack of cards to the vectors in `one`, by the number of even ones among them.

    Each line has `lanes` numbers for no even card, as many for one, and so on. Counts with fewer than `least` even
    cards at the end are left out. Returns the array that holds the result.
    """
    n_kinds = spending.spent.shape[1]
    here, there = one, two
    for j in range(n_cards):
        first, last = spending.start[layer + j], spending.start[layer + j + 1]
        n_next = spending.start[layer + j + 2] - last
        lowest = max(0, least - (n_cards - j - 1))
        there[:n_next, : (j + 2) * lanes] = 0.0
        for x in range(last - first):
            if not here[x, : (j + 1) * lanes].any():
                continue
            for kind in range(n_kinds):
                to = spending.after[first + x, kind]
                if to < 0:
                    continue
                even = kind % 2
                low = max(0, lowest - even)
                source, target = here[x, low * lanes : (j + 1) * lanes], there[to - last, (low + even) * lanes :]
                for i in range(source.shape[0]):
                    target[i] += source[i]
        if modulus > 0.0:
            for y in range(n_next):
                reduce(there[y, : (j + 2) * lanes], modulus)
        here, there = there, here
    return here


@kernel
def pay(price: Array, lowest: int, ways: Array, modulus: float, out: Array) -> None:
    """The ways by even cards, weighed by a price of each."""
    lanes = out.shape[0]
    out[:] = 0.0
    for e in range(lowest, price.shape[0]):
        weight, line = price[e], ways[e * lanes : (e + 1) * lanes]
        for lane in range(lanes):
            out[lane] += weight * line[lane]
    if modulus > 0.0:
        reduce(out, modulus)
