"""One step ahead: how a move is drawn from its ratings."""

from random import Random

import numpy as np

from manhunt.search.one_step import pick


def test_pick() -> None:
    ratings = np.array([1.0, 3.0, 3.0])
    assert {pick(ratings, 0.0, Random(seed))[0] for seed in range(20)} == {1, 2}
    assert pick(ratings, 0.0, Random(1))[1] == 0.5
    counts = [pick(ratings, 2.0, Random(seed))[0] for seed in range(3000)].count(0)
    share = np.exp(-1) / (2 + np.exp(-1))
    assert abs(counts / 3000 - share) < 4 * np.sqrt(share * (1 - share) / 3000)
