"""Fugitive at the command line: watched, played, saved."""

import io
import json
import sys
import xml.etree.ElementTree as ET
from random import Random

import pytest

from fugitive_games import random_history
from manhunt.cli.main import run
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.games.fugitive.show.terminal import FugitiveScreen
from manhunt.play.record import load_record, replay


def typed(monkeypatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_watch_tells_draws_hideouts_and_guesses_but_no_hidden_cards(capsys, tmp_path) -> None:
    record = tmp_path / "game.txt"
    assert run(["watch", "fugitive", "--seed", "7", "--no-viz", "--record", str(record)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "Fugitive, seed 7: fugitive random, marshal random"
    assert out[1] == "cards 0 to 42; the Fugitive holds 9; piles: low 8, middle 12, high 13"
    assert any(line.startswith("round 1: the Fugitive places the first hideout") for line in out)
    assert any(": the Marshal guesses " in line for line in out)
    assert not any("the card is" in line for line in out)
    assert out[-1].startswith("Result: the ")
    assert replay(load_record(record)).states


def test_json_lines_end_with_the_outcome(capsys) -> None:
    assert run(["watch", "fugitive", "--preset", "mini", "--seed", "1", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[0]["t"] == "begun"
    assert lines[1] == {"v": 2}
    assert lines[-1]["t"] == "outcome"


def test_a_fugitive_types_whole_turns(capsys, monkeypatch) -> None:
    typed(monkeypatch, "9 8", "7", "3 1 2", "pass", "low", "x", "pass", "q")
    assert run(["play", "fugitive", "--as", "fugitive", "--seed", "1"]) == 0
    out = capsys.readouterr().out
    assert "is not in his hand (paragraph 3); legal: hide:1" in out
    assert "the Fugitive places the first hideout with 2 sprint cards" in out
    assert "row: 0 (3+1+2)" in out
    assert "round 2: the Fugitive draws from the low pile" in out
    assert "'x' is not legal now" in out


def test_a_line_that_cannot_be_completed_changes_nothing(capsys, monkeypatch) -> None:
    typed(monkeypatch, "3 1 42", "q")
    assert run(["play", "fugitive", "--as", "fugitive", "--seed", "1"]) == 0
    out = capsys.readouterr().out
    assert "42 is never a sprint card (paragraph 3)" in out
    assert "placing:" not in out


def test_a_marshal_draws_and_guesses_in_one_line_each(capsys, monkeypatch) -> None:
    typed(monkeypatch, "high", "mid", "42", "15 12", "q")
    assert run(["play", "fugitive", "--as", "marshal", "--seed", "3"]) == 0
    out = capsys.readouterr().out
    assert "the Marshal draws from the middle pile" in out
    assert "the card is " in out
    assert "42 cannot be named; numbers now go from 1 to 41" in out
    assert "round 1: the Marshal guesses 12 15: " in out


def test_steps_as_written_work_too(capsys, monkeypatch) -> None:
    typed(monkeypatch, "hide:2", "sprint:1", "done", "#1", "q")
    assert run(["play", "fugitive", "--as", "fugitive", "--seed", "1"]) == 0
    out = capsys.readouterr().out
    assert "placing: 2 1" in out
    assert "the Fugitive places the first hideout with 1 sprint card" in out


def test_the_picture_can_be_saved(capsys, tmp_path) -> None:
    assert run(["watch", "fugitive", "--seed", "2", "--no-viz", "--save", str(tmp_path / "end.svg")]) == 0
    drawn = ET.fromstring((tmp_path / "end.svg").read_text())
    assert {e.get("data-number") for e in drawn.iter()} >= {str(n) for n in range(1, 43)}


def test_the_last_table_is_a_png_and_the_whole_game_a_gif(capsys, tmp_path) -> None:
    from PIL import Image

    for name in ("end.png", "game.gif"):
        assert run(["watch", "fugitive", "--preset", "mini", "--seed", "2", "--save", str(tmp_path / name)]) == 0
    with Image.open(tmp_path / "end.png") as end, Image.open(tmp_path / "game.gif") as film:
        assert end.size[0] == film.size[0]
        assert len(end.getcolors(1 << 20) or ()) > 10
        assert film.n_frames > 10  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["watch", "fugitive", "--save", "x.bmp"], "cannot save a picture as 'x.bmp'"),
        (["watch", "fugitive", "--preset", "tiny"], "unknown preset 'tiny'"),
        (["watch", "fugitive", "--opening", "three"], "unknown opening_hideouts 'three'"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(arguments, message, capsys) -> None:
    assert run(arguments) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_the_screen_fits_and_shades_by_probability() -> None:
    from random import Random

    from fugitive_games import random_history
    from manhunt.core.ids import Seat
    from manhunt.games.fugitive.rules.config import make_config
    from manhunt.games.fugitive.rules.views import view

    class Guessing(FugitiveScreen):
        def probabilities(self, view):
            return {12: 0.9, 13: 0.0}

    for state in random_history(make_config(), Random(3))[0]:
        for seat in (Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR):
            seen = view(state, seat)
            lines = FugitiveScreen().picture(seen, 80, 12).plain.splitlines()
            assert len(lines) <= 12
            assert all(str(number) in "\n".join(lines) for number in (1, 14, 15, 28, 29, 42))
    shaded = Guessing().picture(view(random_history(make_config(), Random(3))[0][0], Seat.PURSUERS), 80, 12)
    assert any(" on #" in str(span.style) for span in shaded.spans)


def test_chances_on_the_notepad_are_those_of_the_seat() -> None:
    game = make_game("fugitive")
    for state in random_history(game.make_config("mini"), Random(5))[0]:
        if state.end is not None or not state.row:
            continue
        hidden = {hideout.card for hideout in state.row if not hideout.face_up}
        screen = FugitiveScreen()
        assert screen.probabilities(game.view(state, Seat.EVADER)) == {}
        for seat in (Seat.PURSUERS, Seat.SPECTATOR):
            chances = screen.probabilities(game.view(state, seat))
            assert sum(chances.values()) == pytest.approx(len(hidden))
            assert all(chances[card] > 0 for card in hidden)
            if seat is Seat.PURSUERS:
                assert not any(chances[card] for card in state.marshal)
