"""One row's hidden stacks card by card, kept so that they can be walked backwards to sample.

The sum is that of `stack_kernels.py`, for a single row and with all numbers kept:

    store[offsets[i, j] + x * (j + 1) + e] = sum of the prices and slot factors of the stacks before stack i, over the
        kinds of all their cards and of the first j cards of stack i that spend x, e of those j even

`fill_forward` fills it from left to right. `sample_kinds` draws the last state by its weight times the ends, then goes
back: how many cards of a stack are even, in proportion to price times store, then card by card the kind that came
last, in proportion to the store without it. So every sequence of kinds is drawn with its exact probability.
Cost: one pass over the states for the row, then kinds times hidden cards for each sample.
"""

from typing import NamedTuple

import numpy as np

from manhunt.core.jit import kernel
from manhunt.games.fugitive.beliefs.row_kernels import Array
from manhunt.games.fugitive.beliefs.stack_kernels import Spending


class Chain(NamedTuple):
    """A row to be filled: all its positions, and what its cards leave for the stacks."""

    n_sprints: Array  # int64[n]
    prices: Array  # float64[n, most cards of a stack + 1], by even cards
    before: Array  # float64[n, piles, used]
    after: Array  # float64[n, piles, used]
    used: Array  # int64[n + 1, piles]: by the row and face-up sprint cards before each position
    ends: Array  # float64[groups, size * size]: ways to end with so many odd and even cards of a group spent


@kernel
def store_size(spending: Spending, n_sprints: Array, offsets: Array) -> int:
    """Where the vectors of each position lie: after j cards of its stack, one for each number of even ones."""
    total, layer = 0, 0
    for i in range(n_sprints.shape[0]):
        for j in range(n_sprints[i] + 1):
            offsets[i, j] = total
            total += (spending.start[layer + j + 1] - spending.start[layer + j]) * (j + 1)
        layer += n_sprints[i]
    return total


@kernel
def slots_factor(table: Array, per_pile: Array, used: Array) -> float:
    factor = 1.0
    for p in range(used.shape[0]):
        factor *= table[p, per_pile[p] + used[p]]
    return factor


@kernel
def fill_forward(spending: Spending, chain: Chain, offsets: Array, store: Array) -> Array:
    """Fill the store; returns the vector after the last position, without the ends."""
    current, layer = np.ones(1), 0
    for i in range(chain.n_sprints.shape[0]):
        k, first = chain.n_sprints[i], spending.start[layer]
        for x in range(current.shape[0]):
            factor = slots_factor(chain.before[i], spending.per_pile[first + x], chain.used[i])
            store[offsets[i, 0] + x] = current[x] * factor
        for j in range(k):
            add_card(spending, layer + j, j, store, offsets[i, j], offsets[i, j + 1])
        layer += k
        first = spending.start[layer]
        current = np.zeros(spending.start[layer + 1] - first)
        for y in range(current.shape[0]):
            for e in range(k + 1):
                current[y] += chain.prices[i, e] * store[offsets[i, k] + y * (k + 1) + e]
            current[y] *= slots_factor(chain.after[i], spending.per_pile[first + y], chain.used[i + 1])
    return current


@kernel
def add_card(spending: Spending, layer: int, j: int, store: Array, here: int, there: int) -> None:
    first, last = spending.start[layer], spending.start[layer + 1]
    n_next = spending.start[layer + 2] - last
    store[there : there + n_next * (j + 2)] = 0.0
    for x in range(last - first):
        for kind in range(spending.after.shape[1]):
            to = spending.after[first + x, kind]
            if to >= 0:
                for e in range(j + 1):
                    store[there + (to - last) * (j + 2) + e + kind % 2] += store[here + x * (j + 1) + e]


@kernel
def end_weights(spending: Spending, layer: int, ends: Array, out: Array) -> None:
    """By state of the last layer, the ways to choose the spent cards and to fill his hand."""
    size = int(np.sqrt(ends.shape[1]))
    for x in range(out.shape[0]):
        state, value = spending.start[layer] + x, 1.0
        for g in range(ends.shape[0]):
            value *= ends[g, spending.spent[state, 2 * g] * size + spending.spent[state, 2 * g + 1]]
        out[x] = value


@kernel
def pick(weights: Array, n: int, share: float) -> int:
    """An index by weight; `share` is uniform in [0, 1)."""
    total = 0.0
    for i in range(n):
        total += weights[i]
    goal, last = share * total, 0
    for i in range(n):
        if weights[i] > 0.0:
            last = i
            if goal < weights[i]:
                return i
            goal -= weights[i]
    return last


@kernel
def sample_kinds(spending: Spending, chain: Chain, offsets: Array, store: Array, shares: Array, out: Array) -> None:
    """For each line of uniform `shares`, the kinds of all hidden sprint cards in the order of the row."""
    n, total = chain.n_sprints.shape[0], chain.n_sprints.sum()
    last = fill_forward(spending, chain, offsets, store)
    ends = np.empty(last.shape[0])
    end_weights(spending, total, chain.ends, ends)
    last *= ends
    n_states, n_kinds = spending.start[total + 1], spending.after.shape[1]
    back = np.full((n_states, n_kinds), -1, np.int64)
    for x in range(spending.start[total]):
        for kind in range(n_kinds):
            if spending.after[x, kind] >= 0:
                back[spending.after[x, kind], kind] = x
    weights = np.zeros(max(n_kinds, spending.after.shape[0] if total == 0 else 1, chain.prices.shape[1]))
    for s in range(shares.shape[0]):
        state = spending.start[total] + pick(last, last.shape[0], shares[s, 0])
        layer, used = total, 1
        for i in range(n - 1, -1, -1):
            k = chain.n_sprints[i]
            if k == 0:
                continue
            y = state - spending.start[layer]
            for e in range(k + 1):
                weights[e] = chain.prices[i, e] * store[offsets[i, k] + y * (k + 1) + e]
            n_even = pick(weights, k + 1, shares[s, used])
            used += 1
            for j in range(k, 0, -1):
                for kind in range(n_kinds):
                    old, e = back[state, kind], n_even - kind % 2
                    weights[kind] = 0.0
                    if old >= 0 and 0 <= e < j:
                        weights[kind] = store[offsets[i, j - 1] + (old - spending.start[layer - 1]) * j + e]
                kind = pick(weights, n_kinds, shares[s, used])
                used += 1
                layer -= 1
                out[s, layer] = kind
                state, n_even = back[state, kind], n_even - kind % 2
