"""The best moves at one moment of a finished game or variation, from what the seat to act could know there.

A game's kit part `lines` finds moves and values them. A game without it shows what its hint says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from manhunt.analysis.findings import Effort, ValueEstimate, past_of
from manhunt.analysis.insights import insight_of
from manhunt.analysis.seat_log import SeatLog
from manhunt.core.errors import BadText
from manhunt.core.ids import PLAYERS, Seat, Side
from manhunt.core.registry import kit_of
from manhunt.draw.scenes import scene_of
from manhunt.play.hindsight import Hindsight
from manhunt.play.record import parse_record
from manhunt.play.variation import Variation

MOST = 5
EFFORT = Effort(iterations=400, screened=40, sampled=600, played=(24, 48), seconds=0.3)
"""A few seconds for one moment."""


@dataclass(frozen=True, slots=True)
class EngineLine:
    """A move of the seat to act, as one or more actions in a row, and what it is worth."""

    actions: tuple[Any, ...]
    value: ValueEstimate | None = None
    """The evader's winning chance after it; None where the value is something else."""
    worth: str = ""
    """The value in words, where it is no chance."""


@dataclass(frozen=True)
class EngineLines:
    """The best line first. `how` says in a sentence where the values come from."""

    lines: Sequence[EngineLine]
    how: str


def engine_lines(record: str, moves: Sequence[str], n: int = 3, effort: Effort = EFFORT) -> dict[str, Any]:
    """Task of a worker: lines of the moment after these actions, as JSON."""
    whole = Hindsight(parse_record(record))
    past = Variation(whole, 0, moves)
    seat = past.acting(past.last)
    if seat not in PLAYERS:
        raise BadText("no player moves at that moment")
    part = kit_of(past.game.name).part("lines")
    if part is None:
        return _by_hint(past, seat)
    found: EngineLines = part.find_lines(past_of(past, seat), past.last, min(n, MOST), effort)
    return {"seat": seat.value, "how": found.how, "lines": [_line_json(past, seat, line) for line in found.lines]}


def _line_json(past: Hindsight, seat: Seat, line: EngineLine) -> dict[str, Any]:
    texts = [past.game.format_action(past.config, action) for action in line.actions]
    own = None if line.value is None else for_seat(line.value, seat)
    chance = None if own is None else [round(share, 4) for share in (own.mean, own.low, own.high)]
    return {"actions": texts, "words": _words(past, seat, line.actions, texts), "chance": chance, "worth": line.worth}


def _words(past: Hindsight, seat: Seat, actions: Sequence[Any], texts: Sequence[str]) -> str:
    """As the page offers a single action; several as a replay tells a turn."""
    if len(texts) > 1:
        return Variation(past, past.last, texts).turn_text(past.last, past.last + len(texts), None)
    state = past.states[-1]
    offered = {offer.action: offer.words for offer in scene_of(past.game.view(state, seat)).offers}
    return offered.get(texts[0]) or past.game.describe_action(state, actions[0])


def for_seat(value: ValueEstimate, seat: Seat) -> ValueEstimate:
    """A winning chance of the evader's as the seat's own."""
    if seat.side is Side.EVADER:
        return value
    return ValueEstimate(1 - value.mean, 1 - value.high, 1 - value.low)


def _by_hint(past: Hindsight, seat: Seat) -> dict[str, Any]:
    """One move, as somebody who plays this seat would be advised."""
    game, last = past.game, past.last
    view, opening = game.view(past.states[last], seat), game.view(past.states[0], seat)
    log = SeatLog(game.name, seat, opening, past.events_for(seat, last), view)
    hint = insight_of("hint", log, {})
    action = hint.get("action")
    words = str(hint.get("words", ""))
    lines = [] if action is None else [{"actions": [action], "words": words, "chance": None, "worth": ""}]
    return {"seat": seat.value, "how": "This is the advice that the seat gets while it plays.", "lines": lines}
