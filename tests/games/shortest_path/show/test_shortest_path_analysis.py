"""The analysis of Adversarial Shortest Path."""

from time import perf_counter

import pytest

from manhunt.analysis.analyse import analyse
from manhunt.analysis.findings import QUICK
from manhunt.core import thinking_time
from random_games import SMALL, random_record


def test_a_machine_that_is_a_thousand_times_as_slow_gives_the_same_analysis(monkeypatch: pytest.MonkeyPatch) -> None:
    record = random_record("shortest_path", 2, **SMALL["shortest_path"]).format()
    found = analyse(record, QUICK)
    monkeypatch.setattr(thinking_time, "_read", lambda: 1000.0 * perf_counter())
    assert analyse(record, QUICK) == found
