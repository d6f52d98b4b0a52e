"""Adversarial Shortest Path behind the common contract."""

from __future__ import annotations

from random import Random

from manhunt.games.base import Capabilities, Setup, expect_keys
from manhunt.games.modules import GameOfModules
from manhunt.games.shortest_path import config as configs
from manhunt.games.shortest_path import notation, rules, views
from manhunt.games.shortest_path.actions import Action, Pass
from manhunt.games.shortest_path.config import Config
from manhunt.games.shortest_path.state import State
from manhunt.games.shortest_path.views import View
from manhunt.ids import Seat


class ShortestPathGame(GameOfModules[Config, State, Action, View]):
    name = "shortest_path"
    title = "Adversarial Shortest Path"
    presets = configs.PRESETS
    capabilities = Capabilities(hidden=False, chance=False, costs=True)
    seat_names = {Seat.EVADER: "traveller", Seat.PURSUERS: "adversary"}  # noqa: RUF012
    config_module = configs
    rules_module = rules
    views_module = views
    notation_module = notation

    def deal(self, config: Config, rng: Random) -> Setup:
        """Nothing is left to chance."""
        return {}

    def start(self, config: Config, setup: Setup) -> State:
        expect_keys(setup, frozenset(), "setup of shortest_path")
        return rules.start(config)

    def pass_by_rule(self, state: State) -> Action:
        """Paragraph 4: a bad move is an empty one."""
        return Pass()
