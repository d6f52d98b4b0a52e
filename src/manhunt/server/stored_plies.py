"""An earlier moment of a game whose plies were stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from manhunt.analysis.seat_log import SeatLog
from manhunt.core.errors import BadText
from manhunt.core.game import View
from manhunt.core.ids import Seat
from manhunt.play.fault import Fault
from manhunt.play.referee import Referee
from manhunt.play.reopening import prepare_stored


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
