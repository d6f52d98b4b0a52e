"""Tables over REST and sockets: people join, sit, talk, play, hand over, and play again."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from manhunt.cli.main import run
from manhunt.server.lan import lan_addresses
from manhunt.server.tables import changes
from manhunt.server.tables.chat import LONGEST_TEXT, MOST_TOLD, SIGNS
from sites import Site, running_site
from table_sockets import TablePage, make_table, open_page

SMALL = {"options": {"rounds": 3}}
QUICK = {"evader": "random", "pursuers": "random"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running_site(tmp_path_factory.mktemp("site") / "games.db", "--lobby") as running:
        yield running


def resign(site: Site, play: str, token: str | None) -> None:
    with site.sit(play, token) as seat:
        seat.hear_until("observe")
        seat.say({"t": "resign"})
        while not seat.hear_until("observe")["over"]:
            pass


def test_spectators_are_not_told_where_the_table_is(site: Site) -> None:
    """Its link is the invitation to it, and games to watch are listed for everybody."""
    made = make_table(site, sit=["evader"], agents=QUICK, start=True, **SMALL)
    with site.sit(made["play"]) as looking, open_page(site, made["table"], name="Ben") as ben:
        looking.hear_until("observe", "go")
        assert made["table"] not in json.dumps(looking.heard)
        with site.sit(made["play"], ben.token) as known:
            assert known.hear_until("new")["room"]["table"] == made["table"]
    for is_over in (False, True):
        if is_over:
            resign(site, made["play"], made["token"])
        for route in routes_of(site, made["play"]):
            assert made["table"] not in anything(site, route), route
        with site.sit(made["play"]) as looking, ReviewPage(site, made["play"]) as together:
            looking.hear_until("observe")
            assert made["table"] not in json.dumps(looking.heard) + together.hear()


def routes_of(site: Site, play: str) -> list[str]:
    """All that can be read of a game and of games, and its pages."""
    values = {"uid": play, "ply": "0", "what": "hint", "seat": "pursuers"}
    known = [path for path, methods in site.api("/openapi.json")["paths"].items() if "get" in methods]
    routes = [path for path in known if not path.startswith("/api/tables") and set(FIELD.findall(path)) <= set(values)]
    assert "/api/games/{uid}" in routes
    return [
        *(path.format_map(values) for path in routes),
        "/api/games?state=finished",
        f"/play/{play}",
        f"/replay/{play}",
    ]


FIELD = re.compile(r"{(\w+)}")


def anything(site: Site, route: str) -> str:
    """The body of an answer or of a refusal, with its headers."""
    try:
        answer = urllib.request.urlopen(f"{site.url}{route}")
    except urllib.error.HTTPError as refusal:
        answer = refusal
    with answer:
        return f"{answer.headers}{answer.read()!r}"


class ReviewPage:
    """Somebody who looks at a finished game together with others, or is refused."""

    def __init__(self, site: Site, play: str) -> None:
        self.socket = connect(f"{site.socket_url}/api/games/{play}/review").__enter__()
        self.socket.send('{"t":"hello","name":"Eve"}')

    def __enter__(self) -> ReviewPage:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def hear(self) -> str:
        return str(self.socket.recv(60))


def test_one_click_makes_a_table_at_which_a_game_runs(site: Site) -> None:
    made = make_table(site, sit=["evader"], agents=QUICK, start=True, **SMALL)
    with site.sit(made["play"], made["token"]) as seat:
        room = seat.hear_until("new")["room"]
        assert room["seats"] == {"evader": "person:Anna", "pursuers": "random"}
        assert room["seeded"] is False
        assert (room["table"], room["people"]) == (made["table"], {"evader": ["Anna"], "pursuers": []})
        assert room["options"]["help"] == "all"
        assert seat.play(Random(1))["over"]
    with open_page(site, made["table"], made["token"]) as page:
        state = page.wait_for(lambda state: state["state"] == "over")
        (played,) = state["series"]
        assert played["names"] == {"evader": ["Anna"], "pursuers": ["random"]}
        assert state["score"] == [{"id": 1, "name": "Anna", "wins": int(played["winner"] == "evader")}]
    known = {"tables": [{"table": made["table"], "token": made["token"]}, {"table": "gone", "token": "x"}]}
    (mine,) = site.api("/api/tables/mine", known)
    assert mine["words"].startswith("You won: " if played["winner"] == "evader" else "You lost: ")
    assert (mine["you"], mine["state"], mine["yourTurn"]) == (["Mr X"], "over", False)
    record = site.api(f"/api/games/{made['play']}")
    assert record["evader"] == "person:Anna"


def test_a_game_in_which_a_cost_was_paid_is_listed_as_neither_won_nor_lost(site: Site) -> None:
    made = make_table(
        site,
        game="shortest_path",
        board="path:3",
        options={"source": "1", "target": "3"},
        sit=["evader"],
        agents=QUICK,
        start=True,
    )
    with site.sit(made["play"], made["token"]) as seat:
        while not (message := seat.hear_until("observe", "go")).get("over"):
            if message["t"] == "go":
                onward = next(offer for offer in message["offers"] if offer["action"] in ("1-2", "2-3"))
                seat.say({"t": "move", "n": message["n"], "action": onward["action"]})
    (mine,) = site.api("/api/tables/mine", {"tables": [{"table": made["table"], "token": made["token"]}]})
    assert mine["words"].startswith("the traveller arrives and pays "), mine


def test_people_join_sit_start_and_play_again_with_other_sides(site: Site) -> None:
    made = make_table(site, agents=QUICK, sit=["evader"], **SMALL)
    with (
        open_page(site, made["table"], made["token"]) as anna,
        open_page(site, made["table"], name="Ben") as ben,
        open_page(site, made["table"], name="Cleo") as cleo,
    ):
        assert anna.state["options"]["help"] == "none"
        assert anna.state["options"]["confirm"] is True
        assert "sits there" in ben.refused("sit", place="evader")
        assert "only the host" in ben.refused("start")
        ben.sit("pursuers/0", "pursuers/1")
        cleo.sit("pursuers/2")
        assert "sits there" in cleo.refused("sit", place="pursuers/0")
        anna.tell("start")
        play = anna.wait_for(lambda state: state["state"] == "playing")["play"]
        for page in (ben, cleo):
            assert page.wait_for(lambda state: state["state"] == "playing")["play"] == play
        with site.sit(play, ben.token) as seat:
            room = seat.hear_until("new")["room"]
            assert room["seats"] == {"evader": "person:Anna", "pursuers": "person:Ben, Cleo"}
            assert room["you"]["places"] == ["pursuers/0", "pursuers/1"]
        resign(site, play, anna.token)
        over = cleo.wait_for(lambda state: state["state"] == "over")
        assert {each["name"]: each["wins"] for each in over["score"]} == {"Anna": 0, "Ben": 1, "Cleo": 1}
        assert over["series"][0]["winner"] == "pursuers"
        anna.tell("rematch", swap=True)
        assert cleo.wait_for(lambda state: state["rematch"])["rematch"] == {"swap": True, "agreed": [1]}
        ben.tell("rematch", swap=True)
        cleo.tell("rematch", swap=True)
        again = anna.wait_for(lambda state: state["play"] != play)
        assert [place["holder"] for place in again["places"]][:4] == [2, 1, 1, 3]
        with site.sit(again["play"], ben.token) as seat:
            assert seat.hear_until("new")["room"]["you"]["seat"] == "evader"
        with site.sit(play, ben.token) as seat:
            assert seat.hear_until("new")["room"]["you"]["seat"] == "pursuers", "as it was in the first game"


def test_a_place_handed_over_moves_with_its_person(site: Site) -> None:
    made = make_table(site, agents=QUICK, sit=["pursuers"], table={"confirm": False}, **SMALL)
    with open_page(site, made["table"], made["token"]) as anna, open_page(site, made["table"], name="Ben") as ben:
        anna.tell("start")
        play = anna.wait_for(lambda state: state["state"] == "playing")["play"]
        with site.sit(play, ben.token) as looking, site.sit(play, anna.token) as playing:
            assert looking.hear_until("new")["room"]["you"]["seat"] == "spectator"
            playing.hear_until("go")
            anna.tell("hand", place="pursuers/0", to=2)
            ben.wait_for(lambda state: ben.holder_of("pursuers/0") == 2)
            while looking.hear_until("new")["room"]["you"]["places"] != ["pursuers/0"]:
                pass
            seated = playing.hear_until("new")["room"]
            assert "pursuers/0" not in seated["you"]["places"]
            assert seated["seats"]["pursuers"] == "person:Anna, Ben"
        assert "has played the other side" in ben_takes_the_other_side(ben)
        for place in [each["id"] for each in anna.state["places"] if each["holder"] == 1]:
            anna.tell("hand", place=place, to="agent")
        anna.wait_for(lambda state: not next(p for p in state["people"] if p["id"] == 1)["places"])
        with site.sit(play, anna.token) as seat:
            assert seat.hear_until("new")["room"]["you"]["seat"] == "spectator"
            assert seat.heard[-1]["room"]["seats"]["pursuers"] == "person:Ben"


def ben_takes_the_other_side(ben: TablePage) -> str:
    ben.tell("stand", place="pursuers/0")
    ben.wait_for(lambda state: ben.holder_of("pursuers/0") is None)
    words = ben.refused("sit", place="evader")
    ben.sit("pursuers/0")
    return words


def test_one_screen_for_two(site: Site) -> None:
    made = make_table(site, sit=["evader", "pursuers"], start=True, **SMALL)
    for seat in ("evader", "pursuers"):
        with site.sit(made["play"]) as opened:
            opened.hear_until("new")
        with TwoSeats(site, made["play"], made["token"], seat) as opened:
            assert opened.hear_until("new")["room"]["you"]["seat"] == seat
    path = f"/api/games/{made['play']}/insights/belief"
    assert site.api(f"{path}?seat=pursuers", token=made["token"])["candidates"]
    assert site.refusal(f"{path}?seat=nobody", token=made["token"])[0] == 400
    alone = make_table(site, sit=["evader"], start=True, agents=QUICK, **SMALL)
    assert site.refusal(f"/api/games/{alone['play']}/insights/belief?seat=pursuers", token=alone["token"])[0] == 403


def TwoSeats(site: Site, play: str, token: str, seat: str) -> Any:  # noqa: N802
    opened = site.sit(play)
    opened.socket.close()
    from websockets.sync.client import connect

    opened.socket = connect(f"{site.socket_url}/api/games/{play}/socket", max_size=None).__enter__()
    opened.say({"t": "hello", "token": token, "seat": seat})
    return opened


def test_help_is_what_the_table_agreed_on(site: Site) -> None:
    for level, answers in (("none", set()), ("candidates", {"belief"}), ("all", {"belief", "hint"})):
        made = make_table(site, sit=["pursuers"], start=True, agents=QUICK, table={"help": level}, **SMALL)
        with site.sit(made["play"], made["token"]) as seat:
            seat.hear_until("go")
        for token in (made["token"], None):
            for what in ("belief", "hint"):
                path = f"/api/games/{made['play']}/insights/{what}"
                if what in answers:
                    answer = site.api(path, token=token)
                    if level == "candidates":
                        assert len(set(answer["belief"].values())) == 1
                        assert "likeliest" not in answer["words"]
                else:
                    status, words = site.refusal(path, token=token)
                    assert (status, "this table plays with" in words) == (403, True)


def test_words_reactions_and_limits(site: Site) -> None:
    made = make_table(site)
    with open_page(site, made["table"], made["token"]) as anna, open_page(site, made["table"]) as looking:
        assert "join the table first" in looking.refused("say", to="table", text="hi")
        anna.tell("say", to="table", text="  hello \u202e\u0007 there ")
        heard = looking.hear_until("said")
        assert {**heard, "at": 0} == {
            "t": "said", "n": 1, "id": 1, "name": "Anna", "to": "table", "text": "hello there", "at": 0,
        }  # fmt: skip
        anna.tell("react", sign=SIGNS[0])
        assert looking.hear_until("reacted") == {"t": "reacted", "id": 1, "name": "Anna", "sign": SIGNS[0]}
        assert "unknown reaction" in anna.refused("react", sign="x")
        assert "too long" in anna.refused("say", to="table", text="x" * (LONGEST_TEXT + 1))
        assert "nothing to send" in anna.refused("say", to="table", text="\u0007")
        assert "team chat" in anna.refused("say", to="team", text="psst")
        for _ in range(10):
            anna.tell("say", to="table", text="spam")
        assert any("not so fast" in message.get("what", "") for message in anna.flush())
    with open_page(site, made["table"]) as late:
        told = [message for message in late.flush() if message["t"] == "said"]
        assert [message["n"] for message in told] == list(range(1, len(told) + 1))
        assert told[0]["text"] == "hello there"


def test_a_long_talk_is_told_from_its_end(site: Site) -> None:
    made = make_table(site)
    numbers = iter(range(1000))
    while True:
        with open_page(site, made["table"], name="Anna") as anna:  # nobody says so much so fast alone
            for _ in range(6):
                anna.tell("say", to="table", text=f"message {next(numbers)}")
            told = [message for message in anna.flush() if message["t"] == "said"]
        if told[-1]["n"] > MOST_TOLD + 5:
            break
    with open_page(site, made["table"]) as late:
        told = [message for message in late.flush() if message["t"] == "said"]
        assert len(told) == MOST_TOLD
        assert [message["n"] for message in told] == list(range(told[0]["n"], told[0]["n"] + MOST_TOLD))


def test_who_is_not_known_is_refused_and_who_only_looks_may_look(site: Site) -> None:
    made = make_table(site)
    with TablePage(site, made["table"], "nonsense") as page:
        assert "not known" in page.hear()["what"]
        with pytest.raises(ConnectionClosed) as closed:
            page.hear()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4403
    with TablePage(site, "nowhere") as page:
        page.hear()
        with pytest.raises(ConnectionClosed) as closed:
            page.hear()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4404
    assert site.api(f"/api/tables/{made['table']}")["you"] is None
    assert site.api(f"/api/tables/{made['table']}", token=made["token"])["you"] == 1
    assert site.refusal(f"/api/tables/{made['table']}", token="nonsense")[0] == 403
    assert site.refusal("/api/tables/nowhere")[0] == 404
    assert made["token"] not in json.dumps(site.api(f"/api/tables/{made['table']}", token=made["token"]))


def test_the_lobby_lists_public_tables_with_somebody_there(site: Site) -> None:
    made = make_table(site, table={"public": True})
    hidden = make_table(site)
    with open_page(site, made["table"], made["token"]) as anna, open_page(site, hidden["table"], hidden["token"]):
        listed = [table["table"] for table in site.api("/api/tables")]
        assert made["table"] in listed
        assert hidden["table"] not in listed
        anna.tell("options", public=False)
        anna.wait_for(lambda state: not state["options"]["public"])
        assert made["table"] not in [table["table"] for table in site.api("/api/tables")]
    assert site.api("/api/server") == {"lobby": True, "origins": [], "onlyHere": True}


def test_an_invitation_is_a_qr_code(site: Site) -> None:
    made = make_table(site)
    path = f"/api/tables/{made['table']}/qr.svg"
    with urllib.request.urlopen(f"{site.url}{path}?origin=http://192.168.1.5:8000") as answer:
        assert answer.headers["Content-Type"] == "image/svg+xml"
        assert answer.read().startswith(b"<svg")
    for origin in ("javascript:alert(1)", "http://a/b", "http://", "x" * 300, "http://[x"):
        assert site.refusal(f"{path}?origin={origin}")[0] == 400


@pytest.mark.parametrize(
    "body",
    [
        {"game": "chess"},
        {"game": "pursuit", "sit": ["throne"]},
        {"game": "pursuit", "agents": {"evader": "person"}},
        {"game": "pursuit", "agents": {"evader": "file:x"}},
        {"game": "pursuit", "table": {"help": "much"}},
        {"game": "pursuit", "table": {"turn_seconds": -5}},
        {"game": "pursuit", "table": {"seconds": 31}},
        {"game": "pursuit", "name": "\u0007"},
        {"game": "pursuit", "name": "x" * (changes.LONGEST_NAME + 1)},
        {"game": "pursuit", "options": {"rounds": 10**9}},
    ],
)
def test_odd_tables_are_refused_in_one_line(site: Site, body: dict[str, Any]) -> None:
    status, words = site.refusal("/api/tables", body)
    assert status == 400
    assert words
    assert "\n" not in words


def test_other_machines_of_the_network_are_let_in_by_lan(tmp_path, capsys) -> None:
    with running_site(tmp_path / "games.db", "--lan") as home:
        answer = home.api("/api/server")
        assert answer["onlyHere"] is False
        assert answer["origins"] == [f"http://{host}:{home.url.rpartition(':')[2]}" for host in lan_addresses()]
        assert make_table(home)["table"]
    assert run(["web", "--host", "0.0.0.0", "--store", str(tmp_path / "games.db"), "--no-browser"]) == 2
    assert "--lan" in capsys.readouterr().err
