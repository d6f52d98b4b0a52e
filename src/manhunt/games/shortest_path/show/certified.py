"""Certified bounds on what best play costs, for the arena: found for a config, and told in one line."""

from collections.abc import Mapping
from typing import Any

from manhunt.games.shortest_path.rules.config import ShortestPathConfig
from manhunt.games.shortest_path.rules.rules import start
from manhunt.games.shortest_path.solvers import bounds as search


def find_bounds(config: ShortestPathConfig, limit_seconds: float) -> dict[str, Any]:
    """The best bounds on the start that are found in this time, as JSON with labels."""
    return search.find_bounds(start(config), limit_seconds).to_json(config.board)


def bounds_text(bounds: Mapping[str, Any]) -> str:
    """`Best play costs 20.1 to 22 (certified).`"""
    return f"Best play costs {search.span(bounds['lower']['value'], bounds['upper']['value'])} (certified)."
