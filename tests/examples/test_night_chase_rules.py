"""The rules of Night Chase, by the paragraphs of its README."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from deal_checks import check_deals
from manhunt.boards.board import Board
from manhunt.boards.build import build_board
from manhunt.core.errors import BadConfig, IllegalAction, ManhuntError
from manhunt.core.ids import EVERYBODY, Seat, Side
from manhunt.core.outcome import Outcome, Termination


class Table:
    """One game in labels, so that tests read as the board is printed."""

    def __init__(self, chase: SimpleNamespace, board: Board | str, runner: str, hunters: str, **options: Any) -> None:
        self.game = chase.play
        self.config = self.game.make_config(board=board, hunters=len(hunters.split()), **options)
        self.state = self.game.start(self.config, {"runner": runner, "hunters": hunters.split()})

    @property
    def legal(self) -> list[str]:
        return [self.game.format_action(self.config, action) for action in self.game.legal_actions(self.state)]

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.state)

    def play(self, moves: str) -> Table:
        for move in moves.split():
            self.state = self.game.apply_action(self.state, self.game.parse_action(self.config, move))
        return self

    def sees(self, seat: Seat) -> str | None:
        """The runner's node as a seat sees it."""
        node = self.game.view(self.state, seat).quarry
        return None if node is None else self.config.board.label(node)


@pytest.mark.parametrize("board", ["petersen", "london", "planar:40:seed=7"])
def test_par_1_chance_places_all_on_different_nodes_of_any_board(chase: SimpleNamespace, board: str) -> None:
    game = chase.play
    config = game.make_config(board=board)
    for seed in range(20):
        setup = game.deal(config, Random(seed))
        assert len({setup["runner"], *setup["hunters"]}) == 3
        state = game.start(config, setup)
        assert (state.round, game.to_act(state)) == (0, Seat.EVADER)


def test_par_1_a_start_that_is_over_at_once_is_dealt_again(chase: SimpleNamespace) -> None:
    game = chase.play
    config = game.make_config(board="path:4", hunters=1)
    dealt = [game.deal(config, Random(seed)) for seed in range(200)]
    assert {(setup["runner"], *setup["hunters"]) for setup in dealt} == {
        *[("1", "3"), ("1", "4"), ("2", "1"), ("2", "3"), ("2", "4")],
        *[("4", "2"), ("4", "1"), ("3", "4"), ("3", "2"), ("3", "1")],
    }
    always_over = game.make_config(board="path:2", hunters=1)
    assert game.outcome(game.new(always_over, Random(1))) == Outcome(Side.PURSUERS, Termination.STRANDED)


@pytest.mark.parametrize(
    "setup",
    [
        {"runner": "1", "hunters": ["1", "2"]},
        {"runner": "1", "hunters": ["2", "2"]},
        {"runner": "1", "hunters": ["2"]},
        {"runner": "1", "hunters": ["2", "3", "3"]},
        {"runner": "1", "hunters": ["2", "3", "4"]},
        {"runner": 2, "hunters": ["2", "3"]},
        {"hunters": ["2", "3", "4"]},
        {"hunters": ["2", "3"]},
        {"runner": "1"},
        {"runner": "99", "hunters": ["2", "3"]},
        {"runner": "1", "hunters": ["2", "3"], "weather": "fog"},
    ],
)
def test_par_1_other_setups_are_refused(chase: SimpleNamespace, setup: dict[str, Any]) -> None:
    config = chase.play.make_config(board="grid:3x3")
    with pytest.raises(ManhuntError):
        chase.play.start(config, setup)


def test_par_2_the_runner_then_the_hunters_in_order(chase: SimpleNamespace) -> None:
    table = Table(chase, "grid:4x4", "1", "11 16")
    seen = []
    for move in ("R:2", "h0:12", "h1:15", "R:3", "h0:8"):
        seen.append((table.state.round, table.game.to_act(table.state)))
        table.play(move)
    assert seen == [
        (0, Seat.EVADER),
        (1, Seat.PURSUERS),
        (1, Seat.PURSUERS),
        (1, Seat.EVADER),
        (2, Seat.PURSUERS),
    ]
    assert table.legal == ["h1:11", "h1:14", "h1:16"]
    with pytest.raises(IllegalAction, match="not legal in round 2; legal nodes: 11, 14, 16"):
        table.play("h0:12")


