"""Many games between agents: matrices of win rates, ratings, tournaments."""

from typing import TYPE_CHECKING

from manhunt.core.lazy import lazy_names

if TYPE_CHECKING:
    from manhunt.arena.folder import load_ledger, load_plan
    from manhunt.arena.ledger import Cell, Ledger
    from manhunt.arena.own_agents import OwnAgent
    from manhunt.arena.ratings import Rating, Ratings, rate
    from manhunt.arena.result import Played, Result
    from manhunt.arena.schedule import Match, Plan, make_plan
    from manhunt.arena.sequential import Comparison, Sprt, Verdict
    from manhunt.arena.stats import Interval, wilson
    from manhunt.arena.summary import summary_of
    from manhunt.arena.tournament import run_arena, run_tournament

_HOME = {
    "Cell": "manhunt.arena.ledger",
    "Comparison": "manhunt.arena.sequential",
    "Interval": "manhunt.arena.stats",
    "Ledger": "manhunt.arena.ledger",
    "Match": "manhunt.arena.schedule",
    "OwnAgent": "manhunt.arena.own_agents",
    "Plan": "manhunt.arena.schedule",
    "Played": "manhunt.arena.result",
    "Rating": "manhunt.arena.ratings",
    "Ratings": "manhunt.arena.ratings",
    "Result": "manhunt.arena.result",
    "Sprt": "manhunt.arena.sequential",
    "Verdict": "manhunt.arena.sequential",
    "load_ledger": "manhunt.arena.folder",
    "load_plan": "manhunt.arena.folder",
    "make_plan": "manhunt.arena.schedule",
    "rate": "manhunt.arena.ratings",
    "run_arena": "manhunt.arena.tournament",
    "run_tournament": "manhunt.arena.tournament",
    "summary_of": "manhunt.arena.summary",
    "wilson": "manhunt.arena.stats",
}
__all__ = [
    "Cell", "Comparison", "Interval", "Ledger", "Match", "OwnAgent", "Plan", "Played", "Rating", "Ratings",
    "Result", "Sprt", "Verdict", "load_ledger", "load_plan", "make_plan", "rate", "run_arena", "run_tournament",
    "summary_of", "wilson",
]  # fmt: skip
__getattr__, __dir__ = lazy_names(__name__, _HOME)
