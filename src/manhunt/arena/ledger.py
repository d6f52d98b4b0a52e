"""The running account of a tournament: who won which game, cell by cell."""

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass, field
from typing import Any

from manhunt.arena.result import Played, Result, Thinking, Times
from manhunt.arena.schedule import Plan
from manhunt.arena.stats import Interval, mean_of, wilson
from manhunt.core.html import html_table
from manhunt.core.ids import PLAYERS, Seat, Side
from manhunt.core.outcome import Outcome, Termination
from manhunt.core.short_repr import shorten
from manhunt.play.fault import Fault

_OPEN, _EVADER, _PURSUERS, _LOST = range(4)
_ENDINGS = tuple(Termination)


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
        """Games in which a seat failed, or that could not be played."""
        return sum(self.faults.values()) + self.lost

    @property
    def evader_rate(self) -> Interval | None:
        """How often the evader won, with a 95 % interval; None without a game."""
        return wilson(self.evader_wins, self.n_games) if self.n_games else None

    @property
    def mean_rounds(self) -> float | None:
        """Rounds of a game on average; None without a game."""
        return sum(r * n for r, n in self.rounds.items()) / self.n_games if self.n_games else None

    @property
    def mean_cost(self) -> Interval | None:
        """The mean cost of evaders who arrived, with a 95 % interval that never goes below 0."""
        mean = mean_of(self.costs)
        return mean._replace(low=max(0.0, mean.low)) if mean else None

    @property
    def arrival_rate(self) -> Interval | None:
        """How often the evader arrived, with a 95 % interval; None without a game."""
        return wilson(sum(self.costs.values()), self.n_games) if self.n_games else None


def _rate_text(cell: Cell) -> str:
    """`59.1 % (56.2 to 62.0)`."""
    rate = cell.evader_rate
    return "-" if rate is None else f"{100 * rate.value:.1f} % ({100 * rate.low:.1f} to {100 * rate.high:.1f})"


class Ledger:
    """All results of a plan, added in any order. `bounds` are certified bounds on the value of the start, as JSON."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.cells = [Cell(evader, pursuers) for evader, pursuers in plan.cells]
        self.thinking: dict[tuple[Seat, str], Thinking] = {}
        self.faults: list[tuple[int, Fault]] = []
        self.bounds: Mapping[str, Any] | None = None
        self._state = array("b", bytes(plan.n_matches))
        # By match, for tables of single games; plain arrays, because there can be millions.
        self._endings = array("b", bytes(plan.n_matches))
        self._lengths = array("i", bytes(2 * plan.n_matches * array("i").itemsize))
        self._costs: dict[int, float] = {}
        self._times = array("d")

    def __repr__(self) -> str:
        played = f"{self.n_finished:,} of {self.plan.n_matches:,} games"
        rates = [f"{cell.evader} against {cell.pursuers} {_rate_text(cell)}" for cell in self.cells]
        return f"<Ledger {self.plan.game}, {played}; won by the evader: {shorten(', '.join(rates), 100)}>"

    def _repr_html_(self) -> str:
        rows = [(agent, *map(_rate_text, cells)) for agent, cells in self.rows]
        about = (
            f"{self.plan.game}: how often the evader (rows) wins, {self.n_finished:,} of {self.plan.n_matches:,} games"
        )
        return html_table(("", *self.plan.pursuers), rows, about)

    @property
    def rows(self) -> list[tuple[str, list[Cell]]]:
        """Each evader with its cells, one for each of the pursuers' agents."""
        n = len(self.plan.pursuers)
        return [(agent, self.cells[i * n : (i + 1) * n]) for i, agent in enumerate(self.plan.evaders)]

    @property
    def n_finished(self) -> int:
        """The number of finished games."""
        return self.plan.n_matches - self._state.count(_OPEN)

    def is_finished(self, number: int) -> bool:
        """Whether this game is finished."""
        return self._state[number] != _OPEN

    def unfinished(self) -> Iterator[int]:
        """Numbers of the games still to play, ascending."""
        return (number for number, state in enumerate(self._state) if state == _OPEN)

    def winner(self, number: int) -> Side | None:
        """Who won; None if the game is not finished or could not be played."""
        return {_EVADER: Side.EVADER, _PURSUERS: Side.PURSUERS}.get(self._state[number])

    def winners(self, cell: int) -> list[Side | None]:
        """The winners of one cell, game by game."""
        return [self.winner(number) for number in range(cell, self.plan.n_matches, self.plan.n_cells)]

    def results(self) -> Iterator[Result]:
        """All finished games, in the order of the schedule."""
        faults = dict(self.faults)
        for number, state in enumerate(self._state):
            if state == _OPEN:
                continue
            winner, ending = self.winner(number), _ENDINGS[self._endings[number]]
            outcome = None if winner is None else Outcome(winner, ending, self._costs.get(number))
            rounds, plies = self._lengths[2 * number : 2 * number + 2]
            yield Result(number, outcome, rounds, plies, faults.get(number))

    def times(self, number: int) -> Times | None:
        """How long the agents of match `number` thought; None if it was not measured."""
        row = self._times[6 * number : 6 * number + 6]
        if not row or not (row[0] or row[3]):
            return None
        return Times(number, Thinking(int(row[0]), *row[1:3]), Thinking(int(row[3]), *row[4:6]))

    def book(self, played: Played) -> None:
        """Add a finished game."""
        self.book_result(played.result)
        if played.times is not None:
            self.book_times(played.times)

    def book_result(self, result: Result) -> None:
        """Add the result of a game."""
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
        self._endings[result.number] = _ENDINGS.index(result.outcome.termination)
        self._lengths[2 * result.number : 2 * result.number + 2] = array("i", (result.rounds, result.plies))
        cell.rounds[result.rounds] += 1
        cell.endings[result.outcome.termination.value] += 1
        if result.outcome.cost is not None:
            cell.costs[result.outcome.cost] += 1
            self._costs[result.number] = result.outcome.cost

    def book_times(self, times: Times) -> None:
        """Add the times that the agents of a game took."""
        match = self.plan.match(times.number)
        if not self._times:
            self._times = array("d", bytes(6 * self.plan.n_matches * array("d").itemsize))
        both = [value for seat in PLAYERS for value in astuple(times.of(seat))]
        self._times[6 * times.number : 6 * times.number + 6] = array("d", both)
        for seat in PLAYERS:
            self.thinking.setdefault((seat, match.agents[seat]), Thinking()).add(times.of(seat))
