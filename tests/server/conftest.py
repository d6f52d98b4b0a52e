"""Rooms without a network."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest

from manhunt.server.agent_turns import AgentTurn


@dataclass
class ScriptedPool:
    """Stands in for worker processes: agents' turns are given by the test."""

    turns: list[AgentTurn | BaseException] = field(default_factory=list)
    forgotten: list[Any] = field(default_factory=list)
    _given: asyncio.Event = field(default_factory=asyncio.Event)

    def give(self, turn: AgentTurn) -> None:
        """One more turn, also for somebody who waits for it already."""
        self.turns.append(turn)
        self._given.set()

    async def run(self, what: str, *args: Any, **options: Any) -> Any:
        while not self.turns:
            self._given.clear()
            await self._given.wait()
        turn = self.turns.pop(0)
        if isinstance(turn, BaseException):
            raise turn
        return turn

    def forget(self, key: object) -> None:
        self.forgotten.append(key)


@pytest.fixture
def scripted_pool() -> ScriptedPool:
    return ScriptedPool()
