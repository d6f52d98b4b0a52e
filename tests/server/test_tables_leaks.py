"""What a team says and plans reaches its members alone: to everybody else every byte is the same, whatever it was."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from manhunt.server.tables import chat
from sites import SeatSocket, Site, running_site
from table_sockets import TablePage, make_table, open_page

SECRETS = re.compile(r'"(token|table|play|uid|at|commitment)": ?("[^"]*"|[0-9.]+)')
SMALL: dict[str, Any] = {"options": {"n_detectives": 2, "rounds": 3}, "seed": 1}


@dataclass
class Person:
    """Both sockets of somebody: their page is that of the game, beside which the table's chat stands."""

    site: Site
    table: TablePage
    game: SeatSocket

    def listen(self) -> list[str]:
        """Everything that has come over either socket, until the server answers a ping."""
        self.table.flush()
        self.game.say({"t": "ping"})
        while self.game.hear()["t"] != "pong":
            pass
        return [*self.table.raw, *map(json.dumps, self.game.heard)]

    @property
    def place(self) -> str:
        return str(self.game.heard[0]["room"]["you"]["places"][0])

    def go(self) -> dict[str, Any]:
        return next(message for message in reversed(self.game.heard) if message["t"] == "go")

    def act(self, **message: Any) -> dict[str, Any]:
        """Says something to the game, and waits for what it does."""
        self.listen()
        self.game.say(message)
        return self.game.hear_until("observe", "error", "status")

    def move(self, i: int) -> dict[str, Any]:
        """The offer number `i` of one's own piece."""
        self.listen()
        offers = [offer for offer in self.go()["offers"] if offer["place"] == self.place]
        return self.act(t="move", n=self.go()["n"], action=offers[i % len(offers)]["action"])

    def undo(self) -> None:
        self.act(t="undo", place=self.place)

    def has_moved(self) -> bool:
        self.listen()
        draft = next(message for message in reversed(self.game.heard) if message["t"] == "observe")["draft"]
        return any(move["place"] == self.place for move in draft["moves"])


Plan = Callable[[Person, Person], None]


def quiet(ben: Person, cleo: Person) -> None:
    """Each piece takes its first move."""
    ben.move(0)
    cleo.move(0)


def another(ben: Person, cleo: Person) -> None:
    """Other moves, taken apart and made again, one of the two confirms."""
    cleo.move(1)
    ben.move(1)
    ben.act(t="confirm")
    ben.act(t="unconfirm")
    cleo.undo()
    cleo.move(2)
    cleo.act(t="confirm")


def talking(ben: Person, cleo: Person) -> None:
    """A lot is said, things are tried that are refused, and nobody moves."""
    for text in ("they cannot know", "he is at the zoo", "no, he is not"):
        ben.table.tell("say", to="team", text=text)
        assert cleo.table.hear_until("said")["text"] == text
    cleo.table.tell("say", to="team", text="x" * (chat.LONGEST_TEXT + 1))
    assert "too long" in cleo.table.hear_until("error")["what"]
    ben.act(t="confirm")
    ben.act(t="move", n=2, action="R:T1")
    ben.act(t="move", n=99, action="nonsense")


def play_the_same(ben: Person, cleo: Person) -> None:
    """Whatever was planned, the turn that happens is the quiet one."""
    for person in (ben, cleo):
        if person.has_moved():
            person.undo()
    quiet(ben, cleo)
    ben.act(t="confirm")
    cleo.act(t="confirm")


def what_others_get(store: Path, plan: Plan, spectators: str) -> list[list[str]]:
    """All that Mr X, a person without a place and a stranger get around a turn that a team plans."""
    with running_site(store) as site, ExitStack() as open_pages:
        made = make_table(site, sit=["evader"], table={"spectators": spectators, "confirm": True}, **SMALL)
        pages = {"Anna": open_pages.enter_context(open_page(site, made["table"], made["token"]))}
        for name in ("Ben", "Cleo", "Dora"):
            pages[name] = open_pages.enter_context(open_page(site, made["table"], name=name))
        pages["stranger"] = open_pages.enter_context(open_page(site, made["table"]))
        pages["Ben"].sit("pursuers/0")
        pages["Cleo"].sit("pursuers/1")
        pages["Anna"].tell("start")
        for page in pages.values():
            page.wait_for(lambda state: state["state"] == "playing")
        play = pages["Anna"].state["play"]
        people: dict[str, Person] = {}
        for name, page in pages.items():
            people[name] = Person(site, page, open_pages.enter_context(site.sit(play, page.token)))
            people[name].listen()
        anna, ben, cleo, *_ = people.values()
        anna.act(t="move", n=1, action=anna.go()["offers"][0]["action"])
        others = [people[name] for name in ("Anna", "Dora", "stranger")]
        plan(ben, cleo)
        heard = [each for person in others for each in everything_of(site, made["table"], play, person)]
        cleo.table.tell("react", sign=chat.SIGNS[0])
        ben.table.tell("say", to="table", text="we are done")
        play_the_same(ben, cleo)
        cleo.act(t="takeback")
        anna.act(t="answer", yes=False)
        heard += [each for person in others for each in everything_of(site, made["table"], play, person)]
        return [[SECRETS.sub(r'"\1":0', text) for text in one] for one in heard]


def everything_of(site: Site, table: str, play: str, person: Person) -> Iterator[list[str]]:
    """What somebody has heard, what they hear who come again, and what they can ask for."""
    token = person.table.token
    yield person.listen()
    with TablePage(site, table, token) as page, site.sit(play, token) as seat:
        yield Person(site, page, seat).listen()
    known = {"tables": [{"table": table, "token": token or "none"}]}
    asked: list[Any] = [("/api/tables/mine", known)]
    asked += [(path, None) for path in (f"/api/tables/{table}", f"/api/games/{play}", "/api/games", "/api/tables")]
    asked += [(f"/api/games/{play}/insights/{what}", None) for what in ("belief", "hint")]
    yield [answer_to(site, path, body, token) for path, body in asked]


def answer_to(site: Site, path: str, body: Any, token: str | None) -> str:
    try:
        return json.dumps(site.api(path, body, token))
    except OSError:
        return str(site.refusal(path, body, token))


@pytest.mark.parametrize("spectators", ["live", "delayed", "never"])
def test_a_team_plans_and_nobody_else_gets_another_byte(tmp_path: Path, spectators: str) -> None:
    plans = (quiet, another, talking)
    first, *others = [what_others_get(tmp_path / f"{plan.__name__}.db", plan, spectators) for plan in plans]
    everything = "".join(itertools.chain(*first))
    assert "we are done" in everything
    assert '"takeback"' in everything
    for other in others:
        assert other == first
    assert "they cannot know" not in "".join(itertools.chain(*others[1]))
