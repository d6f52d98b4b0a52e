"""Playing on a Ray cluster: the same games by the same function, on as many machines as the cluster has."""

import contextlib
import io
import logging
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterable
from typing import Any, TextIO

from manhunt.arena.match import play_task
from manhunt.arena.players import Batches, Play, Playable, RetryQueue, Task, Warn
from manhunt.core.errors import ManhuntError, MissingExtra

LOCAL = "local"
ANSWER_SECONDS = 5.0
JOIN_SECONDS = 20.0
AHEAD = 2
"""Tasks in flight for each processor of the cluster."""


class RayPlayers:
    """The cluster at an address, or one that is started here for `local`.

    A game whose worker or node dies is played again; after three deaths it is given up and booked as a fault.
    """

    def __init__(self, plan: Playable, address: str, warn: Warn, play: Play = play_task) -> None:
        self._ray = _connect(address)
        self._play = self._ray.remote(num_cpus=1, max_retries=0)(play)
        self._text = self._ray.put(plan.to_text())
        self._queue = RetryQueue(plan, warn)

    def play(self, tasks: Iterable[Task]) -> Batches:
        with contextlib.redirect_stdout(_OutputWithoutRay(sys.stdout)):
            self._queue.fill(tasks)
            yield from self._games()

    def close(self) -> None:
        with contextlib.redirect_stdout(io.StringIO()):  # where Ray repeats what its threads had to say
            self._ray.shutdown()

    def _games(self) -> Batches:
        ray, folder = self._ray, os.getcwd()
        flying: dict[Any, Task] = {}
        while True:
            while len(flying) < AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1))):
                if (task := self._queue.next()) is None:
                    break
                flying[self._play.remote(self._text, task, folder)] = task
            if not flying:
                return
            done, _ = ray.wait(list(flying), num_returns=1, timeout=60)
            for reference in done:
                task = flying.pop(reference)
                try:
                    yield ray.get(reference)
                except ray.exceptions.RayTaskError as error:
                    raise ManhuntError(f"a worker of the cluster cannot play: {_cause(error)}") from None
                except ray.exceptions.RayError as error:
                    yield from self._queue.died(task, type(error).__name__)


class _OutputWithoutRay(io.TextIOBase):
    """Standard output without what Ray's own threads print there when a node dies; we report that ourselves."""

    def __init__(self, inner: TextIO) -> None:
        self._inner = inner

    def write(self, text: str) -> int:
        if threading.current_thread().name.startswith("ray_"):
            return len(text)
        return self._inner.write(text)

    def flush(self) -> None:
        self._inner.flush()


def _cause(error: Any) -> str:
    cause = getattr(error, "cause", None)
    return f"{type(cause).__name__}: {cause}" if cause is not None else str(error).splitlines()[-1]


def _import_ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
        import ray.exceptions
    except ImportError:
        raise MissingExtra("--ray needs the extra 'ray': pip install 'manhunt[ray]'") from None
    return ray


def _connect(address: str) -> Any:
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address == LOCAL:
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")  # makes Ray listen on 127.0.0.1 alone
        ray = _import_ray()
        ray.init(include_dashboard=False, **quiet)
        return ray
    _check_address(address)
    ray = _import_ray()
    _check_joining(address)
    ray.init(address=address, **quiet)
    return ray


def _check_joining(address: str) -> None:
    """Join in a process that can be given up: where something else than Ray answers, joining takes minutes."""
    code = "import sys, ray; ray.init(address=sys.argv[1], log_to_driver=False)"
    try:
        done = subprocess.run(
            [sys.executable, "-c", code, address], capture_output=True, text=True, timeout=JOIN_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise ManhuntError(f"no Ray cluster answers at {address} within {JOIN_SECONDS:g} s") from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()] or ["no reason given"]
        raise ManhuntError(f"cannot join the Ray cluster at {address}: {lines[-1][:200]}")


def _check_address(address: str) -> None:
    """Ray itself waits long for an address that does not answer; a plain connection tells at once."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not host or not port.isdigit():
        raise ManhuntError(f"{address!r} is no Ray address; write HOST:PORT, or local to start a cluster here")
    try:
        socket.create_connection((host, int(port)), timeout=ANSWER_SECONDS).close()
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise ManhuntError(f"no Ray cluster answers at {address}: {why}") from None
