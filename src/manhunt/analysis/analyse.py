"""What a finished game was worth, move by move: each judged by what its seat could know, never by what was hidden.

A worker runs `analyse`; it says how far it is through `progress.report`. The answer is JSON:

- `curves`: lines over the plies, each with points `[ply, value, low, high]`, and an axis;
- `moves`: for every decision the best alternative found, what was lost with an interval, and a mark if that is clearly
  more than the stated amount;
- `surprise`: how unlikely the truth was to those who did not see it, in bits;
- `how`: sentences that say how the numbers were made and how noisy they are.
"""

from typing import Any

from manhunt.analysis.analysed_game import analyse_record
from manhunt.analysis.findings import USUAL, Effort
from manhunt.play.record import parse_record

VERSION = 2
"""Analyses made by another version are made anew."""


def analyse(record: str, effort: Effort = USUAL) -> dict[str, Any]:
    """The analysis of a record's text; BadText where the game is not over."""
    return {"version": VERSION, **analyse_record(parse_record(record), effort=effort).to_json()}
