"""Looking at a finished game together: who leads, what the others hear, lost connections, limits."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from manhunt.play.hindsight import Hindsight
from manhunt.server.reviews import LONGEST_NAME, Review, ReviewAt
from random_games import SMALL, keep_random_games
from sites import ANSWER_SECONDS, LEAVE_SECONDS, Site


@dataclass
class Game:
    site: Site
    uid: str
    past: Hindsight

    def page(self, name: str = "", token: str | None = None) -> Page:
        return Page(self.site, self.uid, name, token)


AT = {"variation": 0, "ply": 2, "track": "truth"}


_count = itertools.count()


@pytest.fixture
def game(site: Site) -> Game:
    """A finished game that nobody has looked at together yet."""
    prefix = f"seen_{next(_count)}_"
    return Game(
        site, f"{prefix}pursuit", keep_random_games(site.store, {"pursuit": SMALL["pursuit"]}, 6, prefix)["pursuit"]
    )


class Page:
    """One browser that looks with others."""

    def __init__(self, site: Site, uid: str, name: str = "", token: str | None = None) -> None:
        address = f"{site.socket_url}/api/games/{uid}/review"
        opened = connect(
            address, max_size=None, compression=None, open_timeout=ANSWER_SECONDS, close_timeout=LEAVE_SECONDS
        )
        self.socket = opened.__enter__()
        self.say("hello", name=name, token=token)

    def __enter__(self) -> Page:
        self.you = self.hear("you")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.socket.close()

    def say(self, kind: str, **values: Any) -> None:
        self.socket.send(json.dumps({"t": kind, **values}))

    def hear(self, *kinds: str) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = json.loads(self.socket.recv(ANSWER_SECONDS))
            if message["t"] in kinds:
                return message

    def here(self, n: int, leader: int | None = None) -> dict[str, Any]:
        """When so many people are here and this one leads."""
        while True:
            message = self.hear("here")
            if (len(message["people"]), message["leader"]) == (n, leader):
                return message


def test_the_leader_moves_the_others(game: Game) -> None:
    with game.page("Ann") as ann, game.page("  Ben\u202e ") as ben:
        assert [each["name"] for each in ben.here(2)["people"]] == ["Ann", "Ben"]
        ben.say("at", **AT)
        assert "take the lead" in ben.hear("error")["what"]
        ann.say("lead", on=True)
        assert ben.here(2, ann.you["id"])
        ben.say("lead", on=True)
        assert "somebody else leads" in ben.hear("error")["what"]
        ann.say("at", **AT)
        assert ben.hear("at") == {"t": "at", **AT, "by": ann.you["id"]}
        with game.page() as late:
            assert [each["name"] for each in late.here(3, ann.you["id"])["people"]][-1] == "Guest"
            assert late.hear("at")["ply"] == 2, "who comes later sees where the leader is"
        ann.say("lead", on=False)
        ben.here(2, None)
        ben.say("lead", on=True)
        ann.here(2, ben.you["id"])


def test_a_leader_who_comes_back_still_leads(game: Game) -> None:
    with game.page("Ben") as ben:
        with game.page("Ann") as ann:
            ann.say("lead", on=True)
            ann.hear("here")
            ben.here(2, ann.you["id"])
        ben.here(1, ann.you["id"])
        ben.say("lead", on=True)
        assert "somebody else leads" in ben.hear("error")["what"], "she is away for a moment only"
        with game.page("Ann", ann.you["token"]) as again:
            assert again.you == ann.you
            again.say("at", **AT)
            assert ben.hear("at")["by"] == ann.you["id"]


def test_everybody_hears_that_the_tree_has_changed(game: Game) -> None:
    with game.page() as page:
        past = game.past
        ply = next(ply for ply in range(past.last) if len(past.options(ply)) > 1)
        body = {"variation": 0, "ply": ply, "action": past.game.format_action(past.config, past.options(ply)[-1])}
        game.site.api(f"/api/games/{game.uid}/tree/moves", body)
        page.hear("tree")


@pytest.mark.parametrize(
    "text", ['{"t":"at"}', '{"t":"at","variation":-1,"ply":0,"track":"truth"}', "nonsense", '{"t":"hello"}']
)
def test_what_makes_no_sense_is_refused_in_one_line(game: Game, text: str) -> None:
    with game.page() as page:
        page.socket.send(text)
        assert "\n" not in page.hear("error")["what"]
        page.say("ping")
        page.hear("pong")


def test_a_running_game_is_not_looked_at_together(site: Site) -> None:
    uid = site.begin("pursuit", evader="person", pursuers="person")["uid"]
    page = Page(site, uid)
    assert "is not over" in page.hear("error")["what"]
    with pytest.raises(ConnectionClosed) as closed:
        page.socket.recv(ANSWER_SECONDS)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4403


class Kept:
    """Stands where a socket's outbox does."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def put(self, text: str) -> None:
        self.texts.append(text)


def test_the_lead_is_free_when_its_holder_stays_away(monkeypatch: pytest.MonkeyPatch) -> None:
    review = Review()
    ann, ben = (review.enter(name, None, Kept()) for name in ("A" * 90, "Ben"))  # type: ignore[arg-type]
    assert len(ann.name) == LONGEST_NAME
    review.lead(ann, on=True)
    review.move(ann, ReviewAt(0, 3, "truth"))
    review.leave(ann)
    monkeypatch.setattr("manhunt.server.reviews.AWAY_SECONDS", 0.0)
    review.lead(ben, on=True)
    assert review.leader == ben.id
    back = review.enter("Ann", ann.token, Kept())  # type: ignore[arg-type]
    assert back.id == ann.id
    assert review.leader == ben.id
