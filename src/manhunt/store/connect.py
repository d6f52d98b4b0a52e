"""Opening a store: SQLite by a file's name, PostgreSQL by URL; brought up to date and ready before the first game."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, func, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, SQLAlchemyError

from manhunt.core.errors import ManhuntError, MissingExtra
from manhunt.store.schema import HEAD

ANSWER_SECONDS = 5
BUSY_SECONDS = 30
_MIGRATION_LOCK = 7_126_001
_WRITING = "manhunt_writing"
_SQLITE = "sqlite"
_POSTGRES = "postgresql"


class BadStore(ManhuntError):
    """A database that does not answer, or that holds something else than expected."""


class Store:
    """An open store. Every block of `reading` and `writing` is one short transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.name = shown(engine.url)

    @property
    def is_sqlite(self) -> bool:
        return self._engine.dialect.name == _SQLITE

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._in_words(), self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """What is written in the block is on the disk after it, or nothing of it is."""
        with self._in_words(), self._engine.connect() as connection:
            connection = connection.execution_options(**{_WRITING: True})
            with connection.begin():
                yield connection

    def now(self, connection: Connection) -> float:
        """Seconds since 1970 by the database's clock, which all its users share."""
        if self.is_sqlite:
            return time.time()
        return float(connection.execute(select(func.extract("epoch", func.clock_timestamp()))).scalar_one())

    def connect(self) -> Connection:
        """A connection that the caller holds, and closes."""
        with self._in_words():
            return self._engine.connect()

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        """An operation that the database cannot do (gone, full, locked) is one line; broken constraints pass."""
        try:
            yield
        except IntegrityError:
            raise
        except DBAPIError as error:
            raise BadStore(f"the database {self.name} does not answer: {_reason(error)}") from None


def open_store(where: str | Path, *, create: bool = True) -> Store:
    """The store in a file, or at a URL such as postgresql://user@host/name; `create` makes one where there is none."""
    url = parse_url(where)
    if url.get_backend_name() == _SQLITE and url.database:
        _check_file(Path(url.database), create)
    store = Store(_engine(url))
    try:
        _bring_up_to_date(store, create)
    except BaseException:
        store.close()
        raise
    return store


def parse_url(where: str | Path) -> URL:
    text = str(where)
    if "://" not in text:
        return URL.create(_SQLITE, database=str(Path(text).absolute()))
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise BadStore(f"{_without_password(text)!r} is no database URL; write postgresql://USER@HOST/NAME") from None
    backend = url.get_backend_name()
    if backend in ("postgres", _POSTGRES):
        return url.set(drivername=f"{_POSTGRES}+psycopg")
    if backend == _SQLITE:
        return url
    raise BadStore(f"no store in a {backend} database; give a file's name for SQLite, or postgresql://USER@HOST/NAME")


def shown(url: URL) -> str:
    """The URL as people may read it: a file's name, or without the password."""
    if url.get_backend_name() == _SQLITE:
        return url.database or ":memory:"
    return url.set(drivername=_POSTGRES).render_as_string(hide_password=True)


def _without_password(text: str) -> str:
    head, _, tail = text.rpartition("@")
    return f"{head.split('://')[0]}://...@{tail}" if head else text


def _check_file(file: Path, create: bool) -> None:
    if file.is_dir():
        raise BadStore(f"{file} is a folder; name a file for the store")
    if not file.exists() and not create:
        raise BadStore(f"there is no store {file}; run a tournament first, or name another with --store")
    if not file.parent.is_dir():
        raise BadStore(f"cannot make the store {file}: the folder {file.parent} does not exist")


def _engine(url: URL) -> Engine:
    if url.get_backend_name() == _SQLITE:
        engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS})
        event.listen(engine, "connect", _settle_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    try:
        return create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": ANSWER_SECONDS})
    except ModuleNotFoundError:
        raise MissingExtra("PostgreSQL needs the extra 'postgres': pip install 'manhunt[postgres]'") from None


def _settle_sqlite(connection: Any, _: object) -> None:
    """Readers beside one writer, every commit on the disk, and transactions that begin where we say."""
    connection.isolation_level = None
    cursor = connection.cursor()
    _switch_to_wal(cursor)
    for setting in ("synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _switch_to_wal(cursor: Any) -> None:
    """SQLite does not wait its usual time for this one statement when several open a new file, so we do."""
    patience = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > patience:
                raise
            time.sleep(0.01)


def _begin_sqlite(connection: Connection) -> None:
    """A writer takes its turn at the start: one that first read would be refused instead of waiting."""
    writing = connection.get_execution_options().get(_WRITING)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _bring_up_to_date(store: Store, create: bool) -> None:
    with store.reading() as connection:
        version = _version(connection)
    if version == HEAD:
        return
    if version is None and not create:
        raise BadStore(f"{store.name} holds no store; run a tournament first, or name another with --store")
    with store.writing() as connection:
        if not store.is_sqlite:
            connection.execute(select(func.pg_advisory_xact_lock(_MIGRATION_LOCK)))
        _migrate(store, connection)


def _version(connection: Connection) -> str | None:
    if not connection.dialect.has_table(connection, "alembic_version"):
        return None
    found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return None if found is None else str(found)


def _migrate(store: Store, connection: Connection) -> None:
    from alembic import command
    from alembic.util import CommandError

    settings = migration_config()
    settings.attributes["connection"] = connection
    try:
        command.upgrade(settings, HEAD)
    except CommandError:
        raise BadStore(f"{store.name} was written by another version of manhunt; use a newer one") from None
    except SQLAlchemyError as error:
        raise BadStore(f"{store.name} cannot be used as a store: {_reason(error)}") from None


def migration_config() -> Any:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    return config


def _reason(error: SQLAlchemyError) -> str:
    """The database's own words in one line."""
    lines = str(getattr(error, "orig", None) or error).strip().splitlines() or ["no reason given"]
    return " ".join(lines[0].split())[:300]
