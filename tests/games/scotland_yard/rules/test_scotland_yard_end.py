"""Scotland Yard, paragraphs 12 to 16: what a move does, and the end."""

import pytest
from hypothesis import given

from manhunt.boards.catalog import load_board
from manhunt.games.scotland_yard.rules import rules
from manhunt.games.scotland_yard.rules.actions import DETECTIVES, Double, Piece, Ticket, Tickets
from manhunt.games.scotland_yard.rules.config import STANDARD_ROUNDS
from manhunt.games.scotland_yard.rules.model import StartingPlayer, new_game, travel_log
from scotland_yard_games import board_of, scotland_yard_histories

LONDON = load_board("london")
MANY = Tickets(9, 9, 9)
MRX = {Piece.MRX}


def game(board, mrx, *detectives, rounds=(False,) * 6, order="any"):
    pieces = zip(DETECTIVES, detectives, strict=False)
    players = [StartingPlayer(piece, tickets, at) for piece, (at, tickets) in pieces]
    return new_game(board, rounds, StartingPlayer(Piece.MRX, mrx[1], mrx[0]), players, order)


LINE = board_of("1-2:T 2-3:TB 3-4:B 8-9:T 9-10:U 10-11:B")


def test_par_12_a_single_move_costs_mrx_one_ticket_that_leaves_the_game() -> None:
    state = game(LINE, (1, Tickets(4, 3, 3, 5, 2)), (8, Tickets(2))).advance("T2")
    assert LINE.label(state.quarry) == "2"
    assert state.tickets_of(Piece.MRX) == Tickets(3, 3, 3, 5, 2)
    assert state.tickets_of(Piece.RED) == Tickets(2)


def test_par_12_a_double_move_costs_both_tickets_and_one_double() -> None:
    state = game(LINE, (1, Tickets(4, 3, 3, 5, 2)), (8, MANY)).advance("2:S2,B3")
    assert LINE.label(state.quarry) == "3"
    assert state.tickets_of(Piece.MRX) == Tickets(4, 2, 3, 4, 1)


@pytest.mark.parametrize(("move", "ticket"), [("R:T8", Ticket.TAXI), ("R:U10", Ticket.UNDERGROUND)])
def test_par_12_a_detectives_ticket_goes_to_mrx_at_once(move, ticket) -> None:
    before = game(LINE, (1, MANY), (9, MANY), (4, MANY)).advance("T2")
    after = before.advance(move)
    assert after.tickets_of(Piece.RED) == MANY.plus(ticket, -1)
    assert after.tickets_of(Piece.MRX) == before.tickets_of(Piece.MRX).plus(ticket)
    assert after.waiting, "green has yet to move"


def test_par_12_the_ticket_goes_to_mrx_even_when_that_move_catches_him() -> None:
    state = game(LINE, (1, Tickets(1)), (3, Tickets(1))).advance("T2").advance("R:T2")
    assert state.winner == {Piece.RED}
    assert state.tickets_of(Piece.MRX) == Tickets(taxi=1)


@given(scotland_yard_histories())
def test_par_12_tickets_are_never_made_and_only_mrx_loses_them(history) -> None:
    states, actions = history
    for before, action, after in zip(states, actions, states[1:], strict=False):
        lost = sum(map(sum, before.tickets)) - sum(map(sum, after.tickets))
        assert lost == (0 if action.piece else 3 if isinstance(action, Double) else 1)
        assert min(min(held) for held in after.tickets) >= 0


def test_par_13_a_hidden_round_logs_the_ticket_alone() -> None:
    state = game(LINE, (1, MANY), (8, MANY), rounds=(False, True)).advance("T2")
    assert travel_log(state) == (("taxi", None),)


def test_par_13_a_shown_round_logs_the_node_too() -> None:
    state = game(LINE, (1, MANY), (8, MANY), rounds=(True, False)).advance("T2")
    assert travel_log(state) == (("taxi", "2"),)


