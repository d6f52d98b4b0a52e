"""What each seat was told of a game that is over, move by move."""

from pathlib import Path

import pytest

from manhunt.core.ids import Seat
from manhunt.play.hindsight import Hindsight
from manhunt.play.record import load_record

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
