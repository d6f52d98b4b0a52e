"""Insights that every game on a board has: driven with Pursuit's views, belief and agents."""

from __future__ import annotations

from dataclasses import replace

import pytest

from followed import as_json, follow
from manhunt.analysis import board_insights
from manhunt.analysis.insights import UnknownInsight, insight_of, insights_of
from manhunt.core.errors import BadText
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import BUILT_IN, kit_of, make_game

GAME = make_game("pursuit")
HIDDEN = GAME.make_config("seed", board="grid:4x4", visibility="sight", max_rounds=8)
OPEN = GAME.make_config("seed", max_rounds=6)


@pytest.mark.parametrize("seat", [Seat.PURSUERS, Seat.SPECTATOR])
def test_the_truth_is_always_among_the_candidates_and_chances_add_up(seat: Seat) -> None:
    sizes = set()
    for state, logs in follow("pursuit", HIDDEN, seed=4):
        found = as_json(board_insights.belief(logs[seat], {}))
        assert HIDDEN.board.label(state.quarry) in found["candidates"]
        assert found["candidates"] == list(found["belief"])
        assert sum(found["belief"].values()) == pytest.approx(1, abs=0.01)
        assert found["words"].startswith("Mr X can ")
        sizes.add(len(found["candidates"]))
    assert max(sizes) > 1


def test_who_sees_the_quarry_is_told_where_it_is() -> None:
    for state, logs in follow("pursuit", HIDDEN, seed=4):
        assert board_insights.belief(logs[Seat.EVADER], {})["candidates"] == [HIDDEN.board.label(state.quarry)]


def test_a_hint_is_a_legal_move_of_the_strongest_agent_with_its_arrow() -> None:
    for state, logs in follow("pursuit", OPEN, seed=5, most=6):
        for seat in PLAYERS:
            view, found = logs[seat].view, as_json(board_insights.hint(logs[seat], {"seconds": "0.5"}))
            if not view.legal:
                assert (found["action"], found["words"]) == (None, board_insights.NO_TURN)
                continue
            assert found["action"] in [GAME.format_action(OPEN, action) for action in view.legal]
            strongest = next(level for level in kit_of("pursuit").levels if level.seat is seat)
            assert f"what {strongest.name} would do" in found["words"]
            ((here, to),) = found["arrows"]
            assert found["action"].endswith(f":{to}")
            assert OPEN.board.node(here) in (state.quarry, *state.pursuers)


def test_odd_seconds_are_refused() -> None:
    log = next(follow("pursuit", OPEN, seed=5)).logs[Seat.EVADER]
    with pytest.raises(BadText, match="seconds=1000"):
        board_insights.hint(log, {"seconds": "1000"})


def test_what_a_game_brings_goes_first_and_what_it_lacks_is_added() -> None:
    for name in BUILT_IN:
        kit = kit_of(name)
        own = kit.part("insights").MAKERS
        assert {what: insights_of(name)[what] for what in own} == own
        assert set(insights_of(name)) == set(own) | set(board_insights.makers_of(kit))
    bare = replace(kit_of("pursuit"), parts={"game": kit_of("pursuit").parts["game"]})
    assert set(board_insights.makers_of(bare)) == {"hint"}
    assert board_insights.makers_of(kit_of("fugitive")) == {}


def test_an_unknown_insight_names_those_there_are() -> None:
    log = next(follow("pursuit", OPEN, seed=5)).logs[Seat.EVADER]
    with pytest.raises(UnknownInsight, match="belief"):
        insight_of("fortune", log, {})
