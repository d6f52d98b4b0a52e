"""Compiled steps of the count of worlds.

Rows are listed one by one. Rows whose cards come from the same groups and need the same payments have the same ways to
fill the hidden stacks up to the very end, so that they share a node of a tree, level by level. At each node there is a
vector: by the number of sprint cards spent of each kind, the ways to get there. A stack of k unknown cards is k single
cards, odd or even, in any order; the order is divided out at the end.

All numbers are floats. With a modulus (a prime below 2**26) they are residues, and every operation is exact.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from manhunt.games.jit import kernel

Array = np.ndarray[Any, Any]
ONE = np.uint64(1)
MOST_LANES = 32
"""Vectors that are worked on side by side, at most."""
TILE = 16
"""States whose results are written together."""
CACHED = 1 << 18
"""Numbers that such a group may have, so that it stays in a fast cache."""


class Ground(NamedTuple):
    """What bounds the rows; one line a position, then one a failed set."""

    step: Array  # int64[n]
    allowed: Array  # uint64[n], bit c: card c
    group: Array  # int64[cards]
    slots: Array  # int64[n, piles]
    shown: Array  # int64[n, piles]: face-up sprint cards under the position
    set_cards: Array  # uint64[sets]
    set_placed: Array  # int64[sets]


class Spending(NamedTuple):
    """Sprint cards spent by kind, all vectors that can occur, in layers by how many they are."""

    spent: Array  # uint8[states, kinds]
    per_pile: Array  # int64[states, piles]
    after: Array  # int32[states, kinds]: the state with one card of a kind more, -1 if there is none
    start: Array  # int64[layers + 1]


class Tree(NamedTuple):
    """Nodes by level: parent on the level above, payment, cards used per pile by the row and face-up sprint cards."""

    n_nodes: Array  # int64[n]
    parent: Array  # int32[n, most]
    payment: Array  # int32[n, most]
    used: Array  # int16[n, most, piles]


class Pairs(NamedTuple):
    """The payments that a parent's children make, as linked lists."""

    first: Array  # int64[parents]
    following: Array  # int64[pairs]
    payment: Array  # int64[pairs]


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
def times(a: float, b: float, modulus: float) -> float:
    x = a * b
    if modulus > 0.0:
        x -= modulus * np.floor(x / modulus)
        if x < 0.0:
            x += modulus
    return x


@kernel
def list_rows(ground: Ground, rows: Array) -> int:
    """Write all rows that fit by steps, piles and guesses; returns how many, -1 if there is no room for them."""
    n, n_piles = ground.slots.shape
    row, following = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    cards = np.zeros(n + 1, np.uint64)
    used = np.zeros((n + 1, n_piles), np.int64)
    found, i = 0, 0
    following[0] = 1
    while i >= 0:
        card = following[i]
        if card > row[i] + ground.step[i] or card >= ground.group.shape[0]:
            i -= 1
            continue
        following[i] = card + 1
        if (ground.allowed[i] >> np.uint64(card)) & ONE == 0:
            continue
        fits = True
        for p in range(n_piles):
            used[i + 1, p] = used[i, p] + ground.shown[i, p]
            if ground.group[card] == p + 1:
                used[i + 1, p] += 1
            if used[i + 1, p] > ground.slots[i, p]:
                fits = False
        cards[i + 1] = cards[i] | (ONE << np.uint64(card))
        for s in range(ground.set_cards.shape[0]):
            if ground.set_placed[s] == i + 1 and cards[i + 1] & ground.set_cards[s] == ground.set_cards[s]:
                fits = False
        if not fits:
            continue
        row[i + 1] = card
        if i < n - 1:
            i += 1
            following[i] = card + 1
            continue
        if found == rows.shape[0]:
            return -1
        for j in range(n):
            rows[found, j] = row[j + 1]
        found += 1
    return found


@kernel
def grow_tree(ground: Ground, rows: Array, payments: Array, n_payments: Array, tree: Tree, node_of: Array) -> None:
    """Put the rows into the tree; `payments[i, previous, card]` numbers what a placement asks of its stack."""
    n_rows, n = rows.shape
    n_piles = ground.slots.shape[1]
    n_parents = 1
    for i in range(n):
        width = (n_piles + 1) * n_payments[i]
        index = np.full(n_parents * width, -1, np.int32)
        count = 0
        for r in range(n_rows):
            card, before = np.int64(rows[r, i]), np.int64(rows[r, i - 1]) if i > 0 else 0
            group, payment, parent = ground.group[card], payments[i, before, card], node_of[r]
            key = parent * width + group * n_payments[i] + payment
            if index[key] < 0:
                index[key] = count
                tree.parent[i, count], tree.payment[i, count] = parent, payment
                for p in range(n_piles):
                    base = tree.used[i - 1, parent, p] if i > 0 else np.int16(0)
                    tree.used[i, count, p] = base + ground.shown[i, p] + (1 if group == p + 1 else 0)
                count += 1
            node_of[r] = index[key]
        tree.n_nodes[i] = count
        n_parents = count


