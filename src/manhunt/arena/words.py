"""Figures as people read them."""

from __future__ import annotations

from manhunt.arena.ratings import Rating
from manhunt.arena.schedule import Plan
from manhunt.arena.stats import Interval
from manhunt.games.registry import make_game


def title_of(plan: Plan) -> str:
    """`Scotland Yard, 1000 games a cell, seed 1, 50 iterations`."""
    limit = plan.limit
    bound = f", {limit.seconds:g} s a decision" if limit.seconds else ""
    bound += f", {limit.iterations} iterations a decision" if limit.iterations else ""
    games = "game" if plan.n_games == 1 else "games"
    return f"{make_game(plan.game).title}, {plan.n_games:,} {games} a cell, seed {plan.seed}{bound}"


def setting_of(plan: Plan) -> str:
    """Board, preset and number of detectives, as far as the game has them."""
    board = plan.config.get("board") or {}
    parts = [f"board {board['name']}"] if "name" in board else []
    parts += [f"preset {plan.config['preset']}"] if "preset" in plan.config else []
    parts += [f"{plan.config['n_detectives']} detectives"] if "n_detectives" in plan.config else []
    return ", ".join(parts)


def percent(rate: float) -> str:
    return f"{100 * rate:.1f} %"


def rate_text(rate: Interval) -> str:
    """`56.3 to 62.1`."""
    return f"{100 * rate.low:.1f} to {100 * rate.high:.1f}"


def points(gap: Interval) -> tuple[str, str]:
    """A difference of rates in points, and its interval."""
    return f"{100 * gap.value:+.1f}", f"{100 * gap.low:+.1f} to {100 * gap.high:+.1f}"


def elo_text(rating: Rating) -> tuple[str, str]:
    """A rating and its interval; an agent that won or lost everything has a bound only on one side."""
    if rating.is_reference:
        return "0", "reference"
    elo = rating.elo
    note = " (no end: all games alike)" if rating.is_open else ""
    return f"{elo.value:+.0f}", f"{elo.low:+.0f} to {elo.high:+.0f}{note}"


def seconds_text(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    for unit, name in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds * 1e6:.0f} µs"
