"""A bank of time that must last for the whole game: what one decision may take of it, from what decisions cost."""

from __future__ import annotations

from dataclasses import replace

from manhunt.core import thinking_time
from manhunt.core.agent import Limit

SPARE = 4.0
"""Decisions like the slowest lately must fit into the bank so many times, or there is none any more: machines stall."""
EVEN_SHARE = 0.6
"""Of an even part of the bank; the rest is for what searches cannot cut short."""
MOST_KEPT = 0.5
"""Of the full bank, for hasty moves that may still come."""
STALL = 0.1
"""Of the full bank: with less that is free, one stall of a busy machine would be the end."""
FORGET = 0.9
LEAST_SECONDS = 1e-4


class BankKeeper:
    """Spreads a bank of time over one agent's game: call `pace` before a decision and `done` after it.

    `cost` is how long a decision takes beyond the seconds given to its search: the slowest of the latest decisions.
    Pass the usual cost if you know it, because nothing has been measured before the first decision.
    """

    def __init__(self, usual_seconds: float = 0.0, hasty_seconds: float = 0.001) -> None:
        self.cost = self._usual = usual_seconds
        self.hasty_seconds = hasty_seconds
        self.in_haste = False
        """There is no time for an ordinary decision: the quickest move that makes sense must do."""
        self._full = self._began = self._given = 0.0

    def pace(self, limit: Limit, n_moves: int, share: float | None = None) -> Limit:
        """The limit for this decision; unchanged if there is no bank.

        `n_moves` is how many decisions may still come. A search gets an equal part of the free time, or the part
        `share`.
        """
        self._began = thinking_time.now()
        self._given, self.in_haste = limit.seconds or 0.0, False
        bank, increment = limit.clock.bank_seconds, limit.clock.increment_seconds
        if bank is None or limit.seconds is None:
            return limit
        self._full = max(self._full, bank)
        free = bank - min(self.hasty_seconds * n_moves, MOST_KEPT * self._full)
        self.in_haste = max(SPARE * self.cost, STALL * self._full) > free or SPARE * self.cost > limit.seconds
        part = EVEN_SHARE * (free / max(1, n_moves) + increment) if share is None else share * (free - self.cost)
        self._given = 0.0 if self.in_haste else max(0.0, min(part, limit.seconds - SPARE * self.cost))
        return replace(limit, seconds=max(self._given, LEAST_SECONDS))

    def done(self) -> None:
        """Call this after a decision. A hasty one is not used to measure the usual cost."""
        if not self.in_haste:
            measured = thinking_time.now() - self._began - self._given
            self.cost = max(self._usual, FORGET * self.cost, measured)
