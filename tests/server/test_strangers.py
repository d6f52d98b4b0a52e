"""A server for people who do not know each other: what each may take, whose things are whose, and what is told."""

import asyncio
import json
import sqlite3
import urllib.error
import urllib.request
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from manhunt.boards import reference
from manhunt.boards.catalog import load_board
from manhunt.boards.files import parse_board
from manhunt.cli.main import run
from manhunt.core.errors import BadAgent, BadBoard
from manhunt.server.addresses import Addresses, Bucket, TooMany, household, is_among
from manhunt.server.api_games import GameBody, SeatsBody, _plan
from manhunt.server.board_images import DRAW, Boards
from manhunt.server.settings import Limits, Settings
from manhunt.workers.pool import TaskTooLong
from sites import Site, start_site

STRANGER = {"X-Forwarded-For": "203.0.113.9"}
RUN = {"game": "pursuit", "evaders": ["random"], "pursuers": ["random"], "games": 2}


@pytest.fixture(scope="module")
def public(tmp_path_factory) -> Iterator[Site]:
    store = tmp_path_factory.mktemp("public") / "games.db"
    running = start_site(store, 0, "--public", "--proxy", "127.0.0.1")
    yield running
    running.kill()


def status_from(site: Site, path: str, headers: dict[str, str]) -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(site.url + path, headers=headers), timeout=60) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def finished_game(site: Site) -> tuple[str, str]:
    """Uid and the evader's token."""
    begun = site.begin("pursuit")
    uid, token = begun["uid"], begun["tokens"]["evader"]
    with site.sit(uid, token) as seat:
        seat.hear_until("observe")
        seat.say({"t": "resign"})
        while not seat.hear_until("observe")["over"]:
            pass
    return uid, token


# -- whose things are whose ------------------------------------------------------------------------------


def test_only_its_creator_cancels_resumes_and_deletes_a_run(public: Site) -> None:
    begun = public.api("/api/arena", RUN)
    path = f"/api/arena/{begun['id']}"
    for token in (None, "nonsense"):
        assert public.refusal(path, token=token, method="DELETE")[0] == 403
        assert public.refusal(f"{path}?forget=true", token=token, method="DELETE")[0] == 403
        assert public.refusal(f"{path}/resume", {}, token=token)[0] == 403
        assert public.api(path, token=token)["mine"] is False
    assert public.api(path, token=begun["token"])["mine"] is True
    assert begun["token"] not in json.dumps(public.api(path)) + json.dumps(public.api("/api/arena"))
    public.api(path, token=begun["token"], method="DELETE")
    public.api(f"{path}?forget=true", token=begun["token"], method="DELETE")
    assert public.refusal(path)[0] == 404


def test_a_token_of_an_own_server_is_not_needed(site: Site) -> None:
    begun = site.api("/api/arena", RUN)
    site.api(f"/api/arena/{begun['id']}", method="DELETE")
    assert site.api(f"/api/arena/{begun['id']}")["mine"] is True


def test_only_seat_holders_write_the_notes_of_a_finished_game(public: Site) -> None:
    uid, token = finished_game(public)
    path = f"/api/games/{uid}/notes"
    assert public.api(path, {"text": "I gave up"}, token, "PUT") == {"text": "I gave up", "mine": True}
    for other in (None, "nonsense"):
        status, words = public.refusal(path, {"text": "spoilt"}, other, "PUT")
        assert (status, "only those who played" in words) == (403, True)
    assert public.api(path) == {"text": "I gave up", "mine": False}
    assert public.api(path, token=token)["mine"] is True


def test_a_game_that_nobody_may_watch_is_not_listed(public: Site) -> None:
    hidden, shown = public.begin("pursuit", spectators="never")["uid"], public.begin("pursuit")["uid"]
    listed = [game["uid"] for game in public.api("/api/games?limit=1")]
    assert listed == [shown]
    assert hidden not in [game["uid"] for game in public.api("/api/games?limit=200")]
    assert public.api(f"/api/games/{hidden}")["state"] == "running"


