"""Night Chase behind manhunt's contract."""

from random import Random

from manhunt import Seat
from manhunt.core import BadConfig, Capabilities, Deals, GameOfModules, Setup, deal_places, expect_keys, list_places
from night_chase import config as configs
from night_chase import notation, rules, views
from night_chase.config import Config
from night_chase.rules import Move, State
from night_chase.views import View


def setup_of(places: tuple[str, ...]) -> Setup:
    return {"runner": places[0], "hunters": list(places[1:])}


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
        """Paragraph 1. A start that is over at once is dealt again, up to 100 times."""
        return deal_places(self, config, setup_of, config.hunters + 1, rng)

    def deals(self, config: Config) -> Deals:
        return list_places(self, config, setup_of, config.hunters + 1)

    def start(self, config: Config, setup: Setup) -> State:
        expect_keys(setup, frozenset({"runner", "hunters"}), "setup of night_chase")
        labels = [str(label) for label in (setup.get("runner"), *setup.get("hunters", ()))]
        if not len(set(labels)) == len(labels) == config.hunters + 1:
            raise BadConfig(f"setup of night_chase: a runner and {config.hunters} hunters stand on different nodes")
        runner, *hunters = (config.board.node(label) for label in labels)
        return rules.seen(State(config, runner, tuple(hunters), round=0, moved=config.hunters))
