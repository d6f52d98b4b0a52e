"""What a finished game was worth, move by move: each judged by what its seat could know, never by what was hidden.

A worker runs `analyse`; it says how far it is through `progress.report`. The answer is JSON:

- `curves`: lines over the plies, each with points `[ply, value, low, high]`, and an axis;
- `moves`: for every decision the best alternative found, what was lost with an interval, and a mark if that is clearly
  more than the stated amount;
- `surprise`: how unlikely the truth was to those who did not see it, in bits;
- `how`: sentences that say how the numbers were made and how noisy they are.
"""

from typing import Any

from manhunt.analysis.findings import USUAL, Effort, Findings
from manhunt.core.errors import BadText
from manhunt.core.registry import kit_of
from manhunt.play.hindsight import Hindsight
from manhunt.play.record import parse_record

VERSION = 2
"""Analyses made by another version are made anew."""


def analyse(record: str, effort: Effort = USUAL) -> dict[str, Any]:
    """The analysis of a record's text; BadText where the game is not over."""
    past = Hindsight(parse_record(record))
    return analysis_json(past, findings_of(past, effort))


def findings_of(past: Hindsight, effort: Effort = USUAL) -> Findings:
    """By the game's own analysis."""
    analysis = kit_of(past.game.name).part("analysis")
    if analysis is None:
        raise BadText(f"{past.game.title} has no analysis")
    found: Findings = analysis.analyse(past, effort)
    return found


def analysis_json(past: Hindsight, found: Findings) -> dict[str, Any]:
    return {"version": VERSION, "game": past.game.name, "plies": past.last, **found.to_json()}
