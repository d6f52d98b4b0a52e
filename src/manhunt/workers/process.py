"""The life of a worker process: a task comes over a pipe, the answer goes back; the end of the pipe is its own.

A thread reads the pipe all the time, so that a worker ends with its parent also in the middle of a task, however the
parent ended.
"""

import contextlib
import io
import os
import pickle
import queue
import signal
import struct
import threading
from collections import OrderedDict
from collections.abc import Callable
from importlib import import_module
from typing import Any

from manhunt.boards.board import Board
from manhunt.core.errors import ManhuntError
from manhunt.workers.deadlines import be_watched, begin_task

HEAD = struct.Struct("!I")
READY = ("ready", 0, None)
MAX_BOARDS = 200
"""Boards that a worker remembers, at least; they are by far the largest part of most tasks."""


def pack(message: object, known: set[str] | None = None) -> bytes:
    """One message in the pipe: its length, then its pickle.

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
    if len(known) >= MAX_BOARDS:
        known.clear()
    known.add(board.hash)
    return new_board, (board.hash, board.name, board.labels, board.edges, board.positions)


_boards: OrderedDict[str, Board] = OrderedDict()


def new_board(digest: str, *parts: Any) -> Board:
    """In the worker: a board that comes for the first time."""
    _boards[digest] = Board(*parts)
    while len(_boards) > 2 * MAX_BOARDS:
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


def main(niceness: int, note: int | None = None) -> None:
    """`note` is the descriptor of the bytes where this worker tells until when it must be done."""
    if note is not None:
        be_watched(note)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(niceness)
    gone = contextlib.suppress(BrokenPipeError)  # the parent has ended
    with gone, open(os.dup(0), "rb") as incoming, open(os.dup(1), "wb") as outgoing:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)  # what agents read and write is no part of our talk
        _send(outgoing, pack(READY))
        tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threading.Thread(target=_read, args=(incoming, tasks), daemon=True).start()
        while True:
            number, what, args = tasks.get()
            _send(outgoing, _answer(outgoing, number, what, args))


def _send(outgoing: io.BufferedWriter, message: bytes) -> None:
    outgoing.write(message)
    outgoing.flush()


def _read(incoming: io.BufferedReader, tasks: queue.SimpleQueue[Any]) -> None:
    try:
        while len(head := incoming.read(HEAD.size)) == HEAD.size:
            tasks.put(pickle.loads(incoming.read(*HEAD.unpack(head))))
    finally:
        os._exit(0)


def _answer(outgoing: io.BufferedWriter, number: int, what: str, args: tuple[Any, ...]) -> bytes:
    from manhunt.analysis import progress

    progress.listen(lambda done, total, words: _send(outgoing, pack(("progress", number, (done, total, words)))))
    begin_task(number)
    try:
        return pack(("done", number, find(what)(*args)))
    except ManhuntError as error:
        return pack(("refused", number, (type(error), str(error))))
    except Exception as error:
        return pack(("failed", number, " ".join(f"{type(error).__name__}: {error}".split())))
    finally:
        progress.listen(None)
