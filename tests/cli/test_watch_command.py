"""`manhunt watch` from the outside: lines, JSON, files, keys in a real terminal, and what it refuses."""

import io
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from manhunt.cli.main import run
from manhunt.play.record import load_record, replay
from pseudo_terminal import Terminal

CRASHER = """
from manhunt import Strategy
class Crasher(Strategy):
    def choose_move(self, board, view, seat, valid_moves):
        raise RuntimeError("lost my map")
class Cheat(Strategy):
    def choose_move(self, board, view, seat, valid_moves):
        return "X:17"
"""


def watch(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert run(["watch", "pursuit", "--no-viz", "--seed", "3", *map(str, arguments)]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def watch_json(capsys: pytest.CaptureFixture[str], *arguments: object) -> list[dict]:
    return [json.loads(line) for line in watch(capsys, "--json", *arguments).splitlines()]


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert run(["watch", *map(str, arguments)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    return line


def test_no_arguments_start_the_web_app(monkeypatch) -> None:
    """What it does is tested with the web app; here it would serve for ever."""
    begun: list[object] = []
    monkeypatch.setattr("manhunt.cli.web.main", lambda options: begun.append(options.port) or 0)  # type: ignore[func-returns-value]
    assert run([]) == 0
    assert begun == [8000]


def test_a_game_alone_is_the_usual_one(capsys, monkeypatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert run(["watch", "pursuit"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Pursuit, seed ")
    assert lines[1:3] == ["detectives on 5 10", "Mr X on 1"]
    assert lines[-1].startswith("Result: ")


def test_lines_tell_every_move_and_the_result(capsys) -> None:
    lines = watch(capsys, "--max-rounds", 2).splitlines()
    assert lines[:3] == ["Pursuit, seed 3: mrx random, detectives random", "detectives on 5 10", "Mr X on 1"]
    assert [line.split(" goes to ")[0] for line in lines[3:-1]] == [
        f"round {i}: {who}" for i in (1, 2) for who in ("Mr X", "red", "green")
    ]
    assert lines[-1] == "Result: Mr X wins (Mr X survived all rounds) in round 2."


def test_same_seed_same_game(capsys) -> None:
    board = ("--board", "grid:5x5", "--n-detectives", 3)
    assert watch(capsys, *board) == watch(capsys, *board)
    assert watch(capsys, *board) != watch(capsys, *board, "--seed", 4)


def test_json_is_one_numbered_line_per_event_and_the_outcome_last(capsys, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    *events, outcome = watch_json(capsys, "--record", file)
    assert [event["v"] for event in events] == list(range(1, len(events) + 1))
    record = load_record(file)
    assert outcome["plies"] == len(record.actions) == sum(event["t"] == "moved" for event in events)
    assert f"{outcome['winner']} {outcome['termination']}" == str(record.outcome) == events[-1]["outcome"]
    assert outcome["seed"] == record.seed == 3
    assert len(replay(record).states) == outcome["plies"] + 1


def test_a_spectator_is_not_told_what_is_hidden_unless_it_is_revealed(capsys) -> None:
    hidden = ("--visibility", "rounds", "--reveal-rounds", "2", "--board", "petersen", "--mrx", 1, "--detectives", 9)
    plain = watch_json(capsys, *hidden, "--max-rounds", 3)
    open_ = watch_json(capsys, *hidden, "--max-rounds", 3, "--reveal")
    assert len(plain) == len(open_)
    secret = [after for before, after in zip(plain, open_, strict=True) if before != after]
    assert all(len(before) == 1 for before, after in zip(plain, open_, strict=True) if before != after)
    assert [event["t"] for event in secret] == ["quarry", "moved", "moved"]
    assert secret[0]["at"] == "1"


@pytest.mark.parametrize(
    ("given", "drawn"),
    [(("--mrx", "9"), "detectives"), (("--detectives", "9", "2", "14"), "quarry")],
)
def test_places_that_are_not_given_are_drawn_from_the_seed(capsys, given: tuple[str, ...], drawn: str) -> None:
    opening = {event["t"]: event["at"] for event in watch_json(capsys, *given)[:2]}
    again = {event["t"]: event["at"] for event in watch_json(capsys, *given)[:2]}
    assert opening == again
    if drawn == "detectives":
        assert opening["quarry"] == "9"
        assert len({*opening["detectives"], "9"}) == 3
    else:
        assert opening["detectives"] == ["9", "2", "14"]
        assert opening["quarry"] not in opening["detectives"]


def test_pieces_are_placed_by_the_players_where_the_preset_says_so(capsys) -> None:
    options = ("--preset", "cops-and-robbers", "--board", "path:5", "--n-detectives", 1, "--max-rounds", 30)
    events = watch_json(capsys, *options)
    assert events[0]["at"] == []
    assert [event["piece"] for event in events[2:4]] == [0, "quarry"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chess",), "unknown game 'chess'"),
        (("pursuit", "--board", "londn"), "did you mean london?"),
        (("pursuit", "--mrx", "77", "--detectives", "5"), "no node '77' on board top-right-20"),
        (("pursuit", "--mrx", "77"), "no node '77' on board top-right-20"),
        (("pursuit", "--mrx", "1", "--detectives", "5", "5"), "two detectives on node 5"),
        (("pursuit", "--detectives", "5", "6", "--n-detectives", "3"), "--detectives names 2 places"),
        (("pursuit", "--preset", "sed"), "did you mean seed?"),
        (("pursuit", "--max-rounds", "0"), "0 is too small; the minimum is 1"),
        (("pursuit", "--max-rounds", "many"), "'many' is not a whole number"),
        (("pursuit", "--agent-mrx", "randm"), "did you mean random?"),
        (("pursuit", "--agent-mrx", "nowhere.py:Bot"), "agent file nowhere.py does not exist"),
        (("pursuit", "--save", "game.bmp"), "must end in .gif or .png or .svg"),
        (("pursuit", "--save", "no/such/folder/game.svg"), "the folder no/such/folder does not exist"),
        (("pursuit", "--record", "no/such/folder/game.txt"), "the folder no/such/folder does not exist"),
        (("pursuit", "--pace", "fast"), "'fast' is not a number of seconds"),
        (("pursuit", "--pace", "-1"), "argument --pace: -1 is not a time; give 0 or more seconds"),
        (("pursuit", "--pace", "nan"), "argument --pace: nan is not a time"),
        (("pursuit", "--pace", "inf"), "argument --pace: inf is not a time"),
        (("--mrx", "1", "pursuit", "extra"), "unrecognized arguments"),
        (("scotland_yard", "--mrx", "random"), "arguments: --mrx random; did you mean --agent-mrx? (see"),
    ],
)
def test_bad_input_is_one_line(capsys, arguments: tuple[str, ...], message: str) -> None:
    assert message in refused(capsys, *arguments)


@pytest.mark.parametrize("name", ["game.png", "game.gif"])
@pytest.mark.parametrize("module", ["resvg_py", "PIL"])
def test_a_missing_extra_is_named(capsys, monkeypatch, name: str, module: str) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert "pip install -c constraints.txt -e '.[pictures]'" in refused(capsys, "pursuit", "--save", name)


@pytest.mark.parametrize(
    ("name", "why", "reason"),
    [
        (
            "Crasher",
            "crash",
            "Reason: RuntimeError: lost my map (bots.py line 5, in choose_move)",
        ),
        ("Cheat", "illegal action", "Reason: 'X:17' is not legal now; legal: X:8, X:9"),
    ],
)
def test_a_bad_strategy_forfeits_with_its_reason(capsys, tmp_path: Path, name: str, why: str, reason: str) -> None:
    file = tmp_path / "bots.py"
    file.write_text(CRASHER)
    lines = watch(capsys, "--agent-mrx", f"{file}:{name}").splitlines()
    assert lines[-3] == f"round 1: Mr X lost by forfeit: {why}"
    assert lines[-2:] == ["Result: the detectives win (Mr X failed) in round 1.", reason]


def test_pictures_of_a_game(capsys, tmp_path: Path) -> None:
    from PIL import Image

    files = {kind: tmp_path / f"game.{kind}" for kind in ("gif", "png", "svg")}
    for file in files.values():
        watch(capsys, "--max-rounds", 1, "--save", file)
    with Image.open(files["gif"]) as gif:
        assert gif.n_frames == 1 + 3  # type: ignore[attr-defined]
    with Image.open(files["png"]) as png:
        assert png.width > 800
    assert 'data-piece="quarry-0"' in files["svg"].read_text()


def test_help_is_cheap() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "manhunt", "watch", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "--agent-detectives" in done.stdout
    loaded = {line.split("|")[-1].strip() for line in done.stderr.splitlines()}
    assert not loaded & {"numpy", "numba", "matplotlib", "rich", "scipy", "networkx"}


def test_keys_in_a_terminal() -> None:
    with Terminal("watch", "pursuit", "--seed", "3", "--pace", "0") as terminal:
        terminal.expect("round 1 of 15: Mr X to move", " X 1 ", " N ", "play on")
        terminal.press("n")
        terminal.expect("round 1 of 15: red to move")
        terminal.press("r")
        terminal.expect("round 2 of 15: Mr X to move")
        terminal.press("?")
        terminal.expect("Pursuit: help", "Rules", "back one move", "back to the game")
        terminal.press(" ")
        terminal.expect("round 2 of 15: Mr X to move")
        terminal.press("b")
        terminal.expect("round 1 of 15: green to move", "move 2 of 3")
        terminal.press("g4\n")
        terminal.expect("round 4 of 15: Mr X to move", "seed 3")
        terminal.press("\x1b[D")
        terminal.expect("round 3 of 15: green to move")
        terminal.press("a")
        terminal.expect("the detectives win (Mr X is caught)")
        terminal.press("Q")
        terminal.expect("Result: the detectives win (Mr X is caught) in round 6.")
        assert terminal.wait() == 0
        assert terminal.is_cooked()


def test_ctrl_c_leaves_the_terminal_as_it_was_and_keeps_the_record(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    with Terminal("watch", "pursuit", "--seed", "3", "--record", str(file)) as terminal:
        terminal.expect("round 1 of 15: Mr X to move")
        assert not terminal.is_cooked()
        terminal.press("n")
        terminal.expect("red to move")
        terminal.press("\x03")
        terminal.expect("manhunt: interrupted")
        assert terminal.wait() == 130
        assert terminal.is_cooked()
    assert len(replay(load_record(file)).actions) == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_end_leaves_the_terminal_as_it_was_and_keeps_the_record(number: signal.Signals, tmp_path) -> None:
    file = tmp_path / "game.txt"
    with Terminal("watch", "pursuit", "--seed", "3", "--record", str(file)) as terminal:
        terminal.expect("round 1 of 15: Mr X to move")
        terminal.press("n")
        terminal.expect("red to move")
        terminal.process.send_signal(number)
        terminal.expect("manhunt: terminated")
        assert terminal.wait() == 128 + number
        assert terminal.is_cooked()
    assert len(replay(load_record(file)).actions) == 1


@pytest.mark.parametrize("option", ["--record", "--save"])
def test_a_place_that_cannot_be_written_is_refused_before_the_game(option: str, tmp_path, capsys) -> None:
    (tmp_path / "folder.svg").mkdir()
    for place, why in ((tmp_path / "folder.svg", "it is a folder; give the name of a file"), ("/proc/game.svg", "")):
        assert run(["watch", "pursuit", "--no-viz", option, str(place)]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"manhunt: cannot write {place}: {why}")
        assert err.count("\n") == 1


def test_quitting_early_says_so_and_keeps_the_record(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    with Terminal("watch", "pursuit", "--record", str(file)) as terminal:
        terminal.expect("round 1 of 15: Mr X to move")
        terminal.press("n")
        terminal.expect("red to move")
        terminal.press("q")
        terminal.expect("The game is unfinished.")
        assert terminal.wait() == 0
    record = load_record(file)
    assert record.outcome is None
    assert len(replay(record).actions) == 1


def test_both_steps_of_a_double_move_stand_under_their_own_rounds(capsys) -> None:
    line = ["watch", "scotland_yard", "--no-viz", "--reveal", "--agent-mrx", "random", "--agent-detectives", "random"]
    assert run([*line, "--seed", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    told = [line for line in lines if " pays " in line]
    assert [line.split(":")[0] for line in told] == [f"round {n}" for n in range(1, len(told) + 1)]
    assert not any(" in round " in line for line in told)
    (first, *_) = [i for i, line in enumerate(lines) if line.endswith("makes a double move")]
    number = int(lines[first].split(":")[0].removeprefix("round "))
    heads = [line.split(":")[0] for line in lines[first : first + 5]]
    assert heads == [f"round {number + n}" for n in (0, 0, 0, 1, 1)]
