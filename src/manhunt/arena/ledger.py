"""The running account of a tournament: who won which game, cell by cell."""

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from manhunt.arena.result import Played, Result, Thinking, Times
from manhunt.arena.schedule import Plan
from manhunt.arena.stats import Interval, mean_of, wilson
from manhunt.core.ids import PLAYERS, Seat, Side
from manhunt.play.fault import Fault

_OPEN, _EVADER, _PURSUERS, _LOST = range(4)


@dataclass(slots=True)
class Cell:
    """One evader against one pursuers' agent."""

    evader: str
    pursuers: str
    evader_wins: int = 0
    pursuers_wins: int = 0
    lost: int = 0
    rounds: Counter[int] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    faults: Counter[Seat] = field(default_factory=Counter)
    costs: Counter[float] = field(default_factory=Counter)
    """What evaders who arrived paid, in games that count it."""

    @property
    def n_games(self) -> int:
        """Games with an outcome."""
        return self.evader_wins + self.pursuers_wins

    @property
    def n_faults(self) -> int:
        """Games that a seat failed in, or that could not be played."""
        return sum(self.faults.values()) + self.lost

    @property
    def evader_rate(self) -> Interval | None:
        return wilson(self.evader_wins, self.n_games) if self.n_games else None

    @property
    def mean_rounds(self) -> float | None:
        return sum(r * n for r, n in self.rounds.items()) / self.n_games if self.n_games else None

    @property
    def mean_cost(self) -> Interval | None:
        """Of those who arrived; no cost is below 0, so neither is an end of the interval."""
        mean = mean_of(self.costs)
        return mean._replace(low=max(0.0, mean.low)) if mean else None

    @property
    def arrival_rate(self) -> Interval | None:
        return wilson(sum(self.costs.values()), self.n_games) if self.n_games else None


class Ledger:
    """All results of a plan, booked in any order. `bounds` are certified ones on the value of the start, as JSON."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.cells = [Cell(evader, pursuers) for evader, pursuers in plan.cells]
        self.thinking: dict[tuple[Seat, str], Thinking] = {}
        self.faults: list[tuple[int, Fault]] = []
        self.bounds: Mapping[str, Any] | None = None
        self._state = array("b", bytes(plan.n_matches))

    @property
    def rows(self) -> list[tuple[str, list[Cell]]]:
        """Each evader with its cells, one for each of the pursuers' agents."""
        n = len(self.plan.pursuers)
        return [(agent, self.cells[i * n : (i + 1) * n]) for i, agent in enumerate(self.plan.evaders)]

    @property
    def n_finished(self) -> int:
        return self.plan.n_matches - self._state.count(_OPEN)

    def is_finished(self, number: int) -> bool:
        return self._state[number] != _OPEN

    def unfinished(self) -> Iterator[int]:
        return (number for number, state in enumerate(self._state) if state == _OPEN)

    def winner(self, number: int) -> Side | None:
        """Who won; None while it is open, or if it could not be played."""
        return {_EVADER: Side.EVADER, _PURSUERS: Side.PURSUERS}.get(self._state[number])

    def winners(self, cell: int) -> list[Side | None]:
        """The winners of one cell, game by game."""
        return [self.winner(number) for number in range(cell, self.plan.n_matches, self.plan.n_cells)]

    def book(self, played: Played) -> None:
        self.book_result(played.result)
        if played.times is not None:
            self.book_times(played.times)

    def book_result(self, result: Result) -> None:
        cell = self.cells[result.number % self.plan.n_cells]
        if result.fault is not None:
            self.faults.append((result.number, result.fault))
            if result.fault.seat is not None:
                cell.faults[result.fault.seat] += 1
        if result.outcome is None:
            self._state[result.number] = _LOST
            cell.lost += 1
            return
        if result.outcome.winner is Side.EVADER:
            self._state[result.number] = _EVADER
            cell.evader_wins += 1
        else:
            self._state[result.number] = _PURSUERS
            cell.pursuers_wins += 1
        cell.rounds[result.rounds] += 1
        cell.endings[result.outcome.termination.value] += 1
        if result.outcome.cost is not None:
            cell.costs[result.outcome.cost] += 1

    def book_times(self, times: Times) -> None:
        match = self.plan.match(times.number)
        for seat in PLAYERS:
            self.thinking.setdefault((seat, match.agents[seat]), Thinking()).add(times.of(seat))
