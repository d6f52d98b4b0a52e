"""Scotland Yard, paragraphs 8 to 11: single and double moves, order, refusals; and the checked numbers."""

import pytest
from hypothesis import given

from manhunt.boards.catalog import load_board
from manhunt.core.errors import IllegalAction
from manhunt.core.ids import Node
from manhunt.games.scotland_yard.rules import rules
from manhunt.games.scotland_yard.rules.actions import DETECTIVES, Double, Piece, Single, Ticket, Tickets
from manhunt.games.scotland_yard.rules.config import STANDARD_ROUNDS
from manhunt.games.scotland_yard.rules.model import StartingPlayer, double, new_game, single
from scotland_yard_games import board_of, scotland_yard_histories

LONDON = load_board("london")
MANY = Tickets(9, 9, 9)
RED, GREEN, BLUE = Piece.RED, Piece.GREEN, Piece.BLUE


def game(board, mrx, *detectives, rounds=(False,) * 6, order="any"):
    """Places as (label, tickets); detectives are red, green, ... in turn."""
    pieces = zip(DETECTIVES, detectives, strict=False)
    players = [StartingPlayer(piece, tickets, at) for piece, (at, tickets) in pieces]
    return new_game(board, rounds, StartingPlayer(Piece.MRX, mrx[1], mrx[0]), players, order)


@pytest.mark.parametrize(
    ("tickets", "detective", "n_moves", "n_single", "n_double"),
    [
        (Tickets(4, 3, 3, double=2, secret=5), 117, 58, 4, 54),
        (Tickets(4, 3, 3, double=2, secret=0), 117, 16, 2, 14),
        (Tickets(4, 3, 3, double=0, secret=5), 116, 2, 2, 0),
    ],
)
def test_checked_numbers_mrx_at_104(tickets, detective, n_moves, n_single, n_double) -> None:
    moves = game(LONDON, (104, tickets), (detective, Tickets(11, 8, 4)), rounds=STANDARD_ROUNDS).available_moves
    assert len(moves) == len(set(moves)) == n_moves
    assert sum(isinstance(m, Single) for m in moves) == n_single
    assert sum(isinstance(m, Double) for m in moves) == n_double


def test_checked_numbers_a_detective_at_128() -> None:
    state = game(LONDON, (104, MANY), (128, Tickets(11, 8, 4)), rounds=STANDARD_ROUNDS).advance("T86")
    kinds = [move.ticket for move in state.available_moves]
    assert [kinds.count(t) for t in (Ticket.TAXI, Ticket.BUS, Ticket.UNDERGROUND)] == [5, 5, 3]
    assert len(kinds) == 13


def test_par_8_only_with_the_transports_own_ticket() -> None:
    board = board_of("1-2:T 1-3:B 1-4:U 5-2:T")
    for tickets, offered in ((Tickets(taxi=1), "T2"), (Tickets(bus=1), "B3"), (Tickets(underground=1), "U4")):
        assert game(board, (1, tickets), (5, MANY)).offered == (offered,)


def test_par_8_every_detective_blocks_also_one_who_cannot_move() -> None:
    board = board_of("1-2:T 1-3:T 1-4:T 4-5:T")
    assert game(board, (1, MANY), (2, Tickets()), (3, Tickets()), (5, MANY)).offered == ("T4",)


def test_par_8_a_detective_does_not_enter_another_ones_node() -> None:
    board = board_of("1-2:T 2-3:T 3-4:T 5-6:T")
    state = game(board, (5, MANY), (2, MANY), (3, Tickets())).advance("T6")
    assert state.offered == ("R:T1",)


def test_par_8_two_transports_to_one_node_are_two_moves_but_one_secret_move() -> None:
    board = board_of("1-2:TBU 3-2:T")
    assert game(board, (1, Tickets(1, 1, 1, 1)), (3, MANY)).offered == ("T2", "B2", "U2", "S2")


