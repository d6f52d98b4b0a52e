"""Scotland Yard, paragraphs 1 to 7: words, presets, making a game."""

import json
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from manhunt.boards.board import Board
from manhunt.boards.catalog import load_board
from manhunt.core.errors import BadBoard, BadConfig, BadText, IllegalAction, ManhuntError
from manhunt.core.ids import Transport
from manhunt.core.registry import game_names, make_game
from manhunt.games.scotland_yard.rules import rules
from manhunt.games.scotland_yard.rules.actions import DETECTIVES, Double, Piece, Single, Ticket, Tickets
from manhunt.games.scotland_yard.rules.config import PRESETS, ScotlandYardConfig, ScotlandYardOrder, make_config
from manhunt.games.scotland_yard.rules.game import make_setup
from manhunt.games.scotland_yard.rules.model import StartingPlayer, new_game
from scotland_yard_games import board_of
from scotland_yard_positions import setup_of

LONDON = load_board("london")
GAME = make_game("scotland_yard")
FULL = Tickets(4, 3, 3, 5, 2)
SOME = Tickets(11, 8, 4)
MRX_STARTS = ["35", "45", "51", "71", "78", "104", "106", "127", "132", "166", "170", "172"]
DETECTIVE_STARTS = ["26", "29", "50", "53", "91", "94", "103", "112", "117", "123", "138", "141", "155", "174"]
ONE_DRAW = [
    "13",
    "26",
    "29",
    "34",
    "50",
    "53",
    "91",
    "94",
    "103",
    "112",
    "117",
    "132",
    "138",
    "141",
    "155",
    "174",
    "197",
    "198",
]


HIDDEN_104 = StartingPlayer(Piece.MRX, FULL, 104)


def made(board=LONDON, rounds=(False, True), mrx=HIDDEN_104, detectives=None, **more):
    given = [StartingPlayer(Piece.RED, SOME, 117)] if detectives is None else detectives
    return new_game(board, rounds, mrx, given, **more)


def test_par_1_pieces_and_tickets() -> None:
    assert [str(p) for p in Piece] == ["Mr X", "red", "green", "blue", "white", "yellow"]
    assert [str(t) for t in Ticket] == ["taxi", "bus", "underground", "secret", "double"]
    assert [f"{p}" for p in DETECTIVES] == [p.name.lower() for p in DETECTIVES]
    assert [t.letter for t in Ticket] == list("TBUSD")


def test_par_1_a_ferry_costs_a_secret_ticket_each_other_transport_its_own() -> None:
    board = board_of("1-2:T 1-3:B 1-4:U 1-5:F")
    start = new_game(board, [False], StartingPlayer(Piece.MRX, FULL, 1), [StartingPlayer(Piece.RED, SOME, 2)])
    assert set(start.offered) == {"B3", "S3", "U4", "S4", "S5"}


def test_par_2_london() -> None:
    assert (LONDON.n_nodes, len(LONDON.edges)) == (199, 467)
    count = {kind: sum(e.transport is kind for e in LONDON.edges) for kind in LONDON.transports}
    assert count == {Transport.TAXI: 345, Transport.BUS: 99, Transport.UNDERGROUND: 20, Transport.FERRY: 3}
    ferries = [(LONDON.label(e.a), LONDON.label(e.b)) for e in LONDON.edges if e.transport is Transport.FERRY]
    assert ferries == [("108", "115"), ("115", "157"), ("157", "194")]


def test_par_2_a_move_can_go_both_ways_and_by_several_transports() -> None:
    board = board_of("1-2:TBU 2-3:T")
    there = new_game(
        board, [False], StartingPlayer(Piece.MRX, Tickets(1, 1, 1), 1), [StartingPlayer(Piece.RED, SOME, 3)]
    )
    back = new_game(
        board, [False], StartingPlayer(Piece.MRX, Tickets(1, 1, 1), 2), [StartingPlayer(Piece.RED, SOME, 3)]
    )
    assert there.offered == ("T2", "B2", "U2")
    assert back.offered == ("T1", "B1", "U1")


def test_par_3_standard_rounds() -> None:
    config = make_config()
    assert config.n_rounds == 24
    assert config.shown_rounds == (3, 8, 13, 18, 24)


