"""Compiled: what the Fugitive's chances depend on once the Marshal has guessed.

Her belief is a list of rows with weights. A guess S splits it: after a hit the rows with S are left, after a miss those
without it. `split_belief` sums both parts up in one pass over the rows; `fill_belief` then describes one of his trails
(the face-down cards H as bits) by the part that it leads to:

    own = weight of the row H in its part,   chance(card) = weight of the part's rows that hold the card

Cost: rows times hidden cards for the split, rows times trails for the rest.
"""

import numpy as np

from manhunt.core.arrays import Float32s, Floats, Int64s
from manhunt.core.jit import kernel
from manhunt.games.fugitive.rules.kernels import lowest, n_cards

MISS, HIT = 0, 1
MASS, SPREAD, TOP = 0, 1, 2
LEAST = 1e-6
"""Chances below this make no difference."""
N_BELIEF = 14


@kernel
def split_belief(masks: Int64s, weights: Floats, guess: int, chances: Floats, sums: Floats) -> None:
    """By part (MISS, HIT): chances of cards, and mass, entropy and heaviest row."""
    chances[:] = 0.0
    sums[:] = 0.0
    for r in range(masks.shape[0]):
        w = weights[r]
        if w <= 0.0:
            continue
        part = HIT if masks[r] & guess == guess else MISS
        sums[part, MASS] += w
        sums[part, SPREAD] += w * np.log(w)
        sums[part, TOP] = max(sums[part, TOP], w)
        cards = masks[r]
        while cards:
            chances[part, lowest(cards)] += w
            cards &= cards - 1
    for part in range(2):
        mass = sums[part, MASS]
        if mass > 0.0:
            sums[part, SPREAD] = np.log(mass) - sums[part, SPREAD] / mass
            sums[part, TOP] /= mass
            for card in range(chances.shape[1]):
                chances[part, card] /= mass


@kernel
def scaled_log(chance: float) -> float:
    """From 0 for LEAST to 1 for a certain thing."""
    return float(1.0 - np.log(max(chance, LEAST)) / np.log(LEAST))


@kernel
def fill_belief(
    masks: Int64s, weights: Floats, guess: int, chances: Floats, sums: Floats, hidden: int, out: Float32s
) -> int:
    """Describe the trail `hidden` after the guess; returns the cards that stay face down."""
    part = HIT if hidden & guess == guess else MISS
    own = 0.0
    for r in range(masks.shape[0]):
        if masks[r] == hidden:
            own = weights[r]
            break
    if sums[part, MASS] > 0.0:
        own /= sums[part, MASS]
    left = hidden & ~guess if part == HIT else hidden
    n = n_cards(left)
    least, most, total, newest = 1.0, 0.0, 0.0, 0.0
    logs = 0.0
    certain = 0
    cards = left
    while cards:
        c = chances[part, lowest(cards)]
        least, most = min(least, c), max(most, c)
        total += c
        logs += scaled_log(c)
        newest = c
        if c > 0.95:
            certain += 1
        cards &= cards - 1
    out[0] = scaled_log(own)
    out[1] = own
    out[2] = scaled_log(least)
    out[3] = least
    out[4] = most
    out[5] = total / max(n, 1)
    out[6] = logs / max(n, 1)
    out[7] = newest
    out[8] = scaled_log(newest)
    out[9] = n / 4
    out[10] = sums[part, SPREAD] / 5
    out[11] = sums[part, TOP]
    out[12] = certain / 2
    out[13] = (n - certain) / 4
    return left
