"""Small games with hidden information, of several kits, that are solved in a moment."""

from __future__ import annotations

from typing import Any

from manhunt.core.registry import make_game
from manhunt.solvers.equilibrium.tree import HistoryTree, build_tree
from scotland_yard_games import board_of

LADDER = board_of("1-2:T 2-3:T 4-5:T 5-6:T 1-4:B 2-5:T 3-6:B", "ladder")
TICKETS = {"mrx_tickets": {"taxi": 2, "bus": 2, "secret": 1}, "detective_tickets": {"taxi": 2, "bus": 1}}
BLIND = {"visibility": "rounds", "n_detectives": 1}
SMALL: dict[str, tuple[str, dict[str, Any]]] = {
    "grid-blind": ("pursuit", {"board": "grid:2x3", "max_rounds": 3, **BLIND}),
    "complete-blind": ("pursuit", {"board": "complete:4", "max_rounds": 2, **BLIND}),
    "ring-sight": (
        "pursuit",
        {"board": "ring:5", "n_detectives": 2, "max_rounds": 2, "visibility": "sight", "sight_hops": 0},
    ),
    "shown-once": ("pursuit", {"board": "grid:2x3", "max_rounds": 4, **BLIND, "reveal_rounds": [2]}),
    "tickets": (
        "scotland_yard",
        {"board": LADDER, "n_detectives": 1, "rounds": [False, True, False], "detective_starts": ["1", "2"], **TICKETS},
    ),
    "cards": (
        "fugitive",
        {"last": 4, "piles": [[3, 3]], "dealt": [0], "reach": 2, "manhunt_below": 3, "first_draws": 1, "max_rounds": 2},
    ),
}


def small_tree(name: str) -> HistoryTree:
    game, options = SMALL[name]
    return tree_of(game, **options)


def tree_of(name: str, **options: Any) -> HistoryTree:
    game = make_game(name)
    return build_tree(game, game.make_config(None, **options))
