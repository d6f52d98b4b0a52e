"""Plies that were stored, played again: for a room that is loaded, and to look at an earlier moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from manhunt.analysis.seat_log import SeatLog
from manhunt.core.errors import BadText
from manhunt.core.game import View
from manhunt.core.ids import Seat
from manhunt.play.fault import Fault, FaultPolicy
from manhunt.play.referee import PendingPly, Referee


def prepare_stored(referee: Referee, text: str, fault: Fault | None = None, seconds: float | None = None) -> PendingPly:
    """A ply that was stored, also one that stood for a failed turn."""
    if fault is None or fault.seat is None or fault.end is None:
        ply = referee.prepare_text(text)
    else:
        chosen = fault.policy in (None, FaultPolicy.RANDOM)
        action = referee.game.parse_action(referee.config, text) if chosen else None
        ply = referee.prepare_failed(fault.seat, fault.end, fault.detail, policy=fault.policy, instead=action)
    return replace(ply, seconds=seconds)


def log_after(
    referee: Referee, texts: Sequence[str], faults: Mapping[int, Fault], seat: Seat, opening: View, v: int
) -> SeatLog:
    """What a seat had been told when event number `v` was its last; BadText if no ply ended there.

    The referee is at the start of the game, and is moved on.
    """
    for ply, text in enumerate(texts, 1):
        if referee.n_events >= v:
            break
        referee.commit(prepare_stored(referee, text, faults.get(ply)))
    if referee.n_events != v:
        raise BadText(f"v {v} is no moment of this game; give the v of an observe")
    return SeatLog(referee.game.name, seat, opening, referee.events_for(seat), referee.view(seat))
