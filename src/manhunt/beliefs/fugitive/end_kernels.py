"""Compiled steps of the count of worlds: from the vectors of the last level to the weight of each leaf."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manhunt.beliefs.fugitive.row_kernels import Array
from manhunt.beliefs.fugitive.stack_kernels import Spending, times
from manhunt.games.jit import kernel


class Ends(NamedTuple):
    """What turns the vectors of the last level into weights of leaves."""

    layer: int
    left: Array  # int64[kinds]: unseen cards
    falling: Array  # float64[n, k]
    filling: Array  # float64[piles, used]: ways to fill his hand
    used: Array  # int16[nodes, piles]
    factors: Array  # float64[nodes, piles, spent]
    vector_of: Array  # int64[nodes]
    vectors: Array  # float64[vectors, states]
    leaf_node: Array  # int64[leaves]
    leaf_kinds: Array  # int64[leaves, kinds]: face-down row cards


class Fold(NamedTuple):
    """The last layer as a tensor with one axis a group; stage g has the cells of groups g and up.

    Folding the axis of stage g away gives the cells of stage g + 1; the last stage has a single cell.
    """

    n_cells: Array  # int64[groups + 1]
    code: Array  # int64[groups, states]: a cell's place on the axis, odd cards * size + even ones
    cell: Array  # int64[groups, states]: where it goes


@kernel
def leaf_table(ends: Ends, kinds: Array, used: Array, modulus: float, out: Array) -> None:
    """By group and cards spent of it, the ways to choose them and to fill his hand from what is left of the pile.

    `kinds` of the unseen cards lie on the row, which has used `used` cards of each pile.
    """
    size = int(np.sqrt(out.shape[1]))
    for g in range(out.shape[0]):
        odd, even = ends.left[2 * g] - kinds[2 * g], ends.left[2 * g + 1] - kinds[2 * g + 1]
        for a in range(size):
            for b in range(size):
                value = 0.0
                if odd >= a and even >= b:
                    value = times(ends.falling[odd, a], ends.falling[even, b], modulus)
                    if g > 0:
                        value = times(value, ends.filling[g - 1, a + b + used[g - 1]], modulus)
                out[g, a * size + b] = value


@kernel
def table_size(spending: Spending, layer: int) -> int:
    """One more than the most cards of one kind that are spent in a layer."""
    most = np.uint8(0)
    for x in range(spending.start[layer], spending.start[layer + 1]):
        for kind in range(spending.spent.shape[1]):
            most = max(most, spending.spent[x, kind])
    return int(most) + 1


@kernel
def fold_states(spending: Spending, layer: int, radix: Array, codes: Array, fold: Fold) -> None:
    """Fill the stages; `codes` number the states, with the radix of each kind."""
    first, n_states = spending.start[layer], spending.start[layer + 1] - spending.start[layer]
    size, n_groups = table_size(spending, layer), fold.cell.shape[0]
    member = np.arange(n_states)
    fold.n_cells[0] = n_states
    for g in range(n_groups):
        n_cells = fold.n_cells[g]
        rest = np.zeros(n_cells, np.int64)
        for cell in range(n_cells):
            state = first + member[cell]
            fold.code[g, cell] = spending.spent[state, 2 * g] * size + spending.spent[state, 2 * g + 1]
            if g < n_groups - 1:
                rest[cell] = codes[state] // radix[2 * g + 2]
        order = np.argsort(rest)
        members = np.empty(n_cells, np.int64)
        count = 0
        for i in range(n_cells):
            cell = order[i]
            if i == 0 or rest[cell] != rest[order[i - 1]]:
                members[count] = member[cell]
                count += 1
            fold.cell[g, cell] = count - 1
        member = members
        fold.n_cells[g + 1] = count


@kernel
def finish(spending: Spending, fold: Fold, ends: Ends, modulus: float, out: Array) -> None:
    """The weight of each leaf. Leaves are sorted, and those with equal beginnings share what is folded so far."""
    n_groups, n_leaves = ends.filling.shape[0] + 1, ends.leaf_node.shape[0]
    size, most = table_size(spending, ends.layer), fold.cell.shape[1]
    table = np.zeros((n_groups, size * size))
    stages = np.zeros((n_groups + 1, most))
    for leaf in range(n_leaves):
        node, fresh = ends.leaf_node[leaf], 0
        if leaf > 0 and ends.leaf_node[leaf - 1] == node:
            while (
                ends.leaf_kinds[leaf, 2 * fresh] == ends.leaf_kinds[leaf - 1, 2 * fresh]
                and ends.leaf_kinds[leaf, 2 * fresh + 1] == ends.leaf_kinds[leaf - 1, 2 * fresh + 1]
            ):
                fresh += 1
        else:
            stages[0] = ends.vectors[ends.vector_of[node]]
        leaf_table(ends, ends.leaf_kinds[leaf], ends.used[node], modulus, table)
        for g in range(fresh, n_groups):
            if g > 0:
                for code in range(size * size):
                    spent = code // size + code % size
                    open_factor = ends.factors[node, g - 1, spent] if spent < ends.factors.shape[2] else 0.0
                    table[g, code] = times(table[g, code], open_factor, modulus)
            stages[g + 1, : fold.n_cells[g + 1]] = 0.0
            for cell in range(fold.n_cells[g]):
                value = times(stages[g, cell], table[g, fold.code[g, cell]], modulus)
                stages[g + 1, fold.cell[g, cell]] += value
            for cell in range(fold.n_cells[g + 1]):
                stages[g + 1, cell] = times(stages[g + 1, cell], 1.0, modulus)
        out[leaf] = stages[n_groups, 0]
