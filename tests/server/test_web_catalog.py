"""What home offers can be had: games, presets, boards, and every agent on its seat."""

from __future__ import annotations

import pytest

from manhunt.agents.registry import make_agent
from manhunt.boards.catalog import load_board
from manhunt.core.ids import PLAYERS, Side
from manhunt.core.outcome import Outcome, Termination
from manhunt.core.registry import game_names, make_game
from manhunt.server.api_tournaments import words_of
from manhunt.server.catalog import build_catalog, opponents


def test_all_games_are_offered() -> None:
    assert sorted(game["name"] for game in build_catalog()["games"]) == sorted(game_names())


@pytest.mark.parametrize("game", build_catalog()["games"], ids=lambda game: game["name"])
def test_what_is_offered_exists(game: dict) -> None:  # type: ignore[type-arg]
    rules = make_game(game["name"])
    assert [preset["name"] for preset in game["presets"]] == list(rules.presets)
    assert all(preset["summary"] for preset in game["presets"])
    for board in [board["name"] for board in game["boards"]] + [made["example"] for made in game["generators"]]:
        rules.make_config(None, board=load_board(board))
    for seat in PLAYERS:
        agents = opponents(game["name"], seat)
        strengths = [agent.strength for agent in agents]
        assert strengths == sorted(strengths, reverse=True)
        assert set(strengths) <= {1, 2, 3, 4, 5}
        for agent in agents:
            make_agent(agent.spec, game["name"], seat)
    quick = game["quick"]
    other = next(seat for seat in PLAYERS if seat.value != quick["you"])
    assert quick["agent"] in [agent.spec for agent in opponents(game["name"], other)]
    assert quick["preset"] in rules.presets
    assert quick["board"] in [None, *(board["name"] for board in game["boards"])]


def test_options_of_the_form_are_options_of_the_rules() -> None:
    for game in build_catalog()["games"]:
        for option in game["options"]:
            values = [choice["value"] for choice in option.get("choices", [])] or [option["least"], option["usual"]]
            for value in values:
                make_game(game["name"]).make_config(None, **{option["name"]: value})


@pytest.mark.parametrize("termination", list(Termination))
def test_the_standings_tell_every_end_in_words(termination: Termination) -> None:
    told = words_of(str(Outcome(Side.PURSUERS, termination)), "ann", "bob")
    assert told.startswith("bob ")
    assert told != str(Outcome(Side.PURSUERS, termination))


def test_the_standings_round_costs() -> None:
    assert words_of("evader arrival 44.902894724963666", "ann", "bob") == "ann arrives, cost 44.9"
