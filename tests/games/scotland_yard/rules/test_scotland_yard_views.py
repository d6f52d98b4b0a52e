"""Scotland Yard, paragraph 17: what each side sees."""

from dataclasses import replace

from hypothesis import given

from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.rules import rules
from manhunt.games.scotland_yard.rules.actions import DETECTIVES, Double, Piece, Tickets
from manhunt.games.scotland_yard.rules.model import StartingPlayer, new_game
from manhunt.games.scotland_yard.rules.views import events, opening_events, view
from manhunt.play.referee import Notice, Referee
from scotland_yard_games import board_of, scotland_yard_histories

GAME = make_game("scotland_yard")
BOARD = board_of("1-2:T 2-3:TB 3-4:B 8-9:T 9-10:T")
HUNTERS = (Seat.PURSUERS, Seat.SPECTATOR)


def game(mrx, *detectives, rounds=(False, True, False)):
    players = [StartingPlayer(p, t, at) for p, (at, t) in zip(DETECTIVES, detectives, strict=False)]
    return new_game(BOARD, rounds, StartingPlayer(Piece.MRX, mrx[1], mrx[0]), players)


def told(state, action_text, seat):
    action = GAME.parse_action(state.config, action_text)
    return [event.seen_by(seat) for event in events(state, action, rules.apply_action(state, action))]


def test_par_17_detectives_see_all_but_mrx() -> None:
    state = game((1, Tickets(3, 2, 1, 1, 1)), (8, Tickets(2)), (10, Tickets(3))).advance("T2")
    for seat in HUNTERS:
        seen = view(state, seat)
        assert seen.quarry is None
        assert [(str(d.piece), d.node, d.tickets) for d in seen.detectives] == [
            ("red", BOARD.node(8), Tickets(2)),
            ("green", BOARD.node(10), Tickets(3)),
        ]
        assert seen.mrx_tickets == Tickets(2, 2, 1, 1, 1)
        assert seen.log == state.log
        assert (seen.round, seen.rounds_left, seen.sighting) == (1, 2, None)
        assert seen.to_act is Seat.PURSUERS
        assert seen.waiting == (Piece.RED, Piece.GREEN)
    assert view(state, Seat.PURSUERS).legal == rules.legal_actions(state)
    assert view(state, Seat.SPECTATOR).legal == view(state, Seat.EVADER).legal == ()


def test_par_17_mrx_sees_himself() -> None:
    seen = view(game((1, Tickets(1)), (8, Tickets(2))), Seat.EVADER)
    assert seen.quarry == BOARD.node(1)
    assert len(seen.legal) == 1


def test_par_17_a_shown_entry_is_a_sighting() -> None:
    state = game((1, Tickets(3)), (8, Tickets(9))).advance("T2").advance("R:T9").advance("T3")
    seen = view(state, Seat.PURSUERS)
    assert seen.sighting is not None
    assert (seen.sighting.node, seen.sighting.round) == (BOARD.node(3), 2)
    assert seen.quarry is None


def test_par_17_a_catch_and_any_end_shows_mrx() -> None:
    state = game((1, Tickets(3)), (3, Tickets(9))).advance("T2")
    assert view(state, Seat.PURSUERS).quarry is None
    caught = state.advance("R:T2")
    assert view(caught, Seat.PURSUERS).quarry == BOARD.node(2)
    over = game((1, Tickets(3)), (8, Tickets()))
    assert view(over, Seat.SPECTATOR).quarry == BOARD.node(1)


def test_par_17_events_of_a_single_move() -> None:
    state = game((1, Tickets(3)), (8, Tickets(9)))
    assert [e.get("t") for e in told(state, "T2", Seat.PURSUERS)] == ["logged", None, "turn"]
    logged, hidden, turn = told(state, "T2", Seat.PURSUERS)
    assert logged == {"v": 0, "t": "logged", "round": 1, "ticket": "taxi", "at": None}
    assert hidden == {"v": 0}
    assert turn == {"v": 0, "t": "turn", "movers": ["red"], "outcome": None, "quarry": None}
    assert told(state, "T2", Seat.EVADER)[1] == {"v": 0, "t": "quarry", "at": "2"}


