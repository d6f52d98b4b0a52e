"""Answers from workers that several clients ask for: worked out once, kept for a while, ended when nobody waits."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from manhunt.core.errors import ManhuntError
from manhunt.server.recent import Recent

MOST_KEPT = 300
LONGEST_KEPT = 200_000
"""Larger texts, such as whole pages, are made again when somebody asks again: 300 of them would fill the memory."""
LOOK_SECONDS = 0.5
"""How often it is looked whether the client is still there."""


@dataclass(eq=False)
class _Work:
    task: asyncio.Task[Any]
    n_waiting: int = 0


class ClientGone(ManhuntError):
    """Nobody will read the answer."""


class SharedWork:
    def __init__(self) -> None:
        self._kept: Recent[Hashable, Any] = Recent(MOST_KEPT)
        self._working: dict[Hashable, _Work] = {}

    async def answer(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, Any]], request: Request) -> Any:
        """The kept answer, or that of `work`, which is cancelled when all who asked went away."""
        if (kept := self._kept.get(key)) is not None:
            return kept
        if key not in self._working:
            self._working[key] = _Work(asyncio.get_running_loop().create_task(work()))
        shared = self._working[key]
        shared.n_waiting += 1
        try:
            while not shared.task.done():
                await asyncio.wait({shared.task}, timeout=LOOK_SECONDS)
                if not shared.task.done() and await request.is_disconnected():
                    raise ClientGone("the client went away")
            answer = shared.task.result()
            if not isinstance(answer, str) or len(answer) <= LONGEST_KEPT:
                self._kept.keep(key, answer)
            return answer
        finally:
            shared.n_waiting -= 1
            if shared.n_waiting == 0:
                shared.task.cancel()
            if self._working.get(key) is shared and (shared.n_waiting == 0 or shared.task.done()):
                del self._working[key]
