"""Solved values on Pursuit's page against plain minimax; candidates where Mr X is hidden."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from followed import as_json, follow
from manhunt.analysis.insights import insight_of
from manhunt.core.ids import Seat, Side
from manhunt.core.outcome import Termination
from manhunt.core.registry import make_game
from manhunt.games.pursuit.rules import rules
from manhunt.games.pursuit.rules.notation import parse_action
from manhunt.games.pursuit.rules.state import PursuitState

GAME = make_game("pursuit")
SMALL = GAME.make_config("seed", board="grid:3x3", max_rounds=4)


@cache
def caught_round(state: PursuitState) -> int | None:
    """The round in which Mr X is caught, or cannot move, under best play; None if he gets away."""
    end = rules.outcome(state)
    if end is not None and end.winner is Side.EVADER:
        return None
    if end is not None:
        return state.round + (end.termination is Termination.STRANDED)
    after = [caught_round(rules.apply_action(state, action)) for action in rules.legal_actions(state)]
    best = max if rules.to_act(state) is Seat.EVADER else min
    return best(after, key=lambda found: 10**9 if found is None else found)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_solved_values_are_those_of_minimax(seed: int) -> None:
    for state, logs in follow("pursuit", SMALL, seed):
        acting = GAME.to_act(state)
        if acting is None:
            continue
        solved = as_json(insight_of("solved", logs[acting], {}))
        assert solved["known"]
        begun = state.round - (1 if state.waiting else 0)
        for text, verdict in solved["moves"].items():
            found = caught_round(rules.apply_action(state, parse_action(SMALL, text)))
            expected = None if found is None else max(found - begun, 1)
            assert verdict["rounds"] == expected, (text, verdict)
        here = SMALL.board.label(state.quarry)
        found = caught_round(state)
        assert solved["heat"][here] == (None if found is None else max(found - begun, 1))
        if acting is Seat.PURSUERS:
            assert set(solved["after"]) == set(solved["moves"])


def test_the_hint_of_a_solved_game_is_a_best_move() -> None:
    for state, logs in follow("pursuit", SMALL, seed=4):
        acting = GAME.to_act(state)
        if acting is None:
            continue
        hint, solved = (insight_of(what, logs[acting], {}) for what in ("hint", "solved"))
        values = {text: 10**9 if v["rounds"] is None else v["rounds"] for text, v in solved["moves"].items()}
        best = max(values.values()) if acting is Seat.EVADER else min(values.values())
        assert values[hint["action"]] == best
        assert insight_of("hint", logs[Seat.SPECTATOR], {})["action"] is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"board": "london", "n_detectives": 3}, "more than the 32 MB"),
        ({"visibility": "sight"}, "visibility is sight"),
        ({"order": "any"}, "need may_share"),
    ],
)
def test_what_is_not_solved_is_said(options: dict[str, Any], words: str) -> None:
    logs = next(follow("pursuit", GAME.make_config("seed", **options), seed=1)).logs
    answer = insight_of("solved", logs[Seat.EVADER], {})
    assert answer["known"] is False
    assert words in answer["words"]
    assert answer["moves"] == {}
    hint = insight_of("hint", logs[Seat.EVADER], {"seconds": "0.2"})
    assert hint["action"] in {
        GAME.format_action(logs[Seat.EVADER].view.config, a) for a in logs[Seat.EVADER].view.legal
    }


@pytest.mark.parametrize("options", [{"visibility": "sight"}, {"visibility": "rounds", "reveal_rounds": [2, 4]}])
def test_candidates_hold_the_truth_and_are_the_same_for_all(options: dict[str, Any]) -> None:
    config = GAME.make_config("seed", board="grid:6x6", max_rounds=8, **options)
    n_unsure = 0
    for state, logs in follow("pursuit", config, seed=6):
        told = [as_json(insight_of("belief", logs[seat], {}))["candidates"] for seat in logs]
        assert config.board.label(state.quarry) in told[0]
        assert told[0] == told[1] == told[2]
        n_unsure += len(told[0]) > 1
    assert n_unsure > 0