def test_par_3_the_runner_goes_to_a_neighbour_without_a_hunter(chase: SimpleNamespace) -> None:
    table = Table(chase, "grid:3x3", "5", "2 9")
    assert table.legal == ["R:4", "R:6", "R:8"]
    for bad in ("R:2", "R:5", "R:9", "R:1"):
        with pytest.raises(IllegalAction, match="legal nodes: 4, 6, 8"):
            table.play(bad)


def test_par_3_a_runner_without_a_way_is_stranded(chase: SimpleNamespace) -> None:
    table = Table(chase, "grid:3x3", "2", "3 7").play("R:1 h0:2")
    assert table.outcome is None, "the second hunter has not moved yet"
    table.play("h1:4")
    assert table.outcome == Outcome(Side.PURSUERS, Termination.STRANDED)
    assert table.legal == []


def test_par_4_a_hunter_goes_to_a_neighbour_without_a_hunter(chase: SimpleNamespace) -> None:
    assert Table(chase, "grid:3x3", "9", "1 2").play("R:8").legal == ["h0:4"]


def test_par_4_a_hunter_stays_only_if_there_is_no_way(chase: SimpleNamespace) -> None:
    table = Table(chase, "path:5", "4", "1 2").play("R:5")
    assert table.legal == ["h0:1"]
    table.play("h0:1")
    assert table.legal == ["h1:3"]


def test_par_5_a_hunter_on_the_runners_node_catches_it(chase: SimpleNamespace) -> None:
    table = Table(chase, "grid:3x3", "1", "6 9").play("R:2 h0:5 h1:6 R:3 h0:4")
    assert table.outcome is None
    table.play("h1:3")
    assert table.outcome == Outcome(Side.PURSUERS, Termination.CAPTURE)
    assert table.game.to_act(table.state) is None
    assert table.legal == []
    with pytest.raises(IllegalAction):
        table.play("R:2")


def test_par_5_the_other_hunters_do_not_move_any_more(chase: SimpleNamespace) -> None:
    table = Table(chase, "grid:3x3", "1", "5 9").play("R:2 h0:2")
    assert table.outcome == Outcome(Side.PURSUERS, Termination.CAPTURE)


def test_par_6_free_at_the_end_of_the_last_round_is_survival(chase: SimpleNamespace) -> None:
    table = Table(chase, "ring:8", "1", "5", rounds=2).play("R:2 h0:6 R:1")
    assert table.outcome is None, "the hunter may still move in the last round"
    table.play("h0:7")
    assert table.outcome == Outcome(Side.EVADER, Termination.SURVIVAL)


def test_par_6_caught_in_the_last_round_is_caught(chase: SimpleNamespace) -> None:
    table = Table(chase, "ring:8", "1", "3", rounds=1).play("R:2 h0:2")
    assert table.outcome == Outcome(Side.PURSUERS, Termination.CAPTURE)


@pytest.mark.parametrize(("sight", "seen"), [(0, ""), (1, "2"), (2, "23"), (3, "2346")])
def test_par_7_hunters_and_spectators_see_as_far_as_the_nearest_hunter(
    chase: SimpleNamespace, sight: int, seen: str
) -> None:
    for runner in "23456":
        table = Table(chase, "path:9", runner, "1 9", sight=sight)
        assert table.sees(Seat.PURSUERS) == table.sees(Seat.SPECTATOR) == (runner if runner in seen else None)
        assert table.sees(Seat.EVADER) == runner


def test_par_7_without_sight_a_runner_is_seen_when_it_is_caught(chase: SimpleNamespace) -> None:
    table = Table(chase, "grid:3x3", "1", "5", sight=0).play("R:2")
    assert table.sees(Seat.PURSUERS) is None
    table.play("h0:2")
    assert table.sees(Seat.PURSUERS) == "2"


