"""A game taken step by step from its setup: nothing is kept between two calls, so puzzles and lessons need no room."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from manhunt.core.errors import BadText, ManhuntError
from manhunt.core.events import Event, number_events
from manhunt.core.game import AnyGame, Setup, View
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game


@dataclass(frozen=True)
class Position:
    """The states from the start to now; whoever shows it to somebody takes the view of a seat."""

    game: AnyGame
    actions: tuple[Any, ...]
    states: tuple[Any, ...]

    @classmethod
    def of(cls, name: str, config: Mapping[str, Any], setup: Setup, actions: Iterable[str] = ()) -> Self:
        """The position after these actions in notation; ManhuntError where the rules do not allow them."""
        game = make_game(name)
        at = cls(game, (), (game.start(game.config_from_json(config), setup),))
        for text in actions:
            at = at.after(text)
        return at

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def config(self) -> Any:
        return self.state.config

    @property
    def texts(self) -> tuple[str, ...]:
        """The actions in notation."""
        return tuple(self.game.format_action(self.config, action) for action in self.actions)

    def after(self, text: str) -> Self:
        try:
            action = self.game.parse_action(self.config, text)
        except ManhuntError as error:
            raise BadText(str(error)) from None
        return self.played(action)

    def played(self, action: Any) -> Self:
        after = self.game.apply_action(self.state, action)
        return replace(self, actions=(*self.actions, action), states=(*self.states, after))

    def view(self, seat: Seat, ply: int = -1) -> View:
        view: View = self.game.view(self.states[ply], seat)
        return view

    def events_for(self, seat: Seat, first: int = 0) -> tuple[dict[str, Any], ...]:
        """What a seat was told of the plies from `first` on; ply 0 is the opening."""
        steps = zip(self.states, self.actions, self.states[1:], strict=False)
        happened = (self.game.opening_events(self.states[0]), *(self.game.events(*step) for step in steps))
        number, out = 1, list[Event]()
        for ply, events in enumerate(happened):
            if ply >= first:
                out += number_events(events, number)
            number += len(events)
        return tuple(event.seen_by(seat) for event in out)
