"""How good beliefs are: after every hidden move of Mr X, what probability had the node he was really on?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from manhunt.beliefs.fit import History
from manhunt.beliefs.models import Model
from manhunt.beliefs.weighted import WeightedBelief
from manhunt.errors import BadText
from manhunt.games.scotland_yard.views import events, opening_events, view
from manhunt.ids import Node, Seat

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
    """Nodes whose probability was between `low` and `high`: how many, the mean of it, how often he was there."""

    low: float
    high: float
    n: int
    predicted: float
    observed: float


@dataclass(frozen=True, slots=True)
class Score:
    """Means over positions after a hidden move. Brier is the sum over nodes of (probability - truth) squared.

    `rank` is that of the true node by probability, 1 for the likeliest, equals shared; `top` how often it is the
    likeliest. `log_losses` has one entry a game, for comparing two models on the same games.
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


class _Tally:
    """Sums for the calibration table."""

    def __init__(self) -> None:
        self.n, self.sum, self.hits = np.zeros((3, len(BINS) - 1))

    def add(self, chances: NDArray[np.float64], truth: Node) -> None:
        likely = np.flatnonzero(chances)
        which = np.clip(np.searchsorted(BINS, chances[likely], side="left") - 1, 0, len(self.n) - 1)
        np.add.at(self.n, which, 1)
        np.add.at(self.sum, which, chances[likely])
        np.add.at(self.hits, which, likely == truth)

    def bins(self) -> tuple[Bin, ...]:
        rows = zip(BINS, BINS[1:], self.n, self.sum, self.hits, strict=False)
        return tuple(Bin(a, b, int(n), float(s / n), float(h / n)) for a, b, n, s, h in rows if n)


def score_model(model: Model, games: Iterable[History]) -> Score:
    """Follow all games with the compiled filter, as a detective would."""
    tally, rows = _Tally(), []
    n_positions = 0
    for states, actions in games:
        positions = _score_game(model, (states, actions), tally)
        if positions:
            rows.append(np.mean(positions, axis=0))
            n_positions += len(positions)
    if not rows:
        raise BadText("no hidden move in these records; a score needs games of scotland_yard with hidden rounds")
    columns = np.array(rows).T
    losses, *others = (_mean(column) for column in columns)
    brier, rank, top, candidates = others
    return Score(
        model.name, len(rows), n_positions, losses, brier, rank, top, candidates, tally.bins(), tuple(columns[0])
    )


def _score_game(model: Model, game: History, tally: _Tally) -> list[tuple[float, ...]]:
    states, actions = game
    belief = WeightedBelief(model)
    belief.start(view(states[0], Seat.PURSUERS))
    belief.observe(event.seen_by(Seat.PURSUERS) for event in opening_events(states[0]))
    found = []
    for before, action, after in zip(states, actions, states[1:], strict=False):
        belief.observe(event.seen_by(Seat.PURSUERS) for event in events(before, action, after))
        if not before.waiting and after.log[-1].node is None:
            chances = belief.array
            found.append(_score_position(chances, after.quarry))
            tally.add(chances, after.quarry)
    return found


def _score_position(chances: NDArray[np.float64], truth: Node) -> tuple[float, ...]:
    mine = float(chances[truth])
    above = int((chances > mine + 1e-12).sum())
    equal = int((np.abs(chances - mine) <= 1e-12).sum())
    brier = float(chances @ chances) - 2 * mine + 1
    return -math.log(mine), brier, above + (equal + 1) / 2, float(above == 0) / equal, float(np.count_nonzero(chances))


def _mean(values: NDArray[np.float64]) -> Mean:
    centre = float(values.mean())
    if len(values) < 2:
        return Mean(centre, math.nan, math.nan)
    half = Z95 * float(values.std(ddof=1)) / math.sqrt(len(values))
    return Mean(centre, centre - half, centre + half)


def gain_over(better: Score, worse: Score) -> Mean:
    """How much log-loss `better` saves against `worse`, on the same games."""
    pairs: Sequence[tuple[float, float]] = list(zip(worse.log_losses, better.log_losses, strict=True))
    return _mean(np.array([a - b for a, b in pairs]))