@pytest.mark.parametrize("rounds", [(True,), (False,), (True, True, False), tuple([False] * 40)])
def test_par_3_any_list_of_rounds_is_allowed(rounds) -> None:
    assert made(rounds=rounds).config.rounds == rounds


def test_par_3_rounds_by_number_and_shown() -> None:
    assert make_config(rounds=4, shown=[2]).rounds == (False, True, False, False)
    assert make_config(rounds=[True, False]).rounds == (True, False)
    with pytest.raises(BadConfig, match="round 5 cannot be shown; rounds are counted from 1 to 4"):
        make_config(rounds=4, shown=[5])


def test_par_4_standard() -> None:
    config = make_config("standard")
    assert config.mrx_tickets == Tickets(taxi=4, bus=3, underground=3, secret=5, double=2)
    assert config.detective_tickets == Tickets(taxi=11, bus=8, underground=4)
    assert list(config.mrx_starts) == MRX_STARTS
    assert list(config.detective_starts) == DETECTIVE_STARTS
    assert config.order is ScotlandYardOrder.ANY


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_par_4_ravensburger(n) -> None:
    config = make_config("ravensburger", n_detectives=n)
    assert config.mrx_tickets == Tickets(taxi=4, bus=3, underground=3, secret=n, double=2)
    assert config.detective_tickets == Tickets(taxi=10, bus=8, underground=4)
    assert list(config.mrx_starts) == list(config.detective_starts) == ONE_DRAW
    assert config.order is ScotlandYardOrder.SEATED


@pytest.mark.parametrize("preset", PRESETS)
def test_par_4_every_preset_names_its_source(preset) -> None:
    assert "paragraph 4" in make_config(preset).source


@pytest.mark.parametrize("preset", PRESETS)
def test_par_4_the_draw_uses_the_lists_and_no_node_twice(preset) -> None:
    config, seen = make_config(preset), set()
    for seed in range(150):
        state = GAME.new(config, Random(seed))
        places = LONDON.text((state.quarry, *state.pursuers)).split()
        assert len(set(places)) == 6
        assert places[0] in config.mrx_starts
        assert set(places[1:]) <= set(config.detective_starts)
        assert not state.free
        seen.add(places[0])
    assert seen == set(config.mrx_starts)


def test_par_4_on_another_board_the_pieces_start_anywhere() -> None:
    config = make_config(board=board_of("1-2:T 2-3:T 3-4:T 4-1:T"), n_detectives=2)
    assert config.mrx_starts == config.detective_starts == ()
    states = [GAME.new(config, Random(seed)) for seed in range(60)]
    assert {s.quarry for s in states} == {0, 1, 2, 3}
    assert all(rules.outcome(s) is None for s in states)


