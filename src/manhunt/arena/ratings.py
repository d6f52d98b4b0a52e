"""Ratings on the Elo scale, apart for the two roles: Bradley-Terry by maximum likelihood.

The evader i beats the pursuers j with probability 1 / (1 + exp(-(b + e_i - p_j))). One agent of each role is the
reference with rating 0, so b is the balance of the game between the two references. Each cell gets half a won and
half a lost game for free: a prior that does not move figures of hundreds of games and keeps perfect scores finite.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from manhunt.arena.anchors import anchor_of, anchors_of
from manhunt.arena.ledger import Ledger
from manhunt.arena.stats import Z95, Interval
from manhunt.core.ids import PLAYERS, Seat

ELO = 400 / math.log(10)
"""Elo points of one unit of log-odds."""
PRIOR_GAMES = 0.5


@dataclass(frozen=True, slots=True)
class Rating:
    """An agent's rating in one role. With `is_reference` it is 0 by definition; with `is_open` the agent won or lost
    every game.
    """

    seat: Seat
    agent: str
    elo: Interval
    is_reference: bool
    is_open: bool


@dataclass(frozen=True, slots=True)
class Ratings:
    """All ratings of a tournament; `balance` is the evader's Elo advantage between the references."""

    ratings: tuple[Rating, ...]
    balance: Interval

    def of(self, seat: Seat) -> list[Rating]:
        """The ratings of one role, the best first."""
        mine = [rating for rating in self.ratings if rating.seat is seat]
        return sorted(mine, key=lambda rating: (-rating.elo.value, rating.agent))

    def reference(self, seat: Seat) -> str:
        """The agent whose rating is 0."""
        return next(r.agent for r in self.ratings if r.seat is seat and r.is_reference)


def rate(ledger: Ledger) -> Ratings:
    """The ratings of a ledger, complete or not."""
    plan = ledger.plan
    shape = (len(plan.evaders), len(plan.pursuers))
    wins = np.array([cell.evader_wins for cell in ledger.cells], float).reshape(shape)
    losses = np.array([cell.pursuers_wins for cell in ledger.cells], float).reshape(shape)
    names = {Seat.EVADER: plan.evaders, Seat.PURSUERS: plan.pursuers}
    zero = {seat: reference_index(plan.game, seat, names[seat]) for seat in PLAYERS}
    elos, balance = fit(wins, losses, zero[Seat.EVADER], zero[Seat.PURSUERS])
    ratings = []
    for axis, seat in enumerate(PLAYERS):
        for i, agent in enumerate(names[seat]):
            won, lost = wins.take(i, axis).sum(), losses.take(i, axis).sum()
            ratings.append(Rating(seat, agent, elos[axis][i], i == zero[seat], bool(won == 0 or lost == 0)))
    return Ratings(tuple(ratings), balance)


def reference_index(game: str, seat: Seat, agents: Sequence[str]) -> int:
    """The first anchor that takes part; without one, the first agent."""
    for anchor in anchors_of(game, seat):
        for i, agent in enumerate(agents):
            if anchor_of(game, seat, agent) == anchor:
                return i
    return 0


def fit(
    wins: NDArray[np.float64], losses: NDArray[np.float64], evader_zero: int = 0, pursuers_zero: int = 0
) -> tuple[tuple[list[Interval], list[Interval]], Interval]:
    """Elo ratings of rows (evaders) and columns (pursuers) of a matrix of the evaders' wins and losses.

    Intervals come from the Fisher information at the maximum.
    """
    n_rows, n_columns = wins.shape
    cells = {
        (0, i, j): (wins[i, j] + PRIOR_GAMES, losses[i, j] + PRIOR_GAMES)
        for i in range(n_rows)
        for j in range(n_columns)
    }
    evaders, pursuers, (balance,) = fit_cells(cells, (1, n_rows, n_columns), evader_zero, pursuers_zero)
    return (evaders, pursuers), balance


CellGames = Mapping[tuple[int, int, int], Sequence[float]]
"""Games won and lost by a row against a column in a kind of game, by (kind, row, column); priors included."""


def fit_cells(
    cells: CellGames, shape: tuple[int, int, int], row_zero: int = 0, column_zero: int = 0, ridge: float = 0.0
) -> tuple[list[Interval], list[Interval], list[Interval]]:
    """Elo ratings of rows and of columns, and the rows' advantage in each kind of game between the two references.

    `shape` is the number of kinds, rows and columns. A `ridge` keeps everything finite where few games were played.
    """
    from scipy.optimize import minimize

    design = _design(np.array(list(cells)), shape, row_zero, column_zero)
    won, lost = np.array(list(cells.values()), float).T
    n_games = won + lost

    def loss(x: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        z = design @ x
        value = won @ np.logaddexp(0, -z) + lost @ np.logaddexp(0, z) + ridge * (x @ x) / 2
        return float(value), design.T @ (n_games / (1 + np.exp(-z)) - won) + ridge * x

    def information(x: NDArray[np.float64]) -> NDArray[np.float64]:
        p = 1 / (1 + np.exp(-(design @ x)))
        weighted: NDArray[np.float64] = design.T @ (design * (n_games * p * (1 - p))[:, None])
        return weighted + ridge * np.eye(len(x))

    found = minimize(loss, np.zeros(design.shape[1]), jac=True, hess=information, method="trust-exact", tol=1e-9)
    errors = np.sqrt(np.diag(np.linalg.inv(information(found.x))))
    out = [Interval(*(ELO * v for v in (x, x - Z95 * e, x + Z95 * e))) for x, e in zip(found.x, errors, strict=True)]
    n_kinds, n_rows, n_columns = shape
    rows, columns = out[n_kinds : n_kinds + n_rows - 1], out[n_kinds + n_rows - 1 :]
    rows.insert(row_zero, Interval(0.0, 0.0, 0.0))
    columns.insert(column_zero, Interval(0.0, 0.0, 0.0))
    assert len(columns) == n_columns
    return rows, columns, out[:n_kinds]


def _design(
    keys: NDArray[np.int64], shape: tuple[int, int, int], row_zero: int, column_zero: int
) -> NDArray[np.float64]:
    """One line a cell: its kind's balance, +1 for its row, -1 for its column; the references have no column."""
    n_kinds, n_rows, n_columns = shape
    rows = np.delete(np.eye(n_rows)[keys[:, 1]], row_zero, axis=1)
    columns = np.delete(np.eye(n_columns)[keys[:, 2]], column_zero, axis=1)
    return np.hstack([np.eye(n_kinds)[keys[:, 0]], rows, -columns])


def elo_to_json(elo: Interval) -> dict[str, float]:
    return {"elo": round(elo.value, 1), "low": round(elo.low, 1), "high": round(elo.high, 1)}


def ratings_to_json(ratings: Ratings) -> dict[str, Any]:
    out: dict[str, Any] = {"balance": elo_to_json(ratings.balance)}
    for seat in PLAYERS:
        out[seat.value] = [
            {"agent": r.agent, **elo_to_json(r.elo), "reference": r.is_reference, "open": r.is_open}
            for r in ratings.of(seat)
        ]
    return out
