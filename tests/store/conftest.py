"""Both real databases: a SQLite file for each test, one PostgreSQL server for the run and a database for each test."""

import itertools
from collections.abc import Iterator

import pytest

from manhunt.store.connect import Store, open_store
from postgres import NoPostgres, throwaway_postgres

_count = itertools.count()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    try:
        server = throwaway_postgres()
        url = server.__enter__()
    except NoPostgres as reason:
        pytest.skip(f"NOT TESTED ON POSTGRESQL: {reason}")
    yield url
    server.__exit__(None, None, None)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path) -> str:
    """Where an empty database is."""
    if request.param == "sqlite":
        return str(tmp_path / "store.db")
    import psycopg

    server = request.getfixturevalue("postgres")
    name = f"test_{next(_count)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return server.rpartition("/")[0] + f"/{name}"


@pytest.fixture
def store(url) -> Iterator[Store]:
    store = open_store(url)
    yield store
    store.close()
