"""A store that is deleted, emptied, replaced or damaged under a running server: no move is acknowledged any more."""

import asyncio
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from local_rooms import plan_of, with_rooms
from manhunt.core.ids import Seat
from manhunt.server import rooms, wire
from manhunt.server.addresses import TooMany
from manhunt.server.durable import NotStored, hold
from manhunt.server.errors import status_of
from manhunt.server.jobs import Jobs
from manhunt.server.room_registry import RoomRegistry
from manhunt.server.settings import Limits
from manhunt.server.store_watch import StoreFull, StoreWatch
from manhunt.store.connect import BadStore, StoreLost, open_store
from manhunt.store.running import load_board, load_running, running_uids, save_board
from sites import running_site


def deleted(file: Path) -> None:
    file.unlink()


def emptied(file: Path) -> None:
    os.truncate(file, 0)


def zeroed(file: Path) -> None:
    with open(file, "r+b") as opened:
        opened.write(bytes(file.stat().st_size))


def replaced(file: Path) -> None:
    shutil.copy(file, file.with_suffix(".copy"))
    file.with_suffix(".copy").replace(file)


def first_action(room: rooms.GameRoom) -> str:
    seat = room.referee.to_act
    assert seat is not None
    return room.game.format_action(room.plan.config, room.referee.view(seat).legal[0])


@pytest.mark.parametrize("spoil", [deleted, emptied, zeroed, replaced])
def test_a_move_is_refused_when_the_store_is_not_there(tmp_path, scripted_pool, spoil: Callable[[Path], None]) -> None:
    async def scene(registry: RoomRegistry) -> None:
        room = (await registry.begin(plan_of("pursuit", pursuers="person"))).room
        await room.move(Seat.EVADER, 1, first_action(room))
        watch = StoreWatch(registry.store, Limits())
        assert await watch.look() is None
        spoil(tmp_path / "games.db")
        for _ in range(2):
            with pytest.raises(NotStored, match="damaged or gone"):
                await room.move(Seat.PURSUERS, 2, first_action(room))
        assert room.n == 2
        assert await watch.look() is not None
        with pytest.raises(NotStored):
            await registry.begin(plan_of("pursuit"))

    with_rooms(tmp_path, scripted_pool, scene)


def test_damage_inside_is_found_by_looking(tmp_path) -> None:
    file = tmp_path / "games.db"
    store = open_store(file)
    save_board(store, "0" * 64, "b", {"much": "x" * 100_000})
    store.close()
    with sqlite3.connect(file) as direct:
        direct.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with open(file, "r+b") as opened:
        opened.seek(8192)
        opened.write(os.urandom(20_000))
    store = open_store(file)

    async def look() -> str | None:
        return await StoreWatch(store, Limits()).look()

    assert "damaged" in (asyncio.run(look()) or "")
    with pytest.raises(StoreLost):
        save_board(store, "1" * 64, "b", {})
    store.close()


def test_a_server_does_not_start_on_a_store_that_was_emptied(tmp_path) -> None:
    held = hold(str(tmp_path / "games.db"))
    held.claim.release()
    held.store.close()
    for beside in tmp_path.glob("games.db-*"):
        beside.unlink()
    os.truncate(tmp_path / "games.db", 0)
    with pytest.raises(BadStore, match="is empty"):
        hold(str(tmp_path / "games.db"))
    (tmp_path / "games.db").unlink()
    held = hold(str(tmp_path / "games.db"))
    held.claim.release()
    held.store.close()


def test_nobody_else_on_the_machine_can_read_the_files(tmp_path, scripted_pool) -> None:
    async def scene(registry: RoomRegistry) -> None:
        await registry.begin(plan_of("pursuit"))
        files = list(tmp_path.glob("games.db*"))
        assert {file.name for file in files} >= {"games.db", "games.db-wal", "games.db.serving"}
        assert {file.name: file.stat().st_mode & 0o777 for file in files} == {file.name: 0o600 for file in files}

    with_rooms(tmp_path, scripted_pool, scene)


def test_health_tells_of_a_lost_store(tmp_path) -> None:
    with running_site(tmp_path / "games.db") as site:
        begun = site.begin("pursuit", pursuers="person")
        with site.sit(begun["uid"], begun["tokens"]["evader"]) as seat:
            go = seat.hear_until("go")
            (tmp_path / "games.db").unlink()
            answer = seat.move(go["n"], go["offers"][0]["action"])
            assert "damaged or gone" in answer["what"]
        status, words = _health(site)
        assert (status, str(tmp_path) in words) == (503, False)


