"""The life of a worker process: a task comes over its socket, the answer goes back; the socket's end is its own.

Run as `python -m manhunt.server.worker_process FD`. A thread reads the socket all the time, so that a worker ends with
its server also in the middle of a task, however the server ended.
"""

from __future__ import annotations

import os
import pickle
import queue
import socket
import struct
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any

HEAD = struct.Struct("!I")


def pack(message: object) -> bytes:
    """One message on the socket: its length, then its pickle."""
    body = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    return HEAD.pack(len(body)) + body


def find(what: str) -> Callable[..., Any]:
    """The function of `module:function`."""
    module, _, name = what.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), name)
    return found


def main(arguments: list[str]) -> None:
    sys.stdout = sys.stderr
    if len(arguments) > 1:
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
