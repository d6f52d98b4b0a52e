"""The watchers of one game: they hear all of it from the beginning, and can never make it wait."""

from __future__ import annotations

from typing import Any

from manhunt.protocol.classic import encode
from manhunt.server.classic_client import Client

MOST_BUFFERED_BYTES = 2 * 2**20
"""A watcher who leaves more than this unread is sent away."""


class Gallery:
    def __init__(self, opening: dict[str, Any]) -> None:
        self._said = [encode(opening)]
        self._watchers: set[Client] = set()

    def __len__(self) -> int:
        return len(self._watchers)

    def admit(self, watcher: Client) -> None:
        """Tell everything so far; it may be much, so the bound begins afterwards."""
        watcher.post(b"".join(self._said))
        self._watchers.add(watcher)

    def leave(self, watcher: Client) -> None:
        self._watchers.discard(watcher)

    def tell(self, message: dict[str, Any]) -> list[Client]:
        """Nobody is waited for; returns those who are too slow and do not belong to it any more."""
        words = encode(message)
        self._said.append(words)
        slow = [watcher for watcher in self._watchers if not watcher.post(words, MOST_BUFFERED_BYTES)]
        self._watchers.difference_update(slow)
        return slow

    def close(self) -> list[Client]:
        """The game is over; returns everybody who watched to the end."""
        watchers = list(self._watchers)
        self._watchers.clear()
        return watchers
