"""Where Mr X went, as far as a seat knows it, and the turn that decided a finished game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from manhunt.core.ids import Seat
from manhunt.games.scotland_yard.beliefs.support import Support
from manhunt.games.scotland_yard.rules.views import ScotlandYardView
from manhunt.games.scotland_yard.show.known_places import public_events, public_opening

if TYPE_CHECKING:
    from manhunt.analysis.seat_log import SeatLog


@dataclass(frozen=True)
class TurnChange:
    """How many stations were possible before and after one turn of a seat."""

    round: int
    seat: Seat
    before: int
    after: int


def route_of(log: SeatLog) -> dict[str, Any]:
    """Double moves by their rounds, and Mr X's stations by round: all of them for himself, the shown ones for others.

    `turning` is the turning point of a finished game, else null.
    """
    view = log.view
    assert isinstance(view, ScotlandYardView)
    assert isinstance(log.opening, ScotlandYardView)
    doubles: list[list[int]] = []
    stations: dict[str, str] = {}
    start, round_ = None, log.opening.round
    for event in log.events:
        kind = event.get("t")
        if kind == "double":
            doubles.append([round_ + 1, round_ + 2])
        elif kind == "logged":
            round_ = event["round"]
            if event["at"] is not None:
                stations[str(round_)] = event["at"]
        elif kind == "quarry" and round_ > log.opening.round:
            stations[str(round_)] = event["at"]
        elif kind == "quarry":
            start = event["at"]
    return {"doubles": doubles, "start": start, "stations": stations, "turning": turning_json(log.opening, view, log)}


def turning_json(opening: ScotlandYardView, view: ScotlandYardView, log: SeatLog) -> dict[str, Any] | None:
    if view.outcome is None:
        return None
    found = turning_point(changes(opening, log.events), view.outcome.winner.value)
    return None if found is None else {"round": found.round, "words": turning_words(found)}


def turning_point(turns: Iterable[TurnChange], winner: str) -> TurnChange | None:
    """The winner's turn that changed the number of possible stations by the largest factor; of equal ones the last.

    It costs nothing to find and judges no move: a game can be decided elsewhere. The turn that ended it does not count.
    """
    best: TurnChange | None = None
    for turn in turns:
        if turn.seat.value == winner and _gain(turn) > 1 and (best is None or _gain(turn) >= _gain(best)):
            best = turn
    return best


def _gain(turn: TurnChange) -> Fraction:
    """The factor in favour of whoever moved: 9 possible stations of 10 say little, 1 of 2 says a lot."""
    more, less = (turn.after, turn.before) if turn.seat is Seat.EVADER else (turn.before, turn.after)
    return Fraction(more, less)


def turning_words(turn: TurnChange) -> str:
    if turn.seat is Seat.EVADER:
        places = "1 station" if turn.before == 1 else f"{turn.before} stations"
        return f"Turning point, round {turn.round}: from {places} where Mr X could be to {turn.after}."
    n_out = turn.before - turn.after
    return f"Turning point, round {turn.round}: the detectives ruled out {n_out} of {turn.before} stations."


def changes(opening: ScotlandYardView, events: Iterable[Mapping[str, Any]]) -> list[TurnChange]:
    """Every turn but the one that ended the game, with the number of candidates before and after it."""
    support = Support()
    support.start(public_opening(opening))
    found: list[TurnChange] = []
    round_, before, mover = opening.round, len(support.candidates), opening.to_act
    for event in public_events(events):
        support.update(event)
        if event["t"] == "logged":
            round_ = event["round"]
        if event["t"] != "turn" or not event["movers"]:
            continue
        next_ = Seat.EVADER if event["movers"] == ["mrx"] else Seat.PURSUERS
        if next_ is mover:
            continue
        if mover is not None:
            found.append(TurnChange(round_, mover, before, len(support.candidates)))
        mover, before = next_, len(support.candidates)
    return found
