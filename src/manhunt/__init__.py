"""Games of hiding and hunting on graphs."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from manhunt.agents.registry import make_agent
    from manhunt.agents.strategy import Strategy, TeamStrategy
    from manhunt.boards.board import Board
    from manhunt.boards.catalog import load_board
    from manhunt.core.agent import Advice, Agent, Limit
    from manhunt.core.ids import Node, Seat, Side, Transport
    from manhunt.games.typed import make_game
    from manhunt.play.record import load_record
    from manhunt.play.referee import Referee, play_game

__version__ = "0.1.0"

_HOME = {
    "Advice": "manhunt.core.agent",
    "Agent": "manhunt.core.agent",
    "Board": "manhunt.boards.board",
    "Limit": "manhunt.core.agent",
    "Node": "manhunt.core.ids",
    "Referee": "manhunt.play.referee",
    "Seat": "manhunt.core.ids",
    "Side": "manhunt.core.ids",
    "Strategy": "manhunt.agents.strategy",
    "TeamStrategy": "manhunt.agents.strategy",
    "Transport": "manhunt.core.ids",
    "load_board": "manhunt.boards.catalog",
    "load_record": "manhunt.play.record",
    "make_agent": "manhunt.agents.registry",
    "make_game": "manhunt.games.typed",
    "play_game": "manhunt.play.referee",
}
__all__ = [
    "Advice", "Agent", "Board", "Limit", "Node", "Referee", "Seat", "Side", "Strategy", "TeamStrategy",
    "Transport", "load_board", "load_record", "make_agent", "make_game", "play_game",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'manhunt' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
