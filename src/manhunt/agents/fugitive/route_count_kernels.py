"""Kernels that count the rows of a trail without listing them, position by position over states that go on alike.

Two beginnings of a row go on alike when they end with the same card, have taken as much from every pile that may yet
run out, and have all cards so far of the same failed sets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from manhunt.agents.fugitive.routes_kernels import Trail, prune
from manhunt.games.fugitive.kernels import lowest
from manhunt.games.jit import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

NO_ROOM, NO_KEY = -1, -2
STEPS_PER_STATE = 8
MOST_SETS = 62
KEY_BITS = 62
CARD_BITS = 6
CARD = (1 << CARD_BITS) - 1
PLENTY = 1 << 30
FOLD = (1 << 30) - 1
STIR, STIR_SETS = 1640531527, 1103515245
"""Odd, and small enough that no product overflows."""


class Ground(NamedTuple):
    """A trail made ready for counting. Sets of cards are bits, and so are sets of failed sets."""

    live: Ints
    """Per position, the allowed cards from which the steps lead to the end."""
    room: Ints
    """Per position and pile, the most hideouts of that pile that are not too many here or later."""
    spare: Ints
    """Per position and pile, the most up to here with which it cannot run out later."""
    shift: Ints
    """Per pile, where in a key its hideouts are counted."""
    full: int
    """The bits of such a count."""
    ahead: Ints
    """By card, the counts in a key of the piles that have higher cards."""
    holds: Ints
    """By card, the failed sets with it."""
    starts: Ints
    """By card, the failed sets that have it as their lowest."""
    ends: Ints
    """Per position and card, the failed sets that have it as their highest and were asked with this position."""
    open: Ints
    """Per position and card, the failed sets that the steps from here can complete."""


class Layers(NamedTuple):
    """Room for the states of all positions, after a first state for the start, and for the steps between them."""

    key: Ints
    """The card, and above it how much is taken from each pile."""
    begun: Ints
    """The failed sets with all their cards up to this one on the row."""
    ways: Ints
    """How many beginnings of rows end so."""
    first_step: Ints
    """By state, where its steps begin; one more place than there are states."""
    steps: Ints
    """The states that follow."""
    slots: Ints
    """A hash table of the states of one position, at first all 0; their number is a power of 2."""


@kernel
def digit_bits(n: int) -> int:
    """The bits of a number up to n."""
    bits = 1
    while n >> bits:
        bits += 1
    return bits


@kernel
def has_keys(trail: Trail) -> bool:
    """Whether a state can be told by two integers."""
    n, n_piles = trail.room.shape
    return bool(trail.sets.shape[0] <= MOST_SETS and CARD_BITS + n_piles * digit_bits(n) <= KEY_BITS)


@kernel
def lay_piles(trail: Trail, ground: Ground) -> bool:
    """Fill in the piles; False if a position has less than no room, so that no row fits."""
    n, n_piles = trail.room.shape
    for pile in range(n_piles):
        ground.shift[pile] = CARD_BITS + pile * digit_bits(n)
        cards = 0
        for card in range(1, trail.last):
            if trail.pile_of[card] == pile:
                cards |= 1 << card
        for card in range(trail.last):
            if cards >> (card + 1):
                ground.ahead[card] |= ground.full << ground.shift[pile]
        room, spare = PLENTY, PLENTY
        for i in range(n - 1, -1, -1):
            ground.spare[i, pile] = spare
            room = min(room, trail.room[i, pile])
            if room < 0:
                return False
            ground.room[i, pile] = room
            spare = min(spare, room) - (1 if ground.live[i] & cards else 0)
    return True


@kernel
def lay_sets(trail: Trail, ground: Ground) -> None:
    """Fill in the failed sets."""
    n = trail.allowed.shape[0]
    for s in range(trail.sets.shape[0]):
        if tells_nothing(trail, s):
            continue
        cards, card = trail.sets[s], 0
        ground.starts[lowest(cards)] |= 1 << s
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            ground.holds[card] |= 1 << s
        for i in range(min(n, trail.set_sizes[s])):
            ground.ends[i, card] |= 1 << s
    for i in range(n - 2, -1, -1):
        cards = ground.live[i]
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            passed, found = 0, 0
            for after in range(card + 1, min(trail.last - 1, card + trail.step[i + 1]) + 1):
                if ground.live[i + 1] >> after & 1:
                    found |= (ground.open[i + 1, after] | ground.ends[i + 1, after]) & ~passed
                passed |= ground.holds[after]
            ground.open[i, card] = found


@kernel
def tells_nothing(trail: Trail, s: int) -> bool:
    """Whether another set bars all that this one bars."""
    for t in range(trail.sets.shape[0]):
        same = trail.sets[t] == trail.sets[s] and trail.set_sizes[t] == trail.set_sizes[s]
        inside = trail.sets[t] & ~trail.sets[s] == 0 and trail.set_sizes[t] >= trail.set_sizes[s]
        if t < s if same else inside:
            return True
    return False


@kernel
def tidied(ground: Ground, i: int, key: int) -> int:
    """The key without the piles that cannot run out after this position."""
    key &= ground.ahead[key & CARD] | CARD
    for pile in range(ground.shift.shape[0]):
        if key >> ground.shift[pile] & ground.full <= ground.spare[i, pile]:
            key &= ~(ground.full << ground.shift[pile])
    return key


@kernel
def slot_of(layers: Layers, key: int, begun: int, start: int) -> int:
    """Where a state is or would be in the hash table; what lies before `start` belongs to an earlier position."""
    mask = len(layers.slots) - 1
    mixed = ((key ^ key >> 30) & FOLD) * STIR + ((begun ^ begun >> 30) & FOLD) * STIR_SETS
    slot = (mixed >> 20) & mask
    while True:
        state = layers.slots[slot]
        if state < start or (layers.key[state] == key and layers.begun[state] == begun):
            return slot
        slot = (slot + 1) & mask


@kernel
def new_ground(trail: Trail) -> Ground:
    """With nothing but the live cards filled in."""
    n, n_piles = trail.room.shape
    live = np.zeros(n, np.int64)
    prune(trail, live)
    cards = trail.last + 1
    return Ground(
        live,
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
def walk(trail: Trail, ground: Ground, layers: Layers) -> tuple[int, int]:
    """Fill in the states; where those of the last position begin and end, or NO_ROOM."""
    start, stop, n_steps = 0, 1, 0
    layers.key[0], layers.begun[0], layers.ways[0] = 0, 0, 1
    for i in range(trail.allowed.shape[0]):
        n_states = stop
        for state in range(start, stop):
            if n_states + trail.last >= layers.key.shape[0] or n_steps + trail.last > layers.steps.shape[0]:
                return NO_ROOM, NO_ROOM
            layers.first_step[state] = n_steps
            key, begun, passed = layers.key[state], layers.begun[state], 0
            for card in range((key & CARD) + 1, min(trail.last - 1, (key & CARD) + trail.step[i]) + 1):
                now = begun & ~passed | ground.starts[card]
                passed |= ground.holds[card]
                if ground.live[i] >> card & 1 == 0 or now & ground.ends[i, card]:
                    continue
                after, pile = key & ~CARD | card, trail.pile_of[card]
                if pile < ground.shift.shape[0]:
                    if key >> ground.shift[pile] & ground.full >= ground.room[i, pile]:
                        continue
                    after += 1 << ground.shift[pile]
                after, now = tidied(ground, i, after), now & ground.open[i, card]
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
def new_layers(n_states: int) -> Layers:
    return Layers(
        np.empty(n_states, np.int64),
        np.empty(n_states, np.int64),
        np.empty(n_states, np.int64),
        np.empty(n_states + 1, np.int64),
        np.empty(STEPS_PER_STATE * n_states, np.int64),
        np.zeros(2 * n_states, np.int64),
    )


@kernel
def count_rows(trail: Trail, hidden: int, room: int, out: Ints) -> int:
    """How many rows there are, and in `out`, at first all 0, how many of them hold each card of `hidden`.

    `room`, a power of 2, is for how many states it has room at first. NO_KEY if there are too many sets or piles.
    """
    if not has_keys(trail):
        return NO_KEY
    if trail.allowed.shape[0] == 0:
        return 1 if trail.end_step == 0 or trail.last <= trail.end_step else 0
    ground = new_ground(trail)
    if not lay_piles(trail, ground):
        return 0
    lay_sets(trail, ground)
    layers = new_layers(room)
    start, stop = walk(trail, ground, layers)
    while stop == NO_ROOM:
        room *= 4
        layers = new_layers(room)
        start, stop = walk(trail, ground, layers)
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
