"""Kernels that count, for each row, the ways to complete it: hidden sprint cards by class, and his draws in order.

A weight is kept twice, as a float and as an integer modulo 2**64: near-equal floats are told apart by the integers.
The cards of a stack are counted in every order, which multiplies all weights of a view alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from manhunt.agents.fugitive.particles_kernels import fraction
from manhunt.games.jit import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Rng = NDArray[np.uint64]


class States(NamedTuple):
    """How many cards of each class lie under hideouts: all vectors, those of the same sum together."""

    taken: Ints
    """By state and class."""
    of_pile: Ints
    """By state and pile."""
    start: Ints
    """The first state of each sum, and the end."""
    state_of: Ints
    """The state of a code; -1 for none."""
    radix: Ints
    """The digits of a code."""


class View(NamedTuple):
    """What rows share, position by position, the escape included."""

    slots: Ints
    """Per position and pile, the cards he had had by then."""
    shown: Ints
    """Per position and pile, the sprint cards that lie face up."""
    stack_sizes: Ints
    """Hidden sprint cards per position."""
    left: Ints
    """Cards of unknown place by class: odd and even ones of each group; group 0 are the cards in no pile."""
    n_unheld: Ints
    """Per pile, its cards that the Marshal does not hold."""
    n_his: Ints


class Weights(NamedTuple):
    """By layer, state and even cards in the stack so far."""

    floats: Floats
    wholes: Ints


@kernel
def grow_states(most: Ints, most_of_pile: Ints, radix: Ints, out: States, n_layers: int) -> int:
    """List all vectors of up to so many cards, layer by layer; returns how many there are."""
    n_classes, n = most.shape[0], 1
    out.taken[0, :] = 0
    out.of_pile[0, :] = 0
    out.state_of[0] = 0
    out.start[0] = 0
    out.start[1] = 1
    for layer in range(n_layers):
        for x in range(out.start[layer], out.start[layer + 1]):
            code = 0
            for c in range(n_classes):
                code += out.taken[x, c] * radix[c]
            for c in range(n_classes):
                pile = c // 2 - 1
                if out.taken[x, c] == most[c] or (pile >= 0 and out.of_pile[x, pile] == most_of_pile[pile]):
                    continue
                if out.state_of[code + radix[c]] < 0:
                    out.state_of[code + radix[c]] = n
                    out.taken[n] = out.taken[x]
                    out.taken[n, c] += 1
                    out.of_pile[n] = out.of_pile[x]
                    if pile >= 0:
                        out.of_pile[n, pile] += 1
                    n += 1
        out.start[layer + 2] = n
    return n


@kernel
def code_of(states: States, x: int) -> int:
    code = 0
    for c in range(states.radix.shape[0]):
        code += states.taken[x, c] * states.radix[c]
    return code


@kernel
def place(view: View, states: States, layer: int, i: int, used: Ints, demand: Ints, weights: Weights) -> None:
    """Slots for the cards that are known to lie at a position: `demand` per pile, after `used` of earlier ones."""
    first = states.start[layer]
    for x in range(first, states.start[layer + 1]):
        for pile in range(demand.shape[0]):
            for t in range(demand[pile]):
                free = max(0, view.slots[i, pile] - used[pile] - states.of_pile[x, pile] - t)
                weights.floats[layer, x - first, 0] *= free
                weights.wholes[layer, x - first, 0] *= free


@kernel
def sprint(view: View, states: States, layer: int, i: int, used: Ints, left: Ints, n_even: int, out: Weights) -> None:
    """One more hidden card at a position: from a layer to the next."""
    first, following = states.start[layer], states.start[layer + 1]
    out.floats[layer + 1, : states.start[layer + 2] - following, : n_even + 1] = 0.0
    out.wholes[layer + 1, : states.start[layer + 2] - following, : n_even + 1] = 0
    for x in range(first, following):
        code = code_of(states, x)
        for c in range(left.shape[0]):
            ways = left[c] - states.taken[x, c]
            if c >= 2:
                ways *= max(0, view.slots[i, c // 2 - 1] - used[c // 2 - 1] - states.of_pile[x, c // 2 - 1])
            if ways <= 0:
                continue
            y = states.state_of[code + states.radix[c]]
            if y < 0:
                continue
            for e in range(n_even + 1):
                if out.floats[layer, x - first, e] > 0.0:
                    now = min(n_even, e + c % 2)
                    out.floats[layer + 1, y - following, now] += out.floats[layer, x - first, e] * ways
                    out.wholes[layer + 1, y - following, now] += out.wholes[layer, x - first, e] * ways


@kernel
def close_stack(states: States, layer: int, n_even: int, weights: Weights) -> None:
    """Keep those with enough even cards, and forget how many."""
    for x in range(states.start[layer + 1] - states.start[layer]):
        if n_even > 0:
            weights.floats[layer, x, 0] = weights.floats[layer, x, n_even]
            weights.wholes[layer, x, 0] = weights.wholes[layer, x, n_even]
            weights.floats[layer, x, 1 : n_even + 1] = 0.0
            weights.wholes[layer, x, 1 : n_even + 1] = 0


@kernel
def carry(view: View, states: States, kinds: Ints, n_evens: Ints, left: Ints, used: Ints, out: Weights) -> int:
    """Carry the weights of a row through all positions, and his other draws; returns the last layer.

    `kinds` are the classes of the row's cards (-1 for the escape), `n_evens` the even cards that each stack needs.
    Leaves in `left` the cards that sprints can be, in `used` the slots of the row's cards and face-up sprints.
    """
    layer = 0
    out.floats[0, 0, :] = 0.0
    out.wholes[0, 0, :] = 0
    out.floats[0, 0, 0], out.wholes[0, 0, 0] = 1.0, 1
    used[:] = 0
    demand = np.zeros(used.shape[0], np.int64)
    for i in range(kinds.shape[0]):
        demand[:] = view.shown[i]
        if kinds[i] >= 2:
            demand[kinds[i] // 2 - 1] += 1
        place(view, states, layer, i, used, demand, out)
        used += demand
        if view.stack_sizes[i]:
            for _ in range(view.stack_sizes[i]):
                sprint(view, states, layer, i, used, left, n_evens[i], out)
                layer += 1
            close_stack(states, layer, n_evens[i], out)
    first = states.start[layer]
    for x in range(first, states.start[layer + 1]):
        for pile in range(used.shape[0]):
            gone = used[pile] + states.of_pile[x, pile]
            for t in range(view.n_his[pile] - gone):
                free = max(0, view.n_unheld[pile] - gone - t)
                out.floats[layer, x - first, 0] *= free
                out.wholes[layer, x - first, 0] *= free
    return layer


@kernel
def weigh(view: View, states: States, kinds: Ints, n_evens: Ints, lefts: Ints, scratch: Weights, out: Weights) -> None:
    """The weight of each pattern of rows."""
    used = np.zeros(view.slots.shape[1], np.int64)
    for k in range(kinds.shape[0]):
        layer = carry(view, states, kinds[k], n_evens[k], lefts[k], used, scratch)
        total, whole = 0.0, 0
        for x in range(states.start[layer + 1] - states.start[layer]):
            total += scratch.floats[layer, x, 0]
            whole += scratch.wholes[layer, x, 0]
        out.floats[0, 0, k], out.wholes[0, 0, k] = total, whole


@kernel
def add_up(rows: Ints, floats: Floats, wholes: Ints, out: Floats, missing: Floats, out_wholes: Ints) -> None:
    """By card the weight of the rows that hold it and of those that do not."""
    for card in range(out.shape[0]):
        for r in range(rows.shape[0]):
            if rows[r] >> card & 1:
                out[card] += floats[r]
                out_wholes[card] += wholes[r]
            else:
                missing[card] += floats[r]


@kernel
def draw_classes(
    view: View, states: States, kinds: Ints, n_evens: Ints, left: Ints, scratch: Weights, rng: Rng, out: Ints
) -> bool:
    """The classes of all hidden sprint cards of one row by weight, in row order; False if there is no way."""
    used = np.zeros(view.slots.shape[1], np.int64)
    layer = carry(view, states, kinds, n_evens, left, used, scratch)
    first = states.start[layer]
    point = fraction(rng) * scratch.floats[layer, : states.start[layer + 1] - first, 0].sum()
    x = -1
    for y in range(first, states.start[layer + 1]):
        if point >= 0.0 and scratch.floats[layer, y - first, 0] > 0.0:
            x = y
            point -= scratch.floats[layer, y - first, 0]
    if x < 0:
        return False
    for i in range(kinds.shape[0] - 1, -1, -1):
        if view.stack_sizes[i]:
            x = retrace(view, states, i, layer, x, n_evens[i], left, used, scratch, rng, out)
            layer -= view.stack_sizes[i]
        for pile in range(used.shape[0]):
            used[pile] -= view.shown[i, pile] + (1 if kinds[i] // 2 - 1 == pile and kinds[i] >= 2 else 0)
    return True


@kernel
def retrace(
    view: View, states: States, i: int, layer: int, x: int, n_even: int, left: Ints, used: Ints,
    weights: Weights, rng: Rng, out: Ints,
) -> int:  # fmt: skip
    """Go back through one stack, card by card; returns the state before it."""
    e = n_even
    for step in range(view.stack_sizes[i]):
        before, code = layer - step - 1, code_of(states, x)
        opening = step == view.stack_sizes[i] - 1
        options = np.zeros((left.shape[0], 2))
        for c in range(left.shape[0]):
            if states.taken[x, c] == 0:
                continue
            y = states.state_of[code - states.radix[c]]
            ways = float(left[c] - states.taken[y, c])
            if c >= 2:
                ways *= max(0, view.slots[i, c // 2 - 1] - used[c // 2 - 1] - states.of_pile[y, c // 2 - 1])
            for lower in range(2):
                source = e - lower
                if source < 0 or min(n_even, source + c % 2) != e or (opening and source != 0):
                    continue
                options[c, lower] = max(0.0, ways) * weights.floats[before, y - states.start[before], source]
        point, chosen, drop = fraction(rng) * options.sum(), -1, 0
        for c in range(left.shape[0]):
            for lower in range(2):
                if point >= 0.0 and options[c, lower] > 0.0:
                    chosen, drop = c, lower
                    point -= options[c, lower]
        out[before] = chosen
        x = states.state_of[code - states.radix[chosen]]
        e -= drop
    return x
