"""Compiled: how many rows fit, and how many of them have each card face down, without listing the rows.

    N    = number of c_1 < ... < c_n with c_i in allowed_i, c_i - c_(i-1) <= step_i,
           at most room[i, p] of c_1 ... c_i from pile p, and no failed set S inside {c_1 ... c_placed(S)}
    N(c) = number of those rows that have c

Two beginnings of a row can be continued in the same ways if they end with the same card, have taken as many cards from
every pile that may still run out, and contain the same failed sets so far. Such beginnings are one state: `key` packs
the last card (6 bits) and the cards taken from each pile, `begun` has a bit for every failed set whose members up to
the last card all lie on the row. What cannot matter any more is set to 0 in both (`tidied`, `may_complete`), so that
more beginnings share a state.

One pass from the left counts the beginnings of each state (`ways`) and notes its steps, one pass back counts the ends
that each state has; N(c) is the sum of ways times ends over the states that end with c. The states of a position are
found by a hash table. Cost: states times the cards within a step; thousands of states where there are millions of rows.
"""

from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Int64s
from manhunt.core.jit import kernel
from manhunt.games.fugitive.beliefs.row_kernels import RowLimits
from manhunt.games.fugitive.rules.kernels import lowest

NO_ROOM, NO_KEY = -1, -2
STEPS_PER_STATE = 8
MOST_SETS = 62
KEY_BITS = 62
CARD_BITS = 6
CARD = (1 << CARD_BITS) - 1
PLENTY = 1 << 30
HASH_BITS = (1 << 30) - 1
HASH_KEY, HASH_SETS = 1640531527, 1103515245
"""Odd, and small enough that no product overflows."""


class CountTables(NamedTuple):
    """What the limits mean for counting. Sets of cards are bits, and so are sets of failed sets."""

    allowed: Int64s
    """Per position its cards, from which steps lead to both ends of the row."""
    room: Int64s
    """Per position and pile, the most cards of the row so far that are not too many here or later."""
    spare: Int64s
    """Per position and pile, the most cards so far with which the pile cannot run out later."""
    shift: Int64s
    """Per pile, where in a key its cards are counted."""
    full: int
    """The bits of such a count."""
    ahead: Int64s
    """By card, the counts in a key of the piles that have higher cards."""
    holds: Int64s
    """By card, the failed sets with it."""
    starts: Int64s
    """By card, the failed sets that have it as their lowest."""
    ends: Int64s
    """Per position and card, the failed sets that have it as their highest and were asked with this position."""
    may_complete: Int64s
    """Per position and card, the failed sets that the steps from here can complete."""


class CountLayers(NamedTuple):
    """The states of all positions, after a first state for the start, and the steps between them."""

    key: Int64s
    """The card, and above it how much is taken from each pile."""
    begun: Int64s
    """The failed sets with all their cards up to this one on the row."""
    ways: Int64s
    """How many beginnings of rows end so."""
    first_step: Int64s
    """By state, where its steps begin; one more place than there are states."""
    steps: Int64s
    """The states that follow."""
    slots: Int64s
    """A hash table of the states of one position, at first all 0; its size is a power of 2."""


@kernel
def digit_bits(n: int) -> int:
    """The bits of a number up to n."""
    bits = 1
    while n >> bits:
        bits += 1
    return bits


@kernel
def has_keys(limits: RowLimits) -> bool:
    """Whether two integers can name a state."""
    n, n_piles = limits.slots.shape
    return bool(limits.set_cards.shape[0] <= MOST_SETS and CARD_BITS + n_piles * digit_bits(n) <= KEY_BITS)


@kernel
def new_tables(limits: RowLimits) -> CountTables:
    """With nothing but the allowed cards filled in."""
    n, n_piles = limits.slots.shape
    allowed, cards = np.zeros(n, np.int64), limits.group.shape[0]
    for i in range(n):
        allowed[i] = np.int64(limits.allowed[i])
    return CountTables(
        allowed,
        np.zeros((n, n_piles), np.int64),
        np.zeros((n, n_piles), np.int64),
        np.zeros(n_piles, np.int64),
        (1 << digit_bits(n)) - 1,
        np.zeros(cards, np.int64),
        np.zeros(cards, np.int64),
        np.zeros(cards, np.int64),
        np.zeros((n, cards), np.int64),
        np.zeros((n, cards), np.int64),
    )


@kernel
def fill_piles(limits: RowLimits, tables: CountTables) -> bool:
    """Fill in the piles; False if a position has less than no room, so that no row fits."""
    n, n_piles = limits.slots.shape
    last = limits.group.shape[0] - 1
    for pile in range(n_piles):
        tables.shift[pile] = CARD_BITS + pile * digit_bits(n)
        cards = 0
        for card in range(1, last):
            if limits.group[card] == pile + 1:
                cards |= 1 << card
        for card in range(last):
            if cards >> (card + 1):
                tables.ahead[card] |= tables.full << tables.shift[pile]
        room, spare, shown = PLENTY, PLENTY, 0
        for i in range(n):
            shown += limits.shown[i, pile]
        for i in range(n - 1, -1, -1):
            tables.spare[i, pile] = spare
            room = min(room, limits.slots[i, pile] - shown)
            shown -= limits.shown[i, pile]
            if room < 0:
                return False
            tables.room[i, pile] = room
            spare = min(spare, room) - (1 if tables.allowed[i] & cards else 0)
    return True


