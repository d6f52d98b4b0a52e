"""The store on both databases: migrations, constraints, leases, and what goes wrong in one line."""

import os
import sqlite3
import subprocess
import sys
import threading

import pytest

from manhunt.core.errors import ManhuntError
from manhunt.store import connect, leases
from manhunt.store.connect import BadStore, migration_config, open_store, parse_url
from manhunt.store.games import FinishedGame, list_games, load_record, save_game
from manhunt.store.leases import Lease
from manhunt.store.schema import HEAD, metadata
from manhunt.store.tournaments import (
    KeptResult,
    append_results,
    count_results,
    create_tournament,
    find_tournament,
    finish_tournament,
    load_results,
    tournament_names,
)

SETTINGS = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
RECORD = "manhunt record 1\ngame: pursuit\n\noutcome: evader survival\n"


def a_game(uid: str = "g1", record: str = RECORD, outcome: str = "evader survival") -> FinishedGame:
    return FinishedGame(uid, "pursuit", "ann", "bob", 2**47, outcome, 3, 9, record)


def a_result(number: int, deal: int = 0, **more) -> KeptResult:
    return KeptResult(number, 0, 0, deal, "ann", "bob", "evader survival", 3, 9, **more)


def a_tournament(store, name: str = "class"):
    return create_tournament(store, name, '{"seed": 1}', "abc", "name = 'class'", {"manhunt": "0"})


def test_the_migrations_make_the_tables_of_the_schema(store) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext
    from alembic.script import ScriptDirectory

    assert ScriptDirectory.from_config(migration_config()).get_current_head() == HEAD
    with store.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_a_migration_can_be_taken_back_and_done_again(store, url) -> None:
    from alembic import command

    config = migration_config()
    with store.writing() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
    with pytest.raises(BadStore, match="holds no store; run a tournament first"):
        open_store(url, create=False)
    again = open_store(url)
    assert tournament_names(again) == []
    again.close()


def test_many_open_a_new_store_at_once(url) -> None:
    failures: list[Exception] = []

    def opening() -> None:
        try:
            open_store(url).close()
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=opening) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_a_store_of_another_version_is_refused(store, url) -> None:
    with store.writing() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(BadStore, match="written by another version of manhunt"):
        open_store(url)


def test_games_come_back_and_only_once(store) -> None:
    save_game(store, a_game())
    with pytest.raises(BadStore, match="game g1 is in the store already"):
        save_game(store, a_game())
    save_game(store, a_game("g2"))
    assert load_record(store, "g1") == RECORD
    assert [game.uid for game in list_games(store, game="pursuit")] == ["g2", "g1"]
    assert list_games(store, game="fugitive") == []
    assert list_games(store)[1].seed == 2**47
    with pytest.raises(BadStore, match="holds no game 'g3'"):
        load_record(store, "g3")


@pytest.mark.parametrize(
    "game", [a_game(outcome=""), a_game(record="manhunt record 1\n1. T46\n\noutcome: unfinished\n")]
)
def test_a_game_that_goes_on_is_not_kept(store, game) -> None:
    with pytest.raises(BadStore, match="game g1 is not over; only finished games are kept"):
        save_game(store, game)
    assert list_games(store) == []


def test_a_tournament_and_its_results_come_back(store) -> None:
    kept = a_tournament(store)
    assert find_tournament(store, "class") == kept
    assert find_tournament(store, "other") is None
    with pytest.raises(BadStore, match="holds a tournament 'class' already"):
        a_tournament(store)
    rows = [
        a_result(
            1, deal=1, faults=({"seat": "evader", "why": "crash", "detail": "ß"},), times={"evader": [1, 0.5, 0.5]}
        ),
        a_result(0, game_uid="g1"),
        KeptResult(2, 0, 0, 2, "ann", "bob", None, 0, 0),
    ]
    with Lease(store, kept.id, kept.name) as lease:
        append_results(store, lease, kept, rows, [a_game()])
        finish_tournament(store, lease, kept)
    assert load_results(store, kept) == sorted(rows, key=lambda row: row.number)
    assert count_results(store, kept) == 3
    found = find_tournament(store, "class")
    assert found is not None
    assert found.finished_at is not None


@pytest.mark.parametrize(
    "again",
    [a_result(0, deal=5), a_result(7, deal=0), a_result(7, deal=7, game_uid="g1")],
    ids=["number", "match", "game"],
)
def test_nothing_is_kept_twice_and_a_refused_batch_leaves_nothing(store, again) -> None:
    kept = a_tournament(store)
    with Lease(store, kept.id, kept.name) as lease:
        append_results(store, lease, kept, [a_result(0, game_uid="g1")], [a_game()])
        with pytest.raises(BadStore, match="in the store already"):
            append_results(store, lease, kept, [a_result(3, deal=3, game_uid="g3"), again], [a_game("g3")])
    assert [row.number for row in load_results(store, kept)] == [0]
    assert [game.uid for game in list_games(store)] == ["g1"]


def test_two_do_not_play_one_tournament(store) -> None:
    kept, other = a_tournament(store), a_tournament(store, "other")
    told = rf"'class' is being played by process {os.getpid()} on "
    with Lease(store, kept.id, kept.name), Lease(store, other.id, other.name), pytest.raises(BadStore, match=told):
        Lease(store, kept.id, kept.name)
    Lease(store, kept.id, kept.name).give_back()


