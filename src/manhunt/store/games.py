"""Finished games, from wherever they were played.

A record holds the secrets of both sides. That is why a game comes here when it is over and not before: nothing that
these functions give can tell a seat what it may not know yet.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from manhunt.store.connect import BadStore, Store
from manhunt.store.schema import games

_SUMMARY = tuple(column for column in games.c if column.name != "record")
UPLOADED = "upload-"
"""How the uid of a game begins whose record somebody brought; lists of what was played here leave it out."""
_UNFINISHED = "\noutcome: unfinished"


@dataclass(frozen=True, slots=True)
class _GameRow:
    uid: str
    game: str
    evader: str
    pursuers: str
    seed: int
    outcome: str
    rounds: int
    plies: int


@dataclass(frozen=True, slots=True)
class GameSummary(_GameRow):
    """A finished game without its moves."""

    finished_at: float


@dataclass(frozen=True, slots=True)
class FinishedGame(_GameRow):
    """A game to be kept; `record` is its text."""

    record: str


def save_game(store: Store, game: FinishedGame) -> None:
    """Keep one game; BadStore if it is not over, or if its uid is taken."""
    try:
        with store.writing() as connection:
            insert_games(connection, [game], store.now(connection))
    except IntegrityError:
        raise BadStore(f"the game {game.uid} is in the store already") from None


def insert_games(connection: Connection, finished: Iterable[FinishedGame], at: float) -> None:
    """Keep games as part of the caller's transaction."""
    rows = []
    for game in finished:
        if not game.outcome or _UNFINISHED in game.record:
            raise BadStore(f"the game {game.uid} is not over; only finished games are kept")
        rows.append({**asdict(game), "finished_at": at})
    if rows:
        connection.execute(insert(games), rows)


def has_game(connection: Connection, uid: str) -> bool:
    return connection.execute(select(games.c.uid).where(games.c.uid == uid)).first() is not None


class NoRecord(BadStore):
    """The store holds no finished game of this name."""


def load_record(store: Store, uid: str) -> str:
    """The record's text of a finished game; NoRecord if there is none."""
    with store.reading() as connection:
        text = connection.execute(select(games.c.record).where(games.c.uid == uid)).scalar()
    if text is None:
        raise NoRecord(f"{store.name} holds no game {uid!r}")
    return str(text)


def list_games(store: Store, *, game: str | None = None, limit: int = 50) -> list[GameSummary]:
    """The newest games first, without those that were only brought to be looked at."""
    query = (
        select(*_SUMMARY)
        .where(games.c.uid.not_like(f"{UPLOADED}%"))
        .order_by(games.c.finished_at.desc(), games.c.uid)
        .limit(limit)
    )
    if game is not None:
        query = query.where(games.c.game == game)
    with store.reading() as connection:
        return [GameSummary(**row._mapping) for row in connection.execute(query)]
