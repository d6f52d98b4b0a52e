"""How the turn of an agent can end, and how an agent that knows says so."""

from __future__ import annotations

from enum import Enum


class TurnEnd(Enum):
    """How a turn can end; tournament files and reports use these words."""

    OK = "ok"
    ILLEGAL = "illegal"
    TIMEOUT = "timeout"
    CRASH = "crash"
    RESIGN = "resign"

    @property
    def why(self) -> str:
        """The reason, as events and faults write it."""
        return _WHY.get(self, self.value)


_WHY = {TurnEnd.ILLEGAL: "illegal action", TurnEnd.TIMEOUT: "time"}
FAILED = tuple(end for end in TurnEnd if end is not TurnEnd.OK)


class TurnFailed(Exception):
    """Raised by an agent whose turn ended otherwise than with an action; any other exception is a crash."""

    def __init__(self, end: TurnEnd, detail: str) -> None:
        super().__init__(detail)
        self.end, self.detail = end, detail
