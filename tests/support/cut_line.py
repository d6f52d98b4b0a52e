"""Databases whose line breaks while something is committed: before the commit, or when only its answer is to come.

For PostgreSQL a proxy cuts real connections; a file has no line, so there the writer is made to fail in the same way.
"""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from typing import Protocol
from unittest import mock

from sqlalchemy.engine import make_url

from manhunt.server.durable import GameWriter
from manhunt.store.connect import BadStore, Store

COMMIT = b"COMMIT"


class Line(Protocol):
    """Between a server and its store."""

    url: str

    def cut(self, *, is_late: bool, is_down: bool) -> AbstractContextManager[None]:
        """In the block every commit fails. `is_late`: it happens all the same. `is_down`: nobody can look either."""


class FileLine:
    def __init__(self, url: str) -> None:
        self.url = url

    @contextmanager
    def cut(self, *, is_late: bool, is_down: bool) -> Iterator[None]:
        commit = GameWriter._commit

        def lose(writer: GameWriter, batch: object) -> None:
            if is_late:
                commit(writer, batch)  # type: ignore[arg-type]
            raise BadStore("server closed the connection unexpectedly")

        @contextmanager
        def refuse(store: Store) -> Iterator[None]:
            raise BadStore("connection refused")
            yield

        with ExitStack() as patches:
            patches.enter_context(mock.patch.object(GameWriter, "_commit", lose))
            if is_down:
                patches.enter_context(mock.patch.object(Store, "reading", refuse))
            yield


class PostgresLine:
    """A proxy before a PostgreSQL server."""

    def __init__(self, url: str) -> None:
        parsed = make_url(url)
        self._server = (str(parsed.host), int(parsed.port or 0))
        self._door = socket.create_server(("127.0.0.1", 0))
        self.url = parsed.set(host="127.0.0.1", port=self._door.getsockname()[1]).render_as_string(False)
        self._is_cut = self._is_late = self._is_down = self._is_refusing = False
        threading.Thread(target=self._serve, daemon=True).start()

    @contextmanager
    def cut(self, *, is_late: bool, is_down: bool) -> Iterator[None]:
        self._is_cut, self._is_late, self._is_down = True, is_late, is_down
        try:
            yield
        finally:
            self._is_cut = self._is_refusing = False

    def close(self) -> None:
        self._door.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._door.accept()
                if self._is_refusing:
                    client.close()
                else:
                    threading.Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        with client, socket.create_connection(self._server) as server, suppress(OSError):
            while True:
                for source in select.select([client, server], [], [])[0]:
                    data = source.recv(65536)
                    if not data:
                        return
                    if source is client and self._is_cut and COMMIT in data:
                        if self._is_late:
                            server.sendall(data)
                            server.recv(65536)  # it has happened
                        self._is_refusing = self._is_down
                        return
                    (server if source is client else client).sendall(data)
