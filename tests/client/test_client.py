"""The kit for bots in Python: its talk without any door, and all its transports."""

import asyncio
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bot_games import EXAMPLES, referee
from manhunt.agents.link import Patience, running_bots
from manhunt.client import Bot, Clock, Option, OptionType, run, transports
from manhunt.client.talk import converse
from manhunt.core.ids import Seat
from manhunt.core.registry import game_names
from manhunt.core.turns import TurnEnd
from manhunt.testing.bots import check_bot


class First(Bot):
    """Takes the first move."""

    name = "first"
    games = ("pursuit",)
    options = (Option("level", OptionType.INT, 3, 1, 5),)

    def __init__(self) -> None:
        super().__init__()
        self.heard: list = []

    def start(self, game) -> None:
        self.heard.append((game.game, game.seat, self.option("level")))

    def observe(self, events, view) -> None:
        self.heard.append((len(events), view))

    def choose(self, view, legal, clock):
        self.heard.append(clock.move)
        self.tell(value=-0.5, line=legal[:1], text="obvious", nodes=1)
        return legal[0] if legal else None


class Patient(First):
    async def choose(self, view, legal, clock):
        await asyncio.sleep(0)
        return legal[-1]


HELLO = {"t": "hello", "protocol": 1, "program": "test"}
NEW = {"t": "new", "game": "pursuit", "config": {}, "seat": "evader", "options": {"level": 5}}
OBSERVE = {"t": "observe", "events": [{"v": 1}], "view": {"round": 1}}
GO = {"t": "go", "n": 1, "seed": 7, "n_legal": 2, "legal": ["X:8", "X:9"], "clock": {"move": 2.5}}


def talk(bot: Bot, *messages: dict) -> list[dict]:
    lines = iter([json.dumps(m).encode() for m in messages])
    said: list[dict] = []

    async def receive() -> bytes | None:
        return next(lines, None)

    async def send(data: bytes) -> None:
        said.extend(json.loads(line) for line in data.splitlines())

    asyncio.run(converse(bot, receive, send))
    return said


def test_a_whole_talk() -> None:
    bot = First()
    said = talk(bot, HELLO, NEW, OBSERVE, GO, {"t": "bye"})
    assert [m["t"] for m in said] == ["hello", "info", "move", "bye"]
    assert said[0]["name"] == "first"
    assert said[0]["options"][0] == {
        "name": "level", "type": "int", "default": 3, "low": 1.0, "high": 5.0, "choices": []
    }  # fmt: skip
    assert said[1] == {
        "t": "info", "value": -0.5, "confidence": None, "line": ["X:8"], "text": "obvious", "counters": {"nodes": 1.0}
    }  # fmt: skip
    assert said[2] == {"t": "move", "n": 1, "action": "X:8"}
    assert bot.heard == [("pursuit", "evader", 5), (1, {"round": 1}), 2.5]


def test_choosing_may_wait() -> None:
    assert talk(Patient(), HELLO, NEW, OBSERVE, GO)[-1]["action"] == "X:9"


def test_nothing_to_choose_is_a_resignation() -> None:
    assert talk(First(), HELLO, NEW, OBSERVE, {**GO, "legal": None})[-1] == {"t": "resign"}


def test_chance_comes_from_the_seed() -> None:
    class Dice(First):
        def choose(self, view, legal, clock):
            return str(self.rng.random())

    throws = [talk(Dice(), HELLO, NEW, OBSERVE, {**GO, "seed": seed})[-1]["action"] for seed in (1, 1, 2)]
    assert throws[0] == throws[1] != throws[2]


def test_messages_of_a_later_version_are_let_pass(capsys) -> None:
    said = talk(First(), HELLO, {"t": "applause"}, NEW, OBSERVE, {**GO, "mood": 3})
    assert said[-1]["t"] == "move"
    assert "not understood" in capsys.readouterr().err


class Pipe(io.StringIO):
    """Standard input or output with its bytes."""

    def __init__(self, data: bytes = b"") -> None:
        super().__init__()
        self.buffer = io.BytesIO(data)  # type: ignore[misc]


@pytest.mark.parametrize("kind", [First, Patient])
def test_printing_does_not_spoil_the_talk(kind, monkeypatch, capsys) -> None:
    class Printing(kind):  # type: ignore[misc]
        def start(self, game) -> None:
            print("I print")

    lines = b"".join(json.dumps(m).encode() + b"\n" for m in (HELLO, NEW, OBSERVE, GO, {"t": "bye"}))
    out = Pipe()
    monkeypatch.setattr(sys, "stdin", Pipe(lines))
    monkeypatch.setattr(sys, "stdout", out)
    transports.play_stdio(Printing())
    assert [json.loads(line)["t"] for line in out.buffer.getvalue().splitlines()][-2:] == ["move", "bye"]  # type: ignore[attr-defined]
    assert out.getvalue() == ""
    assert "I print" in capsys.readouterr().err


@contextmanager
def listening(option: str, program: str | None = None) -> Iterator[str]:
    """The address of the example bot, or of a program, that listens."""
    what = [EXAMPLES / "python_bot.py"] if program is None else ["-c", program]
    bot = subprocess.Popen([sys.executable, *what, option, "0"], stderr=subprocess.PIPE, text=True)
    assert bot.stderr is not None
    try:
        yield bot.stderr.readline().removeprefix("listening: ").strip()
    finally:
        bot.terminate()
        bot.wait(300)
        bot.stderr.close()


@pytest.mark.parametrize("option", ["--listen", "--listen-ws"])
def test_whole_games_over_a_network(option: str) -> None:
    with listening(option) as address:
        for name in game_names():
            match = referee(name, address, address, seed=5)
            assert match.run() == match.game.outcome(match.state)
            assert match.faults == []
        report = check_bot(address, "pursuit", seats=(Seat.EVADER,), games=1)
        assert report.ok, report.violations


CRASHING = """
from manhunt.client import Bot, run
class Weak(Bot):
    def choose(self, view, legal, clock):
        raise RuntimeError("tired")
run(Weak)
"""


@pytest.mark.parametrize("option", ["--listen", "--listen-ws"])
def test_a_crash_over_a_network_is_told_and_ends_one_connection(option: str) -> None:
    with listening(option, CRASHING) as address:
        for _ in range(2):
            match = referee("pursuit", address)
            match.run()
            assert [fault.end for fault in match.faults] == [TurnEnd.CRASH]
            assert "the bot's error: RuntimeError: tired" in match.fault


def test_a_websocket_that_is_none_is_told() -> None:
    with listening("--listen") as address, running_bots(patience=Patience(hello_seconds=0.3)):
        match = referee("pursuit", address.replace("tcp:", "ws://"))
        match.run()
    assert match.fault.startswith("does not start: no WebSocket there")


def test_a_port_in_use_is_one_line() -> None:
    with listening("--listen") as address:
        port = address.rpartition(":")[2]
        with pytest.raises(SystemExit, match=f"cannot listen on 127.0.0.1:{port}: "):
            run(First, ["--listen", port])
    with pytest.raises(SystemExit):
        run(First, ["--listen", "here"])


def test_clocks_are_plain_values() -> None:
    assert Clock(1.5) == Clock(move=1.5, bank=None, increment=0.0, cap=None)