@kernel
def fill_sets(limits: RowLimits, tables: CountTables) -> None:
    n, last = limits.slots.shape[0], limits.group.shape[0] - 1
    for s in range(limits.set_cards.shape[0]):
        if is_implied(limits, s):
            continue
        cards, card = int(np.int64(limits.set_cards[s])), 0
        tables.starts[lowest(cards)] |= 1 << s
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            tables.holds[card] |= 1 << s
        for i in range(min(n, limits.set_placed[s])):
            tables.ends[i, card] |= 1 << s
    for i in range(n - 2, -1, -1):
        cards = tables.allowed[i]
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            passed, found = 0, 0
            for after in range(card + 1, min(last, card + limits.step[i + 1]) + 1):
                if tables.allowed[i + 1] >> after & 1:
                    found |= (tables.may_complete[i + 1, after] | tables.ends[i + 1, after]) & ~passed
                passed |= tables.holds[after]
            tables.may_complete[i, card] = found


@kernel
def is_implied(limits: RowLimits, s: int) -> bool:
    """Whether another failed set forbids all that this one forbids."""
    for t in range(limits.set_cards.shape[0]):
        same = limits.set_cards[t] == limits.set_cards[s] and limits.set_placed[t] == limits.set_placed[s]
        inside = limits.set_cards[t] & ~limits.set_cards[s] == 0 and limits.set_placed[t] >= limits.set_placed[s]
        if t < s if same else inside:
            return True
    return False


@kernel
def tidied(tables: CountTables, i: int, key: int) -> int:
    """The key without the piles that cannot run out after this position."""
    key &= tables.ahead[key & CARD] | CARD
    for pile in range(tables.shift.shape[0]):
        if key >> tables.shift[pile] & tables.full <= tables.spare[i, pile]:
            key &= ~(tables.full << tables.shift[pile])
    return key


@kernel
def slot_of(layers: CountLayers, key: int, begun: int, start: int) -> int:
    """Where a state is or would be in the hash table; what lies before `start` belongs to an earlier position."""
    mask = len(layers.slots) - 1
    mixed = ((key ^ key >> 30) & HASH_BITS) * HASH_KEY + ((begun ^ begun >> 30) & HASH_BITS) * HASH_SETS
    slot = (mixed >> 20) & mask
    while True:
        state = layers.slots[slot]
        if state < start or (layers.key[state] == key and layers.begun[state] == begun):
            return slot
        slot = (slot + 1) & mask


@kernel
def fill_layers(limits: RowLimits, tables: CountTables, layers: CountLayers) -> tuple[int, int]:
    """The pass from the left; where the states of the last position begin and end, or NO_ROOM."""
    start, stop, n_steps, last = 0, 1, 0, limits.group.shape[0] - 1
    layers.key[0], layers.begun[0], layers.ways[0] = 0, 0, 1
    for i in range(limits.slots.shape[0]):
        n_states = stop
        for state in range(start, stop):
            if n_states + last >= layers.key.shape[0] or n_steps + last > layers.steps.shape[0]:
                return NO_ROOM, NO_ROOM
            layers.first_step[state] = n_steps
            key, begun, passed = layers.key[state], layers.begun[state], 0
            for card in range((key & CARD) + 1, min(last, (key & CARD) + limits.step[i]) + 1):
                now = begun & ~passed | tables.starts[card]
                passed |= tables.holds[card]
                if tables.allowed[i] >> card & 1 == 0 or now & tables.ends[i, card]:
                    continue
                after, pile = key & ~CARD | card, limits.group[card] - 1
                if pile >= 0:
                    if key >> tables.shift[pile] & tables.full >= tables.room[i, pile]:
                        continue
                    after += 1 << tables.shift[pile]
                after, now = tidied(tables, i, after), now & tables.may_complete[i, card]
                slot = slot_of(layers, after, now, stop)
                if layers.slots[slot] < stop:
                    layers.slots[slot] = n_states
                    layers.key[n_states], layers.begun[n_states], layers.ways[n_states] = after, now, 0
                    n_states += 1
                layers.ways[layers.slots[slot]] += layers.ways[state]
                layers.steps[n_steps] = layers.slots[slot]
                n_steps += 1
        layers.first_step[stop] = n_steps
        start, stop = stop, n_states
    return start, stop


@kernel
def new_layers(n_states: int) -> CountLayers:
    return CountLayers(
        np.empty(n_states, np.int64),
        np.empty(n_states, np.int64),
        np.empty(n_states, np.int64),
        np.empty(n_states + 1, np.int64),
        np.empty(STEPS_PER_STATE * n_states, np.int64),
        np.zeros(2 * n_states, np.int64),
    )


@kernel
def count_rows(limits: RowLimits, hidden: int, room: int, out: Int64s) -> int:
    """How many rows there are, and in `out`, at first all 0, how many of them hold each card of `hidden`.

    `room`, a power of 2, is for how many states it has room at first. NO_KEY if there are too many sets or piles.
    """
    if not has_keys(limits):
        return NO_KEY
    if limits.slots.shape[0] == 0:
        return 1
    tables = new_tables(limits)
    if not fill_piles(limits, tables):
        return 0
    fill_sets(limits, tables)
    layers = new_layers(room)
    start, stop = fill_layers(limits, tables, layers)
    while stop == NO_ROOM:
        room *= 4
        layers = new_layers(room)
        start, stop = fill_layers(limits, tables, layers)
    n_rows, endings = 0, np.ones(stop, np.int64)
    for state in range(stop - 1, 0, -1):
        if state >= start:
            n_rows += layers.ways[state]
        else:
            n = 0
            for step in range(layers.first_step[state], layers.first_step[state + 1]):
                n += endings[layers.steps[step]]
            endings[state] = n
        card = layers.key[state] & CARD
        if hidden >> card & 1:
            out[card] += layers.ways[state] * endings[state]
    return n_rows
