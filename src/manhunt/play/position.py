"""A game stepped through by hand: its setup and the actions so far, without a room, a clock or a store.

For puzzles, lessons and pages that keep nothing on the server: they send what was done, and the server follows it from
the beginning.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, Self

from manhunt.core.agent import Agent, Limit
from manhunt.core.errors import BadText, ManhuntError
from manhunt.core.events import Event, number_events
from manhunt.core.game import AnyGame, Setup, View
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game


@dataclass(frozen=True)
class Position:
    """All states from the start to now; `play` gives the next position and leaves this one as it is."""

    game: AnyGame
    config: Any
    states: tuple[Any, ...]
    actions: tuple[Any, ...] = ()

    @classmethod
    def begin(cls, game: AnyGame, config: Any, setup: Setup, texts: Iterable[str] = ()) -> Self:
        """After these actions, in notation; a ManhuntError where the rules do not allow them."""
        position = cls(game, config, (game.start(config, setup),))
        for text in texts:
            position = position.play(text)
        return position

    @classmethod
    def of(cls, name: str, config: Mapping[str, Any], setup: Setup, texts: Iterable[str] = ()) -> Self:
        """The same, from the game's name and its config as JSON."""
        game = make_game(name)
        return cls.begin(game, game.config_from_json(config), setup, texts)

    def play(self, text: str) -> Self:
        """After one more action in notation: BadText if it is none, IllegalAction if the rules do not allow it."""
        try:
            action = self.game.parse_action(self.config, text)
        except ManhuntError as error:
            raise BadText(str(error)) from None
        return self.act(action)

    def act(self, action: Any) -> Self:
        after = self.game.apply_action(self.state, action)
        return type(self)(self.game, self.config, (*self.states, after), (*self.actions, action))

    def play_out(self, agents: Mapping[Seat, Agent], rng: Random) -> Self:
        """From a start to the end, by agents without a limit; each is told what its seat sees, and no more."""
        position, number, events = self, 1, self.game.opening_events(self.state)
        for seat, agent in agents.items():
            agent.start(position.view(seat))
        while True:
            for seat, agent in agents.items():
                agent.observe([event.seen_by(seat) for event in number_events(events, number)])
            number += len(events)
            acting = self.game.to_act(position.state)
            if acting is None:
                return position
            action = agents[acting].act(position.view(acting), Limit(), rng).action
            before, position = position.state, position.act(action)
            events = self.game.events(before, action, position.state)

    @property
    def state(self) -> Any:
        """The truth now; what a seat may see of it is in `view`."""
        return self.states[-1]

    @property
    def to_act(self) -> Seat | None:
        return self.game.to_act(self.state)

    @property
    def legal(self) -> tuple[Any, ...]:
        actions: tuple[Any, ...] = self.game.legal_actions(self.state)
        return actions

    @property
    def texts(self) -> tuple[str, ...]:
        """The actions in notation."""
        return tuple(map(self.text_of, self.actions))

    def text_of(self, action: Any) -> str:
        return self.game.format_action(self.config, action)

    def at(self, ply: int) -> Self:
        """As it was after so many actions."""
        return type(self)(self.game, self.config, self.states[: ply + 1], self.actions[:ply])

    def view(self, seat: Seat) -> View:
        view: View = self.game.view(self.state, seat)
        return view

    @cached_property
    def _happened(self) -> tuple[tuple[Event, ...], ...]:
        """Numbered events by the ply that they led to."""
        game, first, out = self.game, 1, list[tuple[Event, ...]]()
        steps = zip(self.states, self.actions, self.states[1:], strict=False)
        for events in (game.opening_events(self.states[0]), *(game.events(*step) for step in steps)):
            out.append(number_events(events, first))
            first += len(events)
        return tuple(out)

    def events(self, seat: Seat, since: int = -1) -> tuple[dict[str, Any], ...]:
        """What a seat was told after so many actions; hidden events are their numbers alone."""
        return tuple(event.seen_by(seat) for events in self._happened[since + 1 :] for event in events)
