"""Who works on a tournament: a lease that ends with its process, however it ends."""

import contextlib
import os
import socket
import threading
import uuid
from pathlib import Path
from typing import NamedTuple, Self

from sqlalchemy import Connection, Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from manhunt.core.errors import ManhuntError
from manhunt.store.connect import BadStore, Store
from manhunt.store.schema import leases

LEASE_SECONDS = 60.0
RENEW_SECONDS = 10.0


class Holder(NamedTuple):
    """A process as another one on the same machine can find it again: `123 @ 456`, its id and when it began."""

    machine: str
    process: str


class Lease:
    """The right to write a tournament's results, kept alive by a thread; BadStore if a living process has it.

    `show` proves it inside the caller's transaction. So nobody who lost the lease (asleep for too long, cut off from
    the database) can write any more.
    """

    def __init__(self, store: Store, tournament_id: int, name: str) -> None:
        self._store, self._id, self._name = store, tournament_id, name
        self._token = uuid.uuid4().hex
        self._mine = (leases.c.tournament_id == tournament_id) & (leases.c.token == self._token)
        self._over = threading.Event()
        self._take()
        self._thread = threading.Thread(target=self._renew, daemon=True, name="manhunt-lease")
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.give_back()

    def show(self, connection: Connection) -> None:
        """Renew the lease as part of a transaction; BadStore if it is another's by now."""
        expires = self._store.now(connection) + LEASE_SECONDS
        if connection.execute(update(leases).where(self._mine).values(expires_at=expires)).rowcount != 1:
            raise BadStore(f"another process has taken over the tournament {self._name!r}; this one stops")

    def give_back(self) -> None:
        self._over.set()
        self._thread.join()
        # where this fails the lease ends by itself; what stopped the run is told already
        with contextlib.suppress(ManhuntError), self._store.writing() as connection:
            connection.execute(delete(leases).where(self._mine))

    def _take(self) -> None:
        me = this_process()
        try:
            with self._store.writing() as connection:
                now = self._store.now(connection)
                held = connection.execute(select(leases).where(leases.c.tournament_id == self._id)).first()
                if held is not None and not _has_ended(held, now, me):
                    raise BadStore(f"the tournament {self._name!r} is being played by {_who(held)}; let it end first")
                connection.execute(delete(leases).where(leases.c.tournament_id == self._id))
                row = {"tournament_id": self._id, "token": self._token, "expires_at": now + LEASE_SECONDS}
                connection.execute(insert(leases).values(**row, machine=me.machine, process=me.process))
        except IntegrityError:
            raise BadStore(f"another process has just begun to play the tournament {self._name!r}") from None

    def _renew(self) -> None:
        while not self._over.wait(RENEW_SECONDS):
            # where this fails the next result is refused, and says why
            with contextlib.suppress(ManhuntError), self._store.writing() as connection:
                self.show(connection)


def _who(held: Row[tuple[object, ...]]) -> str:
    return f"process {str(held.process).split()[0]} on {str(held.machine).split()[0]}"


def _has_ended(held: Row[tuple[object, ...]], now: float, me: Holder) -> bool:
    if float(held.expires_at) < now:
        return True
    return held.machine == me.machine and not is_alive(str(held.process))


def this_process() -> Holder:
    """Machine and process ids mean something only within one start of a machine and one space of processes."""
    parts = [socket.gethostname(), _text(Path("/proc/sys/kernel/random/boot_id"))]
    with contextlib.suppress(OSError):
        parts.append(os.readlink("/proc/self/ns/pid"))
    return Holder(" ".join(part for part in parts if part), f"{os.getpid()} @ {_began(os.getpid())}")


def is_alive(process: str) -> bool:
    pid, _, began = process.partition(" @ ")
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return _began(int(pid)) == began


def _began(pid: int) -> str:
    """When a process began, where the system tells; nothing for one that is dead but not reaped."""
    fields = _text(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return fields[19] if len(fields) > 19 and fields[0] != "Z" else ""


def _text(file: Path) -> str:
    try:
        return file.read_text().strip()
    except OSError:
        return ""
