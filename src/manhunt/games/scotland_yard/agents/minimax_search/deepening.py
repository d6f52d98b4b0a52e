"""What the searches of both sides share: budget, table, counters, and values as far as the budget goes."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from manhunt.core import thinking_time

EXACT, AT_LEAST, AT_MOST = range(3)
ValueOf = Callable[[int, float, float], float]


class OutOfBudget(Exception):
    """The limit is reached; what was found so far counts."""


@dataclass(slots=True)
class SearchBudget:
    """How many positions may be looked at, and until when."""

    iterations: int
    deadline: float
    used: int = 0

    def part(self, iterations: int) -> "SearchBudget":
        """Another budget with so many iterations at most and the same deadline."""
        return SearchBudget(min(iterations, self.iterations - self.used), self.deadline)

    def spend(self) -> None:
        if self.used >= self.iterations or thinking_time.now() >= self.deadline:
            raise OutOfBudget
        self.used += 1


class Deepened(NamedTuple):
    """The last depth that counts: the choices searched to it, best first, and their values (none for depth 1)."""

    order: list[int]
    values: dict[int, float]
    depth: int


class Deepening:
    """A search that looks deeper and deeper until its budget is used up."""

    def __init__(self) -> None:
        self.table: dict[tuple[object, ...], tuple[int, float]] = {}
        self.budget = SearchBudget(0, 0.0)
        self.cutoffs = self.hits = 0

    def begin(self, budget: SearchBudget) -> None:
        self.budget = budget
        self.table.clear()  # kept, it would save 1 % of the positions: a belief is seldom foreseen
        self.cutoffs = self.hits = 0
        budget.used += 1  # the first look is always taken

    def known(self, key: tuple[object, ...], alpha: float, beta: float) -> float | None:
        """What the table says of a position, if it says enough for this window."""
        kind, value = self.table.get(key, (-1, 0.0))
        if kind == EXACT or (kind == AT_LEAST and value >= beta) or (kind == AT_MOST and value <= alpha):
            self.hits += 1
            return value
        return None

    def keep(self, key: tuple[object, ...], value: float, alpha: float = -inf, beta: float = inf) -> float:
        """Note a value in the table; outside the window it is a bound. Returns it."""
        self.table[key] = (AT_LEAST if value >= beta else AT_MOST if value <= alpha else EXACT), value
        return value

    def deepen(self, order: list[int], horizon: int, value_of: Callable[[int, int], float]) -> Deepened:
        """Choices searched deeper and deeper, in order of their values; `value_of(choice, depth)`."""
        values: dict[int, float] = {}
        depth = 1
        for deeper in range(2, horizon + 1):
            found = within_budget((i, value_of(i, deeper)) for i in order)
            if len(found) < min(2, len(order)):
                break
            is_done = len(found) == len(order)
            values, depth, order = found, deeper, sorted(found, key=lambda i: -found[i])
            if not is_done:
                break
        return Deepened(order, values, depth)

    def mixed_value(self, adversity: float, chances: Iterable[float], value_of: ValueOf, alpha: float) -> float:
        """What the other side's answers leave, by their chances: adversity * worst + (1 - adversity) * mean.

        `value_of(i, alpha, worst)` is that of answer i. Once no answer that is left can bring it above alpha the rest
        is cut off, and the bound returned.
        """
        trust = 1.0 - adversity
        worst, expected, left = 1.0, 0.0, 1.0
        for i, chance in enumerate(chances):
            left = max(left - chance, 0.0)
            lowest = (alpha - trust * (expected + left)) / (adversity + trust * chance)
            value = value_of(i, max(lowest, 0.0), worst)
            worst, expected = min(worst, value), expected + chance * value
            bound = adversity * worst + trust * (expected + left)
            if bound <= alpha and left > 1e-9:
                self.cutoffs += 1
                return bound
        return adversity * worst + trust * expected

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