def test_a_lease_ends_with_its_process(store, url) -> None:
    kept = a_tournament(store)
    code = (
        "import sys, os, signal; from manhunt.store.connect import open_store;"
        "from manhunt.store.leases import Lease; from manhunt.store.tournaments import find_tournament;"
        "s = open_store(sys.argv[1]); kept = find_tournament(s, 'class'); lease = Lease(s, kept.id, kept.name);"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert subprocess.run([sys.executable, "-c", code, url], timeout=300).returncode == -9
    Lease(store, kept.id, kept.name).give_back()


def test_a_lease_from_elsewhere_ends_with_its_time_and_its_owner_cannot_write_any_more(store, monkeypatch) -> None:
    kept = a_tournament(store)
    monkeypatch.setattr(leases, "this_process", lambda: leases.Holder("elsewhere", "1 @ 2"))
    asleep = Lease(store, kept.id, kept.name)
    monkeypatch.undo()
    with pytest.raises(BadStore, match="process 1 on elsewhere; let it end first"):
        Lease(store, kept.id, kept.name)
    with store.writing() as connection:
        connection.exec_driver_sql("UPDATE leases SET expires_at = 1")
    with Lease(store, kept.id, kept.name) as lease:
        with pytest.raises(BadStore, match="another process has taken over the tournament 'class'"):
            append_results(store, asleep, kept, [a_result(0)], [])
        append_results(store, lease, kept, [a_result(0)], [])
        asleep.give_back()  # must not end the other's lease
        append_results(store, lease, kept, [a_result(1, deal=1)], [])
    assert count_results(store, kept) == 2


def test_the_lease_is_renewed_while_a_long_game_is_played(store, monkeypatch) -> None:
    kept = a_tournament(store)
    renewed = threading.Event()
    monkeypatch.setattr(leases, "RENEW_SECONDS", 0.01)
    show = leases.Lease.show
    monkeypatch.setattr(leases.Lease, "show", lambda self, connection: (show(self, connection), renewed.set()))  # type: ignore[func-returns-value]
    with Lease(store, kept.id, kept.name):
        assert renewed.wait(300)


def test_a_process_is_told_from_a_later_one_with_its_number() -> None:
    me = leases.this_process()
    assert leases.is_alive(me.process)
    assert not leases.is_alive(f"{os.getpid()} @ 1")
    with subprocess.Popen([sys.executable, "-c", "pass"]) as child:
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # dead, but not buried
        assert not leases.is_alive(f"{child.pid} @ 1")


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("postgresql://nobody@127.0.0.1:1/x", "postgresql://nobody@127.0.0.1:1/x does not answer: .*refused"),
        ("postgresql://nobody:secret@127.0.0.1:1/x", r"nobody:\*\*\*@127"),
        ("mysql://a@b/c", "no store in a mysql database; give a file's name for SQLite, or postgresql://"),
        ("postgresql://a:b@c:nonsense/x", "is not a database URL"),
    ],
)
def test_a_database_that_does_not_answer_is_one_line(where, told) -> None:
    with pytest.raises(ManhuntError, match=told) as caught:
        open_store(where)
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)
    assert ":b@" not in str(caught.value)


def test_a_file_that_cannot_be_a_store_is_one_line(tmp_path) -> None:
    with pytest.raises(BadStore, match="is a folder; name a file"):
        open_store(tmp_path)
    with pytest.raises(BadStore, match="the folder .*none does not exist"):
        open_store(tmp_path / "none" / "a.db")
    with pytest.raises(BadStore, match="there is no store .*a.db; run a tournament first"):
        open_store(tmp_path / "a.db", create=False)
    assert not (tmp_path / "a.db").exists()
    (tmp_path / "b.db").write_text("this is no database at all, though it is long enough to be looked at")
    with pytest.raises(BadStore, match="b.db is damaged: file is not a database"):
        open_store(tmp_path / "b.db")


def test_urls_of_postgresql_as_people_write_them() -> None:
    for text in ("postgres://u@h/d", "postgresql://u@h/d", "postgresql+psycopg://u@h/d"):
        assert parse_url(text).drivername == "postgresql+psycopg"
    assert parse_url("sqlite:///a.db").database == "a.db"


def test_sqlite_puts_every_commit_on_the_disk_and_lets_readers_read(tmp_path) -> None:
    store = open_store(tmp_path / "games.db")
    with store.reading() as connection:
        settings = {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in SETTINGS}
    store.close()
    assert settings == SETTINGS


class BusyCursor:
    """A file that others hold for the first tries."""

    def __init__(self, *codes: int) -> None:
        self.codes, self.n_tries = list(codes), 0

    def execute(self, statement: str) -> None:
        self.n_tries += 1
        if self.codes:
            error = sqlite3.OperationalError("cannot")
            error.sqlite_errorcode = self.codes.pop(0)
            raise error


def test_sqlite_waits_for_others_who_open_the_same_new_file(monkeypatch) -> None:
    monkeypatch.setattr("manhunt.store.connect.time.sleep", lambda seconds: None)
    busy = BusyCursor(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_BUSY_RECOVERY)
    connect._switch_to_wal(busy)
    assert busy.n_tries == 3
    with pytest.raises(sqlite3.OperationalError):
        connect._switch_to_wal(BusyCursor(sqlite3.SQLITE_FULL))
