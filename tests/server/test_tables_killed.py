"""kill -9 at a table: places, names, chat, series and the present game are there when the server is back."""

from __future__ import annotations

from typing import Any

from sites import running_site, start_site
from table_sockets import make_table, open_page

LASTING = ("people", "places", "agents", "options", "state", "play", "series", "score", "rematch")


def lasting(state: dict[str, Any]) -> dict[str, Any]:
    kept = {name: state[name] for name in LASTING}
    return {**kept, "people": [{**person, "here": None} for person in state["people"]]}


def test_a_table_survives_in_every_phase(tmp_path) -> None:
    store, tokens = tmp_path / "games.db", list[str]()
    site = start_site(store)
    try:
        made = make_table(site, sit=["evader"], agents={"pursuers": "random"}, options={"rounds": 3})
        uid = made["table"]
        with open_page(site, uid, made["token"]) as anna, open_page(site, uid, name="Ben") as ben:
            tokens += [made["token"], ben.token or ""]
            ben.sit("pursuers/1")
            ben.tell("say", to="table", text="hello")
            anna.hear_until("said")
            before = lasting((anna.flush() and anna.state) or anna.state)
        for phase in ("waiting", "playing", "over"):
            site.kill()
            site = start_site(store)
            with open_page(site, uid, tokens[0]) as anna, open_page(site, uid, tokens[1]) as ben:
                assert lasting(anna.state) == before
                assert anna.state["state"] == phase
                said = [message["text"] for message in ben.flush() if message["t"] == "said"]
                assert said == (["hello"] if phase == "waiting" else ["hello", "psst"])
                if phase == "waiting":
                    anna.tell("start")
                    ben.wait_for(lambda state: state["state"] == "playing")
                    ben.tell("say", to="team", text="psst")
                    ben.hear_until("said")
                    before = lasting(ben.state)
                elif phase == "playing":
                    with site.sit(anna.state["play"], tokens[0]) as seat:
                        seat.hear_until("go")
                        seat.say({"t": "resign"})
                    before = lasting(ben.wait_for(lambda state: state["state"] == "over"))
                else:
                    anna.tell("rematch")
                    ben.wait_for(lambda state: state["rematch"])
                    ben.tell("rematch")
                    anna.wait_for(lambda state: state["state"] == "playing")
                    assert anna.state["series"][0]["winner"] == "pursuers"
    finally:
        site.kill()


def test_a_game_that_ended_without_its_table_is_counted_when_somebody_asks(tmp_path) -> None:
    """As when the power fails between the last move and the table's own row."""
    store = tmp_path / "games.db"
    with running_site(store) as site:
        made = make_table(site, "pursuit", sit=["evader"], agents={"pursuers": "random"}, start=True)
        text = _state_in(store, made["table"])
        with site.sit(made["play"], made["token"]) as seat:
            seat.hear_until("observe")
            seat.say({"t": "resign"})
            while not seat.hear_until("observe")["over"]:
                pass
        with open_page(site, made["table"]) as page:
            page.wait_for(lambda state: state["state"] == "over")
    _put_state(store, made["table"], text)
    with running_site(store) as site:
        state = site.api(f"/api/tables/{made['table']}")
        assert state["state"] == "over"
        assert [played["winner"] for played in state["series"]] == ["pursuers"]


def _state_in(store: Any, uid: str) -> str:
    import sqlite3

    with sqlite3.connect(store) as connection:
        (text,) = connection.execute("SELECT state FROM play_tables WHERE uid = ?", (uid,)).fetchone()
    connection.close()
    return str(text)


def _put_state(store: Any, uid: str, text: str) -> None:
    import sqlite3

    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE play_tables SET state = ? WHERE uid = ?", (text, uid))
    connection.close()
