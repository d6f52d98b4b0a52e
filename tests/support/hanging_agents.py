"""Agents that never return, and workers that are not patient with them; for tests of hard deadlines."""

import re
import time
from collections.abc import Sequence
from typing import Any

from manhunt.arena import match
from manhunt.arena.competition import play
from manhunt.core.agent import Advice, Agent
from manhunt.server import agent_turns
from manhunt.workers import deadlines

SHORT_SECONDS = 2.0
"""After its limit, until a worker that waits for an agent is ended."""
NOTICED_SECONDS = 0.4
"""After the limit, until the worker itself notices; the rest is for handing over the game, on a busy machine too."""


class Sleeps(Agent):
    """Python goes on beside it."""

    def act(self, view: Any, limit: Any, rng: Any) -> Advice:
        while True:
            time.sleep(0.05)


class Stuck(Agent):
    """Nothing of Python goes on beside it: the match takes 2 ** 50 steps, and holds the interpreter."""

    def act(self, view: Any, limit: Any, rng: Any) -> Advice:
        re.match("(a+)+$", "a" * 50 + "b")
        raise AssertionError("it returned")


def in_a_hurry() -> None:
    deadlines.PATIENCE_SECONDS = SHORT_SECONDS
    play.SPARE_SECONDS = SHORT_SECONDS - NOTICED_SECONDS


def play_task(text: str, task: Sequence[Any], folder: str | None) -> Any:
    in_a_hurry()
    return match.play_task(text, task, folder)


def play_matches(text: str, task: Sequence[Any], folder: str | None) -> Any:
    in_a_hurry()
    return play.play_matches(text, task, folder)


def think(task: Any) -> Any:
    in_a_hurry()
    return agent_turns.think(task)
