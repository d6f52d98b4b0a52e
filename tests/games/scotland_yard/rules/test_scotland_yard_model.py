"""The course model: players and moves by text, positions in the middle of a game, nodes taken for labels."""

import doctest
from typing import Any

import pytest
from hypothesis import given

from manhunt.boards.catalog import load_board
from manhunt.core.errors import BadBoard, BadConfig, BadText, IllegalAction
from manhunt.core.ids import Node, Seat
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.rules import model
from manhunt.games.scotland_yard.rules.actions import Double, Piece, Single, Ticket, Tickets
from manhunt.games.scotland_yard.rules.game import make_setup
from manhunt.games.scotland_yard.rules.model import (
    Player,
    StartingPlayer,
    double,
    new_game,
    new_position,
    single,
    travel_log,
)
from manhunt.games.scotland_yard.rules.state import ScotlandYardState
from manhunt.play.referee import Referee
from scotland_yard_games import History, board_of, scotland_yard_histories

LONDON = load_board("london")
FULL = {"taxi": 4, "bus": 3, "underground": 3, "secret": 5, "double": 2}
TAXI, BUS = Ticket.TAXI, Ticket.BUS
MRX, RED = Player("mrx", FULL, 104), Player("red", {"taxi": 11}, 117)


def test_the_example_of_the_module_runs() -> None:
    done = doctest.testmod(model)
    assert done.attempted
    assert not done.failed


def test_a_player_takes_its_piece_as_text() -> None:
    assert Player is StartingPlayer
    assert Player("red", Tickets(11), 117) == StartingPlayer(Piece.RED, Tickets(11), 117)
    assert Player("Mr X", FULL, 104).piece is Player("mrx", FULL, 104).piece is Piece.MRX
    with pytest.raises(BadConfig, match="unknown piece 'purple'; known: mrx, red, green, blue, white, yellow"):
        Player("purple", FULL, 104)


def test_moves_take_pieces_and_tickets_as_text_and_nodes_by_label() -> None:
    assert single(LONDON, "red", "taxi", 46) == Single(Piece.RED, TAXI, LONDON.node("46"))
    assert single(LONDON, Piece.MRX, TAXI, "46") == single(LONDON, "Mr X", "Taxi", 46)
    for piece, ticket, message in [("rod", "taxi", "unknown piece 'rod'"), ("red", "boat", "unknown ticket 'boat'")]:
        with pytest.raises(BadText, match=message):
            single(LONDON, piece, ticket, 46)
    bad: Any
    for bad in (0, None):
        with pytest.raises(BadText, match="unknown ticket"):
            single(LONDON, "red", bad, 46)
    with pytest.raises(BadBoard, match="no node '200'"):
        single(LONDON, "red", "taxi", 200)


def test_a_double_move_takes_a_piece_like_a_single_one_and_also_none() -> None:
    wanted = Double(Piece.MRX, TAXI, LONDON.node("46"), BUS, LONDON.node("58"))
    assert double(LONDON, "mrx", "taxi", 46, "bus", 58) == wanted
    assert double(LONDON, Piece.MRX, TAXI, 46, BUS, 58) == wanted
    assert double(LONDON, TAXI, 46, BUS, 58) == double(LONDON, "taxi", "46", "bus", "58") == wanted
    assert double(LONDON, ticket1=TAXI, mid=46, ticket2=BUS, to=58) == wanted
    assert double(LONDON, piece="mrx", ticket1=TAXI, mid=46, ticket2=BUS, to=58) == wanted
    state = new_game(LONDON, [False] * 3, MRX, [RED])
    with pytest.raises(IllegalAction, match="it is Mr X's turn"):
        state.advance(double(LONDON, "red", "taxi", 116, "taxi", 118))


LINE = board_of("1-2:T 2-3:T 3-4:T 4-5:T 5-6:T")


def on_line() -> ScotlandYardState:
    """Mr X is at 3, red at 6."""
    return new_game(LINE, [False] * 4, Player("mrx", FULL, 3), [Player("red", {"taxi": 9}, 6)])


LABELS_AS_NODES: list[tuple[Any, str]] = [
    (
        Single(Piece.MRX, TAXI, Node(2)),
        r"did you mean T2\? A move takes nodes, counted from 0: board.node\(2\) is 1$",
    ),
    (Double(Piece.MRX, TAXI, Node(2), TAXI, Node(1)), r"; did you mean 2:T2,T1\?"),
    (Single(Piece.MRX, TAXI, Node(7)), "there is no such node on board sketch; nodes are counted from 0 to 5"),
]


@pytest.mark.parametrize(("move", "message"), LABELS_AS_NODES)
def test_a_label_given_as_a_node_is_pointed_out(move: Any, message: str) -> None:
    with pytest.raises(IllegalAction, match=message) as caught:
        on_line().advance(move)
    assert "\n" not in str(caught.value)


def test_a_label_given_as_text_is_pointed_out() -> None:
    text: Any = "2"
    with pytest.raises(IllegalAction, match=r"single\(board, piece, ticket, 46\) takes labels; did you mean T2\?"):
        on_line().advance(Single(Piece.MRX, TAXI, text))


