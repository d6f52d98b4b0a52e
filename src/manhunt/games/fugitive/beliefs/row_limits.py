"""Evidence as arrays, and the rows that fit it."""

import numpy as np

from manhunt.core.arrays import Bytes, Int64s
from manhunt.games.fugitive.beliefs import row_kernels
from manhunt.games.fugitive.beliefs.evidence import KEPT, Evidence
from manhunt.games.fugitive.beliefs.row_kernels import RowLimits
from manhunt.games.fugitive.rules.card_bits import bits_of, cards_within


def row_limits_of(evidence: Evidence) -> RowLimits:
    config, n = evidence.config, evidence.n
    shown = np.zeros((n, len(config.piles)), np.int64)
    for i, spot in enumerate(evidence.public.row):
        for card in spot.sprints or ():
            if evidence.group_of(card) != KEPT:
                shown[i, evidence.group_of(card) - 1] += 1
    sets = evidence.failed_sets
    return RowLimits(
        np.array([evidence.step(i) for i in range(n)], np.int64),
        np.array(reachable(evidence), np.uint64),
        np.array([evidence.group_of(card) for card in range(config.last + 1)], np.int64),
        np.array(evidence.slots, np.int64).reshape(n, len(config.piles)),
        shown,
        np.array([bits_of(numbers) for numbers, _ in sets], np.uint64),
        np.array([n_placed for _, n_placed in sets], np.int64),
    )


def reachable(evidence: Evidence) -> list[int]:
    """Per position the cards, as bits, that lie on some chain of steps from the start to the newest position."""
    alive, before = [], 1
    for i in range(evidence.n):
        before = bits_of(evidence.allowed(i)) & cards_within(before, evidence.step(i))
        alive.append(before)
    for i in range(evidence.n - 2, -1, -1):
        alive[i] &= cards_within(alive[i + 1], -evidence.step(i + 1))
    return alive


def list_rows(limits: RowLimits) -> Bytes:
    """All rows that fit by steps, piles and guesses, ascending."""
    n, room = len(limits.step), 1 << 12
    if not n:
        return np.zeros((1, 0), np.uint8)
    while True:
        rows = np.empty((room, n), np.uint8)
        found = row_kernels.list_rows(limits, rows)
        if found >= 0:
            return rows[:found].copy()
        room *= 8


def unseen_kinds(evidence: Evidence) -> Int64s:
    """By kind, the cards whose place she does not know."""
    left = np.zeros(2 * len(evidence.config.piles) + 2, np.int64)
    for card in evidence.unseen():
        left[2 * evidence.group_of(card) + (card % 2 == 0)] += 1
    return left