def test_par_13_secret_shows_as_secret_and_double_never_appears() -> None:
    state = game(LINE, (1, Tickets(1, secret=1, double=1)), (8, MANY)).advance("2:S2,T3")
    assert travel_log(state) == (("secret", None), ("taxi", None))


@pytest.mark.parametrize(
    ("rounds", "log"),
    [
        ((True, False), (("taxi", "2"), ("bus", None))),
        ((False, True), (("taxi", None), ("bus", "3"))),
        ((True, True), (("taxi", "2"), ("bus", "3"))),
        ((False, False), (("taxi", None), ("bus", None))),
    ],
)
def test_par_13_each_step_of_a_double_move_logs_its_own_node(rounds, log) -> None:
    state = game(LINE, (1, Tickets(1, 1, double=1)), (8, MANY), rounds=rounds)
    assert travel_log(state.advance("2:T2,B3")) == log


@given(scotland_yard_histories())
def test_par_13_the_log_grows_by_one_or_two_and_earlier_entries_never_change(history) -> None:
    states, actions = history
    for before, action, after in zip(states, actions, states[1:], strict=False):
        grown = 0 if action.piece else len(rules.steps_of(action))
        assert len(after.log) == len(before.log) + grown
        assert after.log[: len(before.log)] == before.log
    last = states[-1]
    shown = last.config.rounds[: len(last.log)]
    assert tuple(entry.node is not None for entry in last.log) == shown


def test_par_14_capture_all_detectives_win_at_once() -> None:
    state = game(LINE, (1, MANY), (3, MANY), (8, MANY)).advance("T2").advance("R:T2")
    assert rules.outcome(state) == rules.CAPTURE
    assert state.winner == {Piece.RED, Piece.GREEN}
    assert state.available_moves == ()


def test_par_14_survival_after_the_detectives_last_turn_not_before() -> None:
    state = game(LINE, (1, MANY), (8, MANY), (11, MANY), rounds=(False,)).advance("T2")
    assert state.winner == frozenset()
    state = state.advance("R:T9")
    assert state.winner == frozenset()
    state = state.advance("G:B10")
    assert rules.outcome(state) == rules.SURVIVAL
    assert state.winner == MRX


def test_par_14_a_catch_in_the_last_turn_still_counts() -> None:
    state = game(LINE, (1, MANY), (3, MANY), rounds=(True,)).advance("T2").advance("R:T2")
    assert state.winner == {Piece.RED}


def test_par_14_a_capture_goes_before_exhaustion() -> None:
    state = game(LINE, (1, MANY), (3, Tickets(1))).advance("T2").advance("R:T2")
    assert rules.outcome(state) == rules.CAPTURE
    assert rules.outcome(game(LINE, (1, MANY), (1, Tickets()))) == rules.CAPTURE


def test_par_14_survival_goes_before_exhaustion() -> None:
    state = game(LINE, (1, MANY), (8, Tickets(1)), rounds=(False,)).advance("T2").advance("R:T9")
    assert rules.outcome(state) == rules.SURVIVAL


def test_par_14_exhausted_in_a_new_game_without_tickets() -> None:
    state = game(LINE, (1, MANY), (8, Tickets()), (9, Tickets()))
    assert rules.outcome(state) == rules.EXHAUSTED
    assert state.winner == MRX
    assert state.available_moves == ()


def test_par_14_exhausted_when_tickets_do_not_fit_the_node() -> None:
    assert rules.outcome(game(LINE, (1, MANY), (8, Tickets(bus=5, underground=5)))) == rules.EXHAUSTED


def test_par_14_exhausted_when_the_last_ticket_is_used() -> None:
    state = game(LINE, (1, MANY), (8, Tickets(1))).advance("T2").advance("R:T9")
    assert rules.outcome(state) == rules.EXHAUSTED


