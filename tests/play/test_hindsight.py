"""What each seat was told of a game that is over, move by move."""

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from manhunt.core.errors import BadText
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.play.hindsight import Hindsight
from manhunt.play.record import load_record
from manhunt.play.referee import Referee

GOLDEN = Path(__file__).parents[1] / "golden"


def past_of(name: str) -> Hindsight:
    return Hindsight(load_record(GOLDEN / f"{name}.record.txt"))


def told(past: Hindsight, seat: Seat | None) -> list[str]:
    return [past.action_text(ply, seat) for ply in range(1, past.last + 1)]


@pytest.mark.parametrize("file", sorted(GOLDEN.glob("*.record.txt")), ids=lambda p: p.name.removesuffix(".record.txt"))
def test_the_truth_tells_all_and_a_seat_its_own_moves(file: Path) -> None:
    past = Hindsight(load_record(file))
    assert past.action_text(0, None) == ""
    assert told(past, None) == list(past.record.actions)
    for seat in (Seat.EVADER, Seat.PURSUERS):
        own = [ply for ply in range(1, past.last + 1) if past.acting(ply - 1) is seat]
        assert own
        assert all(past.action_text(ply, seat) == past.action_text(ply, None) for ply in own)


def test_a_hidden_move_is_hidden_from_the_others_alone() -> None:
    past = past_of("pursuit-hidden-cops")
    moves = [ply for ply in range(1, past.last + 1) if past.acting(ply - 1) is Seat.EVADER]
    assert "hidden" in {past.action_text(ply, Seat.PURSUERS) for ply in moves}
    assert "hidden" not in told(past, Seat.EVADER)


def test_the_travel_log_tells_tickets_and_shown_nodes() -> None:
    past = past_of("scotland-yard-escaped")
    moves = [ply for ply in range(1, past.last + 1) if past.acting(ply - 1) is Seat.EVADER]
    assert [past.action_text(ply, None) for ply in moves[:3]] == ["2:T102,S115", "2:S157,T156", "T157"]
    assert [past.action_text(ply, Seat.PURSUERS) for ply in moves[:3]] == ["T? S?", "S157 T?", "T?"]
    assert all(past.action_text(ply, Seat.SPECTATOR) == past.action_text(ply, Seat.PURSUERS) for ply in moves)


def test_everybody_sees_which_pile_is_drawn_from_but_not_what_is_hidden() -> None:
    past = past_of("fugitive-caught")
    seen = dict(zip(told(past, None), told(past, Seat.PURSUERS), strict=True))
    draws = {text for text, shown in seen.items() if text == shown}
    assert draws
    assert "hidden" in seen.values()
    assert all(text in draws for text in seen if text.startswith("draw"))


@pytest.mark.parametrize("name", ["pursuit-capture", "scotland-yard-caught", "fugitive-caught"])
def test_looking_back_numbers_events_as_they_were_told(name: str) -> None:
    past = past_of(name)
    match = Referee(past.game, past.config, {}, seed=past.record.seed, setup=past.record.setup)
    for ply, text in enumerate(past.record.actions, 1):
        for seat in (Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR):
            assert past.events_for(seat, ply - 1) == tuple(match.events_for(seat))
        match.commit(match.prepare_text(text))


@pytest.mark.parametrize("name", ["pursuit-hidden-cops", "scotland-yard-escaped", "fugitive-given-up"])
def test_every_track_shows_what_the_seat_saw_without_offers(name: str) -> None:
    past = past_of(name)
    for ply in range(past.last + 1):
        for seat in (Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR):
            seen = replace(past.game.view(past.states[ply], seat), legal=())
            assert past.view(ply, seat) == seen
        assert past.view(ply, None).legal == ()


def test_a_game_that_was_given_up_ends_with_the_truth_for_everybody() -> None:
    game = make_game("pursuit")
    config = game.make_config(board="grid:3x4", visibility="rounds", reveal_rounds=[9], n_detectives=1)
    match = Referee(game, config, {}, seed=3)
    match.submit(game.legal_actions(match.state)[0])
    match.forfeit(Seat.PURSUERS, "resign", "gave up")
    past = Hindsight(match.record())
    before, end = (cast(Any, past.view(ply, Seat.PURSUERS)) for ply in (0, 1))
    assert before.quarry is None
    assert end.quarry == match.state.quarry
    assert (end.seat, end.to_act, end.outcome) == (Seat.PURSUERS, None, match.outcome)


@pytest.mark.parametrize("ply", [-1, 1_000_000])
def test_a_ply_that_is_none_is_refused(ply: int) -> None:
    past = past_of("pursuit-capture")
    assert [past.check_ply(each) for each in (0, past.last)] == [0, past.last]
    with pytest.raises(BadText, match=f"there is no ply {ply}; this game has the plies 0 to {past.last}"):
        past.check_ply(ply)


def test_seats_have_tracks_where_something_is_hidden() -> None:
    assert list(past_of("pursuit-hidden-cops").tracks) == ["truth", "evader", "pursuers", "spectator"]
    assert list(past_of("shortest-path-arrival").tracks) == ["truth"]
    with pytest.raises(BadText, match="unknown track 'evader'"):
        past_of("shortest-path-arrival").seat_of("evader")
