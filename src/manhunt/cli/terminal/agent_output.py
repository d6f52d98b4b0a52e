"""What agents print while a game is shown: it must not mix into the screen, or into lines that machines read."""

from __future__ import annotations

import io
import sys
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from random import Random
from typing import Any

from manhunt.cli.screen import say
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.game import View

MOST_KEPT = 50
"""Lines that are printed after a screen; of more, the last ones."""


class AgentOutput(io.TextIOBase):
    """Where the agents' prints go: to standard error, or while `held` into memory, and there afterwards."""

    def __init__(self) -> None:
        self.is_held = False
        self._lines: deque[str] = deque(maxlen=MOST_KEPT)
        self._n = 0
        self._part = ""

    def write(self, text: str) -> int:
        if not self.is_held:
            return sys.stderr.write(text)
        *lines, self._part = (self._part + text).split("\n")
        self._lines += lines
        self._n += len(lines)
        return len(text)

    def overhear(self, agent: Agent) -> Agent:
        """The agent, with its prints going here."""
        return _Overheard(agent, self)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep everything until the block is over, then print it to standard error."""
        self.is_held = True
        try:
            yield
        finally:
            self.is_held = False
            self._tell()

    def _tell(self) -> None:
        lines = [*self._lines, *([self._part] if self._part else [])]
        if lines:
            left_out = f" (the last {len(self._lines)} of {self._n} lines)" if self._n > len(self._lines) else ""
            say("\n".join([f"The agents printed{left_out}:", *lines]), stderr=True)
        self._lines.clear()
        self._n, self._part = 0, ""


class _Overheard(Agent):
    def __init__(self, agent: Agent, output: AgentOutput) -> None:
        self.agent, self.output = agent, output

    @contextmanager
    def _aside(self) -> Iterator[None]:
        with ExitStack() as stack:
            stack.enter_context(redirect_stdout(self.output))
            if self.output.is_held:
                stack.enter_context(redirect_stderr(self.output))
            yield

    def start(self, view: View) -> None:
        with self._aside():
            self.agent.start(view)

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        with self._aside():
            self.agent.observe(events)

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        with self._aside():
            return self.agent.act(view, limit, rng)

    def stop(self) -> None:
        with self._aside():
            self.agent.stop()
