"""Compiled steps of the count of worlds: the possible rows, and the tree that they share.

A row is c_1 < ... < c_n with c_i in allowed_i and c_i - c_(i-1) <= step_i, with no more cards of a pile up to
position i than slots[i, pile], and with no failed set inside its first cards (`list_rows`, by depth-first search).

Rows whose cards come from the same groups and need the same payments, position by position, have the same ways to fill
the hidden stacks up to the very end. They share a node of a tree, level by level (`grow_tree`), so that the stacks are
filled once for each node, not for each row. Rows of one node of the last level whose face-down cards have the same
kinds leave the same cards over for stacks and hand: they are one leaf, and have one weight.

A card's group is 0 if it is in no pile, else its pile + 1; its kind is 2 * group, + 1 for even cards. Cost: rows times
positions, for the listing also the beginnings that lead to no row.
"""

from typing import Any, NamedTuple

import numpy as np

from manhunt.core.jit import kernel

Array = np.ndarray[Any, Any]
ONE = np.uint64(1)


class RowLimits(NamedTuple):
    """What bounds the rows; one line a position, then one a failed set."""

    step: Array  # int64[n]
    allowed: Array  # uint64[n], bit c: card c
    group: Array  # int64[cards]
    slots: Array  # int64[n, piles]
    shown: Array  # int64[n, piles]: face-up sprint cards under the position
    set_cards: Array  # uint64[sets]
    set_placed: Array  # int64[sets]


class RowTree(NamedTuple):
    """Nodes by level: parent on the level above, payment, cards used per pile by the row and face-up sprint cards."""

    n_nodes: Array  # int64[n]
    parent: Array  # int32[n, most]
    payment: Array  # int32[n, most]
    used: Array  # int16[n, most, piles]


@kernel
def list_rows(limits: RowLimits, rows: Array) -> int:
    """Write all rows that fit by steps, piles and guesses; returns how many, -1 if there is no room for them."""
    # The stack of the search: row[i + 1] is the card at position i, following[i] the next one to try there, used[i + 1]
    # and cards[i + 1] the cards per pile and the cards as bits up to that position. Sets are asked for where they end.
    n, n_piles = limits.slots.shape
    row, following = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    cards = np.zeros(n + 1, np.uint64)
    used = np.zeros((n + 1, n_piles), np.int64)
    found, i = 0, 0
    following[0] = 1
    while i >= 0:
        card = following[i]
        if card > row[i] + limits.step[i] or card >= limits.group.shape[0]:
            i -= 1
            continue
        following[i] = card + 1
        if (limits.allowed[i] >> np.uint64(card)) & ONE == 0:
            continue
        fits = True
        for p in range(n_piles):
            used[i + 1, p] = used[i, p] + limits.shown[i, p]
            if limits.group[card] == p + 1:
                used[i + 1, p] += 1
            if used[i + 1, p] > limits.slots[i, p]:
                fits = False
        cards[i + 1] = cards[i] | (ONE << np.uint64(card))
        for s in range(limits.set_cards.shape[0]):
            if limits.set_placed[s] == i + 1 and cards[i + 1] & limits.set_cards[s] == limits.set_cards[s]:
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
def grow_tree(
    limits: RowLimits, rows: Array, payments: Array, n_payments: Array, tree: RowTree, node_of: Array
) -> None:
    """Put the rows into the tree; `payments[i, previous, card]` numbers what a placement asks of its stack."""
    # Level by level: a node is known by its parent, the group of its card and its payment, and numbered when the first
    # row reaches it. node_of[r] is the node of row r on the level before, and afterwards on this one.
    n_rows, n = rows.shape
    n_piles = limits.slots.shape[1]
    n_parents = 1
    for i in range(n):
        width = (n_piles + 1) * n_payments[i]
        index = np.full(n_parents * width, -1, np.int32)
        count = 0
        for r in range(n_rows):
            card, before = np.int64(rows[r, i]), np.int64(rows[r, i - 1]) if i > 0 else 0
            group, payment, parent = limits.group[card], payments[i, before, card], node_of[r]
            key = parent * width + group * n_payments[i] + payment
            if index[key] < 0:
                index[key] = count
                tree.parent[i, count], tree.payment[i, count] = parent, payment
                for p in range(n_piles):
                    base = tree.used[i - 1, parent, p] if i > 0 else np.int16(0)
                    tree.used[i, count, p] = base + limits.shown[i, p] + (1 if group == p + 1 else 0)
                count += 1
            node_of[r] = index[key]
        tree.n_nodes[i] = count
        n_parents = count


@kernel
def least_used(tree: RowTree, out: Array) -> None:
    """Per level and pile, the fewest cards that any row uses."""
    for i in range(out.shape[0]):
        for p in range(out.shape[1]):
            least = tree.used[i, 0, p]
            for node in range(1, tree.n_nodes[i]):
                least = min(least, tree.used[i, node, p])
            out[i, p] = least


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
