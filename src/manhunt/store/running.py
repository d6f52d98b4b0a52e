"""Games that are being played: what begins them, every move, and the hashes of the secrets that seats are held by.

These rows hold the secrets of both sides. They are for the referee who takes a game up again, and for nobody else.
When a game is over its rows go away in the transaction that keeps the finished game.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from manhunt.store.connect import Store
from manhunt.store.games import FinishedGame, insert_games
from manhunt.store.schema import boards, game_origins, running_games, running_moves, seat_tokens


@dataclass(frozen=True, slots=True)
class RunningGame:
    """What is decided before the first move. `config`, `setup`, `seats` and `options` are JSON values."""

    uid: str
    game: str
    config: Mapping[str, Any]
    setup: Mapping[str, Any]
    seed: int
    seats: Mapping[str, str]
    options: Mapping[str, Any]
    created_at: float
    secret: str | None = None
    """What deal, chance and agents come from; None in games of before, whose `seed` decides."""
    draft: Any = None
    """The moves that a team has not confirmed."""
    taken_back: Any = None
    """How often each side took something back."""


@dataclass(frozen=True, slots=True)
class KeptMove:
    """One ply. `fault` is the failed turn that it stands for, as JSON; `seconds` what people used by their clock."""

    uid: str
    ply: int
    notation: str
    at: float
    fault: Mapping[str, Any] | None = None
    seconds: float | None = None


MOST_AT_ONCE = 500
_JSON = ("config", "setup", "seats", "options", "draft", "taken_back")


def insert_running(connection: Connection, game: RunningGame, hashes: Mapping[str, str]) -> None:
    """A game begins; part of the caller's transaction."""
    row = {name: json.dumps(getattr(game, name), ensure_ascii=False) for name in _JSON}
    connection.execute(insert(running_games), [{**asdict(game), **row}])
    insert_tokens(connection, game.uid, hashes)


def insert_tokens(connection: Connection, uid: str, hashes: Mapping[str, str]) -> None:
    if hashes:
        rows = [{"uid": uid, "seat": seat, "token_hash": kept} for seat, kept in hashes.items()]
        connection.execute(insert(seat_tokens), rows)


def insert_moves(connection: Connection, moves: Sequence[KeptMove]) -> None:
    """Moves of one or many games; part of the caller's transaction."""
    if moves:
        connection.execute(insert(running_moves), [_row_of(move) for move in moves])


def _row_of(move: KeptMove) -> dict[str, Any]:
    return {**asdict(move), "fault": None if move.fault is None else json.dumps(move.fault, ensure_ascii=False)}


def _move_of(row: Mapping[str, Any]) -> KeptMove:
    return KeptMove(**{**row, "fault": None if row["fault"] is None else json.loads(row["fault"])})


def save_draft(connection: Connection, uid: str, draft: Any) -> None:
    """The moves that a team has not confirmed, as JSON; None for nothing."""
    text = json.dumps(draft, ensure_ascii=False)
    connection.execute(update(running_games).where(running_games.c.uid == uid).values(draft=text))


def has_draft(connection: Connection, uid: str, draft: Any) -> bool:
    """Whether this is the draft that is stored."""
    text = connection.execute(select(running_games.c.draft).where(running_games.c.uid == uid)).scalar()
    return bool(json.loads(text or "null") == draft)


def take_back(connection: Connection, uid: str, n_plies: int, taken_back: Any) -> None:
    """Only the first `n_plies` have happened; part of the caller's transaction."""
    connection.execute(delete(running_moves).where(running_moves.c.uid == uid, running_moves.c.ply > n_plies))
    values = {"draft": None, "taken_back": json.dumps(taken_back)}
    connection.execute(update(running_games).where(running_games.c.uid == uid).values(**values))


def is_taken_back(connection: Connection, uid: str, taken_back: Any) -> bool:
    """Whether the last take-back that was stored is this one."""
    text = connection.execute(select(running_games.c.taken_back).where(running_games.c.uid == uid)).scalar()
    return bool(json.loads(text or "null") == taken_back)


