"""`manhunt serve` as a process, with the sample bots."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

from classic_clients import LITTLE, PLAYER, OldClient
from manhunt.boards.contest import make_contest
from manhunt.cli.main import run
from manhunt.games.shortest_path.rules.game_file import format_game_file
from manhunt.games.shortest_path.show.serve_command import CONTEST_SIZE, build_parser, sample_game
from manhunt.games.shortest_path.solvers.bounds import bounds_from_json, check_bounds
from manhunt.play.record import load_record, replay

SAMPLES = ("classic_player", "classic_adversary")
PATIENCE_SECONDS = 300


@pytest.fixture
def game_file(tmp_path) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(LITTLE)
    return path


def started(*options: str) -> tuple[subprocess.Popen, int]:
    return listening([sys.executable, "-m", "manhunt", "serve", "shortest-path", "--port", "0", *options])


def listening(command: list[str]) -> tuple[subprocess.Popen, int]:
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    match = re.search(r'port"?:? (\d+)', line)
    assert match, line + process.stderr.read()
    return process, int(match[1])


def bot(name: str, port: int, *options: str) -> subprocess.Popen:
    command = [sys.executable, "-m", f"manhunt.samples.{name}", "--port", str(port), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("order", [SAMPLES, SAMPLES[::-1]], ids=" first, ".join)
def test_the_sample_bots_play_and_the_record_is_kept(order, game_file, tmp_path) -> None:
    # The bounds are found at once, but the search may have to be compiled first.
    options = ["--games", "1", "--record-dir", str(tmp_path), "--bounds", "120"]
    server, port = started("--game-file", str(game_file), *options)
    bots = [bot(name, port, "--seed", "1") for name in order]
    said = dict(zip(order, (b.communicate(timeout=PATIENCE_SECONDS) for b in bots), strict=True))
    lines = server.communicate(timeout=PATIENCE_SECONDS)[0].splitlines()
    assert server.returncode == 0
    record = load_record(tmp_path / "game-0001.record.txt")
    assert replay(record).states
    cost = f"{record.outcome.cost:g}"
    assert f"game 1: ended: the traveller arrives and pays {cost}" in lines[-3:-1]
    bounds = bounds_from_json(record.bounds, replay(record).config.board)
    check_bounds(replay(record).states[0], bounds)
    assert any(line.endswith(f"best play costs {bounds} (certified)") for line in lines)
    assert lines[-1].startswith(f"game 1: paid {record.outcome.cost:.6g}; best play costs {bounds}: ")
    assert sum(" in all" in line or line.endswith(" now") for line in lines) == len(record.actions)
    assert said["classic_player"] == (f"arrived and paid {cost}\n", "")
    assert said["classic_adversary"] == (f"the player paid {cost}\n", "")


@pytest.mark.parametrize("spelling", ["shortest-path", "shortest_path"])
def test_without_a_file_the_sample_game_is_played_to_its_end_by_the_sample_bots(spelling) -> None:
    command = [sys.executable, "-m", "manhunt", "serve", spelling, "--port", "0", "--games", "1", "--bounds", "0"]
    server, port = listening(command)
    bots = [bot(name, port, "--seed", "1") for name in SAMPLES]
    player, adversary = (b.communicate(timeout=PATIENCE_SECONDS) for b in bots)
    lines = server.communicate(timeout=PATIENCE_SECONDS)[0].splitlines()
    assert [process.returncode for process in (server, *bots)] == [0, 0, 0]
    assert lines[-1].startswith("game 1: ended: the traveller arrives and pays ")
    cost = lines[-1].split()[-1]
    assert player == (f"arrived and paid {cost}\n", "")
    assert adversary == (f"the player paid {cost}\n", "")


def test_the_sample_game_is_a_file_of_the_package_and_a_contest_graph() -> None:
    sample = sample_game()
    made = make_contest(*CONTEST_SIZE, 0)
    assert format_game_file(sample) == format_game_file(made)
    assert build_parser().parse_args([]).port == 8080


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_bot_has_help_and_a_place_for_your_logic(name) -> None:
    command = [sys.executable, "-m", f"manhunt.samples.{name}", "-h"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0
    assert all(option in done.stdout for option in ("--ip", "--port", "--name"))
    assert "Add agent logic here" in (resources.files("manhunt.samples") / f"{name}.py").read_text()


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_bot_without_a_server_says_so_in_one_line(name) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = bot(name, port)
    out, err = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, out) == (2, "")
    assert err.startswith(f"no server on 127.0.0.1 port {port}: ")
    assert err.count("\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_ends_the_games_and_exits_with_130(game_file, tmp_path) -> None:
    options = ["--record-dir", str(tmp_path), "--json", "--bounds", "600"]  # the search is ended, too
    server, port = started("--game-file", str(game_file), *options)
    player, adversary = OldClient(port, PLAYER), OldClient(port, 1)
    player.read_layout()
    adversary.read_layout()
    server.send_signal(signal.SIGINT)
    told = player.read_update()
    assert told == adversary.read_update()
    assert (told["done"], told["error"], told["message"]) == (True, True, "the server stops")
    player.close()
    adversary.close()
    out, err = server.communicate(timeout=PATIENCE_SECONDS)
    assert (server.returncode, err) == (130, "manhunt: interrupted\n")
    assert [json.loads(line)["t"] for line in out.splitlines()] == ["joined", "joined", "begun", "update"]
    assert load_record(tmp_path / "game-0001.record.txt").outcome is None


def test_a_port_in_use_is_one_line_and_exit_code_2(game_file, capsys) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(["serve", "shortest-path", "--game-file", str(game_file), "--port", str(port)]) == 2
    assert capsys.readouterr().err == f"manhunt: port {port} on 127.0.0.1 is in use; choose another with --port\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["chess"], "unknown game to serve 'chess'; known: shortest-path"),
        (["shortest-path", "--host", "0.0.0.0"], "--host 0.0.0.0 can be reached by other machines; add --public"),
        (["shortest-path", "--port", "70000"], "'70000' is not a port; give a number from 0 to 65535"),
        (["shortest-path", "--time", "0"], "'0' is not a time; give seconds above 0"),
        (["shortest-path", "--bounds", "-1"], "-1 is not a time; give 0 or more seconds"),
        (["shortest-path", "--games", "0"], "0 is too small; the minimum is 1"),
        (["shortest-path", "--rule", "cubic"], "unknown cost rule 'cubic'; known: sqrt, double"),
        (["shortest-path", "--game-file", "none.txt"], "cannot read the game file none.txt"),
        (["shortest-path", "--record-dir", "none"], "cannot write records to none: there is no such folder"),
        ([], "the following arguments are required: GAME"),
    ],
)
def test_bad_options_are_one_line(options, message, capsys) -> None:
    assert run(["serve", *options]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1
