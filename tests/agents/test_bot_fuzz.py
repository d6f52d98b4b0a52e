"""Bytes that no bot should send: whatever comes, the game ends properly and the manager is as before."""

import gc
import json
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from random import Random

import pytest

from bot_games import bad, ends, left_over, referee
from manhunt.agents.link import Patience, running_bots
from manhunt.core.agent import Limit
from manhunt.core.outcome import Termination
from manhunt.core.turns import FAILED, TurnEnd
from manhunt.play.fault import FaultPolicy
from noise import packets, spoiled

HELLO = b'{"t":"hello","protocol":1,"name":"fuzz"}\n'
Parts = Sequence[bytes]


class Fuzzer:
    """Listens like a bot; says `opening` when greeted and `parts`, packet by packet, to every go."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.spec = f"tcp:127.0.0.1:{self.listener.getsockname()[1]}"
        self.opening: Parts = (HELLO,)
        self.parts: Parts = ()
        self.pause_seconds = 0.0
        self.hang_up = False
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def close(self) -> None:
        with suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self._thread.join()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection, suppress(OSError):
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._talk(connection)

    def _talk(self, connection: socket.socket) -> None:
        for line in connection.makefile("rb"):
            kind = json.loads(line)["t"]
            if kind == "hello":
                self._send(connection, self.opening)
            elif kind == "go":
                said = [part.replace(b"$n", b"%d" % json.loads(line)["n"]) for part in self.parts]
                self._send(connection, [p.replace(b"$a", json.loads(line)["legal"][0].encode()) for p in said])
                if self.hang_up:
                    return
            elif kind == "bye":
                return

    def _send(self, connection: socket.socket, parts: Parts) -> None:
        for part in parts:
            connection.sendall(part)
            if self.pause_seconds:
                time.sleep(self.pause_seconds)


@contextmanager
def fuzzing(hello_seconds: float = 60) -> Iterator[Fuzzer]:
    fuzzer = Fuzzer()
    try:
        with running_bots(patience=Patience(hello_seconds, leave_seconds=0.0, grace_seconds=0.0)):
            yield fuzzer
    finally:
        fuzzer.close()


def outcome_of(fuzzer: Fuzzer, *, seconds: float = 0.5) -> set[TurnEnd]:
    """Play a game as far as it goes, once with forfeits and once with stand-ins; the ends of the bad turns."""
    strict = referee("pursuit", fuzzer.spec, limit=Limit(seconds=seconds))
    result = strict.run()
    assert (result.termination is Termination.FORFEIT) == bool(strict.faults)
    lenient = referee(
        "pursuit", fuzzer.spec, limit=Limit(seconds=seconds), policies=dict.fromkeys(FAILED, FaultPolicy.RANDOM)
    )
    assert lenient.run() == lenient.game.outcome(lenient.state)
    found = {end for end in (*ends(strict), *ends(lenient)) if end is not None}
    assert all(fault.detail and "Traceback" not in fault.detail for fault in (*strict.faults, *lenient.faults))
    return found


MOVE = b'{"t":"info","value":0.25}\n{"t":"move","n":$n,"action":"$a"}\n'


def test_an_honest_bot_is_heard_however_its_lines_are_cut_and_glued() -> None:
    rng = Random(1)
    with fuzzing() as fuzzer:
        for _ in range(15):
            line = MOVE.replace(b"$n", b"$n ")
            fuzzer.parts = [line[:30], line[30:]] if rng.random() < 0.5 else [line]
            assert outcome_of(fuzzer, seconds=60) == set()
        fuzzer.parts = [MOVE[i : i + 13] for i in range(0, 26, 13)] + [MOVE[26:]]
        fuzzer.pause_seconds = 0.002
        assert outcome_of(fuzzer, seconds=60) == set()


def test_random_bytes() -> None:
    rng = Random(2)
    found = set()
    with fuzzing() as fuzzer:
        for _ in range(25):
            fuzzer.parts = packets(rng, rng.randbytes(rng.randint(1, 300)) + b"\n")
            found |= outcome_of(fuzzer)
    assert TurnEnd.ILLEGAL in found
    assert TurnEnd.OK not in found


def test_spoiled_lines() -> None:
    rng = Random(3)
    found = set()
    with fuzzing() as fuzzer:
        for _ in range(40):
            fuzzer.parts = packets(rng, spoiled(rng, MOVE))
            found |= outcome_of(fuzzer, seconds=0.02)
    assert {TurnEnd.ILLEGAL, TurnEnd.TIMEOUT} <= found


def test_hanging_up_at_every_point() -> None:
    found = set()
    with fuzzing() as fuzzer:
        fuzzer.hang_up = True
        for end in range(0, len(MOVE) + 1, 4):
            fuzzer.parts = [MOVE[:end]]
            found |= outcome_of(fuzzer, seconds=60)
    assert found == {TurnEnd.CRASH}


def test_a_hello_that_stops_at_any_point() -> None:
    with fuzzing(0.2) as fuzzer:
        for end in range(0, len(HELLO), 5):
            fuzzer.opening = (HELLO[:end],)
            match = referee("pursuit", fuzzer.spec)
            assert match.run().termination is Termination.FORFEIT
            assert ends(match) == [TurnEnd.CRASH]


WRONG = [
    None,
    True,
    0,
    1.5,
    "x",
    [],
    {},
    ["move"],
    {"t": None},
    {"t": "go"},
    {"t": "new"},
    {"n": 1},
    {"t": {"t": "move"}},
]


def test_wrong_types_and_shapes() -> None:
    shapes: list[object] = [*WRONG, *({"t": "move", "n": value, "action": "x"} for value in WRONG[:8] if value != 0)]
    shapes += [{"t": "move", "n": 1, "action": value} for value in WRONG[:8] if value != "x"]
    shapes += [{"t": "info", key: {"a": "b"}} for key in ("value", "line", "text", "counters", "confidence")]
    with fuzzing() as fuzzer:
        for shape in shapes:
            fuzzer.parts = [json.dumps(shape).encode() + b"\n"]
            assert TurnEnd.ILLEGAL in outcome_of(fuzzer, seconds=60), shape


@pytest.mark.parametrize(
    ("data", "end"),
    [
        (b"x" * 70_000, TurnEnd.CRASH),
        (b'{"t":"info","text":"' + b"x" * 200_000, TurnEnd.CRASH),
        (b'{"t":"info","x":' + b"[" * 60_000 + b"\n", TurnEnd.ILLEGAL),
        (b"\n" * 500_000, TurnEnd.TIMEOUT),
        (b'{"t":"info","text":"y"}\n' * 60_000, TurnEnd.CRASH),
    ],
    ids=["no newline", "endless text", "deep", "blank lines", "many thoughts"],
)
def test_huge_lines(data: bytes, end: TurnEnd) -> None:
    with fuzzing() as fuzzer:
        fuzzer.parts = [data]
        match = referee("pursuit", fuzzer.spec, limit=Limit(seconds=1 if end is TurnEnd.TIMEOUT else 60))
        match.run()
        assert ends(match) == [end]


def test_a_game_that_is_forgotten_closes_its_connection() -> None:
    with fuzzing() as fuzzer:
        match = referee("pursuit", fuzzer.spec)
        del match
        gc.collect()
        assert n_sockets_to(fuzzer) == 0


def n_sockets_to(fuzzer: Fuzzer) -> int:
    """Open sockets of this process that we connected to the fuzzer."""
    port = fuzzer.listener.getsockname()[1]
    found = [each for each in gc.get_objects() if isinstance(each, socket.socket) and each.fileno() >= 0]
    return sum(_peer(each) == port for each in found)


def _peer(each: socket.socket) -> int | None:
    try:
        return each.getpeername()[1]
    except OSError:
        return None


def test_a_slow_writer_runs_out_of_time() -> None:
    with fuzzing() as fuzzer:
        fuzzer.parts = [MOVE[i : i + 1] for i in range(len(MOVE))]
        fuzzer.pause_seconds = 0.01
        match = referee("pursuit", fuzzer.spec, limit=Limit(seconds=0.1))
        match.run()
        assert ends(match) == [TurnEnd.TIMEOUT]


def test_the_same_over_pipes() -> None:
    for what, end in (("malformed", TurnEnd.ILLEGAL), ("half-a-line", TurnEnd.TIMEOUT), ("close-all", TurnEnd.CRASH)):
        spec = bad(what)
        with running_bots(patience=Patience(leave_seconds=0.0, grace_seconds=0.0)):
            random_on_fault = dict.fromkeys(FAILED, FaultPolicy.RANDOM)
            limit = Limit(seconds=0.3 if end is TurnEnd.TIMEOUT else 60)
            match = referee("pursuit", spec, limit=limit, policies=random_on_fault)
            assert match.run() == match.game.outcome(match.state)
        assert set(ends(match)) == {end}
        assert left_over(spec) == []
