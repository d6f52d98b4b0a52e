"""`manhunt play`: hints in every game, turns taken back, games that go on from a record, help, agents that print."""

import io
import json
import os
from pathlib import Path
from random import Random

import pytest
from rich.console import Console

from manhunt.cli.main import run
from manhunt.cli.terminal.contract import make_screen
from manhunt.cli.terminal.help_screen import TYPED, help_picture, pages_of
from manhunt.cli.terminal.stepping import KEY_HELP
from manhunt.core.ids import PLAYERS
from manhunt.core.registry import kit_of
from manhunt.play.record import load_record, replay
from pseudo_terminal import Terminal

START = ("--mrx", "1", "--detectives", "5", "10", "--seed", "3")
GAMES = ("pursuit", "scotland_yard", "fugitive", "shortest_path")
PRINTER = """
from manhunt import Strategy
class Printer(Strategy):
    def choose_move(self, board, view, seat, valid_moves):
        print("which way?")
        return valid_moves[0]
"""


def play(capsys, monkeypatch, typed: str, *arguments: object, err: str = "") -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert run(["play", *map(str, arguments)]) == 0
    printed = capsys.readouterr()
    assert printed.err == err
    return printed.out


def refused(capsys, *arguments: object) -> str:
    assert run(["play", *map(str, arguments)]) == 2
    out, err = capsys.readouterr()
    (line,) = err.splitlines()
    assert out == ""
    return line


# -- hints -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("pursuit", "--as", "mrx", *START), "Best: "),
        (("pursuit", "--as", "detectives", *START, "--visibility", "rounds"), "Try: "),
        (("fugitive", "--as", "marshal", "--preset", "mini", "--seed", "3"), "Draw from the "),
        (("fugitive", "--as", "fugitive", "--preset", "mini", "--seed", "3"), "Hide at "),
        (("shortest_path", "--as", "traveller", "--board", "grid:4x4", "--source", "1", "--target", "16"), "Go to "),
        (("shortest_path", "--as", "adversary", "--board", "grid:4x4", "--source", "1", "--target", "16"), "Raise "),
    ],
)
def test_every_game_gives_hints_in_the_words_of_its_page(capsys, monkeypatch, arguments, words: str) -> None:
    text = play(capsys, monkeypatch, "q\n", *arguments, "--hints", "--no-viz")
    (line,) = [line for line in text.splitlines() if line.startswith("Hint: ")]
    assert line.startswith(f"Hint: {words}")
    assert line.endswith(".")
    plain = play(capsys, monkeypatch, "q\n", *arguments, "--no-viz")
    assert "Hint: " not in plain


# -- taking back -------------------------------------------------------------------------------------


def test_a_turn_is_taken_back_counted_and_named_in_the_record(capsys, monkeypatch, tmp_path: Path) -> None:
    files = [tmp_path / "straight.txt", tmp_path / "back.txt"]
    straight = play(capsys, monkeypatch, "8\n1\nq\n", "pursuit", "--as", "mrx", *START, "--record", files[0])
    typed = "u\n8\n18\nu\nundo\n9\nu\n8\n1\nq\n"
    text = play(capsys, monkeypatch, typed, "pursuit", "--as", "mrx", *START, "--record", files[1])
    lines = text.splitlines()
    assert "there is nothing to take back yet" in lines
    told = [line for line in lines if line.startswith("taken back; ")]
    assert told == [f"taken back; {n} in all, which the record will mention" for n in ("1 turn", "2 turns", "3 turns")]
    assert straight.splitlines()[-4:-1] == lines[-5:-2]
    assert lines[-2:] == ["You took back 3 turns.", "The game is unfinished."]
    records = [load_record(file) for file in files]
    assert records[0].actions == records[1].actions
    assert records[0].seats["evader"] == "person"
    assert records[1].seats["evader"] == "person who took back 3 turns"


def test_take_backs_in_json_say_which_events_never_happened(capsys, monkeypatch) -> None:
    text = play(capsys, monkeypatch, "X:8\nu\nX:9\nq\n", "pursuit", "--as", "mrx", *START, "--json")
    lines = [json.loads(line) for line in text.splitlines()]
    kinds = [line["t"] for line in lines]
    moved = ["moved", "moved", "moved", "your turn"]
    assert kinds == ["detectives", "quarry", "your turn", *moved, "taken back", "note", "your turn", *moved, "outcome"]
    back = lines[kinds.index("taken back")]
    assert back == {"t": "taken back", "turns": 1, "v": 2}
    assert lines[-1]["taken_back"] == 1
    assert [line["v"] for line in lines if "v" in line and line["t"] == "moved"] == [3, 4, 5, 3, 4, 5]


