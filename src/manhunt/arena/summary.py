"""The figures of a ledger as JSON: the same for the same plan, so without times."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from manhunt.arena.ledger import Cell, Ledger
from manhunt.arena.ratings import rate, ratings_to_json
from manhunt.arena.stats import Interval, PairCounts, count_pairs, paired_difference
from manhunt.arena.words import has_costs
from manhunt.ids import PLAYERS, Seat


def summary_of(ledger: Ledger) -> dict[str, Any]:
    """Matrix, ratings, and what two agents of one role did on the same deals."""
    plan = ledger.plan
    return {
        "run": plan.run_id,
        "game": plan.game,
        "games": plan.n_games,
        "seed": plan.seed,
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
    plan = ledger.plan
    n_pursuers = len(plan.pursuers)
    winners = [ledger.winners(cell) for cell in range(plan.n_cells)]
    rows = []
    for j, opponent in enumerate(plan.pursuers):
        for a, b in combinations(range(len(plan.evaders)), 2):
            counts = count_pairs(_side(Seat.EVADER), winners[a * n_pursuers + j], winners[b * n_pursuers + j])
            rows.append((Seat.EVADER, plan.evaders[a], plan.evaders[b], opponent, counts))
    for i, opponent in enumerate(plan.evaders):
        for a, b in combinations(range(n_pursuers), 2):
            counts = count_pairs(_side(Seat.PURSUERS), winners[i * n_pursuers + a], winners[i * n_pursuers + b])
            rows.append((Seat.PURSUERS, plan.pursuers[a], plan.pursuers[b], opponent, counts))
    return [row for row in rows if row[-1].n]


def _side(seat: Seat) -> Any:
    return seat.side


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
