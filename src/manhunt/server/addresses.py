"""What each address uses: connections, sockets, requests, threads, and what it put into the store today."""

import asyncio
import ipaddress
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from typing import Any, TypeVar

from starlette.requests import HTTPConnection

from manhunt.core.errors import ManhuntError
from manhunt.server.recent import Recent
from manhunt.server.settings import Limits

AnswerT = TypeVar("AnswerT")
MOST_ADDRESSES = 10_000
DAY = 86_400.0
LONGEST = 60
NET_BITS = 64
"""Of an IPv6 address: the rest is for the household that has it, which can take as many addresses as it likes."""


class TooMany(ManhuntError):
    """429."""


class Bucket:
    """Lets so much a second pass, and some more in a burst."""

    def __init__(self, per_second: float, burst: float) -> None:
        self._rate, self._most = per_second, burst
        self._level, self._at = burst, time.monotonic()

    def take(self, amount: float = 1.0) -> bool:
        now = time.monotonic()
        self._level = min(self._most, self._level + (now - self._at) * self._rate)
        self._at = now
        if self._level < amount:
            return False
        self._level -= amount
        return True


class Buckets:
    """One for each address; addresses that were not seen for long are forgotten."""

    def __init__(self, per_second: float, burst: float) -> None:
        self._per_second, self._burst = per_second, burst
        self._buckets: Recent[str, Bucket] = Recent(MOST_ADDRESSES)

    def take(self, address: str, amount: float = 1.0) -> bool:
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = Bucket(self._per_second, self._burst)
            self._buckets.keep(address, bucket)
        return bucket.take(amount)


class InUse:
    """How many of something each address has now."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._counts: Counter[str] = Counter()

    @property
    def total(self) -> int:
        return self._counts.total()

    def take(self, address: str) -> bool:
        """One more, whether or not that is too many; False if it is."""
        self._counts[address] += 1
        return self._counts[address] <= self._most

    def give_back(self, address: str) -> None:
        self._counts[address] -= 1
        if not self._counts[address]:
            del self._counts[address]

    @contextmanager
    def one(self, address: str) -> Iterator[bool]:
        """One more for as long as the block lasts; False if the address has as many as it may."""
        try:
            yield self.take(address)
        finally:
            self.give_back(address)


class Gates:
    """So many at a time from each address; the others wait, and hold up nobody else."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._gates: dict[str, tuple[asyncio.Semaphore, int]] = {}

    @asynccontextmanager
    async def through(self, address: str) -> AsyncIterator[None]:
        gate, n_there = self._gates.get(address, (asyncio.Semaphore(self._most), 0))
        self._gates[address] = (gate, n_there + 1)
        try:
            async with gate:
                yield
        finally:
            _, n_there = self._gates[address]
            self._gates[address] = (gate, n_there - 1)
            if n_there == 1:
                del self._gates[address]


class Uploads:
    """One file of a kind at a time from each address, and not too much in a day."""

    def __init__(self, what: str, done: str, per_day: int, bytes_per_day: int) -> None:
        self._what, self._done = what, done
        self._per_day, self._bytes_per_day = per_day, bytes_per_day
        self._now = InUse(1)
        self._files = Buckets(per_day / DAY, per_day)
        self._bytes = Buckets(bytes_per_day / DAY, bytes_per_day)

    @contextmanager
    def one(self, address: str, n_bytes: int) -> Iterator[None]:
        with self._now.one(address) as allowed:
            if not allowed:
                what = f"a {self._what} from your address is still being {self._done}"
                raise TooMany(f"{what}; send the next one when it is done")
            if not self._bytes.take(address, n_bytes) or not self._files.take(address):
                most = f"{self._per_day} {self._what}s and {self._bytes_per_day:,} bytes of them"
                raise TooMany(f"your address may send {most} a day; try later")
            yield


class Addresses:
    """All of it for a server. Used from the event loop alone."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.sockets = InUse(limits.sockets_per_address)
        self.handshakes = Buckets(limits.handshakes_per_second, limits.handshake_burst)
        self.requests = Buckets(limits.requests_per_second, 4 * limits.requests_per_second)
        self.at_once = InUse(limits.requests_at_once)
        self._threads = Gates(limits.threads_per_address)
        self._games = Buckets(limits.games_per_day / DAY, limits.games_per_day)
        self._boards = Uploads("board", "drawn", limits.boards_per_day, limits.board_bytes_per_day)
        self._records = Uploads("record", "checked", limits.records_per_day, limits.record_bytes_per_day)
        self._take_backs = Buckets(limits.take_backs_per_second, limits.take_back_burst)
        self._messages = Buckets(limits.chat_per_day / DAY, limits.chat_per_day)
        self._tree_changes = Buckets(limits.tree_changes_per_day / DAY, limits.tree_changes_per_day)

    async def in_thread(self, address: str, function: Callable[..., AnswerT], *args: Any) -> AnswerT:
        """As `asyncio.to_thread`, so that no address can have all threads."""
        async with self._threads.through(address):
            return await asyncio.to_thread(function, *args)

    def take_game(self, address: str) -> None:
        if not self._games.take(address):
            most = self._limits.games_per_day
            raise TooMany(f"{most} games were begun from your address within a day; try again later")

    def take_tree_change(self, address: str) -> None:
        if not self._tree_changes.take(address):
            most = self._limits.tree_changes_per_day
            raise TooMany(f"{most} moves and comments came from your address within a day; try again later")

    def take_message(self, address: str) -> None:
        if not self._messages.take(address):
            most = self._limits.chat_per_day
            raise TooMany(f"{most} messages came from your address within a day; try again later")

    def take_take_back(self, address: str) -> None:
        if not self._take_backs.take(address):
            raise TooMany("not so fast: wait a moment before you take back another turn")

    def upload(self, address: str, n_bytes: int) -> AbstractContextManager[None]:
        """A board, for as long as it is being drawn."""
        return self._boards.one(address, n_bytes)

    def upload_record(self, address: str, n_bytes: int) -> AbstractContextManager[None]:
        """A record, for as long as it is being checked."""
        return self._records.one(address, n_bytes)


def client_address(connection: HTTPConnection) -> str:
    """Where a request or a socket comes from, as limits count it."""
    client = connection.scope.get("client")
    return household(str(client[0])) if client else ""


def household(address: str) -> str:
    """One name for all addresses that surely belong together."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:LONGEST]
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return str(ip.ipv4_mapped)
        if not ip.is_loopback:
            return str(ipaddress.ip_network((ip, NET_BITS), strict=False))
    return str(ip)


def is_among(address: str, networks: tuple[str, ...]) -> bool:
    """Whether an address is one of these, or in one of these networks."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(ip in ipaddress.ip_network(network, strict=False) for network in networks)
