"""Figures of a tournament as people read them."""

from __future__ import annotations

from manhunt.arena.competition.run import Progress
from manhunt.arena.competition.standings import RoleScore, Standing


def games_text(progress: Progress) -> str:
    return f"{progress.n_played:,} of {progress.n_expected:,} games"


def share_text(standing: Standing) -> str:
    return f"{100 * standing.share:.0f} %" if standing.n_games else "-"


def role_text(role: RoleScore) -> tuple[str, str]:
    """A rating and its interval; where all games went one way it is a bound on one side only."""
    if role.elo is None:
        return "-", ""
    if role.is_reference:
        return "0", "reference"
    elo = role.elo
    if role.is_open and role.n_games:
        return f"{elo.value:+.0f}", f"above {elo.low:+.0f}" if role.won else f"below {elo.high:+.0f}"
    return f"{elo.value:+.0f}", f"{elo.low:+.0f} to {elo.high:+.0f}"
