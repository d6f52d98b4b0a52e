"""A WebSocket that says strange things: the same ends as over any other wire."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from random import Random

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

from bot_games import ends, referee
from manhunt.agents.link import Patience, running_bots
from manhunt.core.agent import Limit
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.core.turns import TurnEnd

HELLO = '{"t":"hello","protocol":1,"name":"web"}'
Answer = Callable[[ServerConnection, dict], None]


@contextmanager
def web_bot(answer: Answer) -> Iterator[str]:
    """The address of a bot that answers every `go` like this."""

    def handle(connection: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            for line in connection:
                message = json.loads(line)
                if message["t"] == "hello":
                    connection.send(HELLO)
                elif message["t"] == "go":
                    answer(connection, message)
                elif message["t"] == "bye":
                    return

    with serve(handle, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            with running_bots(patience=Patience(leave_seconds=0.0, grace_seconds=0.0)):
                yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
        finally:
            server.shutdown()
            thread.join()


def move(message: dict) -> str:
    return json.dumps({"t": "move", "n": message["n"], "action": message["legal"][0]})


def hang_up(connection: ServerConnection, message: dict) -> None:
    connection.close()


def drop(connection: ServerConnection, message: dict) -> None:
    connection.socket.close()


def noise(connection: ServerConnection, message: dict) -> None:
    connection.socket.sendall(Random(1).randbytes(500))


ANSWERS: dict[str, tuple[Answer, TurnEnd | None]] = {
    "text": (lambda c, m: c.send(move(m)), None),
    "binary": (lambda c, m: c.send(move(m).encode()), None),
    "in fragments": (lambda c, m: c.send(iter([move(m)[:9], move(m)[9:20], move(m)[20:]])), None),
    "two in one": (lambda c, m: c.send('{"t":"info"}\n' + move(m) + "\n"), None),
    "after a ping": (lambda c, m: (c.ping(), c.send(move(m))), None),  # type: ignore[func-returns-value, dict-item]
    "empty": (lambda c, m: c.send(""), TurnEnd.TIMEOUT),
    "no message": (lambda c, m: c.send("hello there"), TurnEnd.ILLEGAL),
    "not UTF-8": (lambda c, m: c.send(b"\xff\xfe"), TurnEnd.ILLEGAL),
    "huge": (lambda c, m: c.send("x" * 200_000), TurnEnd.CRASH),
    "huge in fragments": (lambda c, m: c.send(iter(["x" * 30_000] * 5)), TurnEnd.CRASH),
    "closed": (hang_up, TurnEnd.CRASH),
    "dropped": (drop, TurnEnd.CRASH),
    "noise": (noise, TurnEnd.CRASH),
    "silent": (lambda c, m: None, TurnEnd.TIMEOUT),
}


@pytest.mark.parametrize("how", ANSWERS)
def test_whatever_is_said_has_a_typed_end(how: str) -> None:
    answer, end = ANSWERS[how]
    with web_bot(answer) as address:
        match = referee("pursuit", address, limit=Limit(seconds=0.3 if end is TurnEnd.TIMEOUT else 60))
        match.run()
    assert ends(match) == ([] if end is None else [end])


def test_a_large_board_goes_over_a_websocket() -> None:
    heard = []

    def answer(connection: ServerConnection, message: dict) -> None:
        heard.append(len(message["legal"]))
        connection.send(move(message))

    with web_bot(answer) as address:
        config = make_game("shortest_path").make_config(board="contest:300:1410:separation=8:cut=4:seed=0")
        match = referee("shortest_path", "random", address, config=config)
        for _ in range(6):
            match.step()
        match.agents[Seat.PURSUERS].stop()
    assert heard == [1411] * 3
    assert match.faults == []