def test_one_detective_takes_back_what_they_moved(capsys, monkeypatch, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    arguments = ("scotland_yard", "--as", "green", "--agent-mrx", "random", "--agent-detectives", "random")
    line = (*arguments, "--seed", 2, "--no-viz", "--record", file)
    play(capsys, monkeypatch, "#1\n#1\nq\n", *line)
    straight = load_record(file)
    play(capsys, monkeypatch, "#1\n#2\nu\n#1\nq\n", *line)
    again = load_record(file)
    assert again.actions == straight.actions
    assert again.seats["pursuers"] == "person as green and random who took back 1 turn"
    resumed = play(capsys, monkeypatch, "q\n", "--from", file, "--no-viz")
    assert "Green to move:" in resumed


# -- going on from a record --------------------------------------------------------------------------


@pytest.fixture
def stopped(capsys, monkeypatch, tmp_path: Path) -> Path:
    """A game that somebody left after two rounds."""
    file = tmp_path / "stopped.txt"
    play(capsys, monkeypatch, "8\n1\nq\n", "pursuit", "--as", "mrx", *START, "--record", file)
    return file


@pytest.fixture
def finished(capsys, tmp_path: Path) -> Path:
    file = tmp_path / "finished.txt"
    assert run(["watch", "pursuit", "--no-viz", *START, "--record", str(file)]) == 0
    capsys.readouterr()
    return file


def test_a_stopped_game_goes_on_with_the_same_seats(capsys, monkeypatch, stopped: Path, tmp_path: Path) -> None:
    file = tmp_path / "later.txt"
    text = play(capsys, monkeypatch, "#1\nu\n#1\nq\n", "--from", stopped, "--record", file)
    assert text.startswith("Pursuit, seed 3: mrx person, detectives greedy\n")
    assert "round 2: Mr X goes to 1" in text
    before, after = load_record(stopped), load_record(file)
    assert after.actions[: len(before.actions)] == before.actions
    assert len(after.actions) == len(before.actions) + 3
    assert (after.seed, after.setup, after.config) == (before.seed, before.setup, before.config)
    assert after.seats == {"pursuers": "greedy", "evader": "person who took back 1 turn"}
    again = play(capsys, monkeypatch, "q\n", "pursuit", "--from", file, "--record", file)
    assert "mrx person who took back 1 turn" in again
    assert load_record(file) == after


def test_another_agent_may_go_on_and_the_record_names_both(capsys, monkeypatch, stopped: Path, tmp_path: Path) -> None:
    file = tmp_path / "later.txt"
    play(capsys, monkeypatch, "#1\nq\n", "--from", stopped, "--agent-detectives", "random", "--record", file)
    assert load_record(file).seats["pursuers"] == "greedy to ply 6, then random"
    text = play(capsys, monkeypatch, "q\n", "--from", file, "--as", "detectives", "--agent-mrx", "solved")
    assert "mrx person to ply 9, then solved, detectives greedy to ply 6, then random to ply 9, then person" in text
    play(capsys, monkeypatch, "q\n", "--from", file)


def test_a_finished_game_is_played_on_from_a_position(capsys, monkeypatch, finished: Path) -> None:
    n = len(load_record(finished).actions)
    assert refused(capsys, "--from", finished).endswith(f"to play on from a position, give --ply 0 to {n}")
    assert f"--ply {n}: the game of" in refused(capsys, "--from", finished, "--ply", n, "--as", "mrx")
    assert f"has the plies 0 to {n}" in refused(capsys, "--from", finished, "--ply", n + 1)
    assert "choose your seat with --as" in refused(capsys, "--from", finished, "--ply", "3")
    text = play(capsys, monkeypatch, "q\n", "--from", finished, "--ply", 3, "--as", "mrx")
    assert text.count(" goes to ") == 3
    assert "mrx random to ply 3, then person, detectives random" in text


def test_what_does_not_fit_a_record_is_one_line(capsys, stopped: Path, tmp_path: Path) -> None:
    assert "is a game of pursuit, not of fugitive" in refused(capsys, "fugitive", "--from", stopped)
    for option in (("--board", "london"), ("--seed", "4"), ("--max-rounds", "9"), ("--preset", "seed")):
        assert refused(capsys, "--from", stopped, *option) == (
            f"manhunt: {option[0]} beside --from {stopped}: the record already sets it"
        )
    assert "choose an agent to continue with --agent-mrx" in refused(capsys, "--from", stopped, "--as", "detectives")
    assert "--ply N needs --from" in refused(capsys, "pursuit", "--as", "mrx", "--ply", "3")
    assert "leave --figure out" in refused(capsys, "--from", stopped, "--figure")
    broken = tmp_path / "broken.txt"
    broken.write_text(stopped.read_text().replace("X:8", "X:17"))
    assert "round 1, X:17" in refused(capsys, "--from", broken)


def test_a_record_does_not_start_programs(capsys, stopped: Path, tmp_path: Path) -> None:
    """It may come from a stranger."""
    for spec in ("cmd:touch here", f"{tmp_path}/bot.py:Bot"):
        other = tmp_path / "other.txt"
        other.write_text(stopped.read_text().replace('"greedy"', json.dumps(spec)))
        assert "was played by the program" in refused(capsys, "--from", other)
    other.write_text(stopped.read_text().replace('"greedy"', '"My Bot"'))
    assert "detectives was 'My Bot': unknown agent 'My Bot'" in refused(capsys, "--from", other)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_goes_on(capsys, monkeypatch, tmp_path: Path, game: str) -> None:
    file, screen = tmp_path / "game.txt", make_screen(game)
    small = {"scotland_yard": ("--detectives", "2"), "fugitive": ("--preset", "mini")}.get(game, ())
    for word in screen.words:
        other = next(each for each in screen.words if each != word)
        line = (game, "--as", word, f"--agent-{other}", "random", "--seed", 3, "--no-viz", *small)
        first = play(capsys, monkeypatch, "#1\n#1\n#1\nq\n", *line, "--record", file)
        n = len(load_record(file).actions)
        text = play(capsys, monkeypatch, "q\n", "--from", file, "--no-viz")
        told = [line for line in first.splitlines() if line.startswith("round ")]
        assert [line for line in text.splitlines() if line.startswith("round ")] == told
        play(capsys, monkeypatch, "#1\nq\n", "--from", file, "--no-viz", "--record", file)
        assert len(replay(load_record(file)).actions) > n


# -- help --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_help_fits_a_small_terminal(game: str) -> None:
    kit, screen = kit_of(game), make_screen(game)
    config = kit.game.make_config(**kit.small)
    state = kit.game.start(config, kit.game.deal(config, Random(1)))
    for seat in PLAYERS:
        for keys in ((*screen.typed, *TYPED), KEY_HELP):
            for columns, rows in ((80, 24), (120, 40)):
                console = Console(width=columns, height=rows, file=io.StringIO())
                lines = help_picture(screen, kit.game.view(state, seat), keys, console)
                assert max(len(line) for line in lines) <= columns
                assert len(pages_of(lines, rows)) == 1
    assert len(screen.help) <= 80


def test_help_as_lines_and_in_json(capsys, monkeypatch) -> None:
    lines = play(capsys, monkeypatch, "?\nq\n", "pursuit", "--as", "mrx", *START).splitlines()
    assert "  X:8: Mr X goes to 8; 8 alone will do" in lines
    assert "  u: take back your last turn" in lines
    text = play(capsys, monkeypatch, "help\nq\n", "pursuit", "--as", "mrx", *START, "--json")
    notes = [line["text"] for line in map(json.loads, text.splitlines()) if line["t"] == "note"]
    assert len(notes) == 1
    assert "Rules: Mr X runs on a map" in notes[0]


# -- agents that print -------------------------------------------------------------------------------


def test_what_agents_print_goes_to_standard_error(capsys, monkeypatch, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(PRINTER)
    line = ("pursuit", "--as", "mrx", "--agent-detectives", f"{bot}:Printer", *START)
    text = play(capsys, monkeypatch, "8\nq\n", *line, "--json", err="which way?\nwhich way?\n")
    assert all(json.loads(each) for each in text.splitlines())
    text = play(capsys, monkeypatch, "8\nq\n", *line, err="which way?\nwhich way?\n")
    assert "which way?" not in text


def test_what_agents_print_is_shown_after_the_screen(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(PRINTER)
    with Terminal("play", "pursuit", "--as", "mrx", "--agent-detectives", f"{bot}:Printer", *START) as terminal:
        terminal.expect("Mr X to move:")
        terminal.press("8\n")
        terminal.expect("round 2 of 15: Mr X to move")
        assert "which way" not in "".join(terminal.lines())
        terminal.press("q\n")
        terminal.expect("The agents printed:", "which way?", "The game is unfinished.")
        assert terminal.wait() == 0


# -- a real terminal ---------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="no pseudo terminals")
def test_the_screen_follows_the_window_and_keeps_what_was_typed() -> None:
    with Terminal("play", "pursuit", "--as", "mrx", "--hints", *START) as terminal:
        terminal.expect("Hint: Best: ", "Mr X to move:")
        terminal.press("cas")
        terminal.expect("Mr X to move: cas")
        for columns, rows in ((60, 20), (120, 40), (40, 12), (80, 24)):
            terminal.resize(columns, rows)
            terminal.expect("Pursuit, round 1", "cas")
            assert max(map(len, terminal.lines())) <= columns
        terminal.press("tle\n")
        terminal.expect("'castle' is not legal now")
        terminal.press("?\n")
        terminal.expect("Pursuit: help", "Rules", "take back your last turn", "back to the game")
        terminal.press(" ")
        terminal.expect("Mr X to move:")
        terminal.press("8\n")
        terminal.expect("round 2 of 15: Mr X to move")
        terminal.press("\x1b[A\x1b[A\x1b[A\n")  # the third line before
        terminal.expect("'castle' is not legal now")
        terminal.press("u\n")
        terminal.expect("round 1 of 15: Mr X to move", "took back 1", "taken back; 1 turn in all")
        terminal.press("\x15q\n")
        terminal.expect("The game is unfinished.", "You took back 1 turn.")
        assert terminal.wait() == 0
        assert terminal.is_cooked()