def test_par_17_a_later_double_move_shows_each_step_as_its_own_round_says() -> None:
    state = (
        game((1, Tickets(3, 3, double=1)), (8, Tickets(9)), rounds=(False, False, True)).advance("T2").advance("R:T9")
    )
    logged = [event for event in told(state, "2:T1,T2", Seat.PURSUERS) if event.get("t") == "logged"]
    assert [(event["round"], event["at"]) for event in logged] == [(2, None), (3, "2")]


def test_par_17_events_of_a_double_move_over_a_shown_round() -> None:
    state = game((1, Tickets(3, 3, double=1)), (8, Tickets(9)))
    seen = told(state, "2:T2,B3", Seat.PURSUERS)
    assert [e.get("t") for e in seen] == ["double", "logged", None, "logged", None, "turn"]
    assert (seen[1]["at"], seen[3]["at"]) == (None, "3")


def test_par_17_events_of_a_detective() -> None:
    state = game((1, Tickets(3)), (8, Tickets(9))).advance("T2")
    moved, turn = told(state, "R:T9", Seat.SPECTATOR)
    assert moved == {"v": 0, "t": "moved", "piece": "red", "ticket": "taxi", "to": "9"}
    assert turn["movers"] == ["mrx"]


@given(scotland_yard_histories())
def test_par_17_the_number_of_events_does_not_depend_on_secrets(history) -> None:
    states, actions = history
    assert len(opening_events(states[0])) == 4
    for before, action, after in zip(states, actions, states[1:], strict=False):
        expected = 2 if action.piece else 6 if isinstance(action, Double) else 3
        assert len(events(before, action, after)) == expected


@given(scotland_yard_histories())
def test_par_17_views_do_not_depend_on_the_secret(history) -> None:
    """Any other place that is consistent with the game going on gives the same views to detectives and spectators."""
    state = history[0][-1]
    if rules.outcome(state) is not None:
        return
    others = [replace(state, quarry=node) for node in state.config.board.nodes()]
    going_on = [other for other in others if rules.outcome(other) is None]
    assert state in going_on
    for seat in HUNTERS:
        assert {repr(view(other, seat)) for other in going_on} == {repr(view(state, seat))}
        opening = {repr([e.seen_by(seat) for e in opening_events(o)]) for o in going_on}
        assert len(opening) == 1


@given(scotland_yard_histories())
def test_par_17_nothing_hidden_is_in_what_detectives_are_told(history) -> None:
    """The events of hidden steps are equal whatever edge of that ticket was taken."""
    states, actions = history
    for before, action, after in zip(states, actions, states[1:], strict=False):
        if (
            action.piece
            or rules.outcome(after) is not None
            or any(e.node is not None for e in after.log[before.round :])
        ):
            continue
        alike = [
            other
            for other in rules.legal_actions(before)
            if [t for t, _ in rules.steps_of(other)] == [t for t, _ in rules.steps_of(action)]
        ]
        seen = {
            repr([e.seen_by(Seat.PURSUERS) for e in events(before, o, rules.apply_action(before, o))]) for o in alike
        }
        assert len(seen) == 1


def test_observers_hear_each_move_once_with_what_their_seat_may_see() -> None:
    state = game((1, Tickets(3)), (8, Tickets(9)))
    referee = Referee(GAME, state.config, setup={"mrx": "1", "detectives": [{"at": "8", "tickets": {"taxi": 9}}]})
    heard: list[Notice] = []
    referee.register(heard.append, Seat.PURSUERS)
    referee.submit(GAME.parse_action(state.config, "T2"))
    referee.submit(GAME.parse_action(state.config, "R:T9"))
    assert [(n.ply, len(n.events), n.over) for n in heard] == [(1, 3, False), (2, 2, False)]
    assert all(getattr(n.view, "quarry", 0) is None for n in heard)