@kernel
def least_used(tree: Tree, out: Array) -> None:
    """Per level and pile, the fewest cards that any row uses."""
    for i in range(out.shape[0]):
        for p in range(out.shape[1]):
            least = tree.used[i, 0, p]
            for node in range(1, tree.n_nodes[i]):
                least = min(least, tree.used[i, node, p])
            out[i, p] = least


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
def widest_layer(spending: Spending, layer: int, n_cards: int) -> int:
    widest = 0
    for j in range(n_cards + 1):
        widest = max(widest, spending.start[layer + j + 1] - spending.start[layer + j])
    return widest


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


@kernel
def row_kinds(rows: Array, hidden: Array, group: Array, out: Array) -> None:
    """Per row, the face-down row cards of each kind."""
    for r in range(rows.shape[0]):
        for j in range(hidden.shape[0]):
            card = np.int64(rows[r, hidden[j]])
            out[r, 2 * group[card] + (1 - card % 2)] += 1


@kernel
def find_leaves(node_of: Array, n_nodes: int, kinds: Array, leaf_of: Array, first: Array) -> int:
    """Number the rows by node and kinds, node after node; returns how many leaves there are, each with a first row."""
    n_rows, n_kinds = kinds.shape
    begin = np.zeros(n_nodes + 1, np.int64)
    for r in range(n_rows):
        begin[node_of[r] + 1] += 1
    for node in range(n_nodes):
        begin[node + 1] += begin[node]
    order, at = np.empty(n_rows, np.int64), begin.copy()
    for r in range(n_rows):
        order[at[node_of[r]]] = r
        at[node_of[r]] += 1
    count, rank = 0, np.empty(n_rows, np.int64)
    for node in range(n_nodes):
        own = count
        for i in range(begin[node], begin[node + 1]):
            r, leaf = order[i], own
            while leaf < count:
                same = True
                for kind in range(n_kinds):
                    if kinds[first[leaf], kind] != kinds[r, kind]:
                        same = False
                        break
                if same:
                    break
                leaf += 1
            if leaf == count:
                first[leaf] = r
                count += 1
            leaf_of[r] = leaf
        sort_leaves(kinds, first, own, count, rank)
        for i in range(begin[node], begin[node + 1]):
            leaf_of[order[i]] = own + rank[leaf_of[order[i]] - own]
    return count


@kernel
def sort_leaves(kinds: Array, first: Array, begin: int, end: int, rank: Array) -> None:
    """Bring a node's leaves into the order of their kinds; `rank` tells where each of them went."""
    old = first[begin:end].copy()
    for i in range(end - begin):
        rank[i] = 0
        for j in range(end - begin):
            for kind in range(kinds.shape[1]):
                if kinds[old[j], kind] != kinds[old[i], kind]:
                    rank[i] += kinds[old[j], kind] < kinds[old[i], kind]
                    break
    for i in range(end - begin):
        first[begin + rank[i]] = old[i]


@kernel
def row_masks(rows: Array, hidden: Array, out: Array) -> None:
    """Per row, the face-down cards as bits."""
    for r in range(rows.shape[0]):
        cards = np.uint64(0)
        for j in range(hidden.shape[0]):
            cards |= ONE << np.uint64(rows[r, hidden[j]])
        out[r] = cards


@kernel
def add_marginals(rows: Array, weights: Array, out: Array) -> None:
    """Add each row's weight at its cards: position by card."""
    for r in range(rows.shape[0]):
        for i in range(rows.shape[1]):
            out[i, rows[r, i]] += weights[r]


@kernel
def add_hidden(rows: Array, hidden: Array, weights: Array, out: Array) -> None:
    """Add each row's weight at its face-down cards."""
    for r in range(rows.shape[0]):
        for j in range(hidden.shape[0]):
            out[rows[r, hidden[j]]] += weights[r]
