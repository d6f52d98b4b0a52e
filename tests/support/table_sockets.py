"""A page at a table: hears everything, says what a person would."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from websockets.sync.client import connect

from sites import ANSWER_SECONDS, LEAVE_SECONDS, Site

Message = dict[str, Any]


@dataclass
class TablePage:
    """The browser of one person, or of somebody who only looks."""

    site: Site
    uid: str
    token: str | None = None
    raw: list[str] = field(default_factory=list)
    """Everything that came, as it came."""
    state: Message = field(default_factory=dict)

    def __post_init__(self) -> None:
        address = f"{self.site.socket_url}/api/tables/{self.uid}/socket"
        opened = connect(
            address, max_size=None, compression=None, open_timeout=ANSWER_SECONDS, close_timeout=LEAVE_SECONDS
        )
        self.socket = opened.__enter__()
        self.say({"t": "hello", "token": self.token})

    def __enter__(self) -> TablePage:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.socket.close()

    def say(self, message: Message | str) -> None:
        self.socket.send(message if isinstance(message, str) else json.dumps(message))

    def tell(self, kind: str, **values: Any) -> None:
        self.say({"t": kind, **values})

    def hear(self) -> Message:
        text = str(self.socket.recv(ANSWER_SECONDS))
        self.raw.append(text)
        message: Message = json.loads(text)
        if message["t"] == "table":
            self.state = message
        return message

    def hear_until(self, *kinds: str) -> Message:
        while True:
            message = self.hear()
            if message["t"] in kinds:
                return message

    def wait_for(self, is_so: Callable[[Message], bool]) -> Message:
        """The first state of the table that is so."""
        while not (self.state and is_so(self.state)):
            self.hear()
        return self.state

    def join(self, name: str) -> int:
        self.tell("join", name=name)
        you = self.hear_until("you", "error")
        assert you["t"] == "you", you
        self.token = you["token"]
        self.wait_for(lambda state: state["you"] == you["id"])
        return int(you["id"])

    def sit(self, *places: str) -> None:
        for place in places:
            self.tell("sit", place=place)
            while self.holder_of(place) != self.state["you"]:
                self.hear()

    def holder_of(self, place: str) -> int | None:
        holder: int | None = next(each["holder"] for each in self.state["places"] if each["id"] == place)
        return holder

    def refused(self, kind: str, **values: Any) -> str:
        self.tell(kind, **values)
        return str(self.hear_until("error")["what"])

    def flush(self) -> list[Message]:
        """What has come until the server answers a ping."""
        self.tell("ping")
        heard: list[Message] = []
        while not heard or heard[-1]["t"] != "pong":
            heard.append(self.hear())
        return heard[:-1]


def make_table(site: Site, game: str = "scotland_yard", name: str = "Anna", **body: Any) -> Message:
    """{table, token, you, link, play}"""
    made: Message = site.api("/api/tables", {"game": game, "name": name, **body})
    return made


def open_page(site: Site, uid: str, token: str | None = None, name: str | None = None) -> TablePage:
    """A page that has heard how the table stands; with a name, one that has joined."""
    page = TablePage(site, uid, token)
    page.wait_for(lambda state: True)
    if name is not None:
        page.join(name)
    return page
