"""Ratings on the Elo scale, apart for the two roles: Bradley-Terry by maximum likelihood.

The evader i beats the pursuers j with probability 1 / (1 + exp(-(b + e_i - p_j))). One agent of each role is the
reference with rating 0, so b is the balance of the game between the two references. Each cell gets half a won and
half a lost game for free: a prior that does not move figures of hundreds of games and keeps perfect scores finite.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from manhunt.arena.anchors import anchor_of, anchors_of
from manhunt.arena.ledger import Ledger
from manhunt.arena.stats import Z95, Interval
from manhunt.ids import PLAYERS, Seat

ELO = 400 / math.log(10)
"""Elo points of one unit of log-odds."""
PRIOR_GAMES = 0.5


@dataclass(frozen=True, slots=True)
class Rating:
    """An agent's rating in one role. `is_reference` is 0 by definition; `is_open` won or lost every game."""

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
        return next(r.agent for r in self.ratings if r.seat is seat and r.is_reference)


def rate(ledger: Ledger) -> Ratings:
    """The ratings of a ledger, complete or not."""
    plan = ledger.plan
    shape = (len(plan.evaders), len(plan.pursuers))
    wins = np.array([cell.evader_wins for cell in ledger.cells], float).reshape(shape)
    losses = np.array([cell.pursuers_wins for cell in ledger.cells], float).reshape(shape)
    names = {Seat.EVADER: plan.evaders, Seat.PURSUERS: plan.pursuers}
    zero = {seat: reference_index(seat, names[seat]) for seat in PLAYERS}
    elos, balance = fit(wins, losses, zero[Seat.EVADER], zero[Seat.PURSUERS])
    ratings = []
    for axis, seat in enumerate(PLAYERS):
        for i, agent in enumerate(names[seat]):
            won, lost = wins.take(i, axis).sum(), losses.take(i, axis).sum()
            ratings.append(Rating(seat, agent, elos[axis][i], i == zero[seat], bool(won == 0 or lost == 0)))
    return Ratings(tuple(ratings), balance)


def reference_index(seat: Seat, agents: Sequence[str]) -> int:
    """The first anchor that takes part; without one, the first agent."""
    for anchor in anchors_of(seat):
        for i, agent in enumerate(agents):
            if anchor_of(seat, agent) == anchor:
                return i
    return 0


def fit(
    wins: NDArray[np.float64], losses: NDArray[np.float64], evader_zero: int = 0, pursuers_zero: int = 0
) -> tuple[tuple[list[Interval], list[Interval]], Interval]:
    """Elo ratings of rows (evaders) and columns (pursuers) of a matrix of the evaders' wins and losses.

    Intervals come from the Fisher information at the maximum.
    """
    from scipy.optimize import minimize

    n_rows, n_columns = wins.shape
    design = _design(n_rows, n_columns, evader_zero, pursuers_zero)
    won, lost = wins.ravel() + PRIOR_GAMES, losses.ravel() + PRIOR_GAMES

    def loss(x: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        z = design @ x
        value = won @ np.logaddexp(0, -z) + lost @ np.logaddexp(0, z)
        return float(value), design.T @ ((won + lost) / (1 + np.exp(-z)) - won)

    def information(x: NDArray[np.float64]) -> NDArray[np.float64]:
        p = 1 / (1 + np.exp(-(design @ x)))
        weighted: NDArray[np.float64] = design.T @ (design * ((won + lost) * p * (1 - p))[:, None])
        return weighted

    found = minimize(loss, np.zeros(design.shape[1]), jac=True, hess=information, method="trust-exact", tol=1e-9)
    errors = np.sqrt(np.diag(np.linalg.inv(information(found.x))))
    out = [Interval(*(ELO * v for v in (x, x - Z95 * e, x + Z95 * e))) for x, e in zip(found.x, errors, strict=True)]
    rows, columns = out[1:n_rows], out[n_rows:]
    rows.insert(evader_zero, Interval(0.0, 0.0, 0.0))
    columns.insert(pursuers_zero, Interval(0.0, 0.0, 0.0))
    assert len(columns) == n_columns
    return (rows, columns), out[0]


def _design(n_rows: int, n_columns: int, row_zero: int, column_zero: int) -> NDArray[np.float64]:
    """One row a cell: the balance, +1 for its evader, -1 for its pursuers; the references have no column."""
    cells = n_rows * n_columns
    evaders = np.delete(np.repeat(np.eye(n_rows), n_columns, axis=0), row_zero, axis=1)
    pursuers = np.delete(np.tile(np.eye(n_columns), (n_rows, 1)), column_zero, axis=1)
    return np.hstack([np.ones((cells, 1)), evaders, -pursuers])


def ratings_to_json(ratings: Ratings) -> dict[str, Any]:
    def rounded(elo: Interval) -> dict[str, float]:
        return {"elo": round(elo.value, 1), "low": round(elo.low, 1), "high": round(elo.high, 1)}

    out: dict[str, Any] = {"balance": rounded(ratings.balance)}
    for seat in PLAYERS:
        out[seat.value] = [
            {"agent": r.agent, **rounded(r.elo), "reference": r.is_reference, "open": r.is_open}
            for r in ratings.of(seat)
        ]
    return out
