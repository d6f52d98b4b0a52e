"""The count of worlds to be read: every row on its own, with whole numbers; the slow twin of `beliefs/counting.py`.

A history tells which card each of his slots held: a slot is a card that he was dealt or drew, in order, from a known
pile. All histories that fit what was seen have the same chance. A card lies on the row or under it only if its slot
came before.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from math import comb, perm

from manhunt.games.fugitive.beliefs.evidence import KEPT, Evidence
from manhunt.games.fugitive.beliefs.models import CHANCE_ONLY, PlayModel, paid_placement
from manhunt.games.fugitive.rules.public import Card

Row = tuple[Card, ...]


def rows_of(evidence: Evidence) -> Iterator[Row]:
    """Rows that fit by steps, piles and guesses; hidden sprint cards have no identity yet."""
    allowed = [evidence.allowed(i) for i in range(evidence.n)]

    def grow(row: Row) -> Iterator[Row]:
        i = len(row)
        if any(i == n_placed and numbers <= set(row) for numbers, n_placed in evidence.failed_sets):
            return
        if i == evidence.n:
            yield row
            return
        before = row[-1] if row else 0
        for card in range(before + 1, before + evidence.step(i) + 1):
            if card in allowed[i] and _has_slots(evidence, (*row, card)):
                yield from grow((*row, card))

    return grow(())


def _has_slots(evidence: Evidence, row: Row) -> bool:
    used = _used_by(evidence, row)
    return all(used[pile] <= slots for pile, slots in enumerate(evidence.slots[len(row) - 1]))


def _used_by(evidence: Evidence, row: Row) -> list[int]:
    """Per pile, the cards of a row and of the face-up sprint cards under it."""
    used = [0] * len(evidence.config.piles)
    for card in [*row, *(c for spot in evidence.public.row[: len(row)] for c in spot.sprints or ())]:
        if evidence.group_of(card) != KEPT:
            used[evidence.group_of(card) - 1] += 1
    return used


class PlainCount:
    """Counts histories (and worlds) row by row; rows of the same pattern share their count."""

    def __init__(self, evidence: Evidence, model: PlayModel = CHANCE_ONLY) -> None:
        self.evidence, self.model = evidence, model
        self._completed = lru_cache(maxsize=None)(self._complete)

    def weights(self, *, worlds: bool = False) -> dict[Row, float]:
        """Each possible row with the number of its histories, or of its worlds; whole numbers without a model."""
        counted = {row: self.weight(row, worlds=worlds) for row in rows_of(self.evidence)}
        return {row: weight for row, weight in counted.items() if weight}

    def weight(self, row: Row, *, worlds: bool = False) -> float:
        evidence = self.evidence
        left = [0] * (2 * len(evidence.config.piles) + 2)
        for card in evidence.unseen():
            if card not in row:
                left[self._kind(card)] += 1
        pattern, factor = [], 1.0 if self.model is not CHANCE_ONLY else 1
        for i, (before, card) in enumerate(zip((0, *row), row, strict=False)):
            spot = evidence.public.row[i]
            seen = [self._kind(c) // 2 for c in (card, *(spot.sprints or ()))]
            by_evens = self._payments(i, before, card)
            if spot.sprints is not None:
                factor *= by_evens[sum(c % 2 == 0 for c in spot.sprints)]
            pattern.append((tuple(sorted(seen)), by_evens if spot.sprints is None else None))
        return factor * self._completed(tuple(pattern), tuple(left), worlds)

    def _kind(self, card: Card) -> int:
        return 2 * self.evidence.group_of(card) + (card % 2 == 0)

    def _payments(self, i: int, before: Card, card: Card) -> tuple[float, ...]:
        """By the number of even sprint cards, the model's factor; 0 where they do not suffice."""
        spot = self.evidence.public.row[i]
        found = []
        for n_even in range(spot.n_sprints + 1):
            placement = paid_placement(self.evidence.config.reach, before, card, spot.n_sprints, n_even, spot.round)
            found.append(self.model.factor(placement) if placement.overpay >= 0 else 0)
        return tuple(found)

    def _complete(self, pattern: tuple[tuple[tuple[int, ...], tuple[float, ...] | None], ...],
                  left: tuple[int, ...], worlds: bool) -> float:  # fmt: skip
        """The ways to choose hidden sprint cards and slots for a pattern of rows."""
        evidence = self.evidence
        n_piles = len(evidence.config.piles)
        states: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = {(left, (0,) * n_piles): 1}
        for i, (groups, by_evens) in enumerate(pattern):
            after: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = {}
            for (stock, used), weight in states.items():
                for taken, factor in _splits(stock, evidence.n_hidden_sprints(i), by_evens):
                    ways = weight * factor
                    now = []
                    for pile in range(n_piles):
                        need = groups.count(pile + 1) + taken[2 * pile + 2] + taken[2 * pile + 3]
                        free = evidence.slots[i][pile] - used[pile]
                        ways *= (need <= free) if worlds else perm(free, need)
                        now.append(used[pile] + need)
                    if ways:
                        key = (tuple(a - b for a, b in zip(stock, taken, strict=True)), tuple(now))
                        after[key] = after.get(key, 0) + ways
            states = after
        total: float = 0
        for (stock, used), ways in states.items():
            for pile in range(n_piles):
                in_pile, open_slots = stock[2 * pile + 2] + stock[2 * pile + 3], evidence.n_his[pile] - used[pile]
                ways *= comb(in_pile, open_slots) if worlds else perm(in_pile, open_slots)
            total += ways
        return total


def _splits(
    stock: tuple[int, ...], n_cards: int, by_evens: tuple[float, ...] | None
) -> Iterator[tuple[tuple[int, ...], float]]:
    """How many cards of each kind lie in a stack of unknown cards, and in how many ways."""
    if by_evens is None or not n_cards:
        yield (0,) * len(stock), 1 if by_evens is None else by_evens[0]
        return
    for taken in product(*(range(min(n, n_cards) + 1) for n in stock)):
        factor = by_evens[sum(taken[1::2])] if sum(taken) == n_cards else 0
        if factor:
            for have, take in zip(stock, taken, strict=True):
                factor *= comb(have, take)
            yield taken, factor