def _health(site: Any) -> tuple[int, str]:
    import urllib.error
    import urllib.request

    try:
        with urllib.request.urlopen(f"{site.url}/healthz") as answer:
            return int(answer.status), answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


# -- how much is kept ------------------------------------------------------------------------------------


def test_a_store_that_is_full_takes_nothing_new(tmp_path) -> None:
    store = open_store(tmp_path / "games.db")

    async def scene(most: int) -> None:
        watch = StoreWatch(store, Limits(store_bytes=most))
        await watch.look()
        watch.check_room()

    asyncio.run(scene(1_000_000_000))
    with pytest.raises(StoreFull) as full:
        asyncio.run(scene(1))
    assert status_of(full.value) == 503
    store.close()


def test_abandoned_games_and_old_boards_go_away(tmp_path, scripted_pool) -> None:
    class Watcher:
        seat = Seat.SPECTATOR

        def moved(self, room: rooms.GameRoom) -> None: ...

        def presence(self, there: object) -> None: ...

    async def scene(registry: RoomRegistry) -> None:
        abandoned = (await registry.begin(plan_of("pursuit"))).room
        await abandoned.move(Seat.EVADER, 1, first_action(abandoned))
        watched = (await registry.begin(plan_of("pursuit"))).room
        watched.join(Watcher())
        save_board(registry.store, "0" * 64, "b", {})
        assert await registry.expire() == []
        patient = RoomRegistry(registry.store, registry.writer, scripted_pool, expire_days=1.0)
        assert await patient.expire() == []
        assert load_board(registry.store, "0" * 64) is not None
        registry._expire_days = 0.0
        assert await registry.expire() == [abandoned.uid]
        assert running_uids(registry.store) == [watched.uid]
        assert load_running(registry.store, abandoned.uid) is None
        assert load_board(registry.store, "0" * 64) is None
        with pytest.raises(rooms.NoSuchGame):
            await registry.find(abandoned.uid)

    with_rooms(tmp_path, scripted_pool, scene)


def test_whose_game_it_is_outlives_a_restart(tmp_path, scripted_pool) -> None:
    from dataclasses import replace

    async def scene(registry: RoomRegistry) -> None:
        room = (await registry.begin(replace(plan_of("pursuit"), address="203.0.113.9"))).room
        again = RoomRegistry(registry.store, registry.writer, scripted_pool)
        assert (await again.find(room.uid)).plan.address == "203.0.113.9"
        assert again.n_running_of("203.0.113.9") == 1

    with_rooms(tmp_path, scripted_pool, scene)


def test_what_newcomers_know_does_not_fill_the_memory(tmp_path, scripted_pool) -> None:
    """2,000 sockets that say hello with another `since` each."""

    async def scene(registry: RoomRegistry) -> None:
        room = (await registry.begin(plan_of("pursuit"))).room
        first = json.loads(wire.observe_message(room, Seat.SPECTATOR, 0)[1])
        for since in range(2_000):
            wire.observe_message(room, Seat.SPECTATOR, since)
        assert len(str(room.kept)) < 200_000
        assert json.loads(wire.observe_message(room, Seat.SPECTATOR, 0)[1]) == first

    with_rooms(tmp_path, scripted_pool, scene)


def test_jobs_of_one_address_are_few_and_others_can_still_begin_one(scripted_pool) -> None:
    async def scene() -> None:
        jobs = Jobs(scripted_pool, Limits(jobs_per_address=2))
        for number in range(2):
            jobs.start("module:function", key=number, owner="a")
        with pytest.raises(TooMany, match="2 jobs of your address"):
            jobs.start("module:function", owner="a")
        jobs.start("module:function", owner="b")
        for _ in range(1_000):
            jobs.done({"bytes": 1}, "a")
        assert len(jobs._jobs) < 300
        await jobs.close()

    asyncio.run(scene())


def test_looking_at_the_file_leaves_its_locks_alone(tmp_path) -> None:
    """Who closes any descriptor of a file gives up all locks of the process on it, also those of SQLite."""
    fcntl = pytest.importorskip("fcntl")
    held = hold(str(tmp_path / "games.db"))
    with open(tmp_path / "games.db", "r+b") as ours:
        fcntl.lockf(ours, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 12_345)
        held.store.check_file()
        held.store.n_bytes()
        other = "import fcntl, sys; fcntl.lockf(open(sys.argv[1], 'r+b'), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 12345)"
        tried = subprocess.run([sys.executable, "-c", other, tmp_path / "games.db"], capture_output=True, check=False)
        assert b"BlockingIOError" in tried.stderr
    held.claim.release()
    held.store.close()
