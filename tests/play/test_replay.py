"""`record.replay()`: moments by ply and by turn, seats, scenes, and how notebooks show them."""

import pytest

from manhunt.core.errors import BadText, ManhuntError
from manhunt.core.ids import Seat
from manhunt.core.registry import game_names
from manhunt.draw.svg import draw_scene
from manhunt.play.hindsight import Hindsight
from manhunt.play.record import load_record, parse_record
from random_games import random_record


@pytest.mark.parametrize("name", game_names())
def test_moments_are_those_of_the_game(name) -> None:
    record = random_record(name, 5)
    replay, past = record.replay(), Hindsight(record)
    assert len(replay) == len(record.actions) + 1
    assert [moment.state for moment in replay] == list(past.states)
    assert [moment.ply for moment in replay.turns] == list(past.stops)
    for seat in past.tracks.values():
        for moment in replay.seen_by(seat).turns:
            assert moment.view == past.view(moment.ply, seat)
        last = replay.seen_by(seat)[-1]
        assert last.scene.offers == ()
        assert last._repr_svg_() == draw_scene(last.scene)


def test_turns_and_plies_end_at_the_ends() -> None:
    replay = random_record("scotland_yard", 5).replay()
    moment = replay[0]
    assert moment.turn(-1) == moment.step(-1) == moment
    assert moment.turn(10_000) == moment.step(10_000) == replay[-1] == replay[-1].turn()
    for here, later in zip(replay.turns, replay.turns[1:], strict=False):
        assert here.turn() == later
        assert later.turn(-1) == here
        assert later.first == here.ply
    assert replay.turns[1].turn(3) == replay.turns[4]
    assert replay.turns[4].turn(-3) == replay.turns[1]
    assert replay[2:5] == (replay[2], replay[3], replay[4])


def test_a_round_begins_with_its_first_ply() -> None:
    record = random_record("pursuit", 3)
    replay = record.replay()
    n_before = 0
    for number, line in enumerate(record.rounds, 1):
        assert replay[0].in_round(number).ply == n_before
        n_before += len(line)
    assert replay[0].in_round(len(record.rounds) + 1) == replay[-1]


def test_a_seat_learns_no_more_than_it_knew() -> None:
    replay = random_record("fugitive", 5, preset="mini").replay()
    hidden = [m for m in replay.seen_by(Seat.PURSUERS).turns if m.action_text != replay[m.ply].action_text]
    assert hidden
    assert replay[0].seen_by(Seat.EVADER).seat is Seat.EVADER
    assert replay[0].seen_by(None).seat is None


def test_where_everybody_sees_everything_all_seats_see_the_truth() -> None:
    replay = random_record("shortest_path", 5).replay()
    assert replay.seen_by(Seat.PURSUERS).turns == replay.turns


def test_a_notebook_shows_a_page_to_step_through() -> None:
    record = random_record("pursuit", 5)
    shown = record.replay()._repr_html_()
    assert shown.startswith("<iframe")
    assert "srcdoc=" in shown
    assert "<script" not in shown  # escaped
    assert repr(record.replay()) == f"<Replay {record.about}>"


def test_an_unfinished_game_is_refused() -> None:
    record = random_record("pursuit", 5)
    text = record.format().replace(f"outcome: {record.outcome}", "outcome: unfinished")
    with pytest.raises(BadText, match="the game is not over"):
        parse_record(text).replay()


@pytest.mark.parametrize("kind", [str, lambda path: str(path).encode(), lambda path: path])
def test_records_are_loaded_by_any_kind_of_path(kind, tmp_path) -> None:
    record = random_record("pursuit", 5)
    record.save(tmp_path / "game.txt")
    assert load_record(kind(tmp_path / "game.txt")) == record


ODD = ('config: {"board": 5}', 'setup: {"mrx": ["1"], "detectives": 7}', 'seats: {"evader": 1}')


@pytest.mark.parametrize("line", ODD)
def test_odd_headers_are_refused_in_one_line(line) -> None:
    text = random_record("pursuit", 5).format()
    key = line.partition(":")[0]
    (old,) = [each for each in text.splitlines() if each.startswith(f"{key}:")]
    with pytest.raises(ManhuntError) as caught:
        parse_record(text.replace(old, line)).replay()
    assert "\n" not in str(caught.value)