def test_par_7_what_was_seen_last_is_remembered(chase: SimpleNamespace) -> None:
    table = Table(chase, "grid:3x3", "1", "9").play("R:4 h0:6 R:5 h0:3 R:4")
    sighting = table.game.view(table.state, Seat.PURSUERS).sighting
    assert table.sees(Seat.PURSUERS) is None
    assert (table.config.board.label(sighting.node), sighting.round) == ("5", 2)


def test_par_7_a_node_that_no_way_leads_to_is_never_in_sight(chase: SimpleNamespace) -> None:
    island = build_board("island", [("1", "2", None), ("3", "4", None)], ["1", "2", "3", "4"])
    table = Table(chase, island, "1", "3", sight=9)
    assert table.sees(Seat.PURSUERS) is None


@pytest.mark.parametrize("turn", ["the runner's", "a hunter's"])
def test_an_error_never_tells_hunters_where_the_runner_can_go(chase: SimpleNamespace, turn: str) -> None:
    table = Table(chase, "grid:4x4", "16", "1", sight=0)
    if turn == "a hunter's":
        table.play("R:15")
    wrong = "h0:2" if turn == "the runner's" else "R:16"
    with pytest.raises(IllegalAction, match="it is not this side's turn") as told:
        table.play(wrong)
    assert "legal" not in str(told.value)


def test_presets_differ_in_sight_alone(chase: SimpleNamespace) -> None:
    made = {preset: chase.play.make_config(preset) for preset in chase.play.presets}
    assert {preset: config.sight for preset, config in made.items()} == {"standard": 1, "blind": 0, "moonlight": 2}
    for config in made.values():
        assert (config.board.name, config.hunters, config.rounds) == ("grid:6x6", 2, 20)


@pytest.mark.parametrize("text", ["", "R", "R:", "h0", "h2:1", "x:1", "h-1:1", "R:99", " R:1", "r:1"])
def test_bad_notation_is_refused(chase: SimpleNamespace, text: str) -> None:
    with pytest.raises(ManhuntError):
        chase.play.parse_action(chase.play.make_config(board="grid:3x3"), text)


def test_notation_round_trip(chase: SimpleNamespace) -> None:
    game = chase.play
    config = game.make_config(board="london", hunters=5)
    actions = [chase.rules.Move(node, piece) for node in config.board.nodes() for piece in (None, *range(5))]
    texts = [game.format_action(config, action) for action in actions]
    assert len(set(texts)) == len(texts)
    assert [game.parse_action(config, text) for text in texts] == actions


@pytest.mark.parametrize("data", [{}, {"board": {"name": "grid:3x3"}, "colour": "red"}, [], {"preset": "blind"}])
def test_bad_json_of_a_config_is_refused(chase: SimpleNamespace, data: Any) -> None:
    with pytest.raises(ManhuntError):
        chase.play.config_from_json(data)


def test_views_as_json_hold_labels_and_no_secret(chase: SimpleNamespace) -> None:
    table = Table(chase, "grid:3x3", "1", "9").play("R:2")
    told = {seat: table.game.view_to_json(table.game.view(table.state, seat)) for seat in EVERYBODY}
    assert told[Seat.EVADER]["runner"] == "2"
    for seat in (Seat.PURSUERS, Seat.SPECTATOR):
        assert told[seat] == {**told[Seat.EVADER], "seat": seat.value, "runner": None}
    assert told[Seat.PURSUERS]["hunters"] == ["9"]


def test_too_many_hunters_for_a_board(chase: SimpleNamespace) -> None:
    with pytest.raises(BadConfig, match="4 hunters are too many for complete:4: 4 nodes"):
        chase.play.make_config(board="complete:4", hunters=4)


def test_deals_are_listed_with_the_odds_that_they_are_drawn_with(chase: SimpleNamespace) -> None:
    for hunters in (1, 2):
        check_deals(chase.play, chase.play.make_config(board="path:4", hunters=hunters))
