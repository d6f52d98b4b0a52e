"""What strangers can do to tables: too much, too large, nonsense, and nothing for a month."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from manhunt.server.addresses import Addresses, TooMany
from manhunt.server.api_tables import TableBody, _new_table
from manhunt.server.durable import GameWriter
from manhunt.server.errors import NotFound
from manhunt.server.room_registry import IDLE_SECONDS, RoomRegistry
from manhunt.server.settings import Limits, Settings
from manhunt.server.tables import changes, chat
from manhunt.server.tables.chat import MOST_TOLD
from manhunt.server.tables.registry import TableRegistry
from manhunt.server.tables.sockets import TableConnection
from manhunt.server.tables.state import NotAllowed, Table
from manhunt.store.connect import Store, open_store
from manhunt.store.tables import KeptMessage, delete_abandoned_tables, load_table, table_of_game
from people_rooms import Ear
from sites import Site, running_site
from table_sockets import TablePage, make_table, open_page

QUIET = (HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.filter_too_much)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running_site(tmp_path_factory.mktemp("site") / "games.db") as running:
        yield running


@pytest.fixture
def store(tmp_path) -> Iterator[Store]:
    opened = open_store(tmp_path / "games.db")
    yield opened
    opened.close()


def a_table() -> tuple[Table, Any]:
    site: Any = type("NoSite", (), {"settings": Settings("x"), "boards": type("NoBoards", (), {"checked": print})()})
    return _new_table(site, TableBody(game="pursuit", name="Anna", sit=["evader"]), "token")


async def with_tables(store: Store, limits: Limits, act: Any, pool: Any) -> None:
    writer = GameWriter(store)
    rooms = RoomRegistry(store, writer, pool)
    tables = TableRegistry(store, writer, rooms, limits)
    try:
        await act(tables, rooms)
    finally:
        await rooms.close()
        await tables.close()
        await asyncio.to_thread(writer.close)


def test_an_address_has_so_many_tables_that_wait(store: Store, scripted_pool: Any) -> None:
    async def act(tables: TableRegistry, rooms: RoomRegistry) -> None:
        for _ in range(2):
            await tables.make(*a_table(), "here")
        with pytest.raises(TooMany, match="2 tables from your address"):
            await tables.make(*a_table(), "here")
        await tables.make(*a_table(), "elsewhere")

    asyncio.run(with_tables(store, Limits(tables_per_address=2), act, scripted_pool))


def test_one_person_speaks_no_faster_from_several_pages(store: Store, scripted_pool: Any) -> None:
    async def act(tables: TableRegistry, rooms: RoomRegistry) -> None:
        made = await tables.make(*a_table())
        for _ in range(2):
            made.check_pace(1)
        with pytest.raises(NotAllowed, match="not so fast"):
            made.check_pace(1)
        made.check_pace(2)

    asyncio.run(with_tables(store, Limits(chat_per_second=1e-6, chat_burst=2), act, scripted_pool))


def test_a_newcomer_to_a_team_that_talks_much_hears_the_end_of_it(store: Store, scripted_pool: Any) -> None:
    """All of it at once would be more than may wait for a socket."""

    async def act(tables: TableRegistry, rooms: RoomRegistry) -> None:
        made = await tables.make(*a_table())
        await made.change(partial(_join, 2))
        await made.start(1, lambda: "")
        play, ear = made.table.play, Ear()
        texts = [str(n) for n in range(MOST_TOLD * 2)]
        made.messages += [
            KeptMessage(made.table.uid, n, 1, "Anna", text, 0.0, play, "evader") for n, text in enumerate(texts)
        ]
        made.enter(TableConnection(made, 2, ear))  # type: ignore[arg-type]
        assert ear.heard("said") == []
        await made.change(lambda table: changes.hand(table, 1, "evader", 2))
        assert [message["text"] for message in ear.heard("said")] == texts[-MOST_TOLD:]

    asyncio.run(with_tables(store, Limits(), act, scripted_pool))


def test_how_much_a_team_says_changes_nothing_for_others(store: Store, scripted_pool: Any, monkeypatch: Any) -> None:
    """Neither what a newcomer hears nor how it is numbered, also when it is more than a table keeps."""
    monkeypatch.setattr(chat, "MOST_KEPT", 3)

    async def heard(tables: TableRegistry, n_words: int) -> list[list[tuple[int, str]]]:
        made = await tables.make(*a_table())
        await made.change(partial(_join, 2))
        await made.start(1, lambda: "")
        for n in range(5):
            await made.say(1, "table", str(n))
            for _ in range(n_words):
                await made.say(1, "team", "psst")
        assert sum(message.play is not None for message in made.messages) == min(n_words, 3)
        del tables._tables[made.table.uid]
        found = []
        for table in (made, await tables.find(made.table.uid)):
            ear = Ear()
            TableConnection(table, 2, ear).tell_all()  # type: ignore[arg-type]
            found.append([(message["n"], message["text"]) for message in ear.heard("said")])
        return found

    async def act(tables: TableRegistry, rooms: RoomRegistry) -> None:
        assert await heard(tables, 0) == await heard(tables, 4) == [[(1, "2"), (2, "3"), (3, "4")]] * 2

    asyncio.run(with_tables(store, Limits(), act, scripted_pool))


def test_an_address_says_and_takes_back_so_much() -> None:
    addresses = Addresses(Limits(chat_per_day=1, take_backs_per_second=1e-6, take_back_burst=1))
    for take, words in ((addresses.take_message, "1 messages"), (addresses.take_take_back, "not so fast")):
        take("a")
        with pytest.raises(TooMany, match=words):
            take("a")
        take("b")


def test_tables_leave_the_memory_and_come_back_and_abandoned_ones_expire(store: Store, scripted_pool: Any) -> None:
    async def act(tables: TableRegistry, rooms: RoomRegistry) -> None:
        old, _ = a_table()
        made = await tables.make(old, a_table()[1])
        playing, config = a_table()
        busy = await tables.make(playing, config)
        await busy.start(1, lambda: "")
        assert table_of_game(store, busy.table.play or "") == playing.uid
        await made.say(1, "table", "hello")
        later = time.monotonic() + IDLE_SECONDS + 1
        tables.let_go(later)
        assert tables.n_open == 1, "a room that is in memory keeps its table"
        again = await tables.find(old.uid)
        assert again is not made
        assert (again.table, [each.text for each in again.messages]) == (old, ["hello"])
        assert await tables.expire() == []
        gone = delete_abandoned_tables(store, time.time() + 1)
        assert gone == [old.uid], "the other one has a game that runs"
        assert load_table(store, old.uid) is None
        tables.let_go(later)
        with pytest.raises(NotFound):
            await tables.find(old.uid)

    asyncio.run(with_tables(store, Limits(), act, scripted_pool))


def test_a_table_whose_game_was_deleted_waits_again(store: Store, scripted_pool: Any) -> None:
    async def act(tables: TableRegistry, rooms: RoomRegistry) -> None:
        made = await tables.make(*a_table())
        await made.start(1, lambda: "")
        play = made.table.play or ""
        rooms._expire_days = -1
        assert await rooms.expire() == [play]
        found = await tables.find(made.table.uid)
        assert (found.table.play, found.table.phase.value) == (None, "waiting")

    asyncio.run(with_tables(store, Limits(), act, scripted_pool))


def test_changes_at_once_happen_one_after_the_other(store: Store, scripted_pool: Any) -> None:
    async def act(tables: TableRegistry, rooms: RoomRegistry) -> None:
        made = await tables.make(*a_table())
        await asyncio.gather(*(made.change(partial(_join, i)) for i in range(20)))
        assert [person.id for person in made.table.people] == list(range(1, 22))
        taking = [made.change(partial(_sit, i)) for i in range(2, 22)]
        done = await asyncio.gather(*taking, return_exceptions=True)
        assert sum(not isinstance(each, Exception) for each in done) == 1

    asyncio.run(with_tables(store, Limits(), act, scripted_pool))


def _join(i: int, table: Table) -> Table:
    return changes.join(table, f"P{i}", f"h{i}")


def _sit(i: int, table: Table) -> Table:
    return changes.sit(table, i, "pursuers/0")


def test_a_flood_and_a_message_that_is_too_large_end_a_socket(site: Site) -> None:
    made = make_table(site, "pursuit")
    for flood in (['{"t":"ping"}'] * 500, ["x" * 20_000]):
        with open_page(site, made["table"], made["token"]) as page, pytest.raises(ConnectionClosed) as closed:
            _shout(page, flood)
        assert closed.value.rcvd is None or closed.value.rcvd.code == 4429


def _shout(page: TablePage, texts: list[str]) -> None:
    for text in texts:
        page.say(text)
    while True:
        page.hear()


kinds = ["hello", "join", "rename", "sit", "stand", "hand", "agents", "options", "start", "remove", "say", "react", "x"]
values = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=400), st.just("evader"))
keys = ["name", "place", "to", "seat", "spec", "text", "sign", "swap", "seconds", "turn_seconds", "help", "spectators"]
messages = st.one_of(
    st.text(max_size=100),
    st.dictionaries(st.sampled_from(keys), values).flatmap(
        lambda body: st.sampled_from(kinds).map(lambda kind: json.dumps({**body, "t": kind}))
    ),
)


@settings(max_examples=60, suppress_health_check=QUIET, deadline=None)
@given(said=st.lists(messages, max_size=12), is_known=st.booleans())
def test_nonsense_at_a_table(site: Site, said: list[str], is_known: bool) -> None:
    made = make_table(site, "pursuit")
    try:
        with TablePage(site, made["table"], made["token"] if is_known else None) as page:
            for text in said:
                page.say(text)
            page.tell("ping")
            while page.hear()["t"] != "pong":
                pass
    except ConnectionClosed as closed:
        assert closed.rcvd is None or closed.rcvd.code != 1011
    assert site.api(f"/api/tables/{made['table']}", token=made["token"])["you"] == 1
    assert site.process.poll() is None


def test_odd_lists_of_tables_are_refused_or_empty(site: Site) -> None:
    assert site.api("/api/tables/mine", {"tables": [{"table": "abc", "token": "x"}]}) == []
    for body in ({"tables": [{"table": "\ud800", "token": "x"}]}, {"tables": [{}] * 1000}, {"tables": "x"}, []):
        assert site.refusal("/api/tables/mine", body)[0] == 400
