"""Compiled steps of the count of worlds: from the vectors of the last level to the weight of each leaf."""

from typing import NamedTuple

import numpy as np

from manhunt.core.jit import kernel
from manhunt.games.fugitive.beliefs.row_kernels import Array
from manhunt.games.fugitive.beliefs.stack_kernels import Spending, times


class Ends(NamedTuple):
    """What turns the vectors of the last level into weights of leaves."""

    layer: int
    left: Array  # int64[kinds]: unseen cards
    falling: Array  # float64[n, k]
    filling: Array  # float64[piles, used]: ways to fill his hand
    used: Array  # int16[nodes, piles]
    factors: Array  # float64[nodes, piles, spent]
    vector_of: Array  # int64[nodes]
    vectors: Array  # float64[states, vectors]
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
    for g in range(out.shape[0]):
        group_table(ends, g, kinds, used, modulus, out[g])


@kernel
def group_table(ends: Ends, g: int, kinds: Array, used: Array, modulus: float, out: Array) -> None:
    size = int(np.sqrt(out.shape[0]))
    odd, even = ends.left[2 * g] - kinds[2 * g], ends.left[2 * g + 1] - kinds[2 * g + 1]
    out[:] = 0.0
    for a in range(min(size, odd + 1)):
        for b in range(min(size, even + 1)):
            value = times(ends.falling[odd, a], ends.falling[even, b], modulus)
            if g > 0:
                value = times(value, ends.filling[g - 1, a + b + used[g - 1]], modulus)
            out[a * size + b] = value


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
    """The weight of each leaf: the groups are folded away one after another, for all leaves side by side."""
    # weight(leaf) = sum over states x of vector(x) * prod_g table_g(odd cards, even cards of group g spent in x)
    # table_g has the ways to choose these cards among those that the leaf leaves, to fill his hand from the pile, and
    # the slot factors of the node. The sum is done group by group: stage[cell, item] is summed over the first g groups;
    # a cell has the spending of the other groups (`Fold`), an item is what leaves can differ in so far (`share_items`).
    # Leaves are sorted by node and kinds, so that equal beginnings are neighbours and share an item. Cost: the cells of
    # all stages times their items, mostly far less than states times leaves.
    n_groups, n_leaves = fold.cell.shape[0], ends.leaf_node.shape[0]
    size = table_size(spending, ends.layer)
    stage, item_of = ends.vectors, np.empty(n_leaves, np.int64)
    for leaf in range(n_leaves):
        item_of[leaf] = ends.vector_of[ends.leaf_node[leaf]]
    line = np.empty(size * size)
    first, parent, members = np.empty(n_leaves, np.int64), np.empty(n_leaves, np.int64), np.empty(n_leaves, np.int64)
    for g in range(n_groups):
        n_items = share_items(ends, g, stage.shape[1], item_of, members, first, parent)
        table = np.empty((size * size, n_items))
        for i in range(n_items):
            node = ends.leaf_node[first[i]]
            group_table(ends, g, ends.leaf_kinds[first[i]], ends.used[node], modulus, line)
            for code in range(size * size):
                spent = code // size + code % size
                if g > 0:
                    open_factor = ends.factors[node, g - 1, spent] if spent < ends.factors.shape[2] else 0.0
                    line[code] = times(line[code], open_factor, modulus)
                table[code, i] = line[code]
        folded = np.zeros((fold.n_cells[g + 1], n_items))
        for cell in range(fold.n_cells[g]):
            add_cells(stage[cell], parent[:n_items], table[fold.code[g, cell]], modulus, folded[fold.cell[g, cell]])
        stage = folded
        item_of[:] = members
    for leaf in range(n_leaves):
        out[leaf] = times(stage[0, item_of[leaf]], 1.0, modulus)


@kernel
def share_items(ends: Ends, g: int, n_old: int, item_of: Array, members: Array, first: Array, parent: Array) -> int:
    """Number what differs once group g is folded away; each item has a first leaf and a parent before the folding."""
    n_leaves, count = ends.leaf_node.shape[0], 0
    n_even = ends.left[1] + 1
    known = np.full(n_old * (ends.left[0] + 1) * n_even if g == 0 else 0, -1, np.int64)
    for leaf in range(n_leaves):
        if g == 0:  # nodes do not matter yet: cards in no pile have no slots
            key = (item_of[leaf] * (ends.left[0] + 1) + ends.leaf_kinds[leaf, 0]) * n_even + ends.leaf_kinds[leaf, 1]
            fresh = known[key] < 0
            if fresh:
                known[key] = count
            members[leaf] = known[key]
        else:
            fresh = leaf == 0 or ends.leaf_node[leaf] != ends.leaf_node[leaf - 1]
            for kind in range(2 * g + 2):
                fresh = fresh or ends.leaf_kinds[leaf, kind] != ends.leaf_kinds[leaf - 1, kind]
            members[leaf] = count if fresh else count - 1
        if fresh:
            first[count], parent[count] = leaf, item_of[leaf]
            count += 1
    return count


@kernel
def add_cells(cells: Array, parent: Array, factors: Array, modulus: float, out: Array) -> None:
    if modulus > 0.0:
        for i in range(out.shape[0]):
            out[i] = times(out[i] + times(cells[parent[i]], factors[i], modulus), 1.0, modulus)
    else:
        for i in range(out.shape[0]):
            out[i] += cells[parent[i]] * factors[i]
