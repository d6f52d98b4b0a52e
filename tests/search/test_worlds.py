"""Drawing a hidden place by its weight."""

import numpy as np
import pytest

from manhunt.core.ids import Node
from manhunt.core.kernel_random import new_rng
from manhunt.search.worlds import PlaceWeights, draw_place, even_worlds, known_place, no_place

pytestmark = [
    pytest.mark.kernel,
    pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning"),
]


def test_draws_follow_the_weights() -> None:
    worlds = PlaceWeights(np.array([2, 4, 8], np.int32), np.array([1.0, 1.0, 4.0]))
    rng, n = new_rng(1), 4000
    drawn = [draw_place(worlds, rng) for _ in range(n)]
    assert drawn.count(4) == 0
    assert drawn.count(2) / n == pytest.approx(0.25, abs=0.03)
    assert drawn.count(8) / n == pytest.approx(0.75, abs=0.03)


def test_even_worlds_and_one_place() -> None:
    even = even_worlds(frozenset({Node(5), Node(1), Node(3)}))
    assert even.places.tolist() == [1, 3, 5]
    assert np.diff(even.sums, prepend=0.0).tolist() == [1.0, 1.0, 1.0]
    rng = new_rng(1)
    assert {draw_place(known_place(Node(7)), rng) for _ in range(20)} == {7}
    assert (rng == new_rng(1)).all(), "a known place costs no random bits"
    assert len(no_place().places) == 0