def has_move(connection: Connection, move: KeptMove) -> bool:
    """Whether this ply was stored as it is."""
    here = (running_moves.c.uid == move.uid, running_moves.c.ply == move.ply)
    return connection.execute(select(running_moves.c.notation).where(*here)).scalar() == move.notation


def has_running(connection: Connection, uid: str) -> bool:
    return connection.execute(select(running_games.c.uid).where(running_games.c.uid == uid)).first() is not None


def finish_running(connection: Connection, game: FinishedGame, at: float) -> None:
    """The game is over: it is kept as a finished one, and is no running one any more."""
    insert_games(connection, [game], at)
    connection.execute(delete(running_moves).where(running_moves.c.uid == game.uid))
    connection.execute(delete(running_games).where(running_games.c.uid == game.uid))


def load_running(store: Store, uid: str) -> tuple[RunningGame, list[KeptMove]] | None:
    """A running game and its moves so far, in order."""
    with store.reading() as connection:
        row = connection.execute(select(running_games).where(running_games.c.uid == uid)).mappings().first()
        query = select(running_moves).where(running_moves.c.uid == uid).order_by(running_moves.c.ply)
        moves = [_move_of(dict(found)) for found in connection.execute(query).mappings()]
    if row is None:
        return None
    return RunningGame(**{**row, **{name: json.loads(row[name] or "null") for name in _JSON}}), moves


def running_uids(store: Store, limit: int | None = None) -> list[str]:
    """The newest first."""
    query = select(running_games.c.uid).order_by(running_games.c.created_at.desc(), running_games.c.uid).limit(limit)
    with store.reading() as connection:
        return [str(uid) for uid in connection.execute(query).scalars()]


def running_options(store: Store) -> list[tuple[str, dict[str, Any]]]:
    """Uid and options of all running games, the newest first."""
    query = select(running_games.c.uid, running_games.c.options)
    with store.reading() as connection:
        rows = connection.execute(query.order_by(running_games.c.created_at.desc(), running_games.c.uid))
        return [(str(row.uid), json.loads(row.options)) for row in rows]


def delete_abandoned(store: Store, before: float, spared: Collection[str] = ()) -> list[str]:
    """Take away running games that were begun before this time and have had no move since; the uids of these."""
    with store.writing() as connection:
        moved = select(running_moves.c.uid).where(running_moves.c.at >= before)
        query = select(running_games.c.uid).where(running_games.c.created_at < before)
        found = connection.execute(query.where(running_games.c.uid.not_in(moved))).scalars()
        gone = [str(uid) for uid in found if uid not in spared]
        for table in (running_moves, running_games, seat_tokens, game_origins):
            for i in range(0, len(gone), MOST_AT_ONCE):
                connection.execute(delete(table).where(table.c.uid.in_(gone[i : i + MOST_AT_ONCE])))
    return gone


def delete_boards(store: Store, before: float) -> int:
    """Take away uploaded boards as old as this; games that are played on them have them in their configs."""
    with store.writing() as connection:
        return connection.execute(delete(boards).where(boards.c.created_at < before)).rowcount


def load_tokens(store: Store, uid: str) -> dict[str, str]:
    """The hash of each seat's token, of a running or finished game."""
    query = select(seat_tokens.c.seat, seat_tokens.c.token_hash).where(seat_tokens.c.uid == uid)
    with store.reading() as connection:
        return {str(row.seat): str(row.token_hash) for row in connection.execute(query)}


def save_board(store: Store, digest: str, name: str, board: Mapping[str, Any]) -> None:
    """Keep the JSON of an uploaded board; nothing happens if it is there."""
    with store.writing() as connection:
        if connection.execute(select(boards.c.digest).where(boards.c.digest == digest)).first() is None:
            text = json.dumps(board, ensure_ascii=False)
            row = {"digest": digest, "name": name, "board": text, "created_at": store.now(connection)}
            connection.execute(insert(boards), [row])


def load_board(store: Store, digest: str) -> dict[str, Any] | None:
    """The JSON of an uploaded board."""
    with store.reading() as connection:
        text = connection.execute(select(boards.c.board).where(boards.c.digest == digest)).scalar()
    return None if text is None else dict(json.loads(text))
