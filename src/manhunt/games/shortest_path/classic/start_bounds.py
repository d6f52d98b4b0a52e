"""The certified bounds of the start that a server serves, worked out once and beside its event loop."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from manhunt.games.shortest_path.rules.config import ShortestPathConfig, config_from_json, config_to_json
from manhunt.games.shortest_path.rules.rules import start
from manhunt.games.shortest_path.solvers.bounds import Bounds, bounds_from_json, find_bounds

NICE = 10
"""The players' programs may run on the same machine: they go first."""
PATIENCE_SECONDS = 60.0
"""How much longer than its limit the work may take: the kernels may have to be compiled first."""


class StartBounds:
    """A process of its own does the work, so that neither the loop nor a player's clock waits for it."""

    def __init__(
        self, config: ShortestPathConfig, limit_seconds: float, ready: Callable[[Bounds | None], None]
    ) -> None:
        self.found: Bounds | None = None
        """None while it is not known, and for ever if the work failed."""
        self._config, self._limit_seconds, self._ready = config, limit_seconds, ready
        self._task: asyncio.Task[None] | None = None
        self._process: Process | None = None

    def begin(self) -> None:
        if self._limit_seconds > 0:
            self._task = asyncio.ensure_future(self._work())

    async def wait(self) -> Bounds | None:
        """The bounds, as soon as they are there."""
        if self._task is not None:
            await asyncio.wait({self._task})
        return self.found

    async def stop(self) -> None:
        """Give the work up if it goes on."""
        if self._task is not None and not self._task.done():
            self._task.cancel()
            await asyncio.wait({self._task})

    async def _work(self) -> None:
        try:
            async with asyncio.timeout(self._limit_seconds + PATIENCE_SECONDS):
                self.found = await self._ask()
        except (OSError, ValueError, TimeoutError):
            self.found = None
        finally:
            if self._process is not None and self._process.returncode is None:
                with suppress(ProcessLookupError):
                    self._process.kill()
                await self._process.wait()
        self._ready(self.found)

    async def _ask(self) -> Bounds:
        # A session of its own: Ctrl-C is for the server, which then ends this process.
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", __name__, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, start_new_session=True
        )
        job = {"config": config_to_json(self._config), "seconds": self._limit_seconds}
        out, _ = await self._process.communicate(json.dumps(job).encode())
        return bounds_from_json(json.loads(out), self._config.board)


def work(job: dict[str, Any]) -> dict[str, Any]:
    """What that process does: it reads a job as JSON from standard input and prints the bounds."""
    config = config_from_json(job["config"])
    return find_bounds(start(config), job["seconds"]).to_json(config.board)


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(NICE)
    json.dump(work(json.load(sys.stdin)), sys.stdout)