def test_par_8_two_transports_and_a_ferry_still_make_one_secret_move() -> None:
    board = board_of("1-2:TF 3-2:T")
    assert game(board, (1, Tickets(1, secret=1)), (3, MANY)).offered == ("T2", "S2")


def test_par_8_mrx_does_not_block_a_detective() -> None:
    state = game(board_of("1-2:T 2-3:T"), (1, MANY), (3, MANY)).advance("T2")
    assert state.offered == ("R:T2",)
    assert state.advance("R:T2").winner == {RED}


def test_par_8_the_ferry_only_with_a_secret_ticket_and_never_for_detectives() -> None:
    board = board_of("1-2:F 2-3:T 4-5:F 4-6:T")
    assert game(board, (1, MANY), (4, MANY)).winner == {RED}, "stranded without a secret ticket"
    state = game(board, (1, Tickets(secret=1)), (4, MANY))
    assert state.offered == ("S2",)
    assert state.advance("S2").offered == ("R:T6",)


def test_par_8_london_ferry() -> None:
    state = game(LONDON, (115, Tickets(secret=1)), (1, MANY))
    assert {"S108", "S157"} <= set(state.offered)
    assert not any(move.startswith("S") for move in game(LONDON, (115, MANY), (1, MANY)).offered)
    state = game(LONDON, (1, MANY), (115, MANY)).advance("T8")
    assert {move.to for move in state.available_moves}.isdisjoint({LONDON.node(108), LONDON.node(157)})


LINE = board_of("1-2:T 2-3:TB 3-4:B 8-9:T 9-10:T")


def test_par_9_double_moves_need_a_double_ticket() -> None:
    assert game(LINE, (1, Tickets(5, 5)), (8, MANY)).offered == ("T2",)
    with_double = game(LINE, (1, Tickets(5, 5, double=1)), (8, MANY))
    assert with_double.offered == ("T2", "2:T2,T1", "2:T2,T3", "2:T2,B3")


def test_par_9_two_rounds_must_be_left() -> None:
    tickets = Tickets(5, 5, double=2)
    assert game(LINE, (1, tickets), (8, MANY), rounds=(False,)).offered == ("T2",)
    assert "2:T2,T3" in game(LINE, (1, tickets), (8, MANY), rounds=(False,) * 2).offered
    state = game(LINE, (1, tickets), (8, MANY), rounds=(False,) * 3).advance("T2").advance("R:T9")
    assert "2:T1,T2" in state.offered, "two left"
    state = game(LINE, (1, tickets), (8, MANY), rounds=(False,) * 3).advance("2:T2,T1").advance("R:T9")
    assert state.offered == ("T2",), "one left"
    state = game(LINE, (1, tickets), (8, MANY), rounds=(False,) * 2).advance("2:T2,T1")
    assert state.advance("R:T9").winner == {Piece.MRX}


def test_par_9_neither_destination_is_a_detectives_node() -> None:
    board = board_of("1-2:T 2-3:T 1-4:T 4-5:T 5-6:T")
    state = game(board, (1, Tickets(4, double=1)), (2, MANY), (5, MANY))
    assert state.offered == ("T4", "2:T4,T1")


def test_par_9_the_second_step_may_lead_back() -> None:
    assert "2:T2,T1" in game(LINE, (1, Tickets(2, double=1)), (8, MANY)).offered


def test_par_9_two_of_one_kind_are_needed_for_two_such_steps() -> None:
    one = game(LINE, (1, Tickets(taxi=1, bus=1, double=1)), (8, MANY))
    assert one.offered == ("T2", "2:T2,B3")
    two = game(LINE, (1, Tickets(taxi=2, double=1)), (8, MANY))
    assert two.offered == ("T2", "2:T2,T1", "2:T2,T3")


def test_par_9_secret_and_secret_needs_two() -> None:
    one = game(LINE, (1, Tickets(secret=1, double=1)), (8, MANY))
    assert one.offered == ("S2",)
    two = game(LINE, (1, Tickets(secret=2, double=1)), (8, MANY))
    assert two.offered == ("S2", "2:S2,S1", "2:S2,S3")


