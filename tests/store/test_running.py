"""Running games in both databases: moves in order, the end in one transaction, tokens that stay, boards kept once."""

import asyncio

import pytest
from sqlalchemy.exc import IntegrityError

from manhunt.boards.catalog import load_board
from manhunt.boards.reference import board_from_json
from manhunt.server.board_images import Boards
from manhunt.server.durable import Claim, GameWriter, NotStored
from manhunt.server.settings import Limits
from manhunt.store.connect import BadStore, Store, open_store
from manhunt.store.games import FinishedGame, list_games, load_record
from manhunt.store.running import (
    KeptMove,
    RunningGame,
    insert_moves,
    insert_running,
    load_running,
    load_tokens,
    running_uids,
)

GAME = RunningGame(
    "u1", "pursuit", {"a": [1, "é"]}, {"mrx": "1"}, 2**53 - 1, {"evader": "person"}, {"seconds": 1.5}, 7.0
)
OVER = FinishedGame(
    "u1", "pursuit", "person", "random", 1, "evader survival", 3, 9, "manhunt record 1\noutcome: evader survival"
)


def begin(store: Store, game: RunningGame = GAME) -> None:
    with store.writing() as connection:
        insert_running(connection, game, {"evader": "h" * 64})


def test_a_game_comes_back_as_it_was(store: Store) -> None:
    begin(store)
    with store.writing() as connection:
        insert_moves(connection, [KeptMove("u1", ply, f"T{ply}", 0.0) for ply in (3, 1, 2)])
    fault = {"seat": "evader", "why": "illegal action", "detail": '"é" is not a move'}
    with store.writing() as connection:
        insert_moves(connection, [KeptMove("u1", 4, "pass", 1.0, fault)])
    moves = [*(KeptMove("u1", ply, f"T{ply}", 0.0) for ply in (1, 2, 3)), KeptMove("u1", 4, "pass", 1.0, fault)]
    assert load_running(store, "u1") == (GAME, moves)
    assert load_running(store, "nobody") is None
    assert running_uids(store) == ["u1"]
    assert load_tokens(store, "u1") == {"evader": "h" * 64}


def test_a_ply_is_played_once(store: Store) -> None:
    begin(store)

    def twice() -> None:
        with store.writing() as connection:
            insert_moves(connection, [KeptMove("u1", 1, "T1", 0.0)])
            insert_moves(connection, [KeptMove("u1", 1, "T2", 0.0)])

    with pytest.raises(IntegrityError):
        twice()
    assert load_running(store, "u1") == (GAME, [])


def test_many_moves_share_a_commit_and_a_bad_one_spoils_none(store: Store) -> None:
    async def scene() -> list[BaseException | None]:
        writer = GameWriter(store)
        try:
            await writer.begin(GAME, {"evader": "h" * 64}, ["T1"])
            writes = [writer.move("u1", ply, f"T{ply}") for ply in range(2, 60)]
            writes.insert(20, writer.move("u1", 1, "again"))
            writes.insert(30, writer.move("nobody", 1, "T1"))
            found = await asyncio.gather(*writes, return_exceptions=True)
            n_commits = writer.n_commits
            await writer.move("u1", 60, "T60")
            assert writer.n_commits == n_commits + 1
            return found
        finally:
            writer.close()

    found = asyncio.run(scene())
    assert [i for i, each in enumerate(found) if isinstance(each, NotStored)] == [20, 30]
    kept = load_running(store, "u1")
    assert kept is not None
    assert [move.notation for move in kept[1]] == [f"T{ply}" for ply in range(1, 61)]


def test_the_end_is_one_transaction(store: Store) -> None:
    async def scene() -> None:
        writer = GameWriter(store)
        try:
            await writer.begin(GAME, {"evader": "h" * 64}, ["T1"])
            await writer.finish(OVER)
            with pytest.raises(NotStored):
                await writer.finish(OVER)
        finally:
            writer.close()

    asyncio.run(scene())
    assert (running_uids(store), load_running(store, "u1")) == ([], None)
    assert [game.uid for game in list_games(store)] == ["u1"]
    assert load_record(store, "u1") == OVER.record
    assert load_tokens(store, "u1") == {"evader": "h" * 64}


def test_one_server_at_a_time(store: Store, url: str) -> None:
    first = Claim(store)
    other = open_store(url)
    with pytest.raises(BadStore, match="another manhunt web"):
        Claim(other)
    first.release()
    Claim(other).release()
    other.close()


def test_uploaded_boards_outlive_the_server(store: Store) -> None:
    board = load_board("grid:3x4")
    name = Boards(Limits(), store).keep(board)
    Boards(Limits(), store).keep(board)
    again = Boards(Limits(), store).named(name)
    assert (again, again.positions) == (board, board.positions)
    assert Boards(Limits(), store).find("0" * 64) is None
    assert board_from_json({"name": "grid:3x4", "hash": board.hash}) == again
