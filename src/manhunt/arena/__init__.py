"""Many games between agents: matrices of win rates, ratings, tournaments."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from manhunt.arena.folder import load_ledger
    from manhunt.arena.ledger import Ledger
    from manhunt.arena.schedule import Plan, make_plan
    from manhunt.arena.summary import summary_of
    from manhunt.arena.tournament import run_arena, run_tournament

_HOME = {
    "Ledger": "manhunt.arena.ledger",
    "Plan": "manhunt.arena.schedule",
    "load_ledger": "manhunt.arena.folder",
    "make_plan": "manhunt.arena.schedule",
    "run_arena": "manhunt.arena.tournament",
    "run_tournament": "manhunt.arena.tournament",
    "summary_of": "manhunt.arena.summary",
}
__all__ = ["Ledger", "Plan", "load_ledger", "make_plan", "run_arena", "run_tournament", "summary_of"]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'manhunt.arena' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return list(__all__)