def test_par_9_either_step_may_be_secret() -> None:
    offered = game(LINE, (1, Tickets(taxi=1, bus=1, secret=1, double=1)), (8, MANY)).offered
    assert set(offered) == {"T2", "S2", "2:T2,S1", "2:T2,S3", "2:T2,B3", "2:S2,T1", "2:S2,T3", "2:S2,B3"}


def test_par_9_detectives_make_no_double_moves() -> None:
    state = game(LINE, (1, Tickets(5, double=1)), (8, MANY)).advance("T2")
    assert all(isinstance(move, Single) for move in state.available_moves)
    with pytest.raises(IllegalAction, match="only Mr X makes double moves"):
        state.advance(Double(RED, Ticket.TAXI, Node(6), Ticket.TAXI, Node(7)))


THREE = board_of("1-2:T 11-12:T 12-13:T 21-22:T 22-23:T 31-32:T")


def test_par_10_any_offers_all_who_have_not_moved() -> None:
    state = game(THREE, (1, MANY), (11, MANY), (21, MANY), (31, MANY)).advance("T2")
    assert state.offered == ("R:T12", "G:T22", "B:T32")
    state = state.advance("G:T22")
    assert state.offered == ("R:T12", "B:T32")
    state = state.advance("B:T32")
    assert state.offered == ("R:T12",)
    assert state.advance("R:T12").offered == ("T1",)


def test_par_10_seated_offers_the_first_who_can_move() -> None:
    state = game(THREE, (1, MANY), (11, MANY), (21, Tickets()), (31, MANY), order="seated").advance("T2")
    assert state.offered == ("R:T12",)
    with pytest.raises(IllegalAction, match="order of seats, and it is the turn of red"):
        state.advance("B:T32")
    state = state.advance("R:T12")
    assert state.offered == ("B:T32",), "green cannot move"
    assert state.advance("B:T32").offered == ("T1",)


def test_par_10_seats_are_in_the_order_given() -> None:
    players = [StartingPlayer(piece, MANY, at) for piece, at in ((BLUE, 11), (RED, 21))]
    state = new_game(THREE, (False,) * 3, StartingPlayer(Piece.MRX, MANY, 1), players, "seated").advance("T2")
    assert state.offered == ("B:T12",)


@pytest.mark.parametrize("order", ["any", "seated"])
def test_par_10_who_cannot_move_is_passed_over(order) -> None:
    state = game(THREE, (1, MANY), (11, MANY), (21, Tickets()), order=order).advance("T2").advance("R:T12")
    assert state.waiting == ()
    assert state.place_of(GREEN) == "21"
    assert state.tickets_of(GREEN) == Tickets()
    assert state.tickets_of(Piece.MRX) == MANY, "one taxi paid, one got from red, none from green"


@pytest.mark.parametrize("order", ["any", "seated"])
def test_par_10_a_blocked_detective_whose_way_clears_moves_in_the_same_turn(order) -> None:
    board = board_of("1-2:T 11-12:T 12-13:T")
    state = game(board, (1, MANY), (11, MANY), (12, MANY), order=order).advance("T2")
    assert state.offered == ("G:T13",), "red is blocked by green"
    state = state.advance("G:T13")
    assert state.offered == ("R:T12",)
    state = state.advance("R:T12")
    assert state.offered == ("T1",)
    assert (state.place_of(RED), state.place_of(GREEN)) == ("12", "13")


def test_par_10_a_detective_who_gets_blocked_during_the_turn_is_passed_over() -> None:
    board = board_of("1-2:T 11-12:T 12-13:T 12-14:T")
    state = game(board, (1, MANY), (11, MANY), (13, MANY)).advance("T2").advance("G:T12")
    assert state.offered == ("T1",)
    assert state.place_of(RED) == "11"


