"""Games in which somebody hides on a graph and others hunt."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from manhunt.agents.base import Advice, Agent, Limit, Strategy
    from manhunt.agents.registry import make_agent
    from manhunt.boards.board import Board
    from manhunt.boards.catalog import load_board
    from manhunt.games.registry import make_game
    from manhunt.ids import Node, Seat, Side, Transport
    from manhunt.play.referee import Referee, play_game

__version__ = "0.1.0"

_HOME = {
    "Advice": "manhunt.agents.base",
    "Agent": "manhunt.agents.base",
    "Board": "manhunt.boards.board",
    "Limit": "manhunt.agents.base",
    "Node": "manhunt.ids",
    "Referee": "manhunt.play.referee",
    "Seat": "manhunt.ids",
    "Side": "manhunt.ids",
    "Strategy": "manhunt.agents.base",
    "Transport": "manhunt.ids",
    "load_board": "manhunt.boards.catalog",
    "make_agent": "manhunt.agents.registry",
    "make_game": "manhunt.games.registry",
    "play_game": "manhunt.play.referee",
}
__all__ = [
    "Advice", "Agent", "Board", "Limit", "Node", "Referee", "Seat", "Side", "Strategy", "Transport",
    "load_board", "make_agent", "make_game", "play_game",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'manhunt' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
