"""What a team says reaches its members alone: to everybody else every byte is the same, whatever was said."""

from __future__ import annotations

import json
import re
from pathlib import Path

from sites import SeatSocket, Site, running_site
from table_sockets import TablePage, make_table, open_page

TALK = (["they cannot know"] * 3, ["another plan", "and one more", "and a third one", "the last"], [])
SECRETS = re.compile(r'"(token|table|play|at)": ?("[^"]*"|[0-9.]+)')


def what_others_hear(store: Path, talk: list[str]) -> list[list[str]]:
    """All that the evader, a person without a place and a spectator get over both sockets, while a team talks."""
    with running_site(store) as site:
        made = make_table(site, sit=["evader"], seed=1, table={"spectators": "live"})
        table = made["table"]
        with (
            open_page(site, table, made["token"]) as anna,
            open_page(site, table, name="Ben") as ben,
            open_page(site, table, name="Cleo") as cleo,
            open_page(site, table, name="Dora") as dora,
            open_page(site, table) as looking,
        ):
            ben.sit("pursuers/0")
            cleo.sit("pursuers/1")
            anna.tell("start")
            others = (anna, dora, looking)
            for page in (*others, ben, cleo):
                page.wait_for(lambda state: state["state"] == "playing")
                page.flush()
                page.raw.clear()
            play = anna.state["play"]
            with site.sit(play, anna.token) as seat, site.sit(play, dora.token) as spectator:
                for opened in (seat, spectator):
                    opened.hear_until("observe")
                for text in talk:
                    ben.tell("say", to="team", text=text)
                    assert cleo.hear_until("said")["text"] == text
                cleo.tell("say", to="table", text="hello all")
                games = [_flushed(opened) for opened in (seat, spectator)]
            for page in others:
                page.hear_until("said")
                page.flush()
            heard = [list(page.raw) for page in others]
            heard += [_again(site, table, page) for page in others] + games
            _check_team(site, table, ben, talk)
        return [[SECRETS.sub(r'"\1":0', text) for text in one] for one in heard]


def _flushed(seat: SeatSocket) -> list[str]:
    seat.say({"t": "ping"})
    heard = []
    while (message := seat.hear())["t"] != "pong":
        heard.append(json.dumps(message))
    return heard


def _again(site: Site, table: str, page: TablePage) -> list[str]:
    """What the same person gets after a lost connection, and by REST."""
    with TablePage(site, table, page.token) as back:
        back.hear_until("said")
        back.flush()
        return [*back.raw, json.dumps(site.api(f"/api/tables/{table}", token=page.token))]


def _check_team(site: Site, table: str, ben: TablePage, talk: list[str]) -> None:
    with TablePage(site, table, ben.token) as back:
        said = [message for message in [back.hear_until("said"), *back.flush()] if message["t"] == "said"]
        assert [message["text"] for message in said] == [*talk, "hello all"]
        assert [message["n"] for message in said] == list(range(1, len(said) + 1))


def test_a_team_talks_and_nobody_else_gets_another_byte(tmp_path) -> None:
    first, *others = [what_others_hear(tmp_path / f"{i}.db", talk) for i, talk in enumerate(TALK)]
    assert any("hello all" in text for one in first for text in one)
    for other in others:
        assert other == first
