"""One step ahead: how a move is drawn from its ratings, and what hunters rate."""

from random import Random
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from manhunt.boards.catalog import load_board
from manhunt.core.ids import Node
from manhunt.search.one_step import Hunters, pick

PATH = load_board("path:9")


def test_pick() -> None:
    ratings = np.array([1.0, 3.0, 3.0])
    assert {pick(ratings, 0.0, Random(seed))[0] for seed in range(20)} == {1, 2}
    assert pick(ratings, 0.0, Random(1))[1] == 0.5
    counts = [pick(ratings, 2.0, Random(seed))[0] for seed in range(3000)].count(0)
    share = np.exp(-1) / (2 + np.exp(-1))
    assert abs(counts / 3000 - share) < 4 * np.sqrt(share * (1 - share) / 3000)


def hunters_who_believe(chances: dict[int, float]) -> Hunters:
    hunters = Hunters(cast(Any, SimpleNamespace(probabilities=chances)))
    hunters.spread(PATH)
    return hunters


def rate(hunters: Hunters, pursuers: list[int], steps: list[tuple[int, int]]) -> list[float]:
    ratings = hunters.rate_steps(PATH, [Node(at) for at in pursuers], [(piece, Node(to)) for piece, to in steps])
    return [float(rating) for rating in ratings]


@pytest.mark.parametrize(("near", "best"), [(0.3, 1), (0.05, 3)])
def test_a_likely_catch_is_worth_a_step_away_from_the_rest(near, best) -> None:
    """On a path, from node 2: the quarry is next to the hunter on 1, or far away on 7."""
    ratings = rate(hunters_who_believe({1: near, 7: 1 - near}), [2], [(0, 1), (0, 3)])
    assert [1, 3][int(np.argmax(ratings))] == best


def test_only_the_nearest_hunter_counts() -> None:
    """Two hunters on 0 and 8: who is nearer to 2 walks there, the other one's step matters ten times less."""
    hunters = hunters_who_believe({2: 1.0})
    ratings = rate(hunters, [0, 8], [(0, 1), (1, 7)])
    assert list(hunters.expected) == [1.0, 2.0]
    assert ratings[0] > ratings[1]
