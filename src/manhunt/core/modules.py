"""The contract answered by a game's modules `config`, `rules`, `views` and `notation`, named alike in all games."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from manhunt.core.events import Event
from manhunt.core.game import ActionT, ConfigT, Game, StateT, ViewT
from manhunt.core.ids import Seat
from manhunt.core.outcome import Outcome


class GameOfModules(Game[ConfigT, StateT, ActionT, ViewT]):
    """A game whose rules are functions in modules: the class names the modules, and defines `deal` and `start`."""

    config_module: Any
    rules_module: Any
    views_module: Any
    notation_module: Any

    def make_config(self, preset: str | None = None, **options: Any) -> ConfigT:
        return self.config_module.make_config(preset, **options)

    def config_to_json(self, config: ConfigT) -> dict[str, Any]:
        return self.config_module.config_to_json(config)

    def config_from_json(self, data: Mapping[str, Any]) -> ConfigT:
        return self.config_module.config_from_json(data)

    def to_act(self, state: StateT) -> Seat | None:
        return self.rules_module.to_act(state)

    def legal_actions(self, state: StateT) -> tuple[ActionT, ...]:
        return self.rules_module.legal_actions(state)

    def check_action(self, state: StateT, action: ActionT) -> None:
        self.rules_module.check_action(state, action)

    def apply_action(self, state: StateT, action: ActionT) -> StateT:
        return self.rules_module.apply_action(state, action)

    def outcome(self, state: StateT) -> Outcome | None:
        return self.rules_module.outcome(state)

    def round_of(self, state: StateT) -> int:
        return state.round  # type: ignore[attr-defined]

    def view(self, state: StateT, seat: Seat) -> ViewT:
        return self.views_module.view(state, seat)

    def view_to_json(self, view: ViewT) -> dict[str, Any]:
        return self.views_module.view_to_json(view)

    def opening_events(self, state: StateT) -> tuple[Event, ...]:
        return self.views_module.opening_events(state)

    def events(self, before: StateT, action: ActionT, after: StateT) -> tuple[Event, ...]:
        return self.views_module.events(before, action, after)

    def format_action(self, config: ConfigT, action: ActionT) -> str:
        return self.notation_module.format_action(config, action)

    def parse_action(self, config: ConfigT, text: str) -> ActionT:
        return self.notation_module.parse_action(config, text)

    def format_state(self, state: StateT) -> str:
        return self.notation_module.format_state(state)

    def format_view(self, view: ViewT) -> str:
        return self.notation_module.format_view(view)
