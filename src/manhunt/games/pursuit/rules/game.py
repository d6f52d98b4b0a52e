"""Pursuit behind the common contract."""

from collections.abc import Iterator
from itertools import permutations
from math import perm
from random import Random

from manhunt.core.deals import check_number_of_deals, dealt_again
from manhunt.core.errors import BadConfig
from manhunt.core.game import Capabilities, Setup, expect_keys
from manhunt.core.ids import Node, Seat
from manhunt.core.modules import GameOfModules
from manhunt.games.pursuit.rules import config as configs
from manhunt.games.pursuit.rules import notation, rules, views
from manhunt.games.pursuit.rules.actions import JointMove, PursuitAction, PursuitMove
from manhunt.games.pursuit.rules.config import PlacementRule, PursuitConfig, Visibility
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.games.pursuit.rules.views import PursuitView

DRAWS = 100
"""A deal that is over at once is drawn again, so many draws in all."""


class PursuitGame(GameOfModules[PursuitConfig, PursuitState, PursuitAction, PursuitView]):
    name = "pursuit"
    title = "Pursuit"
    presets = configs.PRESETS
    sources = configs.SOURCES
    capabilities = Capabilities(hidden=True, chance=False)
    seat_names = {Seat.EVADER: "Mr X", Seat.PURSUERS: "detectives"}  # noqa: RUF012
    proper_names = frozenset({Seat.EVADER})
    config_module = configs
    rules_module = rules
    views_module = views
    notation_module = notation

    def deal(self, config: PursuitConfig, rng: Random) -> Setup:
        """Different nodes for all; the quarry gets one with a free neighbour, where the board has such."""
        if config.placement is PlacementRule.CHOSEN:
            return {}
        label = config.board.label
        nodes = list(config.board.nodes())
        for _ in range(DRAWS):
            quarry, *detectives = rng.sample(nodes, config.n_detectives + 1)
            setup = make_setup(config, label(quarry), [label(d) for d in detectives])
            if rules.outcome(self.start(config, setup)) is None:
                break
        return setup

    def deals(self, config: PursuitConfig) -> Iterator[tuple[Setup, float]]:
        if config.placement is PlacementRule.CHOSEN:
            yield {}, 1.0
            return
        n = perm(config.board.n_nodes, config.n_detectives + 1)
        check_number_of_deals(n, self.describe_config(config))
        places = permutations(config.board.labels, config.n_detectives + 1)
        draws = [(make_setup(config, mrx, detectives), 1 / n) for mrx, *detectives in places]
        yield from dealt_again(draws, lambda setup: rules.outcome(self.start(config, setup)) is None, DRAWS)

    def redeal(self, config: PursuitConfig, setup: Setup, rng: Random) -> Setup:
        """The detectives stay; the quarry goes elsewhere, unless they see it all the time."""
        if not setup or config.visibility is Visibility.ALWAYS:
            return setup
        free = [label for label in config.board.labels if label not in setup["detectives"]]
        for _ in range(100):
            dealt = {**setup, "mrx": rng.choice(free)}
            if rules.outcome(self.start(config, dealt)) is None:
                break
        return dealt

    def start(self, config: PursuitConfig, setup: Setup) -> PursuitState:
        """Paragraph 2. An empty setup begins with placing the pieces, where the config says so."""
        expect_keys(setup, frozenset({"mrx", "detectives"}), "setup of pursuit")
        if not setup and config.placement is PlacementRule.CHOSEN:
            return PursuitState(config, None, (), waiting=tuple(range(config.n_detectives)))
        if setup.get("mrx") is None:
            raise BadConfig("no place for Mr X; give the label of his node")
        places = setup.get("detectives") or []
        if not isinstance(places, list | tuple):
            raise BadConfig(f"detectives must be a list of nodes, not {places!r}")
        detectives = _detectives(config, [str(place) for place in places])
        return rules.begun(PursuitState(config, config.board.node(setup["mrx"]), detectives))

    def describe_config(self, config: PursuitConfig) -> str:
        return f"{super().describe_config(config)}, {config.n_detectives} detectives"

    def pass_action(self, state: PursuitState) -> PursuitAction | None:
        """Staying, where a piece may."""
        if state.quarry is None:
            return None
        every = (PursuitMove(node, piece) for piece, node in enumerate(state.pursuers))
        stays = (PursuitMove(state.quarry), JointMove(state.pursuers), *every)
        return next((action for action in rules.legal_actions(state) if action in stays), None)


def make_setup(config: PursuitConfig, mrx: str | int, detectives: list[str] | list[int]) -> Setup:
    """The setup with these labels."""
    return {"mrx": str(mrx), "detectives": [str(d) for d in detectives]}


def _detectives(config: PursuitConfig, labels: list[str]) -> tuple[Node, ...]:
    if not labels:
        raise BadConfig("no detectives; give at least one node")
    if len(labels) != config.n_detectives:
        raise BadConfig(f"{len(labels)} detectives' places given, but the config has {config.n_detectives}")
    if not config.may_share:
        for i, label in enumerate(labels):
            if label in labels[:i]:
                raise BadConfig(f"two detectives on node {label}; each needs a node of his own")
    return tuple(config.board.node(label) for label in labels)
