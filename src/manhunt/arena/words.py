"""Figures as people read them."""

from collections.abc import Mapping
from typing import Any

from manhunt.arena.ratings import Rating
from manhunt.arena.schedule import Plan
from manhunt.arena.stats import Interval
from manhunt.core.registry import kit_of, make_game


def title_of(plan: Plan) -> str:
    """The game, then `1,000 games a cell, seed 1, 50 iterations a decision`."""
    limit = plan.limit
    bound = f", {limit.seconds:g} s a decision" if limit.seconds else ""
    bound += f", {limit.iterations} iterations a decision" if limit.iterations else ""
    games = "game" if plan.n_games == 1 else "games"
    seed = f"seed {plan.seed}" if isinstance(plan.seed, int) else "secret seed"
    return f"{make_game(plan.game).title}, {plan.n_games:,} {games} a cell, {seed}{bound}"


def setting_of(plan: Plan) -> str:
    """The config in the game's words: board, preset, number of pieces."""
    game = make_game(plan.game)
    return game.describe_config(game.config_from_json(plan.config))


def has_costs(plan: Plan) -> bool:
    """Whether the game counts what the evader pays."""
    return make_game(plan.game).capabilities.costs


def bounds_text(plan: Plan, bounds: Mapping[str, Any] | None) -> str:
    """Certified bounds in the game's words, or nothing."""
    part = kit_of(plan.game).part("bounds")
    return "" if bounds is None or part is None else str(part.bounds_text(bounds))


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
    note = " (unbounded: every game had the same result)" if rating.is_open else ""
    return f"{elo.value:+.0f}", f"{elo.low:+.0f} to {elo.high:+.0f}{note}"


def elo_words(elo: Interval) -> str:
    """`+35 (+12 to +58)`."""
    return f"{elo.value:+.0f} ({elo.low:+.0f} to {elo.high:+.0f})"


def seconds_text(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    for unit, name in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds * 1e6:.0f} µs"
