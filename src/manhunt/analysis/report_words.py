"""An analysis in words and figures, for the terminal and the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from manhunt.analysis.findings import SYMBOLS
from manhunt.core.ids import PLAYERS, Seat

if TYPE_CHECKING:
    from manhunt.play.hindsight import Hindsight

UNITS = {"chance": "points", "rounds": "rounds", "cost": ""}


def value_text(axis: Mapping[str, Any], value: float | None) -> str:
    """What a position is worth: `31 %`, `5`, `never caught`, `8.4`; values of skill and luck are the evader's gains."""
    if value is None:
        return ""
    if is_never(axis, value):
        return "never caught"
    return f"{100 * value:.0f} %" if axis["unit"] == "chance" else f"{abs(value):.4g}"


def is_never(axis: Mapping[str, Any], value: float) -> bool:
    """Whether a number of rounds stands for an evader who gets away: the top of the scale."""
    return bool(axis["unit"] == "rounds" and value >= axis["high"])


def amount_text(unit: str, value: float | None) -> str:
    """A change: `+12`, `-3`; nothing for none."""
    if value is None:
        return ""
    scaled = 100 * value if unit == "chance" else value
    text = f"{scaled:+.0f}" if unit == "chance" else f"{scaled:+.3g}"
    return "" if float(text) == 0 else text


def said_amount(unit: str, value: float | None) -> str:
    """The same where nothing would look like an omission."""
    return "unknown" if value is None else amount_text(unit, value) or "0"


def player_lines(past: Hindsight, found: dict[str, Any]) -> list[str]:
    """A line for each player: accuracy, marks, and what decided the game from their side."""
    return [_player_line(past, found, found["players"][seat.value]) for seat in PLAYERS]


def _player_line(past: Hindsight, found: dict[str, Any], player: dict[str, Any]) -> str:
    unit = found["axis"]["unit"]
    marks = ", ".join(f"{n} {SYMBOLS[mark]}" for mark, n in player["marks"].items() if n)
    accuracy = "no free decision" if player["accuracy"] is None else f"accuracy {player['accuracy']:.0f} of 100"
    parts = [f"{accuracy} in {player['decisions']} decisions", *([marks] if marks else [])]
    if player["choice"] is not None:
        own, other = (said_amount(unit, player[key]) for key in ("choice", "opponent"))
        rest = [f"luck {said_amount(unit, player['luck'])}"] if has_luck(found) else []
        rest += [f"undecided {said_amount(unit, player['open'])}"] if player["open"] else []
        said = ", ".join([f"own choices {own}", f"other side's choices {other}", *rest])
        parts.append(f"{said} {UNITS[unit]}".rstrip())
    return f"{player['name']}: {'; '.join(parts)}"


def has_luck(found: dict[str, Any]) -> bool:
    """Whether something was hidden or left to chance."""
    return any(step["cause"] in ("chance", "hidden", "reply") for step in found["skill"]["steps"])


def skill_line(past: Hindsight, found: dict[str, Any]) -> str:
    """Start, what changed it, result: the sum is exact."""
    skill, unit = found["skill"], found["axis"]["unit"]
    choices = ((past.game.called(seat), said_amount(unit, skill["choice"][seat.value])) for seat in PLAYERS)
    parts = [f"choices of {who} {amount}" for who, amount in choices]
    parts += [f"luck {said_amount(unit, skill['luck'])}"] if has_luck(found) else []
    if skill["open"]:
        parts.append(f"undecided {said_amount(unit, skill['open'])}")
    axis, ends = found["axis"], (skill["start"], skill["result"])
    start, end = (value_text(axis, value) for value in ends)
    who = past.game.called(Seat.EVADER)
    never = f"never caught counts as {axis['high']:g}" if any(is_never(axis, value) for value in ends) else ""
    note = "; ".join(filter(None, (UNITS[unit], never, f"+ is good for {who}")))
    return f"For {who}, from {start} at the start to {end} at the end: {', '.join(parts)} ({note})"
