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
from typing import Any

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
    pickler = pickle.Pickler(stream, protocol=pickle.HIGHEST_PROTOCOL)
    if known is not None:
        pickler.dispatch_table = {Board: lambda board: _reduced(board, known)}
    pickler.dump(message)
    data = stream.getbuffer()
    HEAD.pack_into(data, 0, len(data) - HEAD.size)
    return bytes(data)


def _reduced(board: Board, known: set[str]) -> tuple[Callable[..., Board], tuple[Any, ...]]:
    if board.hash in known:
        return known_board, (board.hash,)
    if len(known) >= MOST_BOARDS:
        known.clear()
    known.add(board.hash)
    return new_board, (board.hash, board.name, board.labels, board.edges, board.positions)


_boards: OrderedDict[str, Board] = OrderedDict()


def new_board(digest: str, *parts: Any) -> Board:
    """In the worker: a board that comes for the first time."""
    _boards[digest] = Board(*parts)
    while len(_boards) > 2 * MOST_BOARDS:
        _boards.popitem(last=False)
    return _boards[digest]


def known_board(digest: str) -> Board:
    _boards.move_to_end(digest)
    return _boards[digest]


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
                tasks.put(pickle.loads(stream.read(*HEAD.unpack(head))))
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