RED, GREEN = StartingPlayer(Piece.RED, SOME, 117), StartingPlayer(Piece.GREEN, SOME, 94)
REJECTED = [
    ({"mrx": None}, "no Mr X"),
    ({"detectives": []}, "no detectives"),
    (
        {"detectives": [*(StartingPlayer(p, SOME, i + 1) for i, p in enumerate(DETECTIVES)), RED]},
        "6 detectives; at most 5",
    ),
    ({"mrx": StartingPlayer(Piece.RED, FULL, 104)}, "red is a detective and cannot be Mr X"),
    ({"detectives": [RED, StartingPlayer(Piece.MRX, SOME, 94)]}, "Mr X is among the detectives"),
    ({"detectives": [RED, StartingPlayer(Piece.RED, SOME, 94)]}, "two detectives are red"),
    ({"detectives": [RED, StartingPlayer(Piece.GREEN, SOME, 117)]}, "red and green are both on 117"),
    ({"detectives": [RED, StartingPlayer(Piece.GREEN, SOME, "117")]}, "red and green are both on 117"),
    ({"detectives": [StartingPlayer(Piece.RED, Tickets(secret=1), 117)]}, "red has 1 secret tickets"),
    ({"detectives": [RED, StartingPlayer(Piece.BLUE, {Ticket.DOUBLE: 1}, 94)]}, "blue has 1 double tickets"),
    ({"detectives": [RED, None]}, "one of the detectives is None"),
    ({"rounds": []}, "no rounds"),
    ({"rounds": None}, "no rounds"),
    ({"rounds": [1, 0]}, "list of True"),
    ({"board": Board("nothing", (), ())}, "board nothing is empty"),
    ({"board": None}, "no board"),
    ({"board": load_board("top-right-20")}, "plain edges"),
    ({"mrx": StartingPlayer(Piece.MRX, FULL, 200)}, "Mr X: no node '200' on board london"),
    ({"detectives": [StartingPlayer(Piece.WHITE, SOME, 0)]}, "white: no node '0' on board london"),
    ({"mrx": StartingPlayer(Piece.MRX, Tickets(taxi=-1), 104)}, "Mr X has -1 taxi tickets"),
    ({"detectives": [StartingPlayer(Piece.RED, {Ticket.BUS: -2}, 117)]}, "red has -2 bus tickets"),
    ({"detectives": [StartingPlayer(Piece.RED, {"boat": 2}, 117)]}, "unknown ticket 'boat'"),
    ({"detectives": [StartingPlayer(Piece.RED, {"bus": 2.5}, 117)]}, "2.5 bus tickets; a count is a whole number"),
    ({"order": "clockwise"}, "unknown order 'clockwise'"),
    ({"rounds": 24}, r"rounds is 24; give one True \(shown\) or False"),
    ({"rounds": True}, "rounds is True; give one True"),
    ({"rounds": "hidden"}, "rounds must be a list"),
    ({"board": 7}, "7 is not a board"),
    ({"mrx": 104}, "mrx is 104; give a StartingPlayer"),
    ({"mrx": StartingPlayer(0, FULL, 104)}, r"mrx: 0 is not a Piece; pieces are Piece\.MRX, Piece\.RED"),
    ({"mrx": StartingPlayer(Piece.MRX, None, 104)}, "Mr X: tickets need names, as .*, not None"),
    (
        {"mrx": StartingPlayer(Piece.MRX, [4, 3, 3, 2, 5], 104)},
        r"Mr X: tickets need names, as .*, not \[4, 3, 3, 2, 5\]",
    ),
    ({"mrx": StartingPlayer(Piece.MRX, (4, 3, 3), 104)}, "Mr X: tickets need names"),
    ({"mrx": StartingPlayer(Piece.MRX, {"taxi": True}, 104)}, "Mr X has True taxi tickets"),
    ({"detectives": RED}, r"detectives must be a list such as \[StartingPlayer"),
    ({"detectives": "117"}, "detectives must be a list such as"),
    ({"detectives": [RED, 94]}, "detective 2 is 94; give a StartingPlayer"),
    ({"detectives": [StartingPlayer(1, SOME, 117)]}, "detective 1: 1 is not a Piece"),
    ({"detectives": [StartingPlayer(Piece.RED, [11, 8], 117)]}, "red: tickets need names"),
    ({"detectives": [StartingPlayer(Piece.RED, [11, 8, 4, 0, 0], 117)]}, "red: tickets need names"),
]


@pytest.mark.parametrize(("change", "message"), REJECTED, ids=[text for _, text in REJECTED])
def test_par_5_rejected_with_the_part_that_is_wrong(change, message) -> None:
    with pytest.raises(BadConfig, match=message) as caught:
        made(**change)
    assert "\n" not in str(caught.value)


def test_par_5_any_list_a_board_by_name_and_numbers_of_numpy_will_do() -> None:
    players = [RED, GREEN]
    plain = made(detectives=players)
    assert made("london", np.array([False, True]), detectives=(player for player in players)) == plain
    counts = dict(zip(Tickets._fields, np.array(FULL), strict=True))
    state = made(
        mrx=StartingPlayer(Piece.MRX, counts, 104), detectives=[replace(p, tickets=np.array(SOME[:3])) for p in players]
    )
    assert state == plain
    assert {type(count) for held in state.tickets for count in held} == {int}
    assert {type(shown) for shown in state.config.rounds} == {bool}
    config = make_config(n_detectives=np.int64(2), rounds=np.int32(9), shown=np.array([3, 8]))
    assert config == make_config(n_detectives=2, rounds=9, shown=(3, 8))
    assert GAME.config_from_json(json.loads(json.dumps(GAME.config_to_json(config)))) == config


