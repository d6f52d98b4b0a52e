"""Adversarial Shortest Path: a traveller crosses a graph whose edge costs an adversary keeps raising."""

from manhunt.core.ids import Seat
from manhunt.core.kit import Command, FirstWord, Kit, Lobby, Quick

KIT = Kit(
    home=__name__,
    name="shortest_path",
    summary="Walk to the target as cheaply as you can, while an adversary raises the cost of one edge at every step.",
    parts={
        "game": ".rules.game:ShortestPathGame",
        "words": ".rules.words",
        "scene": ".show.scene",
        "screen": ".show.terminal:ShortestPathScreen",
        "tour": ".show.tour",
        "board_verbs": ".show.generate_command",
        "insights": ".show.insights",
        "analysis": ".show.analysis",
        "puzzles": ".puzzles.puzzles",
        "bounds": ".show.certified",
        "size": ".rules.config:size_of",
        "miniatures": ".rules.miniatures:MINIATURES",
        "encoder": ".rules.encoding:ShortestPathEncoder",
    },
    presets={
        "sqrt": "a raise multiplies by more, the farther the edge is from the target",
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
        "analyse": Command(
            ".show.analyse_command",
            "check a record's bounds, and which moves were surely mistakes",
            first=FirstWord.RECORD,
        ),
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
