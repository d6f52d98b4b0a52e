"""The life of a worker process: a task comes over its socket, the answer goes back; the socket's end is its own.

Run as `python -m manhunt.server.worker_process FD NICENESS`. A thread reads the socket all the time, so that a worker
ends with its server also in the middle of a task, however the server ended.
"""

from __future__ import annotations

import io
import os
import pickle
import queue
import socket
import struct
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable
from importlib import import_module
from typing import Any, ClassVar

from manhunt.boards.board import Board

HEAD = struct.Struct("!I")


MOST_BOARDS = 200
"""Boards that a worker remembers, at least; they are by far the largest part of most tasks."""


def pack(message: object, known: set[str] | None = None) -> bytes:
    """One message on the socket: its length, then its pickle.

    With `known`, the hashes of the boards that the other end has, such boards go as their hash alone.
    """
    stream = io.BytesIO()
    stream.write(HEAD.pack(0))
    if known is None:
        pickle.dump(message, stream, protocol=pickle.HIGHEST_PROTOCOL)
    else:
        _BoardPickler(stream, known).dump(message)
    data = stream.getbuffer()
    HEAD.pack_into(data, 0, len(data) - HEAD.size)
    return bytes(data)


class _BoardPickler(pickle.Pickler):
    def __init__(self, stream: io.BytesIO, known: set[str]) -> None:
        super().__init__(stream, protocol=pickle.HIGHEST_PROTOCOL)
        self._known = known

    def persistent_id(self, value: Any) -> Any:
        if type(value) is not Board:
            return None
        if value.hash in self._known:
            return value.hash, None
        if len(self._known) >= MOST_BOARDS:
            self._known.clear()
        self._known.add(value.hash)
        return value.hash, pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)


class _BoardUnpickler(pickle.Unpickler):
    boards: ClassVar[OrderedDict[str, Board]] = OrderedDict()

    def persistent_load(self, name: Any) -> Board:
        digest, data = name
        if data is not None:
            self.boards[digest] = pickle.loads(data)
        self.boards.move_to_end(digest)
        while len(self.boards) > 2 * MOST_BOARDS:
            self.boards.popitem(last=False)
        return self.boards[digest]


def unpack(body: bytes) -> Any:
    return _BoardUnpickler(io.BytesIO(body)).load()


def find(what: str) -> Callable[..., Any]:
    """The function of `module:function`."""
    module, _, name = what.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), name)
    return found


def main(arguments: list[str]) -> None:
    sys.stdout = sys.stderr
    if hasattr(os, "nice"):
        os.nice(int(arguments[1]))
    channel = socket.socket(fileno=int(arguments[0]))
    tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(channel, tasks), daemon=True).start()
    while True:
        number, what, args = tasks.get()
        channel.sendall(pack(_answer(channel, number, what, args)))


def _read(channel: socket.socket, tasks: queue.SimpleQueue[Any]) -> None:
    try:
        with channel.makefile("rb") as stream:
            while len(head := stream.read(HEAD.size)) == HEAD.size:
                tasks.put(unpack(stream.read(*HEAD.unpack(head))))
    finally:
        os._exit(0)


def _answer(channel: socket.socket, number: int, what: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
    from manhunt.errors import ManhuntError
    from manhunt.server import progress

    progress.listen(lambda done, total, words: channel.sendall(pack(("progress", number, (done, total, words)))))
    try:
        answer = ("done", number, find(what)(*args))
        pickle.dumps(answer)
        return answer
    except ManhuntError as error:
        return "refused", number, (type(error), str(error))
    except Exception as error:
        return "failed", number, " ".join(f"{type(error).__name__}: {error}".split())
    finally:
        progress.listen(None)


if __name__ == "__main__":
    main(sys.argv[1:])