def test_par_5_an_unknown_name_of_a_board_is_one_line() -> None:
    with pytest.raises(BadBoard, match=r"unknown board 'londn'; did you mean london\?"):
        made(board="londn")


def test_par_5_bare_numbers_are_three_and_a_detectives() -> None:
    assert make_config(detective_tickets=[10, 8, 4]).detective_tickets == Tickets(taxi=10, bus=8, underground=4)
    assert make_config(mrx_tickets=Tickets(4, 3, 3, 5, 2)).mrx_tickets == Tickets(4, 3, 3, secret=5, double=2)
    for numbers in ([4, 3, 3, 2, 5], (4, 3, 3), [], np.array([4, 3, 3, 2, 5])):
        with pytest.raises(BadConfig, match=r"Mr X: tickets need names, as \{'taxi': 4"):
            make_config(mrx_tickets=numbers)
        with pytest.raises(BadConfig, match="Mr X: tickets need names"):
            ScotlandYardConfig(LONDON, mrx_tickets=numbers)
    with pytest.raises(BadConfig, match="mrx: tickets need names"):
        GAME.start(make_config(), {"mrx": {"at": 104, "tickets": [4, 3, 3, 2, 5]}, "detectives": [1, 2, 3, 4, 5]})


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("setup", [None, 104, ["104"]])
def test_a_setup_that_is_no_mapping_is_one_line(name, setup) -> None:
    game = make_game(name)
    with pytest.raises(BadConfig, match=f"setup of {name}: expected a mapping"):
        game.start(game.make_config(), setup)


BOGUS: list[object] = [
    None,
    46,
    ("T", 86),
    Single("Mr X", Ticket.TAXI, 85),
    Single(Piece.MRX, "taxi", 85),
    Single(Piece.MRX, 0, 85),
]
BOGUS += [Single(Piece.MRX, Ticket.TAXI, "86"), Double(Piece.MRX, Ticket.TAXI, 85, Ticket.TAXI, None)]


@pytest.mark.parametrize("move", BOGUS, ids=repr)
def test_par_11_what_is_no_move_is_one_line(move) -> None:
    with pytest.raises(IllegalAction, match="is not a move") as caught:
        made().advance(move)
    assert "\n" not in str(caught.value)


def test_par_5_more_than_five_detectives() -> None:
    with pytest.raises(BadConfig, match="6 detectives; from 1 to 5"):
        ScotlandYardConfig(LONDON, n_detectives=6)
    with pytest.raises(BadConfig, match="no detectives; from 1 to 5"):
        ScotlandYardConfig(LONDON, n_detectives=0)
    with pytest.raises(BadConfig, match="6 detectives; at most 5 can play"):
        GAME.start(make_config(), make_setup(104, [1, 2, 3, 4, 5]) | {"detectives": [1, 2, 3, 4, 5, 6]})


SETUPS = [
    ({}, "no Mr X"),
    ({"mrx": {"at": "104"}}, "no detectives"),
    ({"mrx": {"at": "104"}, "detectives": [{"at": "104x"}]}, "red: no node '104x'"),
    ({"mrx": {}, "detectives": ["1"]}, "mrx needs a node"),
    ({"mrx": "1", "detectives": "2"}, "detectives is a list"),
    ({"mrx": {"at": "104", "piece": "red"}, "detectives": ["1"]}, "red is a detective and cannot be Mr X"),
    ({"mrx": "104", "detectives": [{"at": "1", "piece": "pink"}]}, "unknown piece 'pink'"),
    ({"mrx": "104", "detectives": ["1", "2"]}, "2 detectives are placed, but the config has 1"),
    ({"mrx": "105", "detectives": ["1"], "free": False}, "none of the start places"),
    ({"mrx": "105", "detectives": ["1"], "free": 1}, "free is true or false"),
]


@pytest.mark.parametrize(("setup", "message"), SETUPS, ids=[text for _, text in SETUPS])
def test_par_5_bad_setups(setup, message) -> None:
    with pytest.raises(BadConfig, match=message):
        GAME.start(make_config(n_detectives=1), setup)


