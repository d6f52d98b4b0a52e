"""Pursuit behind the common contract."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from manhunt.errors import BadConfig
from manhunt.games.base import Capabilities, Game, Setup, expect_keys
from manhunt.games.events import Event
from manhunt.games.outcome import Outcome
from manhunt.games.pursuit import config as configs
from manhunt.games.pursuit import notation, rules, views
from manhunt.games.pursuit.actions import Action, JointMove, Move
from manhunt.games.pursuit.config import Config, Placement
from manhunt.games.pursuit.state import State
from manhunt.games.pursuit.views import View
from manhunt.ids import Node, Seat


class PursuitGame(Game[Config, State, Action, View]):
    name = "pursuit"
    title = "Pursuit"
    presets = configs.PRESETS
    capabilities = Capabilities(hidden=True, chance=False)
    seat_names = {Seat.EVADER: "Mr X", Seat.PURSUERS: "detectives"}  # noqa: RUF012

    def make_config(self, preset: str | None = None, **options: Any) -> Config:
        return configs.make_config(preset, **options)

    def config_to_json(self, config: Config) -> dict[str, Any]:
        return configs.config_to_json(config)

    def config_from_json(self, data: Mapping[str, Any]) -> Config:
        return configs.config_from_json(data)

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

    def to_act(self, state: State) -> Seat | None:
        return rules.to_act(state)

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        return rules.legal_actions(state)

    def check_action(self, state: State, action: Action) -> None:
        rules.check_action(state, action)

    def apply_action(self, state: State, action: Action) -> State:
        return rules.apply_action(state, action)

    def outcome(self, state: State) -> Outcome | None:
        return rules.outcome(state)

    def round_of(self, state: State) -> int:
        return state.round

    def view(self, state: State, seat: Seat) -> View:
        return views.view(state, seat)

    def view_to_json(self, view: View) -> dict[str, Any]:
        return views.view_to_json(view)

    def opening_events(self, state: State) -> tuple[Event, ...]:
        return views.opening_events(state)

    def events(self, before: State, action: Action, after: State) -> tuple[Event, ...]:
        return views.events(before, action, after)

    def format_action(self, config: Config, action: Action) -> str:
        return notation.format_action(config, action)

    def parse_action(self, config: Config, text: str) -> Action:
        return notation.parse_action(config, text)

    def pass_action(self, state: State) -> Action | None:
        """Staying, where a piece may."""
        if state.quarry is None:
            return None
        every = (Move(node, piece) for piece, node in enumerate(state.pursuers))
        stays = (Move(state.quarry), JointMove(state.pursuers), *every)
        return next((action for action in rules.legal_actions(state) if action in stays), None)

    def format_state(self, state: State) -> str:
        return notation.format_state(state)

    def format_view(self, view: View) -> str:
        return notation.format_view(view)


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