# -- what one may ask for --------------------------------------------------------------------------------


def test_unknown_parameters_of_insights_are_refused(public: Site) -> None:
    begun = public.begin("pursuit")
    token = begun["tokens"]["evader"]
    path = f"/api/games/{begun['uid']}/insights"
    status, words = public.refusal(f"{path}/hint?junk=1", token=token)
    assert (status, words) == (400, "unknown parameter 'junk' for hint: it takes seconds")
    assert "it takes none" in public.refusal(f"{path}/solved?seconds=1", token=token)[1]
    assert public.api(f"{path}/hint?seconds=0.1", token=token)["action"]


def test_strangers_agents_think_less_long(public: Site, site: Site) -> None:
    body = {"game": "pursuit", "seats": {"evader": "person", "pursuers": "random"}, "seconds": 20}
    status, words = public.refusal("/api/games", body)
    assert (status, "max 10)" in words) == (400, True)
    assert site.api("/api/games", body)["uid"]


def test_strangers_runs_are_smaller_and_few(public: Site) -> None:
    assert "max 2,000" in public.refusal("/api/arena", {**RUN, "games": 2_001})[1]
    body = {**RUN, "games": 2_000, "evaders": ["greedy"], "pursuers": ["greedy"]}
    begun = [public.api("/api/arena", body) for _ in range(2)]
    assert public.refusal("/api/arena", body)[0] == 429
    for one in begun:
        public.api(f"/api/arena/{one['id']}", token=one["token"], method="DELETE")


def test_nobody_takes_back_as_fast_as_they_can(public: Site) -> None:
    """Each time the game is played again from its start."""
    begun = public.begin("pursuit")
    with public.sit(begun["uid"], begun["tokens"]["evader"]) as seat:
        for _ in range(15):
            seat.say({"t": "takeback"})
        said = [seat.hear_until("error")["what"] for _ in range(15)]
    assert said[0] == "this table does not allow taking turns back"
    assert said[-1].startswith("not so fast")


def test_an_uploaded_board_gets_its_places_before_it_is_kept(public: Site) -> None:
    """By a worker: whoever shows it later has nothing to compute."""
    answer = public.api("/api/boards", {"name": "a/b:c", "text": "a,b\n1,2\n2,3\n3,1\n3,4\n"})
    assert answer["name"] == "a b c"
    with sqlite3.connect(public.store) as store:
        (text,) = store.execute("SELECT board FROM boards").fetchone()
    assert len(json.loads(text)["positions"]) == 4


def test_handshakes_are_limited(public: Site) -> None:
    uid = public.begin("pursuit")["uid"]
    address = f"{public.socket_url}/api/games/{uid}/socket"
    headers = {"X-Forwarded-For": "203.0.113.77"}

    def knock() -> None:
        for _ in range(500):
            with connect(address, additional_headers=headers):
                pass

    with pytest.raises(InvalidStatus) as refused:
        knock()
    assert refused.value.response.status_code == 403
    with public.sit(uid) as somebody_else:
        assert somebody_else.hear()["t"] == "new"


def test_an_agent_is_refused_before_a_board_is_made() -> None:
    class NoBoards:
        def named(self, name: str) -> Any:
            raise AssertionError("the board was made first")

    site: Any = SimpleNamespace(settings=Settings("x", limits=Limits()), boards=NoBoards())
    body = GameBody(game="pursuit", board="random:900:4000", seats=SeatsBody(evader="person", pursuers="nonsense"))
    with pytest.raises(BadAgent):
        _plan(site, body, "address")


# -- boards ----------------------------------------------------------------------------------------------


