"""What a bot's process gets of this machine, and what is left of one that attacks its supervisor."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from bot_games import PLAIN, alive, bad, ends, left_over, referee
from manhunt.agents.link import Patience, running_bots
from manhunt.agents.wires import process
from manhunt.agents.wires.leftovers import MARK
from manhunt.agents.wires.process import BotLimits
from manhunt.agents.wires.sandbox import TMP, BotSurroundings, in_sandbox, sandbox_trouble
from manhunt.core.agent import Limit
from manhunt.core.errors import BadAgent, BadConfig
from manhunt.core.turns import TurnEnd

HURRIED = Patience(hello_seconds=20, leave_seconds=0.2, grace_seconds=0.0)
ROOMY = BotLimits(processes=100)
needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc to look for what is left")
SPY = """
import json, os, socket, sys
def write(path):
    try:
        open(path, "w").write("x")
        return True
    except OSError:
        return False
def read(path):
    try:
        return open(path).read()
    except OSError as error:
        return str(error)
def reach(port):
    try:
        socket.create_connection(("127.0.0.1", port), 2).close()
        return True
    except OSError:
        return False
def processes():
    return [pid for pid in os.listdir("/proc") if pid.isdecimal()]
tries = json.loads(sys.argv[1])
found = {
    "environment": dict(os.environ),
    "wrote": [write(path) for path in tries["write"]],
    "read": [read(path) for path in tries["read"]],
    "tmp": len(os.listdir("/tmp")),
    "reached": [reach(port) for port in tries["reach"]],
    "processes": len(processes()),
}
print(json.dumps({"t": "hello", "protocol": 1, "name": "spy"}), flush=True)
print(json.dumps(found), file=sys.stderr, flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "go":
        print(json.dumps({"t": "move", "n": message["n"], "action": message["legal"][0]}), flush=True)
"""


def spied(folder: Path, surroundings: BotSurroundings, **tries: list[object]) -> dict[str, object]:
    """What a bot in `folder` finds out about this machine."""
    import json
    import shlex

    (folder / "spy.py").write_text(SPY)
    asked = json.dumps({"write": [], "read": [], "reach": []} | tries)
    spec = f"cmd:{sys.executable} spy.py {shlex.quote(asked)}"
    with running_bots(patience=HURRIED, surroundings=surroundings):
        match = referee("pursuit", spec)
        match.run()
    assert match.faults == []
    agent = next(iter(match.agents.values()))
    text = agent.start_stderr + "".join(turn.stderr for turn in agent.turns)  # type: ignore[attr-defined]
    found: dict[str, object] = json.loads(text)
    return found


def test_a_bot_inherits_a_few_variables_and_what_is_allowed(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MANHUNT_STORE", "postgresql://me:secret@host/games")
    monkeypatch.setenv("MY_MODEL", "small")
    monkeypatch.setenv("LANG", "C.UTF-8")
    plain = spied(tmp_path, BotSurroundings())["environment"]
    assert isinstance(plain, dict)
    assert set(plain) <= {"PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "PYTHONUNBUFFERED", MARK}
    assert (plain["LANG"], plain["PATH"]) == ("C.UTF-8", os.environ["PATH"])
    given = spied(tmp_path, BotSurroundings(environment=("MY_MODEL", "THREADS=2", "NOT_SET_HERE")))["environment"]
    assert isinstance(given, dict)
    assert {name: given[name] for name in given if name not in plain} == {"MY_MODEL": "small", "THREADS": "2"}


def test_a_variable_must_look_like_one() -> None:
    with pytest.raises(BadConfig, match="'MY MODEL' is not a variable; write NAME to hand it on, or NAME=VALUE"):
        BotSurroundings(environment=("MY MODEL",))


@needs_proc
@pytest.mark.parametrize("what", ["murder-and-play", "murder-and-sleep"])
def test_a_bot_that_kills_its_supervisor_has_crashed_and_leaves_nothing(what: str, monkeypatch) -> None:
    """Where the system gives bots no process numbers of their own."""
    monkeypatch.setattr(process, "OWN_NAMESPACE", "none")
    spec = bad(what)
    with running_bots(limits=ROOMY, patience=HURRIED):
        match = referee("pursuit", spec, limit=Limit(seconds=30))
        match.run()
    assert ends(match) == [TurnEnd.CRASH]
    assert "its supervisor was killed" in match.fault
    assert left_over(spec) == []


@needs_proc
def test_a_bot_with_process_numbers_of_its_own_cannot_reach_its_supervisor() -> None:
    spec = bad("murder-and-play")
    with running_bots(limits=ROOMY, patience=HURRIED):
        match = referee("pursuit", spec, limit=Limit(seconds=30))
        match.step()
        if not alive(spec) or "more than" in (match.fault or ""):
            pytest.fail(f"the bot is gone: {match.fault}")
        for agent in match.agents.values():
            agent.stop()
    assert ends(match) in ([], [TurnEnd.CRASH]), "it may run out of processes, but nothing else"
    assert left_over(spec) == []


# The sandbox


needs_sandbox = pytest.mark.skipif(sandbox_trouble() is not None, reason=str(sandbox_trouble()))


@needs_sandbox
def test_a_bot_in_the_sandbox_has_no_network_and_writes_nowhere_but_in_its_own_tmp(tmp_path, monkeypatch) -> None:
    import socket

    monkeypatch.chdir(tmp_path)
    secret = tmp_path / "evening.db"
    secret.write_text("where Mr X is")
    (tmp_path / "evening.db-wal").write_text("where Mr X is")
    (tmp_path / "open.txt").write_text("for all")
    outside = Path(TMP, f"manhunt-spy-{os.getpid()}.txt")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        tries: dict[str, list[object]] = {
            "write": [str(tmp_path / "mine.txt"), str(outside)],
            "read": [str(secret), f"{secret}-wal", str(tmp_path / "open.txt")],
            "reach": [port],
        }
        free = spied(tmp_path, BotSurroundings(), **tries)
        outside.unlink()
        held = spied(tmp_path, BotSurroundings(sandbox=True, hidden=(str(secret),)), **tries)
    assert free["wrote"] == [True, True]
    assert free["reached"] == [True]
    assert held["wrote"] == [False, True]
    assert not outside.exists()
    assert [("Mr X" in text, "for all" in text) for text in map(str, held["read"])] == [  # type: ignore[call-overload]
        (False, False),
        (False, False),
        (False, True),
    ]
    assert held["reached"] == [False]
    ways = {Path(place).parts[2] for place in (str(tmp_path), sys.executable) if place.startswith(f"{TMP}/")}
    assert int(str(held["tmp"])) <= 1 + len(ways), "its own file, and the way to its folder and its interpreter"
    assert int(str(held["processes"])) <= 3


@needs_sandbox
@needs_proc
def test_nothing_is_left_of_a_bot_in_the_sandbox() -> None:
    for what in ("murder-and-sleep", "fork-and-stay"):
        spec = bad(what)
        with running_bots(limits=ROOMY, patience=HURRIED, surroundings=BotSurroundings(sandbox=True)):
            match = referee("pursuit", spec, limit=Limit(seconds=2))
            match.run()
        assert "supervisor" not in (match.fault or "")
        assert left_over(spec) == []


@needs_sandbox
def test_the_limits_hold_in_the_sandbox() -> None:
    spec = bad("breed")
    limits = BotLimits(processes=20)
    with running_bots(limits=limits, patience=HURRIED, surroundings=BotSurroundings(sandbox=True)):
        match = referee("pursuit", spec, limit=Limit(seconds=20))
        match.run()
    assert "more than 20 processes" in match.fault


def test_where_there_is_no_sandbox_one_line_says_so(monkeypatch, tmp_path) -> None:
    sandbox_trouble.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    try:
        with pytest.raises(BadAgent, match="no sandbox here: bwrap is not installed; install the package bubblewrap"):
            in_sandbox(["true"])
        broken = tmp_path / "bwrap"
        broken.write_text(f"#!{shutil.which('sh', path=os.defpath)}\necho 'bwrap: No permissions' >&2\nexit 1\n")
        broken.chmod(0o755)
        sandbox_trouble.cache_clear()
        assert sandbox_trouble() == "there is no sandbox here: bwrap: No permissions; bwrap needs user namespaces"
    finally:
        sandbox_trouble.cache_clear()


@needs_sandbox
def test_files_of_a_sandboxed_bot_are_not_in_tmp_itself(monkeypatch) -> None:
    monkeypatch.chdir(TMP)
    with pytest.raises(BadAgent, match="has a /tmp of its own, so its files must be elsewhere or in a folder"):
        in_sandbox(["./bot"])


def test_a_good_bot_plays_as_before() -> None:
    with running_bots(patience=HURRIED, surroundings=BotSurroundings(sandbox=sandbox_trouble() is None)):
        match = referee("pursuit", PLAIN, PLAIN)
        match.run()
    assert match.faults == []


@needs_sandbox
def test_a_virtual_environment_in_tmp_is_seen_as_a_whole_and_bound_once(tmp_path, monkeypatch) -> None:
    import tempfile

    with tempfile.TemporaryDirectory(dir=TMP) as made:
        (home := Path(made, "env")).mkdir()
        (home / "pyvenv.cfg").touch()
        (home / "bin").mkdir()
        (home / "bin" / "python").symlink_to(sys.executable)
        monkeypatch.chdir(made)
        words = in_sandbox([f"{home}/bin/python", "bot.py"])
        assert [words[i + 1] for i, word in enumerate(words[:-1]) if word == "--ro-bind" and made in words[i + 1]] == [
            made
        ]
        monkeypatch.chdir(tmp_path)
        words = in_sandbox([f"{home}/bin/python", "bot.py"])
        assert str(home) in words
        (beside := Path(made, "bots")).mkdir()
        (beside / "bot.py").touch()
        (other := Path(made, "evening")).mkdir()
        monkeypatch.chdir(other)
        words = in_sandbox(["python3", "../bots/bot.py"])
        assert {str(beside), str(other)} <= set(words)