def test_par_14_blocked_detectives_count_as_unable_to_move() -> None:
    board = board_of("1-2:T 11-12:T")
    state = game(board, (1, MANY), (11, MANY), (12, MANY))
    assert rules.outcome(state) == rules.EXHAUSTED
    assert state.winner == MRX


def test_par_14_exhausted_in_the_middle_of_a_turn() -> None:
    board = board_of("1-2:T 11-12:T 12-13:T 12-14:T")
    state = game(board, (1, MANY), (11, MANY), (13, Tickets(1)), (14, Tickets())).advance("T2")
    assert state.offered == ("R:T12", "G:T12")
    state = state.advance("G:T12")
    assert rules.outcome(state) == rules.EXHAUSTED, "red is blocked, green and blue have no tickets"


def test_par_14_who_has_moved_already_still_counts_as_able() -> None:
    board = board_of("1-2:T 11-12:T 12-13:T 12-14:T")
    state = game(board, (1, MANY), (11, MANY), (13, Tickets(2))).advance("T2").advance("G:T12")
    assert rules.outcome(state) is None, "green could go on, so the turn is over and the game is not"
    assert state.offered == ("T1",)


def test_par_14_stranded_when_blocked() -> None:
    state = game(LINE, (1, MANY), (2, MANY))
    assert rules.outcome(state) == rules.STRANDED
    assert state.winner == {Piece.RED}
    assert state.available_moves == ()


def test_par_14_stranded_without_a_fitting_ticket() -> None:
    assert rules.outcome(game(LINE, (1, Tickets(bus=4, underground=4, double=2)), (8, MANY))) == rules.STRANDED
    assert rules.outcome(game(LINE, (1, Tickets()), (8, MANY))) == rules.STRANDED


def test_par_14_stranded_is_judged_only_on_his_turn() -> None:
    state = game(LINE, (2, Tickets(1)), (8, MANY), (4, MANY)).advance("T1")
    assert state.tickets_of(Piece.MRX) == Tickets()
    assert state.winner == frozenset()
    state = state.advance("G:B3")
    assert state.winner == frozenset()
    state = state.advance("R:T9")
    assert state.winner == frozenset(), "red's taxi ticket frees him"
    stuck = game(LINE, (2, Tickets(1)), (10, MANY), (4, MANY)).advance("T1").advance("G:B3").advance("R:U9")
    assert rules.outcome(stuck) == rules.STRANDED


def test_par_14_exhaustion_goes_before_stranding() -> None:
    assert rules.outcome(game(LINE, (1, Tickets()), (8, Tickets()))) == rules.EXHAUSTED


def test_par_15_one_detective_without_moves_beside_another_who_has_some() -> None:
    state = game(LINE, (1, MANY), (8, Tickets()), (9, MANY))
    assert state.winner == frozenset()
    state = state.advance("T2")
    assert {move.piece for move in state.available_moves} == {Piece.GREEN}
    assert state.advance("G:U10").winner == frozenset()


def test_par_15_mrx_without_tickets_is_freed_by_a_detectives_ticket() -> None:
    state = game(LINE, (1, Tickets(1)), (8, MANY)).advance("T2")
    assert state.tickets_of(Piece.MRX) == Tickets()
    state = state.advance("R:T9")
    assert state.tickets_of(Piece.MRX) == Tickets(taxi=1)
    assert state.offered == ("T1", "T3")


@given(scotland_yard_histories())
def test_par_16_with_a_winner_no_move_is_offered_without_one_at_least_one_is(history) -> None:
    for state in history[0]:
        assert bool(state.winner) is not bool(state.available_moves)
        assert (rules.outcome(state) is None) is bool(state.available_moves)


def test_the_standard_game_ends_within_its_rounds() -> None:
    state = game(LONDON, (104, Tickets(4, 3, 3, 5, 2)), (117, Tickets(11, 8, 4)), rounds=STANDARD_ROUNDS)
    n_plies = 0
    while state.available_moves:
        state = state.advance(state.available_moves[-1])
        n_plies += 1
    assert state.winner
    assert n_plies <= 48