class SlowPool:
    """Workers that have too little time."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []

    async def run(self, what: str, *args: Any, **options: Any) -> Any:
        self.asked.append((what, options))
        raise TaskTooLong("no answer within 20 s")


def test_a_board_without_places_is_drawn_by_a_worker_in_limited_time() -> None:
    pool: Any = SlowPool()
    no_store: Any = None
    boards = Boards(Limits(), no_store)
    with pytest.raises(BadBoard, match="longer than 20 s"):
        asyncio.run(boards.svg(parse_board("a,b\n1,2\n2,3\n", "b", "b"), pool, "203.0.113.9"))
    ((what, options),) = pool.asked
    assert what == DRAW
    assert options["limit_seconds"] == Limits().layout_seconds
    assert options["owner"] == "203.0.113.9"
    assert "<svg" in asyncio.run(boards.svg(load_board("petersen"), pool, "x"))
    assert len(pool.asked) == 1


def test_the_name_of_a_board_is_never_opened_as_a_file(monkeypatch) -> None:
    def opened(name: str) -> Any:
        raise AssertionError(f"{name} was looked up")

    monkeypatch.setattr(reference, "load_board", opened)
    for name in ("/dev/zero", "secret.csv", "b"):
        assert "edges" in reference.board_to_json(parse_board("a,b\n1,2\n", name, "b"))


# -- what one address may have ---------------------------------------------------------------------------


def test_games_and_boards_of_a_day_are_counted_for_each_address() -> None:
    addresses = Addresses(Limits(games_per_day=2, boards_per_day=3, board_bytes_per_day=100))
    addresses.take_game("a")
    addresses.take_game("a")
    with pytest.raises(TooMany, match="2 games"):
        addresses.take_game("a")
    addresses.take_game("b")
    with addresses.upload("a", 60), pytest.raises(TooMany, match="still being drawn"), addresses.upload("a", 10):
        pass
    with pytest.raises(TooMany, match="100 bytes"), addresses.upload("a", 60):
        pass
    with addresses.upload("b", 60):
        pass


def test_a_bucket_fills_again() -> None:
    bucket = Bucket(1e9, 5)
    assert all(bucket.take(5) for _ in range(20))
    assert not Bucket(1e-9, 5).take(6)


def test_a_household_is_one_address() -> None:
    assert household("2001:db8:1:2:3:4:5:6") == household("2001:db8:1:2::9") == "2001:db8:1:2::/64"
    assert household("2001:db8:1:3::9") != household("2001:db8:1:2::9")
    assert household("::ffff:192.0.2.1") == household("192.0.2.1") == "192.0.2.1"
    assert household("::1") == "::1"
    assert len(household("x" * 10_000)) < 100
    assert is_among("10.1.2.3", ("10.0.0.0/8",))
    assert not is_among("nonsense", ("10.0.0.0/8",))


# -- the command, health and figures ---------------------------------------------------------------------


def test_other_machines_need_a_flag(tmp_path, capsys) -> None:
    assert run(["web", "--host", "0.0.0.0", "--store", str(tmp_path / "games.db"), "--no-browser"]) == 2
    words = capsys.readouterr().err
    assert "--public" in words
    assert words.count("\n") == 1


def test_a_proxy_that_is_no_address_is_one_line(tmp_path, capsys) -> None:
    assert run(["web", "--public", "--proxy", "nonsense", "--store", str(tmp_path / "games.db")]) == 2
    assert "10.0.0.0/8" in capsys.readouterr().err


def test_the_server_says_that_it_is_well_and_its_figures_to_its_operator(public: Site) -> None:
    assert public.api("/healthz") == {"status": "ok"}
    with urllib.request.urlopen(f"{public.url}/metrics") as answer:
        assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        lines = answer.read().decode().splitlines()
    samples = {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines if not line.startswith("#")}
    assert samples["manhunt_store_up"] == 1
    assert samples["manhunt_store_bytes"] > 0
    assert samples['manhunt_answers_total{status="200"}'] >= 1
    assert samples['manhunt_workers{lane="general"}'] >= 1
    named = {line.split()[2] for line in lines if line.startswith("# TYPE")}
    assert {name.partition("{")[0] for name in samples} == named
    assert status_from(public, "/metrics", STRANGER) == 403
    assert status_from(public, "/healthz", STRANGER) == 200


def test_only_a_proxy_says_where_a_request_came_from(site: Site) -> None:
    assert status_from(site, "/metrics", STRANGER) == 200