def test_par_5_a_setup_with_keys_nobody_reads_is_refused() -> None:
    with pytest.raises(BadText, match="unknown key 'mrX'"):
        GAME.start(make_config(), {"mrX": "104"})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"preset": "standrad"}, r"unknown preset 'standrad'; did you mean standard\?"),
        ({"n_detective": 3}, "unknown option of scotland_yard 'n_detective'"),
        ({"n_detectives": "3"}, "n_detectives must be a whole number"),
        ({"mrx_starts": ["300"]}, "mrx_starts: no node '300'"),
        ({"detective_starts": ["1", "1", "2"]}, "detective_starts names a node twice"),
        ({"detective_starts": ["1", "2"]}, "detective_starts has 2 places; the draw needs 5"),
        ({"mrx_tickets": "many"}, "tickets need names"),
        ({"mrx_starts": "104"}, "mrx_starts must be a list of labels"),
        ({"mrx_starts": 104}, "mrx_starts must be a list of labels"),
        ({"shown": 3}, "shown must be a list of round numbers"),
        ({"shown": [2.5]}, "shown must be a whole number, not 2.5"),
        ({"rounds": 2.5}, "rounds is a number"),
        ({"board": 7}, "7 is not a board"),
        ({"detective_tickets": {"secret": 1}}, "a detective has 1 secret tickets"),
    ],
)
def test_par_5_bad_configs(options, message) -> None:
    with pytest.raises(ManhuntError, match=message):
        make_config(**options)


def test_par_6_any_counts_any_order_any_nodes() -> None:
    late = [StartingPlayer(Piece.YELLOW, Tickets(), 1), StartingPlayer(Piece.BLUE, {"taxi": 2}, 199)]
    state = made(mrx=StartingPlayer(Piece.MRX, Tickets(), 5), detectives=late)
    assert state.players == (Piece.MRX, Piece.YELLOW, Piece.BLUE)
    assert state.tickets_of(Piece.MRX) == state.tickets_of(Piece.YELLOW) == Tickets()
    assert state.tickets_of(Piece.BLUE) == Tickets(taxi=2)
    assert (state.place_of(Piece.YELLOW), state.place_of(Piece.BLUE)) == ("1", "199")


def test_par_6_mrx_on_a_detectives_node_is_a_catch_at_once() -> None:
    state = made(mrx=StartingPlayer(Piece.MRX, FULL, 117))
    assert rules.outcome(state) == rules.CAPTURE
    assert state.winner == {Piece.RED}


def test_par_7_a_new_game_has_an_empty_log_and_mrx_moves_first() -> None:
    state = made(detectives=[RED, GREEN])
    assert state.log == ()
    assert {move.piece for move in state.available_moves} == {Piece.MRX}


def test_the_place_of_mrx_is_not_public_and_a_stranger_has_none() -> None:
    state = made()
    with pytest.raises(ManhuntError, match="not public"):
        state.place_of(Piece.MRX)
    for ask in (state.tickets_of, state.place_of):
        with pytest.raises(ManhuntError, match="white is not in this game; pieces: Mr X, red"):
            ask(Piece.WHITE)


def test_what_may_be_absent_is_none_and_a_misspelt_piece_is_an_error() -> None:
    state = made()
    assert [state.find_place(piece) for piece in Piece] == [None, "117", None, None, None, None]
    assert [state.find_tickets(piece) for piece in Piece] == [FULL, SOME, None, None, None, None]
    assert state.find_place("red") == state.place_of("Red") == "117"
    assert state.find_tickets("mrx") == state.tickets_of("Mr X") == FULL
    for ask in (state.find_place, state.find_tickets, state.place_of, state.tickets_of):
        with pytest.raises(BadText, match=r"unknown piece 'rod'; did you mean red\?"):
            ask("rod")


def test_setups_and_configs_survive_json() -> None:
    config = make_config("ravensburger", n_detectives=3, rounds=[True, False, True])
    assert GAME.config_from_json(GAME.config_to_json(config)) == config
    state = made(detectives=[StartingPlayer(Piece.WHITE, Tickets(1), 5), RED])
    config = GAME.config_from_json(GAME.config_to_json(state.config))
    assert GAME.start(config, setup_of(state)) == state
