"""Connections that do not wait for ever: uvicorn's HTTP protocol with time limits, and so many for each address.

uvicorn ends a connection that is idle between two requests, but not one that sends half a request, or takes half an
answer. Bodies have a time limit of their own in `guard.py`; a socket of a game has left this protocol.
"""

import asyncio
from functools import partial
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from manhunt.server.addresses import InUse, household, is_among
from manhunt.server.settings import Settings

LATE = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
SPARE_FILES = 200
"""For the store, workers and pages, which need open files too."""


def limited_protocol(settings: Settings) -> Any:
    """What uvicorn makes connections with."""
    return partial(LimitedConnection, settings=settings, per_address=InUse(settings.limits.connections_per_address))


class LimitedConnection(H11Protocol):
    """One connection until it closes, or becomes a socket."""

    def __init__(self, *args: Any, settings: Settings, per_address: InUse, **options: Any) -> None:
        super().__init__(*args, **options)
        self._settings, self._limits = settings, settings.limits
        self._per_address = per_address
        self._counted_as: str | None = None
        self._alarms: dict[str, asyncio.TimerHandle] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        if self._is_refused(host):
            transport.abort()
        else:
            self._expect_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self.transport.is_closing():
            self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, *args: Any) -> None:
        """Another protocol has the connection from now on; what it may do is limited elsewhere."""
        self._leave()
        self._upgraded = True
        super().handle_websocket_upgrade(*args)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._alarm("stall", self._limits.stall_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        self._disarm("stall")
        super().resume_writing()

    _upgraded = False

    def _is_refused(self, host: str) -> bool:
        """A proxy holds the connections of many."""
        if len(self.connections) > (self._limits.connections or most_connections()):
            return True
        if not is_among(host, self._settings.proxies):
            self._counted_as = household(host)
            return not self._per_address.take(self._counted_as)
        return False

    def _expect_head(self) -> None:
        """The head of a request must be whole in time, counted from its first byte or from when the line was opened."""
        is_waiting = self.cycle is None or self.cycle.response_complete
        if self._upgraded or not is_waiting:
            self._disarm("head")
        elif "head" not in self._alarms:
            self._alarm("head", self._limits.header_seconds, self._too_late)

    def _too_late(self) -> None:
        self.transport.write(LATE)
        self.transport.close()

    def _leave(self) -> None:
        for name in list(self._alarms):
            self._disarm(name)
        if self._counted_as is not None:
            self._per_address.give_back(self._counted_as)
            self._counted_as = None

    def _alarm(self, name: str, seconds: float, act: Any) -> None:
        self._disarm(name)
        self._alarms[name] = self.loop.call_later(seconds, act)

    def _disarm(self, name: str) -> None:
        alarm = self._alarms.pop(name, None)
        if alarm is not None:
            alarm.cancel()


def most_connections() -> int:
    """What the system's limit of open files allows."""
    try:
        import resource
    except ImportError:  # Windows counts no files
        return 10_000
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(50, soft - SPARE_FILES)


def allow_many_files() -> None:
    """As many as this process may have without asking anybody."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
