"""A store that does not take something: nothing has happened, everybody is told so, and the game goes on later."""

import asyncio
import sqlite3
from contextlib import contextmanager
from unittest import mock

import pytest
from websockets.exceptions import ConnectionClosed

from local_rooms import plan_of, with_rooms
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.turns import TurnEnd
from manhunt.server import rooms
from manhunt.server.agent_turns import AgentTurn
from manhunt.server.durable import GameWriter, NotStored, hold
from manhunt.server.errors import status_of
from manhunt.server.jobs import Jobs, JobState
from manhunt.server.room_registry import RoomRegistry
from manhunt.store.connect import BadStore, Store
from manhunt.store.running import load_running
from sites import running_site


@contextmanager
def full_disk():
    def refuse(self: GameWriter, batch: object) -> None:
        raise BadStore("database or disk is full")

    with mock.patch.object(GameWriter, "_commit", refuse):
        yield


def first_action(room: rooms.GameRoom) -> str:
    seat = room.referee.to_act
    assert seat is not None
    return room.game.format_action(room.plan.config, room.referee.view(seat).legal[0])


class Watcher:
    """A listener that counts what it is told of."""

    seat = Seat.EVADER

    def __init__(self) -> None:
        self.n_moves = 0

    def moved(self, room: rooms.GameRoom) -> None:
        self.n_moves += 1

    def presence(self, there: object) -> None: ...


def test_a_persons_move_that_was_not_stored_can_be_made_again(tmp_path, scripted_pool) -> None:
    async def scene(registry: RoomRegistry) -> None:
        room = (await registry.begin(plan_of("pursuit"))).room
        action, watcher = first_action(room), Watcher()
        room.join(watcher)
        before = room.log(Seat.EVADER)
        with full_disk(), pytest.raises(NotStored, match="nothing has happened"):
            await room.move(Seat.EVADER, 1, action)
        assert (room.n, watcher.n_moves) == (1, 0)
        assert room.log(Seat.EVADER) == before
        await room.move(Seat.EVADER, 1, action)
        assert (room.n, watcher.n_moves) == (2, 1)
        with full_disk(), pytest.raises(NotStored):
            await room.resign(Seat.EVADER)
        assert (room.over, room.referee.faults, watcher.n_moves) == (False, [], 1)
        kept = load_running(registry.store, room.uid)
        assert kept is not None
        assert [move.notation for move in kept[1]] == [action]

    with_rooms(tmp_path, scripted_pool, scene)


def test_an_agent_does_not_lose_by_a_full_disk(tmp_path, scripted_pool) -> None:
    async def scene(registry: RoomRegistry) -> None:
        with full_disk(), pytest.raises(NotStored):
            await registry.begin(plan_of("pursuit", evader="greedy"))
        assert registry.n_rooms == 0
        room = (await registry.begin(plan_of("pursuit", evader="greedy"))).room
        action = first_action(room)
        with full_disk():
            scripted_pool.give(AgentTurn(TurnEnd.OK, action))
            await asyncio.sleep(0.3)
            assert (room.n, room.over) == (1, False)
        scripted_pool.give(AgentTurn(TurnEnd.OK, action))
        async with asyncio.timeout(300):
            while room.n == 1:
                await asyncio.sleep(0.01)
        assert not room.over

    with mock.patch.object(rooms, "RETRY_SECONDS", 0.05):
        with_rooms(tmp_path, scripted_pool, scene)


def test_one_server_plays_on_a_store_by_whatever_name(tmp_path) -> None:
    held = hold(str(tmp_path / "games.db"))
    (tmp_path / "link.db").symlink_to(tmp_path / "games.db")
    for name in ("games.db", "link.db"):
        with pytest.raises(BadStore, match="another manhunt web is using"):
            hold(str(tmp_path / name))
    held.claim.release()
    held.store.close()
    again = hold(str(tmp_path / "link.db"))
    again.claim.release()
    again.store.close()
    (tmp_path / "new.db.serving").mkdir()
    with pytest.raises(BadStore, match="keeps two servers apart"):
        hold(str(tmp_path / "new.db"))


def test_a_finished_game_is_told_as_it_ended_also_when_it_is_loaded_again(tmp_path, scripted_pool) -> None:
    async def scene(registry: RoomRegistry) -> None:
        room = (await registry.begin(plan_of("fugitive"))).room
        await room.resign(Seat.PURSUERS)
        again = await RoomRegistry(registry.store, registry.writer, scripted_pool).find(room.uid)
        for seat in (*PLAYERS, Seat.SPECTATOR):
            assert again.log(seat) == room.log(seat)

    with_rooms(tmp_path, scripted_pool, scene)


def test_a_job_whose_answer_cannot_be_kept_has_failed(scripted_pool) -> None:
    async def spoilt(answer: object) -> object:
        raise OSError("no space left")

    async def scene() -> None:
        scripted_pool.give(AgentTurn(TurnEnd.OK))
        jobs = Jobs(scripted_pool)
        job = jobs.start("module:function", then=spoilt)
        assert job.task is not None
        await asyncio.wait({job.task})
        assert job.state is JobState.FAILED
        assert job.error

    asyncio.run(scene())


def test_a_store_that_fails_is_nobodys_input() -> None:
    assert status_of(NotStored("x")) == status_of(BadStore("x")) == 503


