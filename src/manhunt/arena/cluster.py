"""Playing on a Ray cluster: the same games by the same function, on as many machines as the cluster has."""

import contextlib
import os
import sys
from collections.abc import Iterable
from typing import Any

from manhunt.arena.match import play_task
from manhunt.arena.players import Batches, Play, Playable, RetryQueue, Task, Warn
from manhunt.core.errors import ManhuntError
from manhunt.core.ray_cluster import OutputWithoutRay, cause_of, connect, disconnect

AHEAD = 2
"""Tasks in flight for each processor of the cluster."""


class RayPlayers:
    """The cluster at an address, or one that is started here for `local`.

    A game whose worker or node dies is played again; after three deaths it is given up and booked as a fault.
    """

    def __init__(self, plan: Playable, address: str, warn: Warn, play: Play = play_task) -> None:
        self._ray = connect(address)
        self._play = self._ray.remote(num_cpus=1, max_retries=0)(play)
        self._text = self._ray.put(plan.to_text())
        self._queue = RetryQueue(plan, warn)

    def play(self, tasks: Iterable[Task]) -> Batches:
        with contextlib.redirect_stdout(OutputWithoutRay(sys.stdout)):
            self._queue.fill(tasks)
            yield from self._games()

    def close(self) -> None:
        disconnect(self._ray)

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
                    raise ManhuntError(f"a worker of the cluster cannot play: {cause_of(error)}") from None
                except ray.exceptions.RayError as error:
                    yield from self._queue.died(task, type(error).__name__)
