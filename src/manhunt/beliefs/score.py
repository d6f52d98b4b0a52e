"""How good forecasts of a hidden piece are: what probability had the node it was really on?"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Floats
from manhunt.core.ids import Node

BINS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0)
"""The calibration table's edges; most nodes have small probabilities, so the bins there are narrow."""
Z95 = 1.959963984540054


class Mean(NamedTuple):
    """A mean over games with its 95 % interval (games are independent, positions of one game are not)."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Bin:
    """Nodes whose probability was between `low` and `high`: how many, the mean of it, how often the piece was there."""

    low: float
    high: float
    n: int
    predicted: float
    observed: float


@dataclass(frozen=True, slots=True)
class BeliefScore:
    """Means over positions. Brier is the sum over nodes of (probability - truth) squared.

    `rank` is the true node's rank by probability: 1 for the likeliest, and the mean rank on ties. `top` is how often it
    is the likeliest. `log_losses` has one entry per game, to compare two models on the same games.
    """

    model: str
    n_games: int
    n_positions: int
    log_loss: Mean
    brier: Mean
    rank: Mean
    top: Mean
    candidates: Mean
    calibration: tuple[Bin, ...]
    log_losses: tuple[float, ...]


class PositionScore(NamedTuple):
    """One forecast against the truth; the fields are those of `BeliefScore`."""

    log_loss: float
    brier: float
    rank: float
    top: float
    candidates: float


class Scorer:
    """Collects the forecasts of one model, game by game."""

    def __init__(self) -> None:
        self.n_positions = 0
        self._games: list[Floats] = []
        self._n, self._sum, self._hits = np.zeros((3, len(BINS) - 1))

    @property
    def n_games(self) -> int:
        """Games with at least one forecast."""
        return len(self._games)

    def add_game(self, forecasts: Iterable[tuple[Floats, Node]]) -> None:
        """Add the forecasts of one game: the probability of every node, and the true node."""
        rows = []
        for chances, truth in forecasts:
            rows.append(score_position(chances, truth))
            self._calibrate(chances, truth)
        if rows:
            self._games.append(np.mean(rows, axis=0))
            self.n_positions += len(rows)

    def _calibrate(self, chances: Floats, truth: Node) -> None:
        likely = np.flatnonzero(chances)
        which = np.clip(np.searchsorted(BINS, chances[likely], side="left") - 1, 0, len(self._n) - 1)
        np.add.at(self._n, which, 1)
        np.add.at(self._sum, which, chances[likely])
        np.add.at(self._hits, which, likely == truth)

    def score(self, model: str) -> BeliefScore:
        """The means over all games so far; there must be at least one."""
        columns = np.array(self._games).T
        log_loss, brier, rank, top, candidates = (mean_of(column) for column in columns)
        counts = (self.n_games, self.n_positions)
        return BeliefScore(model, *counts, log_loss, brier, rank, top, candidates, self._bins(), tuple(columns[0]))

    def _bins(self) -> tuple[Bin, ...]:
        rows = zip(BINS, BINS[1:], self._n, self._sum, self._hits, strict=False)
        return tuple(Bin(a, b, int(n), float(s / n), float(h / n)) for a, b, n, s, h in rows if n)


def score_position(chances: Floats, truth: Node) -> PositionScore:
    """How well the probabilities by node predict where the quarry was.

    Examples:
        >>> import numpy as np
        >>> score_position(np.array([0.5, 0.25, 0.25]), 0).rank
        1.0
    """
    mine = float(chances[truth])
    above = int((chances > mine + 1e-12).sum())
    equal = int((np.abs(chances - mine) <= 1e-12).sum())
    return PositionScore(
        log_loss=-math.log(mine),
        brier=float(chances @ chances) - 2 * mine + 1,
        rank=above + (equal + 1) / 2,
        top=float(above == 0) / equal,
        candidates=float(np.count_nonzero(chances)),
    )


def mean_of(values: Floats) -> Mean:
    centre = float(values.mean())
    if len(values) < 2:
        return Mean(centre, math.nan, math.nan)
    half = Z95 * float(values.std(ddof=1)) / math.sqrt(len(values))
    return Mean(centre, centre - half, centre + half)


def gain_over(better: BeliefScore, worse: BeliefScore) -> Mean:
    """How much log-loss `better` saves against `worse`, on the same games."""
    pairs = zip(worse.log_losses, better.log_losses, strict=True)
    return mean_of(np.array([a - b for a, b in pairs]))
