"""Adversarial Shortest Path behind the common contract."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from manhunt.games.base import Capabilities, Game, Setup, expect_keys
from manhunt.games.events import Event
from manhunt.games.outcome import Outcome
from manhunt.games.shortest_path import config as configs
from manhunt.games.shortest_path import notation, rules, views
from manhunt.games.shortest_path.actions import Action, Pass
from manhunt.games.shortest_path.config import Config
from manhunt.games.shortest_path.state import State
from manhunt.games.shortest_path.views import View
from manhunt.ids import Seat


class ShortestPathGame(Game[Config, State, Action, View]):
    name = "shortest_path"
    title = "Adversarial Shortest Path"
    presets = configs.PRESETS
    capabilities = Capabilities(hidden=False, chance=False, costs=True)
    seat_names = {Seat.EVADER: "traveller", Seat.PURSUERS: "adversary"}  # noqa: RUF012

    def make_config(self, preset: str | None = None, **options: Any) -> Config:
        return configs.make_config(preset, **options)

    def config_to_json(self, config: Config) -> dict[str, Any]:
        return configs.config_to_json(config)

    def config_from_json(self, data: Mapping[str, Any]) -> Config:
        return configs.config_from_json(data)

    def deal(self, config: Config, rng: Random) -> Setup:
        """Nothing is left to chance."""
        return {}

    def start(self, config: Config, setup: Setup) -> State:
        expect_keys(setup, frozenset(), "setup of shortest_path")
        return rules.start(config)

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

    def format_state(self, state: State) -> str:
        return notation.format_state(state)

    def format_view(self, view: View) -> str:
        return notation.format_view(view)

    def pass_by_rule(self, state: State) -> Action:
        """Paragraph 4: a bad move is an empty one."""
        return Pass()
