"""The figures of a ledger: as JSON (the same for the same plan, so without times), and as rows of tables."""

from itertools import combinations
from typing import Any

from manhunt.arena.ledger import Cell, Ledger
from manhunt.arena.ratings import rate, ratings_to_json
from manhunt.arena.stats import Interval, PairCounts, count_pairs, paired_difference
from manhunt.arena.words import elo_text, has_costs, points, seconds_text
from manhunt.core.ids import PLAYERS, Seat, Side
from manhunt.core.registry import make_game
from manhunt.core.seeds import seed_to_json


def _published_seed(ledger: Ledger) -> int | str | None:
    """A secret is published when all games are played."""
    seed, is_over = ledger.plan.seed, ledger.n_finished == ledger.plan.n_matches
    return seed_to_json(seed) if isinstance(seed, int) or (seed is not None and is_over) else None


def summary_of(ledger: Ledger) -> dict[str, Any]:
    """Matrix, ratings, and comparisons of agents in the same role on the same deals."""
    plan = ledger.plan
    return {
        "run": plan.run_id,
        "game": plan.game,
        "games": plan.n_games,
        "seed": _published_seed(ledger),
        "finished": ledger.n_finished,
        "of": plan.n_matches,
        "cells": [_cell_to_json(cell) | (_costs_to_json(cell) if has_costs(plan) else {}) for cell in ledger.cells],
        "ratings": ratings_to_json(rate(ledger)),
        "same_deals": [_difference_to_json(*row) for row in paired_rows(ledger)],
    }


def times_of(ledger: Ledger) -> list[dict[str, Any]]:
    """Mean seconds of a decision, agent by agent; no two runs agree on them."""
    return [
        {
            "seat": seat.value,
            "agent": agent,
            "decisions": spent.decisions,
            "mean_seconds": None if spent.mean_seconds is None else round(spent.mean_seconds, 6),
            "longest_seconds": round(spent.longest, 6),
        }
        for (seat, agent), spent in sorted(ledger.thinking.items(), key=lambda item: (item[0][0].value, item[0][1]))
    ]


def paired_rows(ledger: Ledger) -> list[tuple[Seat, str, str, str, PairCounts]]:
    """For each pair of agents of one role and each opponent: seat, first, second, opponent, counts."""
    plan, n = ledger.plan, len(ledger.plan.pursuers)
    winners = [ledger.winners(cell) for cell in range(plan.n_cells)]
    by_pursuers, by_evader = [winners[j::n] for j in range(n)], [winners[i : i + n] for i in range(0, plan.n_cells, n)]
    rows = []
    for seat, side, agents, opponents, games in (
        (Seat.EVADER, Side.EVADER, plan.evaders, plan.pursuers, by_pursuers),
        (Seat.PURSUERS, Side.PURSUERS, plan.pursuers, plan.evaders, by_evader),
    ):
        for opponent, column in zip(opponents, games, strict=True):
            for (first, one), (second, other) in combinations(zip(agents, column, strict=True), 2):
                rows.append((seat, first, second, opponent, count_pairs(side, one, other)))
    return [row for row in rows if row[-1].n]


def _cell_to_json(cell: Cell) -> dict[str, Any]:
    rate = cell.evader_rate
    return {
        "evader": cell.evader,
        "pursuers": cell.pursuers,
        "games": cell.n_games,
        "evader_wins": cell.evader_wins,
        "evader_rate": _rounded(rate) if rate else None,
        "mean_rounds": None if cell.mean_rounds is None else round(cell.mean_rounds, 4),
        "endings": dict(sorted(cell.endings.items())),
        "forfeits": {seat.value: cell.faults[seat] for seat in PLAYERS},
        "lost": cell.lost,
    }


def _costs_to_json(cell: Cell) -> dict[str, Any]:
    mean, arrived = cell.mean_cost, cell.arrival_rate
    return {"mean_cost": _rounded(mean) if mean else None, "arrival_rate": _rounded(arrived) if arrived else None}


def _difference_to_json(seat: Seat, first: str, second: str, opponent: str, counts: PairCounts) -> dict[str, Any]:
    return {
        "seat": seat.value,
        "first": first,
        "second": second,
        "against": opponent,
        **counts._asdict(),
        "second_less_first": _rounded(paired_difference(counts)),
    }


def _rounded(interval: Interval) -> dict[str, float]:
    return {key: round(value, 6) for key, value in interval._asdict().items()}


# Rows of tables that the terminal, Markdown and the page all show; a row begins with the role's name.

FigureRow = tuple[str | int, ...]


def rating_rows(ledger: Ledger) -> list[FigureRow]:
    """Agent, rating, its interval; the best of each role first."""
    ratings, names = rate(ledger), make_game(ledger.plan.game).seat_names
    return [(names[seat], row.agent, *elo_text(row)) for seat in PLAYERS for row in ratings.of(seat)]


def same_deal_rows(ledger: Ledger) -> list[FigureRow]:
    """Two agents, their opponent, the difference in points, its interval, the number of deals."""
    names = make_game(ledger.plan.game).seat_names
    return [
        (names[seat], f"{second} - {first}", against, *points(paired_difference(counts)), counts.n)
        for seat, first, second, against, counts in paired_rows(ledger)
    ]


def time_rows(ledger: Ledger) -> list[FigureRow]:
    """Agent, mean and longest time per decision, the number of decisions."""
    names = make_game(ledger.plan.game).seat_names
    return [
        (
            names[Seat(row["seat"])],
            row["agent"],
            seconds_text(row["mean_seconds"]),
            seconds_text(row["longest_seconds"]),
            row["decisions"],
        )
        for row in times_of(ledger)
    ]
