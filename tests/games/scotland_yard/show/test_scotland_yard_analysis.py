"""The chance that the curves of an analysis show."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.games.scotland_yard.show.analysis import SURE, halfway

CHANCES = st.floats(0.0, 1.0)


@given(CHANCES, CHANCES)
def test_halfway_lies_between_two_chances(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert halfway(one, other) == halfway(other, one)
    assert min(low, 1 - SURE) - 1e-12 <= halfway(one, other) <= max(high, SURE) + 1e-12


def test_halfway_counts_odds() -> None:
    assert halfway(0.5, 0.9) == pytest.approx(0.75)
    assert (halfway(0.0, 0.0), halfway(1.0, 1.0)) == (0.0, 1.0)
