"""`manhunt serve` as a process, with the sample bots."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from classic_clients import LITTLE, PLAYER, OldClient
from manhunt.cli.main import run
from manhunt.games.shortest_path.solvers.bounds import bounds_from_json, check_bounds
from manhunt.play.record import load_record, replay

BOTS = Path(__file__).parents[4] / "examples" / "bots"
PATIENCE_SECONDS = 300


@pytest.fixture
def game_file(tmp_path) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(LITTLE)
    return path


def started(*options: str) -> tuple[subprocess.Popen, int]:
    command = [sys.executable, "-m", "manhunt", "serve", "shortest-path", "--port", "0", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    match = re.search(r'port"?:? (\d+)', line)
    assert match, line + process.stderr.read()
    return process, int(match[1])


def bot(name: str, port: int, *options: str) -> subprocess.Popen:
    command = [sys.executable, str(BOTS / name), "--port", str(port), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize(
    "order", [("classic_player.py", "classic_adversary.py"), ("classic_adversary.py", "classic_player.py")]
)
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
    assert f"game 1: ended: {record.outcome}" in lines[-3:-1]
    bounds = bounds_from_json(record.bounds, replay(record).config.board)
    check_bounds(replay(record).states[0], bounds)
    assert any(line.endswith(f"best play costs {bounds} (certified)") for line in lines)
    assert lines[-1].startswith(f"game 1: paid {record.outcome.cost:.6g}; best play costs {bounds}: ")
    assert sum(" in all" in line or line.endswith(" now") for line in lines) == len(record.actions)
    cost = f"{record.outcome.cost:g}"
    assert said["classic_player.py"] == (f"arrived and paid {cost}\n", "")
    assert said["classic_adversary.py"] == (f"the player paid {cost}\n", "")


@pytest.mark.parametrize("name", ["classic_player.py", "classic_adversary.py"])
def test_a_sample_bot_has_help_and_needs_nothing_but_the_standard_library(name) -> None:
    done = subprocess.run([sys.executable, "-I", "-S", str(BOTS / name), "-h"], capture_output=True, text=True)
    assert done.returncode == 0
    assert "--port" in done.stdout
    assert "Add agent logic here" in (BOTS / name).read_text()


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
        (["shortest-path", "--port", "70000"], "'70000' is no port; give a number from 0 to 65535"),
        (["shortest-path", "--time", "0"], "'0' is no time; give seconds above 0"),
        (["shortest-path", "--bounds", "-1"], "-1 is no time; give 0 or more seconds"),
        (["shortest-path", "--games", "0"], "0 is too small; the least is 1"),
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
