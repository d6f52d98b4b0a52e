"""Scores of forecasts, worked out by hand and against plain sums."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from manhunt.beliefs.score import BINS, Scorer, gain_over, mean_of, score_position
from manhunt.core.ids import Node

FORECAST = np.array([0.5, 0.25, 0.25, 0.0])


def test_one_forecast_by_hand() -> None:
    likely, tied = score_position(FORECAST, Node(0)), score_position(FORECAST, Node(2))
    assert likely == pytest.approx((math.log(2), 0.375 - 1 + 1, 1.0, 1.0, 3.0))
    assert tied == pytest.approx((math.log(4), 0.375 - 0.5 + 1, 2.5, 0.0, 3.0))
    even = score_position(np.full(4, 0.25), Node(3))
    assert (even.rank, even.top) == (2.5, 0.25)


@given(arrays(np.float64, st.integers(1, 8), elements=st.floats(0.01, 1)), st.data())
def test_a_forecast_against_plain_sums(weights, data) -> None:
    chances = weights / weights.sum()
    truth = Node(data.draw(st.integers(0, len(chances) - 1)))
    found = score_position(chances, truth)
    assert found.log_loss == pytest.approx(-math.log(chances[truth]))
    assert found.brier == pytest.approx(sum((p - (node == truth)) ** 2 for node, p in enumerate(chances)))
    order = sorted(-p for p in chances)
    assert 1 <= found.rank <= len(order)
    assert (found.top > 0) == (found.rank <= 1 or chances[truth] >= max(chances) - 1e-12)


def test_games_count_alike_and_positions_within_them() -> None:
    scorer = Scorer()
    scorer.add_game([])
    assert scorer.n_games == 0
    scorer.add_game([(FORECAST, Node(0)), (FORECAST, Node(1)), (FORECAST, Node(2))])
    scorer.add_game([(FORECAST, Node(0))])
    score = scorer.score("by hand")
    assert (score.model, score.n_games, score.n_positions) == ("by hand", 2, 4)
    first = (math.log(2) + 2 * math.log(4)) / 3
    assert score.log_losses == pytest.approx((first, math.log(2)))
    assert score.log_loss.value == pytest.approx((first + math.log(2)) / 2)
    assert score.log_loss.low < score.log_loss.value < score.log_loss.high
    assert score.candidates.value == 3.0


def test_calibration_counts_every_likely_node_once() -> None:
    scorer = Scorer()
    scorer.add_game([(FORECAST, Node(0)), (FORECAST, Node(1)), (np.array([0.005, 0.995]), Node(1))])
    rows = {(row.low, row.high): row for row in scorer.score("by hand").calibration}
    assert set(rows) == {(0.0, 0.01), (0.2, 0.3), (0.3, 0.5), (0.75, 1.0)}
    assert all(low in BINS and high in BINS for low, high in rows)
    quarter, half = rows[0.2, 0.3], rows[0.3, 0.5]
    assert (quarter.n, quarter.predicted, quarter.observed) == (4, 0.25, 0.25)
    assert (half.n, half.predicted, half.observed) == (2, 0.5, 0.5)
    assert rows[0.75, 1.0].observed == 1.0


def test_gain_is_the_mean_of_the_differences_game_by_game() -> None:
    sure, vague = Scorer(), Scorer()
    for truth in (0, 1, 1):
        sure.add_game([(np.array([0.2, 0.8]), Node(truth))])
        vague.add_game([(np.array([0.5, 0.5]), Node(truth))])
    gain = gain_over(sure.score("sure"), vague.score("vague"))
    differences = np.array([math.log(0.2 / 0.5), math.log(0.8 / 0.5), math.log(0.8 / 0.5)])
    assert gain == pytest.approx(mean_of(differences))
    assert gain.value == pytest.approx(differences.mean())


def test_more_games_narrow_the_interval() -> None:
    few, many = mean_of(np.array([1.0, 3.0])), mean_of(np.array([1.0, 3.0] * 50))
    assert [few.low, few.high] == pytest.approx([2 - 1.959964, 2 + 1.959964])
    assert many.high - many.low == pytest.approx(2 * 1.959964 * math.sqrt(100 / 99) / 10)


def test_one_game_has_no_interval() -> None:
    found = mean_of(np.array([2.0]))
    assert found.value == 2.0
    assert math.isnan(found.low)
    assert math.isnan(found.high)
