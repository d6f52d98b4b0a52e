"""From the ends of rows to single cards: cards of one kind that are not on the row are alike."""

import numpy as np

from manhunt.core.jit import kernel
from manhunt.games.fugitive.beliefs.end_kernels import Ends, leaf_table, table_size
from manhunt.games.fugitive.beliefs.row_kernels import Array
from manhunt.games.fugitive.beliefs.stack_kernels import Spending

ONE = np.uint64(1)


@kernel
def expect_ends(spending: Spending, ends: Ends, n_his: Array, in_pile: Array, spent: Array, held: Array) -> None:
    """Per leaf and kind, how likely one card of it is a sprint card, and how likely in his hand."""
    first, n_states = spending.start[ends.layer], spending.start[ends.layer + 1] - spending.start[ends.layer]
    n_groups, n_kinds = ends.filling.shape[0] + 1, ends.left.shape[0]
    size = table_size(spending, ends.layer)
    table = np.zeros((n_groups, size * size))
    for leaf in range(ends.leaf_node.shape[0]):
        node = ends.leaf_node[leaf]
        leaf_table(ends, ends.leaf_kinds[leaf], ends.used[node], 0.0, table)
        total = 0.0
        for x in range(n_states):
            value = ends.vectors[x, ends.vector_of[node]]
            for g in range(n_groups):
                odd, even = spending.spent[first + x, 2 * g], spending.spent[first + x, 2 * g + 1]
                value *= table[g, odd * size + even]
                if g > 0:
                    value *= ends.factors[node, g - 1, odd + even]
            if value == 0.0:
                continue
            total += value
            for kind in range(n_kinds):
                cards, taken = ends.left[kind] - ends.leaf_kinds[leaf, kind], spending.spent[first + x, kind]
                if cards == 0:
                    continue
                spent[leaf, kind] += value * taken / cards
                share, p = 1.0, kind // 2 - 1
                if p >= 0:
                    gone = spending.per_pile[first + x, p] + ends.used[node, p]
                    share = (n_his[p] - gone) / (in_pile[p] - gone) if in_pile[p] > gone else 0.0
                held[leaf, kind] += value * share * (cards - taken) / cards
        if total > 0.0:
            for kind in range(n_kinds):
                spent[leaf, kind] /= total
                held[leaf, kind] /= total


@kernel
def add_places(
    share: Array, masks: Array, leaf_of: Array, spent: Array, held: Array, unseen: Array, sprint: Array, hand: Array
) -> None:
    for r in range(masks.shape[0]):
        for i in range(unseen.shape[0]):
            card, kind = unseen[i, 0], unseen[i, 1]
            if (masks[r] >> np.uint64(card)) & ONE == 0:
                sprint[card] += share[r] * spent[leaf_of[r], kind]
                hand[card] += share[r] * held[leaf_of[r], kind]
