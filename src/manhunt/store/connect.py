"""Opening a store: SQLite by a file's name, PostgreSQL by URL; brought up to date and ready before the first game."""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, func, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, SQLAlchemyError

from manhunt.core.errors import ManhuntError, missing_extra
from manhunt.store.schema import HEAD

ANSWER_SECONDS = 5
BUSY_SECONDS = 30.0
_MAGIC = b"SQLite format 3\0"
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_MIGRATION_LOCK = 7_126_001
_WRITING = "manhunt_writing"
_SQLITE = "sqlite"
_POSTGRES = "postgresql"


class BadStore(ManhuntError):
    """A database that does not answer, or that holds something else than expected."""


class StoreLost(BadStore):
    """The database is damaged, overwritten, replaced or deleted: nothing can be kept in it any more."""


class Store:
    """An open store. Every block of `reading` and `writing` is one short transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.name = shown(engine.url)
        self._file = StoreFile(Path(self.name)) if self.is_sqlite and self._engine.url.database else None
        self._lost: StoreLost | None = None

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
        self.check_file()
        with self._in_words(), self._engine.connect() as connection:
            connection = connection.execution_options(**{_WRITING: True})
            with connection.begin():
                yield connection
        self.check_file()

    def check_file(self) -> None:
        """StoreLost, now and ever after, if the file that was opened does not have its name any more, or is none.

        SQLite goes on writing into a file that was deleted or replaced; nobody would find again what it wrote.
        """
        if self._lost is None and self._file is not None:
            try:
                self._file.check()
            except StoreLost as error:
                self._lost = error
        if self._lost is not None:
            raise StoreLost(str(self._lost))

    def watch_file(self) -> None:
        """From now on notice also that the file was overwritten; for a server, as it takes a descriptor for good."""
        if self._file is not None:
            self._file.keep_open()

    def check_pages(self) -> None:
        """The same, if what is in the file is damaged. Reads all of it."""
        self.check_file()
        if self._file is None:
            return
        with self.reading() as connection:
            found = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one())
        if found != "ok":
            self._lost = StoreLost(f"the database {self.name} is damaged: {found.splitlines()[0][:200]}")
            raise self._lost

    def n_bytes(self) -> int:
        """How large the database is."""
        if self._file is not None:
            return self._file.n_bytes()
        with self.reading() as connection:
            return int(connection.execute(select(func.pg_database_size(func.current_database()))).scalar_one())

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
            if getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in _DAMAGE:
                self._lost = StoreLost(f"the database {self.name} is damaged: {_reason(error)}")
                raise self._lost from None
            raise BadStore(f"the database {self.name} does not answer: {_reason(error)}") from None


class StoreFile:
    """The file of an SQLite store, as it was when it was opened."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._id: tuple[int, int] | None = None
        self._descriptor: int | None = None

    def remember(self) -> None:
        found = self._file.stat()
        self._id = (found.st_dev, found.st_ino)

    def keep_open(self) -> None:
        """To read the head from time to time. It is never closed: whoever closes any descriptor of a file gives up all
        locks that the process has on it, also those of SQLite, which then fails or writes beside another process.
        """
        if hasattr(os, "pread"):
            self._descriptor = os.open(self._file, os.O_RDONLY)

    def check(self) -> None:
        if self._id is None:
            return
        try:
            found = self._file.stat()
        except OSError as error:
            raise StoreLost(f"the database {self._file} is gone: {error.strerror}") from None
        if (found.st_dev, found.st_ino) != self._id:
            raise StoreLost(f"the database {self._file} was replaced by another file; start again to use that one")
        head = _MAGIC if self._descriptor is None else os.pread(self._descriptor, len(_MAGIC), 0)
        if found.st_size == 0 or head != _MAGIC:
            raise StoreLost(f"the database {self._file} was overwritten; restore it from a backup")

    def n_bytes(self) -> int:
        files = [self._file, Path(f"{self._file}-wal")]
        return sum(file.stat().st_size for file in files if file.exists())


def open_store(where: str | Path, *, create: bool = True, busy_seconds: float = BUSY_SECONDS) -> Store:
    """The store in a file, or at a URL such as postgresql://user@host/name; `create` makes one where there is none.

    `busy_seconds` is how long to wait for another process that writes into the same file.
    """
    url = parse_url(where)
    if url.get_backend_name() == _SQLITE and url.database:
        _check_file(Path(url.database), create)
    store = Store(_engine(url, busy_seconds))
    try:
        _bring_up_to_date(store, create)
        if store._file is not None:
            store._file.remember()
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
        raise BadStore(f"{_without_password(text)!r} is not a database URL; use postgresql://USER@HOST/NAME") from None
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
    if not file.exists():
        _make_private(file)


def _make_private(file: Path) -> None:
    """An empty file that nobody else on this machine can read; SQLite gives the same mode to the files beside it."""
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        raise BadStore(f"cannot make the store {file}: {error.strerror}") from None


def _engine(url: URL, busy_seconds: float) -> Engine:
    """Its errors do not tell what was to be written: they go into logs, and hidden moves are no business of those."""
    if url.get_backend_name() == _SQLITE:
        engine = create_engine(url, hide_parameters=True, connect_args={"timeout": busy_seconds})
        event.listen(engine, "connect", _settle_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    try:
        settings = {"connect_timeout": ANSWER_SECONDS}
        return create_engine(url, hide_parameters=True, pool_pre_ping=True, connect_args=settings)
    except ModuleNotFoundError:
        raise missing_extra("PostgreSQL needs the extra 'postgres'", "postgres") from None


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
