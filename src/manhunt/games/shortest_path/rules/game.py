"""Adversarial Shortest Path behind the common contract."""

from collections.abc import Sequence
from random import Random

from manhunt.core.deals import Deals
from manhunt.core.game import Capabilities, Setup, expect_keys
from manhunt.core.ids import Node, Seat
from manhunt.core.modules import GameOfModules
from manhunt.games.shortest_path.rules import config as configs
from manhunt.games.shortest_path.rules import notation, rules, views
from manhunt.games.shortest_path.rules.actions import EmptyMove, OnEdge, ShortestPathAction
from manhunt.games.shortest_path.rules.config import ShortestPathConfig
from manhunt.games.shortest_path.rules.costs import hops_to
from manhunt.games.shortest_path.rules.state import ShortestPathState
from manhunt.games.shortest_path.rules.views import ShortestPathView


class ShortestPathGame(GameOfModules[ShortestPathConfig, ShortestPathState, ShortestPathAction, ShortestPathView]):
    """Adversarial Shortest Path: `make_game("shortest_path")`.

    Examples:
        >>> game = ShortestPathGame()
        >>> config = game.make_config(board="grid:3x3", source="1", target="9")
        >>> state = game.start(config, {})
        >>> game.view(state, game.to_act(state)).total
        0.0
    """

    name = "shortest_path"
    title = "Adversarial Shortest Path"
    presets = configs.PRESETS
    sources = configs.SOURCES
    capabilities = Capabilities(hidden=False, chance=False, costs=True)
    seat_names = {Seat.EVADER: "traveller", Seat.PURSUERS: "adversary"}  # noqa: RUF012
    config_module = configs
    rules_module = rules
    views_module = views
    notation_module = notation

    def deal(self, config: ShortestPathConfig, rng: Random) -> Setup:
        """An empty setup: nothing is left to chance."""
        return {}

    def deals(self, config: ShortestPathConfig) -> Deals:
        yield {}, 1.0

    def start(self, config: ShortestPathConfig, setup: Setup) -> ShortestPathState:
        expect_keys(setup, frozenset(), "setup of shortest_path")
        return rules.start(config)

    def phrase_choice(self, state: ShortestPathState, actions: Sequence[ShortestPathAction]) -> str:
        """`from 4 to 7` of the traveller, `raise 4-7` of the adversary."""
        phrases, label = [], state.config.board.label
        for action in actions:
            if isinstance(action, EmptyMove):
                phrases.append("pass")
            elif rules.to_act(state) is Seat.EVADER:
                phrases.append(f"from {label(action.start)} to {label(action.to)}")
            else:
                phrases.append(f"raise {notation.format_action(state.config, action)}")
            state = rules.apply_action(state, action)
        return ", ".join(phrases)

    def arrow_of(self, state: ShortestPathState, action: ShortestPathAction) -> tuple[Node, Node] | None:
        """A raise lies on its edge."""
        if isinstance(action, OnEdge) and rules.to_act(state) is Seat.PURSUERS:
            return action.start, action.to
        return None

    def least_cost(self, config: ShortestPathConfig) -> float:
        """The length of the shortest path in edges, because every edge costs at least 1.0."""
        return float(hops_to(config.board, config.target)[config.source] or 1)

    def pass_by_rule(self, state: ShortestPathState) -> ShortestPathAction:
        """Paragraph 4: a bad move is an empty one."""
        return EmptyMove()
