"""What a finished game was worth, move by move: each judged by what its seat could know, never by what was hidden.

A worker runs `analyse`; it says how far it is through `progress.report`. The answer is JSON:

- `curves`: lines over the plies, each with points `[ply, value, low, high]`, and an axis;
- `moves`: for every decision the best alternative found, what was lost with an interval, and a mark if that is clearly
  more than the stated amount;
- `surprise`: how unlikely the truth was to those who did not see it, in bits;
- `how`: sentences that say how the numbers were made and how noisy they are.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from manhunt.play.hindsight import Hindsight
from manhunt.play.record import parse_record
from manhunt.server.analysis.findings import USUAL, Effort

_HOME = {
    "fugitive": "manhunt.server.analysis.fugitive",
    "pursuit": "manhunt.server.analysis.pursuit",
    "scotland_yard": "manhunt.server.analysis.scotland_yard",
    "shortest_path": "manhunt.server.analysis.shortest_path",
}
VERSION = 1
"""Analyses made by another version are made anew."""


def analyse(record: str, effort: Effort = USUAL) -> dict[str, Any]:
    """The analysis of a record's text; BadText where the game is not over."""
    past = Hindsight(parse_record(record))
    findings = import_module(_HOME[past.game.name]).analyse(past, effort)
    return {"version": VERSION, "game": past.game.name, "plies": past.last, **findings.to_json()}
