"""Night Chase behind manhunt's contract."""

from collections.abc import Iterator
from itertools import permutations
from math import perm
from random import Random

from manhunt.core.deals import check_number_of_deals, dealt_again
from manhunt.core.errors import BadConfig
from manhunt.core.game import Capabilities, Setup, expect_keys
from manhunt.core.ids import Seat
from manhunt.core.modules import GameOfModules
from night_chase import config as configs
from night_chase import notation, rules, views
from night_chase.config import Config
from night_chase.rules import Move, State
from night_chase.views import View

DRAWS = 100


class NightChase(GameOfModules[Config, State, Move, View]):
    name = "night_chase"
    title = "Night Chase"
    presets = configs.PRESETS
    sources = configs.SOURCES
    capabilities = Capabilities(hidden=True, chance=False)
    seat_names = {Seat.EVADER: "runner", Seat.PURSUERS: "hunters"}  # noqa: RUF012
    config_module = configs
    rules_module = rules
    views_module = views
    notation_module = notation

    def deal(self, config: Config, rng: Random) -> Setup:
        """Paragraph 1. A start that is over at once is dealt again, up to `DRAWS` draws in all."""
        labels = list(config.board.labels)
        for _ in range(DRAWS):
            runner, *hunters = rng.sample(labels, config.hunters + 1)
            setup: Setup = {"runner": runner, "hunters": hunters}
            if rules.outcome(self.start(config, setup)) is None:
                break
        return setup

    def deals(self, config: Config) -> Iterator[tuple[Setup, float]]:
        """All of them with their probabilities, for solvers; a game plays without this method, too."""
        n = perm(config.board.n_nodes, config.hunters + 1)
        check_number_of_deals(n, self.describe_config(config))
        places = permutations(config.board.labels, config.hunters + 1)
        draws: list[tuple[Setup, float]] = [
            ({"runner": runner, "hunters": hunters}, 1 / n) for runner, *hunters in places
        ]
        yield from dealt_again(draws, lambda setup: rules.outcome(self.start(config, setup)) is None, DRAWS)

    def start(self, config: Config, setup: Setup) -> State:
        expect_keys(setup, frozenset({"runner", "hunters"}), "setup of night_chase")
        labels = [str(label) for label in (setup.get("runner"), *setup.get("hunters", ()))]
        if not len(set(labels)) == len(labels) == config.hunters + 1:
            raise BadConfig(f"setup of night_chase: a runner and {config.hunters} hunters stand on different nodes")
        runner, *hunters = (config.board.node(label) for label in labels)
        return rules.seen(State(config, runner, tuple(hunters), round=0, moved=config.hunters))