REFUSED = [
    ("B2", r"Mr X \(round 0\) cannot play B2: no bus edge joins 1 and 2; legal: T2"),
    ("T4", "no taxi edge joins 1 and 4"),
    ("S2", "no secret ticket left"),
    ("T3", "no taxi edge joins 1 and 3"),
    ("2:T2,T1", "no double ticket left"),
    ("R:T9", "it is Mr X's turn"),
    ("Y:T9", "yellow is not in this game"),
]


@pytest.mark.parametrize(("move", "message"), REFUSED)
def test_par_11_refused_with_piece_move_reason_and_what_is_legal(move, message) -> None:
    state = game(LINE, (1, Tickets(2, 2)), (8, MANY))
    with pytest.raises(IllegalAction, match=message) as caught:
        state.advance(move)
    mine = not move.startswith(("R:", "Y:"))
    assert str(caught.value).endswith("legal: T2" if mine else "legal: moves of Mr X")


def test_par_11_more_reasons() -> None:
    state = game(LINE, (2, Tickets(1, 1, secret=1, double=1)), (8, MANY), (3, MANY))
    for move, reason in (
        ("T3", "a detective stands on 3"),
        ("U1", "no underground edge"),
        ("2:T1,T2", "second step: no taxi ticket left"),
        ("2:T3,B4", "first step: a detective stands on 3"),
    ):
        with pytest.raises(IllegalAction, match=reason):
            state.advance(move)
    with pytest.raises(IllegalAction, match="a double ticket cannot pay for a single move"):
        state.advance(Single(Piece.MRX, Ticket.DOUBLE, Node(0)))
    with pytest.raises(IllegalAction, match="no such node"):
        state.advance(Single(Piece.MRX, Ticket.TAXI, Node(99)))
    after = state.advance("T1").advance("R:T9")
    with pytest.raises(IllegalAction, match="red has moved already this turn"):
        after.advance("R:T8")
    with pytest.raises(IllegalAction, match="it is the turn of green"):
        after.advance("T2")
    with pytest.raises(IllegalAction, match="detectives have no secret tickets"):
        after.advance("G:S2")
    with pytest.raises(IllegalAction, match="needs two rounds, and one is left"):
        game(LINE, (2, Tickets(2, double=1)), (8, MANY), rounds=(False,)).advance("2:T1,T2")
    over = game(LINE, (8, MANY), (8, MANY))
    with pytest.raises(IllegalAction, match=r"the game is over \(pursuers capture\); legal: nothing"):
        over.advance("T9")


def test_par_11_an_old_state_never_changes() -> None:
    state = game(LINE, (1, Tickets(2, 2, double=1)), (8, MANY))
    before = repr(state)
    after = state.advance("2:T2,B3").advance("R:T9")
    assert repr(state) == before
    assert after != state
    assert state.advance("2:T2,B3").advance("R:T9") == after


def test_moves_are_values_that_are_easy_to_write_down() -> None:
    state = game(LINE, (1, Tickets(2, 2, double=1)), (8, MANY))
    taxi, bus = Ticket.TAXI, Ticket.BUS
    assert set(state.available_moves) == {
        single(LINE, Piece.MRX, taxi, 2),
        double(LINE, taxi, 2, taxi, 1),
        double(LINE, taxi, "2", taxi, "3"),
        double(LINE, taxi, 2, bus, 3),
    }


@given(scotland_yard_histories())
def test_par_11_what_is_refused_is_exactly_what_is_not_offered(history) -> None:
    states, _ = history
    state = states[-1]
    offered = set(state.available_moves)
    nodes = list(state.config.board.nodes())
    single = [Single(p, t, n) for p in state.players for t in Ticket for n in nodes]
    double = [Double(Piece.MRX, m.ticket, m.to, t, n) for m in single if not m.piece for t in Ticket for n in nodes]
    assert {m for m in (*single, *double) if rules.reason_against(state, m) is None} == offered