def test_a_page_that_comes_while_the_store_fails_may_come_again(tmp_path) -> None:
    """It hears no file's name, and a code on which it tries again by itself."""
    with running_site(tmp_path / "games.db") as site:
        with sqlite3.connect(tmp_path / "games.db") as spoilt:
            spoilt.execute("ALTER TABLE seat_tokens RENAME TO elsewhere")
        with site.sit("nosuchgame") as page:
            assert str(tmp_path) not in page.hear()["what"]
            with pytest.raises(ConnectionClosed) as closed:
                page.hear()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1013
        status, words = site.refusal("/api/games/nosuchgame")
        assert (status, str(tmp_path) in words) == (503, False)


@contextmanager
def answers_lost(*, is_down: bool = False):
    """Commits happen, but nobody hears of it; where the database is down, nobody can look either."""
    commit, reading = GameWriter._commit, Store.reading

    def lose(self: GameWriter, batch: object) -> None:
        commit(self, batch)  # type: ignore[arg-type]
        raise BadStore("server closed the connection unexpectedly")

    @contextmanager
    def refuse(self: Store):
        raise BadStore("connection refused")
        yield

    with (
        mock.patch.object(GameWriter, "_commit", lose),
        mock.patch.object(Store, "reading", refuse if is_down else reading),
    ):
        yield


def test_a_commit_whose_answer_was_lost_has_happened(tmp_path, scripted_pool) -> None:
    async def scene(registry: RoomRegistry) -> None:
        with answers_lost():
            room = (await registry.begin(plan_of("pursuit"))).room
            for _ in range(2):
                seat = room.referee.to_act
                assert seat is not None
                await room.move(seat, room.n, first_action(room))
            assert room.n == 3
            many = [(await registry.begin(plan_of("pursuit"))).room for _ in range(5)]
            await asyncio.gather(*(other.move(Seat.EVADER, 1, first_action(other)) for other in many))
            assert [other.n for other in many] == [2] * 5
            await room.resign(Seat.EVADER)
        assert room.over
        again = await RoomRegistry(registry.store, registry.writer, scripted_pool).find(room.uid)
        assert again.log(Seat.PURSUERS) == room.log(Seat.PURSUERS)

    with_rooms(tmp_path, scripted_pool, scene)


@pytest.mark.parametrize("end", ["move", "resign"])
@pytest.mark.parametrize("happened", [True, False])
def test_a_room_that_does_not_know_looks_until_the_store_answers(tmp_path, scripted_pool, end, happened) -> None:
    """Neither is it stuck, nor does it play a ply that the store does not have."""

    async def scene(registry: RoomRegistry) -> None:
        room = (await registry.begin(plan_of("pursuit"))).room
        action = first_action(room)
        watcher = Watcher()
        room.join(watcher)

        def act():
            return room.move(Seat.EVADER, 1, action) if end == "move" else room.resign(Seat.EVADER)

        with answers_lost(is_down=True):
            if not happened:
                with full_disk(), pytest.raises(NotStored, match="not known"):
                    await act()
            else:
                with pytest.raises(NotStored, match="not known"):
                    await act()
            with pytest.raises(NotStored, match="does not answer"):
                await act()
            assert (room.n, room.over, watcher.n_moves) == (1, False, 0)
        async with asyncio.timeout(300):
            while not room.is_sure:
                await asyncio.sleep(0.01)
        assert watcher.n_moves == (1 if happened else 0)
        if not happened:
            await act()
        assert (room.n, room.over) == ((2, False) if end == "move" else (1, True))
        if end == "move":
            await room.move(Seat.PURSUERS, 2, first_action(room))
        kept = load_running(registry.store, room.uid)
        assert len(kept[1] if kept else ()) == (2 if end == "move" else 0)

    with mock.patch.object(rooms, "RETRY_SECONDS", 0.05):
        with_rooms(tmp_path, scripted_pool, scene)


def test_a_late_commit_of_another_move_is_the_one_that_counts(tmp_path, scripted_pool, caplog) -> None:
    """A database may commit after it seemed not to have: what it has is what happened. No log tells a hidden move."""

    async def scene(registry: RoomRegistry) -> None:
        room = (await registry.begin(plan_of("scotland_yard"))).room
        texts = [room.game.format_action(room.plan.config, action) for action in room.referee.view(Seat.EVADER).legal]
        with full_disk(), pytest.raises(NotStored):
            await room.move(Seat.EVADER, 1, texts[0])
        await registry.writer.move(room.uid, 1, texts[0])
        with pytest.raises(NotStored, match="continues from what is stored"):
            await room.move(Seat.EVADER, 1, texts[1])
        async with asyncio.timeout(300):
            while not room.is_sure:
                await asyncio.sleep(0.01)
        assert [room.game.format_action(room.plan.config, action) for action in room.referee.actions] == texts[:1]
        await room.move(Seat.PURSUERS, 2, first_action(room))
        assert "not stored" in caplog.text
        assert not any(f"'{text}'" in caplog.text for text in texts[:2])

    with mock.patch.object(rooms, "RETRY_SECONDS", 0.05):
        with_rooms(tmp_path, scripted_pool, scene)


def test_an_agents_move_whose_answer_was_lost_is_made_once(tmp_path, scripted_pool) -> None:
    async def scene(registry: RoomRegistry) -> None:
        room = (await registry.begin(plan_of("pursuit", evader="greedy"))).room
        with answers_lost(is_down=True):
            scripted_pool.give(AgentTurn(TurnEnd.OK, first_action(room)))
            while room.is_sure:
                await asyncio.sleep(0.001)
        scripted_pool.give(AgentTurn(TurnEnd.OK, first_action(room)))
        async with asyncio.timeout(300):
            while room.n == 1:
                await asyncio.sleep(0.01)
        assert (room.n, room.over, room.thinking) == (2, False, None)

    with mock.patch.object(rooms, "RETRY_SECONDS", 0.05):
        with_rooms(tmp_path, scripted_pool, scene)
