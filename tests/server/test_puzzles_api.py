"""Puzzles over REST: nothing tells the answer before it is given, and bad input is one clear line."""

from __future__ import annotations

from typing import Any

import pytest

from manhunt.analysis.puzzles import puzzles_of
from manhunt.core.registry import BUILT_IN
from sites import Site

HIDDEN = {"best", "values", "solved", "setup", "actions", "more", "why"}


def keys_of(value: Any) -> set[str]:
    """All keys in a JSON document."""
    if isinstance(value, dict):
        return set(value) | {key for each in value.values() for key in keys_of(each)}
    return {key for each in value for key in keys_of(each)} if isinstance(value, list) else set()


def test_the_list_has_games_levels_and_the_daily_ones(site: Site) -> None:
    found = site.api("/api/puzzles?day=2027-03-01")
    assert [game["name"] for game in found["games"]] == list(BUILT_IN)
    assert found["daily"]["date"] == "2027-03-01"
    ids = {puzzle["id"] for puzzle in found["puzzles"]}
    assert {found["daily"]["puzzle"], *found["daily"]["games"].values()} <= ids
    assert site.api("/api/puzzles?day=2027-03-01") == found
    few = site.api("/api/puzzles?game=fugitive&level=Easy")["puzzles"]
    assert {(puzzle["game"], puzzle["level"]) for puzzle in few} <= {("fugitive", "Easy")}
    assert not keys_of(found) & HIDDEN


@pytest.mark.parametrize("game", BUILT_IN)
def test_a_puzzle_is_shown_without_its_answer_and_judged(site: Site, game: str) -> None:
    for kind in sorted({puzzle.kind for puzzle in puzzles_of(game)}):
        puzzle = next(each for each in puzzles_of(game) if each.kind == kind)
        path = f"/api/puzzles/{puzzle.id}"
        shown = site.api(path)
        assert shown["page"]["module"]
        assert not set(shown) & HIDDEN
        assert not keys_of([shown["offers"], shown["scene"]]) & {"best", "values", "solved"}
        offered = [offer.get("action", "") for offer in shown["offers"]]
        first = puzzle.best if puzzle.best in offered else f"name:{puzzle.best}"
        answer = site.api(f"{path}/answer", {"actions": [first]})
        if answer["solved"] is None and not answer["words"]:
            answer = site.api(f"{path}/answer", {"actions": [first, "ask"]})
        assert answer["solved"] in (True, None)
        assert answer["words"]
        assert site.api(path) == shown


def test_a_hidden_piece_is_not_on_the_board(site: Site) -> None:
    puzzle = next(each for each in puzzles_of("scotland_yard") if each.kind == "where")
    shown = site.api(f"/api/puzzles/{puzzle.id}")
    assert {piece["kind"] for piece in shown["scene"]["marks"]["pieces"]} == {"pursuer"}
    assert shown["scene"]["tickets"][0]["at"] is None


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("/api/puzzles/nothing", None, 404, "there is no puzzle 'nothing'"),
        ("/api/puzzles?level=Silly", None, 400, "unknown level 'Silly'"),
        ("/api/puzzles?game=chess", None, 400, "unknown game 'chess'"),
        ("/api/puzzles?day=tomorrow", None, 400, "expected a date"),
        ("/api/puzzles/pursuit-catch-1/answer", {"actions": []}, 400, "actions"),
        ("/api/puzzles/pursuit-catch-1/answer", {"actions": ["d0:999"]}, 400, "999"),
        ("/api/puzzles/pursuit-catch-1/answer", {"actions": ["x"] * 61}, 400, "actions"),
        ("/api/puzzles/pursuit-catch-1/answer", {"actions": ["x"], "more": 1}, 400, "more"),
        ("/api/puzzles/nothing/answer", {"actions": ["x"]}, 404, "there is no puzzle"),
    ],
)
def test_wrong_input_is_one_clear_line(site: Site, path: str, body: Any, status: int, words: str) -> None:
    found, error = site.refusal(path, body)
    assert found == status
    assert words in error
    assert "\n" not in error
