"""What the searches of both sides share: budget, table, counters, and values as far as the budget goes."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

EXACT, AT_LEAST, AT_MOST = range(3)


class OutOfBudget(Exception):
    """The limit is reached; what was found so far counts."""


@dataclass(slots=True)
class Budget:
    """How many positions may be looked at, and until when."""

    iterations: int
    deadline: float
    used: int = 0

    def spend(self) -> None:
        if self.used >= self.iterations or time.perf_counter() >= self.deadline:
            raise OutOfBudget
        self.used += 1


class Deepening:
    """A search that looks deeper and deeper until its budget is used up."""

    def __init__(self) -> None:
        self.table: dict[tuple[object, ...], tuple[int, float]] = {}
        self.budget = Budget(0, 0.0)
        self.cutoffs = self.hits = 0

    def begin(self, budget: Budget) -> None:
        self.budget = budget
        self.table.clear()
        self.cutoffs = self.hits = 0
        budget.used += 1  # the first look is always taken

    def counters(self, depth: int) -> dict[str, float]:
        """What the search did, the last depth that counts included."""
        return {
            "iterations": float(self.budget.used),
            "depth": float(depth),
            "cutoffs": float(self.cutoffs),
            "table_hits": float(self.hits),
        }


def within_budget(searched: Iterable[tuple[int, float]]) -> dict[int, float]:
    """Of choices that are searched one after the other, those whose values the budget allowed."""
    values: dict[int, float] = {}
    try:
        for i, value in searched:
            values[i] = value  # noqa: PERF403 (what was found before the budget ended stays)
    except OutOfBudget:
        pass
    return values
