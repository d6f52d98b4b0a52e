"""Joining a Ray cluster, or starting one on this machine; Ray is imported only then."""

import contextlib
import io
import logging
import os
import socket
import subprocess
import sys
import threading
from typing import Any, TextIO

from manhunt.core.errors import ManhuntError, missing_extra

LOCAL = "local"
ANSWER_SECONDS = 5.0
JOIN_SECONDS = 20.0


class OutputWithoutRay(io.TextIOBase):
    """Standard output without what Ray's own threads print there when a node dies; we report that ourselves."""

    def __init__(self, inner: TextIO) -> None:
        self._inner = inner

    def write(self, text: str) -> int:
        if threading.current_thread().name.startswith("ray_"):
            return len(text)
        return self._inner.write(text)

    def flush(self) -> None:
        self._inner.flush()


def cause_of(error: Any) -> str:
    cause = getattr(error, "cause", None)
    return f"{type(cause).__name__}: {cause}" if cause is not None else str(error).splitlines()[-1]


def _import_ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
        import ray.exceptions
    except ImportError:
        raise missing_extra("--ray needs the extra 'ray'", "ray") from None
    return ray


def connect(address: str) -> Any:
    """Join the cluster at an address, or start one here for `local`; returns the module `ray`."""
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


def disconnect(ray: Any) -> None:
    with contextlib.redirect_stdout(io.StringIO()):  # where Ray repeats what its threads had to say
        ray.shutdown()


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
        raise ManhuntError(f"{address!r} is not a Ray address; write HOST:PORT, or local to start a cluster here")
    try:
        socket.create_connection((host, int(port)), timeout=ANSWER_SECONDS).close()
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise ManhuntError(f"no Ray cluster answers at {address}: {why}") from None
