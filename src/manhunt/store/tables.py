"""Tables of people: what stands there now, what was said, and which games were played."""

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from manhunt.store.connect import Store
from manhunt.store.schema import play_table_chat, play_table_games, play_tables, running_games

MOST_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class KeptTable:
    """`state` is whatever text the server keeps; `config` is the JSON of the game's config."""

    uid: str
    config: Mapping[str, Any]
    state: str
    created_at: float
    changed_at: float


@dataclass(frozen=True, slots=True)
class KeptMessage:
    """Something that was said; `play` and `seat` are the game and team that it was for, or None for everybody."""

    table_uid: str
    number: int
    person: int
    name: str
    text: str
    at: float
    play: str | None = None
    seat: str | None = None


def insert_table(connection: Connection, table: KeptTable) -> None:
    """Part of the caller's transaction."""
    row = {**asdict(table), "config": json.dumps(table.config, ensure_ascii=False)}
    connection.execute(insert(play_tables), [row])


def update_table(connection: Connection, uid: str, state: str, at: float, play: str | None = None) -> None:
    """What stands there now; with `play`, a game that begins there. Part of the caller's transaction."""
    connection.execute(update(play_tables).where(play_tables.c.uid == uid).values(state=state, changed_at=at))
    if play is not None:
        connection.execute(insert(play_table_games), [{"game_uid": play, "table_uid": uid}])


def has_state(connection: Connection, uid: str, state: str) -> bool:
    """Whether this is what stands there."""
    return connection.execute(select(play_tables.c.state).where(play_tables.c.uid == uid)).scalar() == state


def insert_message(connection: Connection, message: KeptMessage, gone: Collection[int] = ()) -> None:
    """The messages with the numbers `gone` go away. Part of the caller's transaction."""
    connection.execute(insert(play_table_chat), [asdict(message)])
    if gone:
        chat = play_table_chat.c
        connection.execute(delete(play_table_chat).where(chat.table_uid == message.table_uid, chat.number.in_(gone)))


def has_message(connection: Connection, message: KeptMessage) -> bool:
    """Whether it was stored as it is."""
    chat = play_table_chat.c
    query = select(play_table_chat).where(chat.table_uid == message.table_uid, chat.number == message.number)
    found = connection.execute(query).mappings().first()
    return found is not None and KeptMessage(**found) == message


def load_table(store: Store, uid: str) -> tuple[KeptTable, list[KeptMessage]] | None:
    """A table and what was said there, in order."""
    query = select(play_table_chat).where(play_table_chat.c.table_uid == uid).order_by(play_table_chat.c.number)
    with store.reading() as connection:
        row = connection.execute(select(play_tables).where(play_tables.c.uid == uid)).mappings().first()
        said = [KeptMessage(**found) for found in connection.execute(query).mappings()]
    return None if row is None else (KeptTable(**{**row, "config": json.loads(row["config"])}), said)


def table_of_game(store: Store, uid: str) -> str:
    """The uid of the table at which a game is or was played; empty if there is none."""
    query = select(play_table_games.c.table_uid).where(play_table_games.c.game_uid == uid)
    with store.reading() as connection:
        return str(connection.execute(query).scalar() or "")


def table_states(store: Store) -> list[tuple[str, str]]:
    """Uid and state of all tables, the last changed first."""
    query = select(play_tables.c.uid, play_tables.c.state).order_by(play_tables.c.changed_at.desc(), play_tables.c.uid)
    with store.reading() as connection:
        return [(str(row.uid), str(row.state)) for row in connection.execute(query)]


def delete_abandoned_tables(store: Store, before: float, spared: Collection[str] = ()) -> list[str]:
    """Take away tables at which nothing has changed since this time and no game runs; the uids of these."""
    with store.writing() as connection:
        busy = select(play_table_games.c.table_uid).join(
            running_games, running_games.c.uid == play_table_games.c.game_uid
        )
        query = select(play_tables.c.uid).where(play_tables.c.changed_at < before, play_tables.c.uid.not_in(busy))
        gone = [str(uid) for uid in connection.execute(query).scalars() if uid not in spared]
        for i in range(0, len(gone), MOST_AT_ONCE):
            some = gone[i : i + MOST_AT_ONCE]
            connection.execute(delete(play_table_chat).where(play_table_chat.c.table_uid.in_(some)))
            connection.execute(delete(play_table_games).where(play_table_games.c.table_uid.in_(some)))
            connection.execute(delete(play_tables).where(play_tables.c.uid.in_(some)))
    return gone
