"""Figures as people read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from manhunt.arena.ratings import Rating
from manhunt.arena.schedule import Plan
from manhunt.arena.stats import Interval
from manhunt.games.registry import make_game
from manhunt.solvers.shortest_path.bounds import span


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


def has_costs(plan: Plan) -> bool:
    """Whether the game counts what the evader pays."""
    return make_game(plan.game).capabilities.costs


def bounds_text(bounds: Mapping[str, Any] | None) -> str:
    """`Best play costs 20.1 to 22 (certified).`, or nothing."""
    if bounds is None:
        return ""
    return f"Best play costs {span(bounds['lower']['value'], bounds['upper']['value'])} (certified)."


def cost_text(cost: Interval) -> tuple[str, str]:
    """A mean cost and its interval; nothing where all games cost the same."""
    return f"{cost.value:.5g}", "" if cost.low == cost.high else f"{cost.low:.5g} to {cost.high:.5g}"


def arrived_text(rate: Interval) -> str:
    return "all arrive" if rate.value == 1 else f"{percent(rate.value)} arrive"


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
