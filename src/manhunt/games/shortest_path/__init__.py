"""Adversarial Shortest Path: a traveller crosses a graph whose edge costs an adversary keeps raising."""

from typing import TYPE_CHECKING

from manhunt.core.ids import Seat
from manhunt.core.kit import Command, FirstWord, Kit, Lobby, Quick
from manhunt.core.lazy import lazy_names

if TYPE_CHECKING:
    from manhunt.games.shortest_path.agents.adversaries import GreedyAdversary, LastEdgeAgent
    from manhunt.games.shortest_path.agents.blocker import BlockerAgent
    from manhunt.games.shortest_path.agents.min_cut import MinCutAgent
    from manhunt.games.shortest_path.agents.navigator import NavigatorAgent
    from manhunt.games.shortest_path.agents.travellers import CommittedAgent, DijkstraAgent
    from manhunt.games.shortest_path.rules.actions import EmptyMove, OnEdge, ShortestPathAction
    from manhunt.games.shortest_path.rules.config import Rule, ShortestPathConfig
    from manhunt.games.shortest_path.rules.game import ShortestPathGame
    from manhunt.games.shortest_path.rules.game_file import load_game_file
    from manhunt.games.shortest_path.rules.state import ShortestPathState
    from manhunt.games.shortest_path.rules.views import ShortestPathView
    from manhunt.games.shortest_path.solvers.bounds import bounds_from_json, check_bounds, find_bounds

KIT = Kit(
    home=__name__,
    name="shortest_path",
    summary="Walk to the target as cheaply as you can, while an adversary raises the cost of one edge at every step.",
    parts={
        "game": ".rules.game:ShortestPathGame",
        "words": ".rules.words",
        "messages": ".rules.messages",
        "scene": ".show.scene",
        "screen": ".show.terminal:ShortestPathScreen",
        "tour": ".show.tour",
        "board_verbs": ".show.generate_command",
        "insights": ".show.insights",
        "analysis": ".show.analysis",
        "lessons": ".lessons.checks",
        "review": ".show.review",
        "lines": ".show.lines",
        "puzzles": ".puzzles.puzzles",
        "bounds": ".show.certified",
        "size": ".rules.config:size_of",
        "miniatures": ".rules.miniatures:MINIATURES",
        "encoder": ".rules.encoding:ShortestPathEncoder",
    },
    presets={
        "sqrt": "the farther an edge is from the target, the more a raise multiplies its cost",
        "double": "every raise doubles the cost",
    },
    agents={
        "greedy": ".agents.adversaries:GreedyAdversary",
        "dijkstra": ".agents.travellers:DijkstraAgent",
        "forward": ".agents.travellers:ForwardAgent",
        "committed": ".agents.travellers:CommittedAgent",
        "next-edge": ".agents.adversaries:NextEdgeAgent",
        "last-edge": ".agents.adversaries:LastEdgeAgent",
        "min-cut": ".agents.min_cut:MinCutAgent",
        "navigator": ".agents.navigator:NavigatorAgent",
        "blocker": ".agents.blocker:BlockerAgent",
    },
    commands={
        "serve": Command(
            ".show.serve_command", "a server for bots, by the classic protocol", first=FirstWord.NAMED_GAME
        ),
    },
    lobby=Lobby(quick=Quick("sqrt", Seat.EVADER, "next-edge"), order=4, generators=("contest",)),
    questions=("route", "hint"),
    small={"board": "grid:3x3", "source": "1", "target": "9"},
    light=frozenset(
        {"greedy", "dijkstra", "forward", "committed", "next-edge", "last-edge", "min-cut", "watch", "page", "tour"}
    ),
)

_HOME = {
    "BlockerAgent": "manhunt.games.shortest_path.agents.blocker",
    "CommittedAgent": "manhunt.games.shortest_path.agents.travellers",
    "DijkstraAgent": "manhunt.games.shortest_path.agents.travellers",
    "EmptyMove": "manhunt.games.shortest_path.rules.actions",
    "GreedyAdversary": "manhunt.games.shortest_path.agents.adversaries",
    "LastEdgeAgent": "manhunt.games.shortest_path.agents.adversaries",
    "MinCutAgent": "manhunt.games.shortest_path.agents.min_cut",
    "NavigatorAgent": "manhunt.games.shortest_path.agents.navigator",
    "OnEdge": "manhunt.games.shortest_path.rules.actions",
    "Rule": "manhunt.games.shortest_path.rules.config",
    "ShortestPathAction": "manhunt.games.shortest_path.rules.actions",
    "ShortestPathConfig": "manhunt.games.shortest_path.rules.config",
    "ShortestPathGame": "manhunt.games.shortest_path.rules.game",
    "ShortestPathState": "manhunt.games.shortest_path.rules.state",
    "ShortestPathView": "manhunt.games.shortest_path.rules.views",
    "bounds_from_json": "manhunt.games.shortest_path.solvers.bounds",
    "check_bounds": "manhunt.games.shortest_path.solvers.bounds",
    "find_bounds": "manhunt.games.shortest_path.solvers.bounds",
    "load_game_file": "manhunt.games.shortest_path.rules.game_file",
}
__all__ = [
    "KIT", "BlockerAgent", "CommittedAgent", "DijkstraAgent", "EmptyMove", "GreedyAdversary", "LastEdgeAgent",
    "MinCutAgent", "NavigatorAgent", "OnEdge", "Rule", "ShortestPathAction", "ShortestPathConfig", "ShortestPathGame",
    "ShortestPathState", "ShortestPathView", "bounds_from_json", "check_bounds", "find_bounds", "load_game_file",
]  # fmt: skip
__getattr__, __dir__ = lazy_names(__name__, _HOME)