def test_who_writes_labels_is_not_lectured_on_nodes() -> None:
    # T3 is where he stands; its node is 2, and T2 would be legal.
    nothing: Any = None
    for move in ("T3", Single(Piece.MRX, TAXI, LINE.node(6)), nothing):
        with pytest.raises(IllegalAction) as caught:
            on_line().advance(move)
        assert "did you mean" not in str(caught.value)


def test_the_hint_tells_nobody_where_mrx_can_go_when_it_is_not_his_turn() -> None:
    after = on_line().advance("T2")
    with pytest.raises(IllegalAction) as caught:
        after.advance(Single(Piece.MRX, TAXI, Node(3)))
    assert "did you mean" not in str(caught.value)


@given(history=scotland_yard_histories())
def test_any_position_of_a_game_can_be_built_by_hand(history: History) -> None:
    for state in history[0]:
        config, label = state.config, state.config.board.label
        again = new_position(
            config.board,
            config.rounds,
            Player("mrx", state.tickets_of("mrx"), label(state.quarry)),
            [Player(str(piece), state.tickets_of(piece), state.place_of(piece)) for piece in state.pieces],
            travel_log(state),
            map(str, state.waiting),
            config.order,
        )
        assert again.available_moves == state.available_moves
        assert again.winner == state.winner
        assert (again.log, again.waiting, again.tickets) == (state.log, state.waiting, state.tickets)


def test_a_position_in_the_middle_goes_on_as_the_game_would() -> None:
    state = new_position("london", [False, True, False], MRX, [RED], [("taxi", None), ("bus", 104)], ["red"])
    assert (state.round, state.rounds_left) == (2, 1)
    assert travel_log(state) == (("taxi", None), ("bus", "104"))
    assert {move.piece for move in state.available_moves} == {Piece.RED}
    state = state.advance("R:T116")
    assert {move.piece for move in state.available_moves} == {Piece.MRX}
    assert not any(isinstance(move, Double) for move in state.available_moves)  # one round is left


def test_detectives_who_wait_but_cannot_move_are_passed_over() -> None:
    stuck = Player("red", {}, 117)
    state = new_position("london", [False] * 3, MRX, [stuck, Player("blue", {"taxi": 1}, 1)], [("bus", None)], ["red"])
    assert state.waiting == ()


TWO = {"rounds": [False, True], "log": [("taxi", None), ("bus", 104)]}
BAD: list[tuple[dict[str, Any], str]] = [
    (
        {"log": [("taxi", None)] * 3, "rounds": [False] * 2},
        "more entries than the game rounds, which are 2",
    ),
    ({"log": [("taxi", 46)]}, "round 1 is hidden, so its label is None"),
    ({"log": [("taxi", None), ("bus", None)]}, "round 2 is shown, so it needs a label"),
    ({"log": [("taxi", None), ("bus", 58)]}, "Mr X was shown last, so he is still at 58, not at 104"),
    ({"log": ["T"]}, r"log entry 1 is 'T'; give \(ticket, label\)"),
    ({"log": [("boat", None)]}, "log entry 1: unknown ticket 'boat'"),
    ({"log": [("double", None)]}, "a double move fills two entries"),
    ({"log": [("taxi", None), ("bus", 200)]}, "log entry 2: no node '200'"),
    ({"waiting": ["blue"]}, "blue cannot be waiting; the detectives are red"),
    ({"waiting": ["mrx"]}, "Mr X cannot be waiting"),
    ({"waiting": ["rod"]}, "waiting: unknown piece 'rod'"),
    ({"log": [], "waiting": ["red"]}, "detectives are waiting, but the log is empty"),
    ({"detectives": []}, "no detectives"),
]


@pytest.mark.parametrize(("change", "message"), BAD, ids=[text for _, text in BAD])
def test_a_position_that_cannot_be_is_one_line(change: dict[str, Any], message: str) -> None:
    with pytest.raises(BadConfig, match=message) as caught:
        new_position(**{"board": LONDON, "mrx": MRX, "detectives": [RED], **TWO, **change})
    assert "\n" not in str(caught.value)


def test_the_referee_takes_moves_in_notation() -> None:
    game = make_game("scotland_yard")
    referee = Referee(game, game.make_config(n_detectives=1), setup=make_setup(104, [117]))
    referee.submit("T86")
    referee.submit("R:T116", seat=Seat.PURSUERS)
    assert referee.actions == [single(LONDON, "mrx", "taxi", 86), single(LONDON, "red", "taxi", 116)]
    before = referee.state
    with pytest.raises(IllegalAction, match="cannot play T46: no taxi edge joins 86 and 46"):
        referee.submit("T46")
    with pytest.raises(BadText, match="'hello' is not a move"):
        referee.submit("hello")
    with pytest.raises(IllegalAction, match="it is not the turn of pursuers"):
        referee.submit("R:T117", seat=Seat.PURSUERS)
    assert referee.state is before
