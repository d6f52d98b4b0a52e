"""Mr X's route: his own stations for himself, the shown ones for others, double moves, the turning point."""

from __future__ import annotations

from typing import Any

import pytest

from followed import follow
from manhunt.analysis.insights import insight_of
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.rules.actions import Double
from manhunt.games.scotland_yard.rules.rules import steps_of
from manhunt.games.scotland_yard.show.route import TurnChange, changes, turning_point, turning_words

GAME = make_game("scotland_yard")
CONFIG = GAME.make_config("standard", n_detectives=3)
LABEL = CONFIG.board.label


@pytest.fixture(scope="module")
def moments() -> list[Any]:
    return list(follow("scotland_yard", CONFIG, seed=11, most=400))


def test_mr_x_is_told_every_station_and_others_the_shown_ones(moments: list[Any]) -> None:
    n_hidden = 0
    for state, logs in moments[::5]:
        own, others = (insight_of("route", logs[seat], {}) for seat in (Seat.EVADER, Seat.PURSUERS))
        shown = {str(i + 1): LABEL(e.node) for i, e in enumerate(state.log) if e.node is not None}
        assert others["stations"] == shown
        assert others["start"] is None
        assert set(own["stations"]) == {str(i + 1) for i in range(state.round)}
        assert shown.items() <= own["stations"].items()
        if state.log:
            assert own["stations"][str(state.round)] == LABEL(state.quarry)
        n_hidden += len(own["stations"]) - len(shown)
    assert n_hidden > 0


def test_double_moves_are_told_to_all_by_their_rounds() -> None:
    config = GAME.make_config("standard", n_detectives=1)
    wanted: list[list[int]] = []
    moments = list(follow("scotland_yard", config, seed=3, most=60))
    for (before, _), (after, logs) in zip(moments, moments[1:], strict=False):
        if after.round == before.round + 2:
            wanted.append([before.round + 1, before.round + 2])
        for seat in (Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR):
            assert insight_of("route", logs[seat], {})["doubles"] == wanted
    assert wanted
    assert any(
        isinstance(action, Double) and len(steps_of(action)) == 2 for action in moments[0][1][Seat.EVADER].view.legal
    )


def test_a_running_game_has_no_turning_point_and_a_finished_one_may(moments: list[Any]) -> None:
    assert insight_of("route", moments[2].logs[Seat.EVADER], {})["turning"] is None
    state, logs = moments[-1]
    assert GAME.outcome(state) is not None
    turns = changes(logs[Seat.EVADER].opening, logs[Seat.EVADER].events)
    assert all(turn.before >= 1 and turn.after >= 1 for turn in turns)
    told = insight_of("route", logs[Seat.EVADER], {})["turning"]
    found = turning_point(turns, GAME.outcome(state).winner.value)
    assert told == (found and {"round": found.round, "words": turning_words(found)})


def test_the_turning_point_is_the_winners_largest_change_and_the_last_of_equal_ones() -> None:
    x, d = Seat.EVADER, Seat.PURSUERS
    turns = [TurnChange(1, x, 1, 6), TurnChange(1, d, 6, 4), TurnChange(2, x, 4, 30), TurnChange(2, d, 30, 12),
             TurnChange(3, d, 20, 2), TurnChange(4, x, 2, 1)]  # fmt: skip
    assert turning_point(turns, "evader") == turns[2]
    assert turning_point(turns, "pursuers") == turns[4]
    assert turning_point(turns[5:], "evader") is None
    small, large = TurnChange(4, d, 6, 4), TurnChange(2, d, 91, 88)
    assert turning_point([large, small], "pursuers") == turning_point([small, large], "pursuers") == small
    assert turning_point([small, TurnChange(5, d, 3, 2)], "pursuers") == TurnChange(5, d, 3, 2)
    assert turning_words(turns[2]) == "Turning point, round 2: from 4 stations where Mr X could be to 30."
    assert turning_words(turns[4]) == "Turning point, round 3: the detectives ruled out 18 of 20 stations."
