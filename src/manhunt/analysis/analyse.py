"""What a finished game was worth, move by move: each judged by what its seat could know, never by what was hidden.

A worker runs `analyse`; it says how far it is through `progress.report`. The answer is JSON, described in
docs/reference/analysis.md: curves, judged moves, turns, surprise, skill and luck, a summary of each player.
"""

from itertools import pairwise
from typing import Any

from manhunt.analysis.findings import SYMBOLS, USUAL, Effort, Findings
from manhunt.analysis.judged_words import dress
from manhunt.analysis.skill import players_json, skill_json
from manhunt.core.errors import BadText
from manhunt.core.registry import kit_of
from manhunt.play.hindsight import Hindsight
from manhunt.play.record import parse_record

VERSION = 4
"""Analyses made by another version are made anew."""


def analyse(record: str, effort: Effort = USUAL) -> dict[str, Any]:
    """The analysis of a record's text; BadText where the game is not over."""
    past = Hindsight(parse_record(record))
    return analysis_json(past, findings_of(past, effort))


def findings_of(past: Hindsight, effort: Effort = USUAL) -> Findings:
    """By the game's own analysis; games that are small enough are solved."""
    from manhunt.analysis.small_games import solved_findings

    analysis = kit_of(past.game.name).part("analysis")
    if analysis is None:
        raise BadText(f"{past.game.title} has no analysis")
    found: Findings = solved_findings(past) or analysis.analyse(past, effort)
    return found


def analysis_json(past: Hindsight, found: Findings) -> dict[str, Any]:
    moves = [dress(past, move) for move in found.moves]
    found.moves = [move.judged for move in moves]
    skill = skill_json(past, found)
    return {
        "version": VERSION,
        "game": past.game.name,
        "plies": past.last,
        **found.to_json(),
        "symbols": SYMBOLS,
        "moves": [move.to_json() for move in moves],
        "turns": turns_json(past, found, skill),
        "skill": skill,
        "players": players_json(past, found, skill),
    }


def turns_json(past: Hindsight, found: Findings, skill: dict[str, Any] | None) -> list[dict[str, Any]]:
    """One row a turn, which may be several plies with several choices: its worst mark, and what it changed."""
    rows = []
    for first, end in pairwise(past.stops):
        acting = past.acting(first)
        inside = [move for move in found.moves if first <= move.ply < end]
        steps = [step for step in (skill or {}).get("steps", []) if first <= step["ply"] < end]
        marked = max((move for move in inside if move.mark), key=lambda move: move.lost, default=None)
        rows.append(
            {
                "first": first,
                "ply": end,
                "round": past.round(end),
                "seat": acting and acting.value,
                "text": past.turn_text(first, end, None),
                "words": past.game.phrase_choice(past.states[first], past.actions[first:end]),
                "mark": marked and marked.mark,
                "judged": [move.ply for move in inside],
                "says": marked and marked.words,
                "value": steps[0]["before"] if steps else None,
                "choice": sum(step["choice"] for step in steps) if steps else None,
                "luck": sum(step["luck"] for step in steps) if steps else None,
                "open": sum(step["open"] for step in steps) if steps else None,
            }
        )
    return rows
