"""A web app for tests and measurements: a server process of its own, and a seat's end of a socket."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any

ANSWER_SECONDS = 300.0
LEAVE_SECONDS = 0.5
"""How long a socket that is closed waits for the server to agree; what was heard before counts all the same."""


@dataclass
class Site:
    """A server process; `begin` starts a game by REST."""

    url: str
    process: subprocess.Popen[str]
    store: str

    @property
    def socket_url(self) -> str:
        return self.url.replace("http://", "ws://", 1)

    def api(self, path: str, body: Any = None, token: str | None = None, method: str | None = None) -> Any:
        """The JSON of an answer; urllib's HTTPError for a refusal."""
        headers = {"Content-Type": "application/json"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:
            return json.load(answer)

    def refusal(
        self, path: str, body: Any = None, token: str | None = None, method: str | None = None
    ) -> tuple[int, str]:
        """Status and error of a request that must be refused."""
        try:
            answer = self.api(path, body, token, method)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, str(json.load(error)["error"])
        raise AssertionError(f"{path} was not refused: {answer}")

    def begin(self, game: str, *, evader: str = "person", pursuers: str = "random", **options: Any) -> dict[str, Any]:
        """{uid, links, tokens}"""
        body = {"game": game, "seats": {"evader": evader, "pursuers": pursuers}, **options}
        begun: dict[str, Any] = self.api("/api/games", body)
        return begun

    def sit(self, uid: str, token: str | None = None, since: int = 0) -> SeatSocket:
        return SeatSocket(self, uid, token, since)

    def kill(self) -> None:
        """As when the power fails."""
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


def start_site(store: str | Path, port: int = 0, *options: str) -> Site:
    """Returns when the server answers."""
    command = [sys.executable, "-m", "manhunt", "web", "--no-browser", "--no-compile", "--port", str(port)]
    command += ["--store", str(store)]
    process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    if "http://" not in line:
        process.wait()
        process.stdout.close()
        raise AssertionError(f"the server did not start: {line!r}")
    return Site(next(word for word in line.split() if word.startswith("http://")).rstrip("/"), process, str(store))


@contextmanager
def running_site(store: str | Path, *options: str) -> Iterator[Site]:
    site = start_site(store, 0, *options)
    try:
        yield site
    finally:
        site.kill()


@dataclass
class SeatSocket:
    """One seat or spectator, as a page would be: hears everything, answers when asked."""

    site: Site
    uid: str
    token: str | None = None
    since: int = 0
    heard: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        from websockets.sync.client import connect

        address = f"{self.site.socket_url}/api/games/{self.uid}/socket"
        opened = connect(
            address, max_size=None, compression=None, open_timeout=ANSWER_SECONDS, close_timeout=LEAVE_SECONDS
        )
        self.socket = opened.__enter__()
        self.say({"t": "hello", "token": self.token, "since": self.since})

    def __enter__(self) -> SeatSocket:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.socket.close()

    def say(self, message: Any) -> None:
        self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def hear(self, timeout: float = ANSWER_SECONDS) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.socket.recv(timeout))
        self.heard.append(message)
        return message

    def hear_until(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these kinds."""
        while True:
            message = self.hear()
            if message["t"] in kinds:
                return message

    def move(self, n: int, action: str) -> dict[str, Any]:
        """The answer to a move: an `observe` tells that it is stored and was made, an `error` that it was not."""
        if not any(message["t"] == "observe" for message in self.heard):
            self.hear_until("observe")
        self.say({"t": "move", "n": n, "action": action})
        return self.hear_until("observe", "error")

    def play(self, rng: Random, most: int = 10_000) -> dict[str, Any]:
        """Random moves until the game is over or so many were made; the last `observe`."""
        n_moves, last = 0, {}
        while True:
            message = self.hear_until("observe", "go", "error")
            if message["t"] == "go":
                if n_moves == most:
                    return last
                message = self.move(message["n"], rng.choice(all_actions(message["offers"])))
                n_moves += 1
            if message["t"] == "error":
                raise AssertionError(message["what"])
            last = message
            if last["over"]:
                return last


def all_actions(offers: list[dict[str, Any]]) -> list[str]:
    """Every action that can be made now: one by one, and those that an offer groups as double moves or edges."""
    found: list[str] = []
    for offer in offers:
        if "action" in offer:
            found.append(offer["action"])
        for first in offer.get("double", {}).values():
            found += first["then"]
        found += offer.get("edges", {})
    return found
