"""Pursuit behind the common contract."""

from __future__ import annotations

from random import Random

from manhunt.errors import BadConfig
from manhunt.games.base import Capabilities, Setup, expect_keys
from manhunt.games.modules import GameOfModules
from manhunt.games.pursuit import config as configs
from manhunt.games.pursuit import notation, rules, views
from manhunt.games.pursuit.actions import Action, JointMove, Move
from manhunt.games.pursuit.config import Config, Placement
from manhunt.games.pursuit.state import State
from manhunt.games.pursuit.views import View
from manhunt.ids import Node, Seat


class PursuitGame(GameOfModules[Config, State, Action, View]):
    name = "pursuit"
    title = "Pursuit"
    presets = configs.PRESETS
    capabilities = Capabilities(hidden=True, chance=False)
    seat_names = {Seat.EVADER: "Mr X", Seat.PURSUERS: "detectives"}  # noqa: RUF012
    config_module = configs
    rules_module = rules
    views_module = views
    notation_module = notation

    def deal(self, config: Config, rng: Random) -> Setup:
        """Different nodes for all; the quarry gets one with a free neighbour, where the board has such."""
        if config.placement is Placement.CHOSEN:
            return {}
        label = config.board.label
        nodes = list(config.board.nodes())
        for _ in range(100):
            quarry, *detectives = rng.sample(nodes, config.n_detectives + 1)
            state = self.start(config, make_setup(config, label(quarry), [label(d) for d in detectives]))
            if rules.outcome(state) is None:
                break
        return make_setup(config, label(quarry), [label(d) for d in detectives])

    def start(self, config: Config, setup: Setup) -> State:
        """Paragraph 2. An empty setup begins with placing the pieces, where the config says so."""
        expect_keys(setup, frozenset({"mrx", "detectives"}), "setup of pursuit")
        if not setup and config.placement is Placement.CHOSEN:
            return State(config, None, (), waiting=tuple(range(config.n_detectives)))
        if setup.get("mrx") is None:
            raise BadConfig("no place for Mr X; give the label of his node")
        places = setup.get("detectives") or []
        if not isinstance(places, list | tuple):
            raise BadConfig(f"detectives must be a list of nodes, not {places!r}")
        detectives = _detectives(config, [str(place) for place in places])
        return rules.begun(State(config, config.board.node(setup["mrx"]), detectives))

    def pass_action(self, state: State) -> Action | None:
        """Staying, where a piece may."""
        if state.quarry is None:
            return None
        every = (Move(node, piece) for piece, node in enumerate(state.pursuers))
        stays = (Move(state.quarry), JointMove(state.pursuers), *every)
        return next((action for action in rules.legal_actions(state) if action in stays), None)


def make_setup(config: Config, mrx: str | int, detectives: list[str] | list[int]) -> Setup:
    """The setup with these labels."""
    return {"mrx": str(mrx), "detectives": [str(d) for d in detectives]}


def _detectives(config: Config, labels: list[str]) -> tuple[Node, ...]:
    if not labels:
        raise BadConfig("no detectives; give at least one node")
    if len(labels) != config.n_detectives:
        raise BadConfig(f"{len(labels)} detectives' places given, but the config has {config.n_detectives}")
    if not config.may_share:
        for i, label in enumerate(labels):
            if label in labels[:i]:
                raise BadConfig(f"two detectives on node {label}; each needs a node of his own")
    return tuple(config.board.node(label) for label in labels)
