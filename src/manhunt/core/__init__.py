"""The contracts that games, agents and programs share: ids, games, views, events, agents, outcomes, kits."""

from typing import TYPE_CHECKING

from manhunt.core.lazy import lazy_names

if TYPE_CHECKING:
    from manhunt.core.agent import Advice, Agent, Alternative, ClockFace, Limit
    from manhunt.core.batch import Batch
    from manhunt.core.belief import Belief
    from manhunt.core.deals import Deals, deal_places, list_places
    from manhunt.core.encoding import Encoder, Plane
    from manhunt.core.errors import (
        BadAgent,
        BadBoard,
        BadConfig,
        BadText,
        IllegalAction,
        ManhuntError,
        MissingExtra,
        one_of,
        unknown,
    )
    from manhunt.core.events import Event
    from manhunt.core.game import BoardMove, BoardView, Capabilities, Game, Setup, Sighting, Size, View, expect_keys
    from manhunt.core.ids import Node, Seat, Side, Transport
    from manhunt.core.kit import Anchor, Command, Kit, Level, Lobby, Quick
    from manhunt.core.modules import GameOfModules
    from manhunt.core.outcome import Outcome, Termination, parse_outcome
    from manhunt.core.registry import find_name, game_names, kit_of, kits, kits_with, make_game
    from manhunt.core.scene import Scene, SceneOffer, ScenePiece
    from manhunt.core.seeds import new_secret
    from manhunt.core.stepper import Stepper
    from manhunt.core.turns import TurnEnd

_HOME = {
    "Advice": "manhunt.core.agent",
    "Agent": "manhunt.core.agent",
    "Alternative": "manhunt.core.agent",
    "Anchor": "manhunt.core.kit",
    "BadAgent": "manhunt.core.errors",
    "BadBoard": "manhunt.core.errors",
    "BadConfig": "manhunt.core.errors",
    "BadText": "manhunt.core.errors",
    "Batch": "manhunt.core.batch",
    "Belief": "manhunt.core.belief",
    "BoardMove": "manhunt.core.game",
    "BoardView": "manhunt.core.game",
    "Capabilities": "manhunt.core.game",
    "ClockFace": "manhunt.core.agent",
    "Command": "manhunt.core.kit",
    "Deals": "manhunt.core.deals",
    "Encoder": "manhunt.core.encoding",
    "Event": "manhunt.core.events",
    "Game": "manhunt.core.game",
    "GameOfModules": "manhunt.core.modules",
    "IllegalAction": "manhunt.core.errors",
    "Kit": "manhunt.core.kit",
    "Level": "manhunt.core.kit",
    "Limit": "manhunt.core.agent",
    "Lobby": "manhunt.core.kit",
    "ManhuntError": "manhunt.core.errors",
    "MissingExtra": "manhunt.core.errors",
    "Node": "manhunt.core.ids",
    "Outcome": "manhunt.core.outcome",
    "Plane": "manhunt.core.encoding",
    "Quick": "manhunt.core.kit",
    "Scene": "manhunt.core.scene",
    "SceneOffer": "manhunt.core.scene",
    "ScenePiece": "manhunt.core.scene",
    "Seat": "manhunt.core.ids",
    "Setup": "manhunt.core.game",
    "Side": "manhunt.core.ids",
    "Sighting": "manhunt.core.game",
    "Size": "manhunt.core.game",
    "Stepper": "manhunt.core.stepper",
    "Termination": "manhunt.core.outcome",
    "Transport": "manhunt.core.ids",
    "TurnEnd": "manhunt.core.turns",
    "View": "manhunt.core.game",
    "deal_places": "manhunt.core.deals",
    "expect_keys": "manhunt.core.game",
    "find_name": "manhunt.core.registry",
    "game_names": "manhunt.core.registry",
    "kit_of": "manhunt.core.registry",
    "kits": "manhunt.core.registry",
    "kits_with": "manhunt.core.registry",
    "list_places": "manhunt.core.deals",
    "make_game": "manhunt.core.registry",
    "new_secret": "manhunt.core.seeds",
    "one_of": "manhunt.core.errors",
    "parse_outcome": "manhunt.core.outcome",
    "unknown": "manhunt.core.errors",
}
__all__ = [
    "Advice", "Agent", "Alternative", "Anchor", "BadAgent", "BadBoard", "BadConfig", "BadText", "Batch", "Belief",
    "BoardMove", "BoardView", "Capabilities", "ClockFace", "Command", "Deals", "Encoder", "Event", "Game",
    "GameOfModules", "IllegalAction", "Kit", "Level", "Limit", "Lobby", "ManhuntError", "MissingExtra", "Node",
    "Outcome", "Plane", "Quick", "Scene", "SceneOffer", "ScenePiece", "Seat", "Setup", "Side", "Sighting", "Size",
    "Stepper", "Termination", "Transport", "TurnEnd", "View", "deal_places", "expect_keys", "find_name", "game_names",
    "kit_of", "kits", "kits_with", "list_places", "make_game", "new_secret", "one_of", "parse_outcome", "unknown",
]  # fmt: skip
__getattr__, __dir__ = lazy_names(__name__, _HOME)
