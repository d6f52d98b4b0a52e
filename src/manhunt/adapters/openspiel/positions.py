"""Positions: the nodes of a game tree, which never change, so that clones of a state share them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from manhunt.adapters.openspiel.deals import Drawn, dealing_of
from manhunt.adapters.openspiel.options import parse_options
from manhunt.core.arrays import Float32s
from manhunt.core.errors import BadConfig, IllegalAction, unknown
from manhunt.core.events import Event
from manhunt.core.game import Setup
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.kit import Kit
from manhunt.core.outcome import Outcome
from manhunt.core.registry import kit_of

MOST_DRAWS = 100
"""A start that is over at once is dealt again, at most so often."""
USUAL_PLIES = 1_000
"""Where a game of a config has no end, it is cut after so many plies."""
MOST_KEPT = 50_000
"""So many positions of a small game are kept for the next visit."""
SHORT_PLIES = 60
"""A game is small if its deals are listed and it has no more plies than this."""

Look = dict[str, Any]


class Rules:
    """What all positions of one config share."""

    def __init__(self, kit: Kit, config: Any, max_plies: int = 0, parameters: tuple[Any, ...] = ()) -> None:
        self.kit, self.game, self.config = kit, kit.game, config
        self.parameters = parameters
        self.encoder = kit.encoder(config)
        self.dealing = dealing_of(kit, config)
        self.max_plies = max_plies or kit.size_of(config).plies or USUAL_PLIES
        self.least_cost = self.game.least_cost(config)
        self.n_kept = 0 if self.dealing.n_draws <= 1 and self.max_plies <= SHORT_PLIES else MOST_KEPT

    @property
    def most_chance_nodes(self) -> int:
        """An upper bound on the chance nodes of one game."""
        n_draws = self.dealing.n_draws * (MOST_DRAWS if self.dealing.n_draws > 1 else 1)
        return n_draws + self.max_plies * self.game.capabilities.chance

    @cached_property
    def root(self) -> Position | Deal:
        """Before the deal, or at the first position where nothing is dealt."""
        return Deal(self).settled()

    def keeps(self) -> bool:
        """Whether one more position is kept."""
        self.n_kept += self.n_kept < MOST_KEPT
        return self.n_kept < MOST_KEPT

    def value(self, outcome: Outcome) -> float:
        """The evader's payoff. An arrival with a cost counts from 1 (the least there is) down towards -1."""
        if outcome.cost is None:
            return outcome.value
        return 2 * self.least_cost / max(outcome.cost, self.least_cost) - 1


@lru_cache(maxsize=8)
def rules_for(game: str, preset: str, board: str, options: str, max_plies: int) -> Rules:
    """Made once for all games with these parameters: numbering a large board takes a while."""
    kit = kit_of(game)
    return Rules(kit, make_config(kit, preset, board, options), max_plies, (game, preset, board, options, max_plies))


def make_config(kit: Kit, preset: str, board: str, options: str) -> Any:
    """A preset of the game or a miniature, on its board or another one, with what differs."""
    miniatures = kit.part("miniatures") or {}
    if preset and preset not in (*miniatures, *kit.game.presets):
        raise BadConfig(unknown(f"preset of {kit.name}", preset, (*miniatures, *kit.game.presets)))
    values = dict(miniatures[preset]) if preset in miniatures else {"preset": preset or None}
    values |= {"board": board} if board else {}
    return kit.game.make_config(**{**values, **parse_options(options)})


class Deal:
    """A chance node before the game begins; nobody has seen anything."""

    def __init__(self, rules: Rules, drawn: Drawn = (), n_draws: int = 1) -> None:
        self.rules, self.drawn, self.n_draws = rules, drawn, n_draws
        self._children: dict[int, Deal | Position] = {}

    def settled(self) -> Deal | Position:
        """The position that is dealt when chance has nothing left to choose."""
        dealing, drawn = self.rules.dealing, self.drawn
        odds = dealing.odds(drawn)
        while len(odds) == 1:
            drawn = (*drawn, odds[0][0])
            odds = dealing.odds(drawn)
        if odds:
            return Deal(self.rules, drawn, self.n_draws)
        setup = dealing.setup_of(drawn)
        state = self.rules.game.start(self.rules.config, setup)
        is_over = self.rules.game.outcome(state) is not None
        if is_over and dealing.n_draws > 1 and self.n_draws < MOST_DRAWS:
            return Deal(self.rules, (), self.n_draws + 1)
        return Position(self.rules, state, setup=setup)

    def after(self, number: int) -> Deal | Position:
        kept = self._children.get(number)
        if kept is not None:
            return kept
        made = Deal(self.rules, (*self.drawn, number), self.n_draws).settled()
        if self.rules.keeps():
            self._children[number] = made
        return made

    @cached_property
    def odds(self) -> list[tuple[int, float]]:
        return self.rules.dealing.odds(self.drawn)

    def text(self, number: int) -> str:
        return self.rules.dealing.text(self.drawn, number)

    def told(self, seat: Seat) -> str:
        return f"{seat.value}:"

    def __deepcopy__(self, memo: object) -> Deal:
        return self

    def __reduce__(self) -> Any:
        return _restored_deal, (self.rules.parameters, self.drawn, self.n_draws)


class Position:
    """The truth at one point of a game, and what each seat has seen up to it; all worked out when first asked for."""

    def __init__(
        self, rules: Rules, state: Any, parent: Position | None = None, action: Any = None, setup: Any = None
    ) -> None:
        self.rules, self.state, self.parent, self.action = rules, state, parent, action
        self.ply: int = 0 if parent is None else parent.ply + 1
        self.setup: Any = setup if parent is None else parent.setup
        self.worlds: dict[Seat, Any] = {}
        """What `resampling` worked out for a seat."""
        self._children: dict[int, Position] = {}
        self._told: dict[Seat, str] = {}
        self._views: dict[Seat, Any] = {}
        self._observed: dict[Seat, Float32s] = {}

    def __deepcopy__(self, memo: object) -> Position:
        return self

    def __reduce__(self) -> Any:
        """A pickle holds the deal and the moves, as records do."""
        notation = [self.rules.game.format_action(self.rules.config, at.action) for at in self.past()[1:]]
        return _restored_position, (self.rules.parameters, self.setup, notation)

    @cached_property
    def is_over(self) -> bool:
        return self.seat is None or self.ply >= self.rules.max_plies

    @cached_property
    def seat(self) -> Seat | None:
        """Who acts; None when the game is over by its rules."""
        return self.rules.game.to_act(self.state)

    @cached_property
    def value(self) -> float:
        """The evader's payoff at the end. A game that was cut ends well for an evader who only has to stay free."""
        outcome = self.rules.game.outcome(self.state)
        if outcome is None:
            return -1.0 if self.rules.game.capabilities.costs else 1.0
        return self.rules.value(outcome)

    @cached_property
    def actions(self) -> dict[int, Any]:
        """The legal actions by number, ascending. Chance's are numbered by their place in the game's list."""
        legal = self.rules.game.legal_actions(self.state)
        if self.seat is Seat.CHANCE:
            return dict(enumerate(legal))
        return dict(sorted((self.rules.encoder.number_of(action), action) for action in legal))

    @cached_property
    def odds(self) -> list[tuple[int, float]]:
        odds = dict(self.rules.game.chance_odds(self.state))
        return [(number, odds[action]) for number, action in self.actions.items() if action in odds]

    def after(self, number: int) -> Position:
        kept = self._children.get(number)
        if kept is not None:
            return kept
        if number not in self.actions:
            raise IllegalAction(f"action {number} is not legal here; legal: {list(self.actions)[:12]}")
        made = self.after_action(self.actions[number])
        if self.rules.keeps():
            self._children[number] = made
        return made

    def after_action(self, action: Any) -> Position:
        return Position(self.rules, self.rules.game.apply_action(self.state, action), self, action)

    def text(self, number: int) -> str:
        return self.rules.game.format_action(self.rules.config, self.actions[number])

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What happened in the ply that led here; at the start the opening."""
        game = self.rules.game
        if self.parent is None:
            return game.opening_events(self.state)
        return game.events(self.parent.state, self.action, self.state)

    def looks(self, seat: Seat) -> list[Look]:
        return [event.seen_by(seat) for event in self.events]

    def own_action(self, seat: Seat) -> Any:
        """The action that led here, if it was this seat's; else None."""
        return self.action if self.parent is not None and self.parent.seat is seat else None

    def view(self, seat: Seat) -> Any:
        if seat not in self._views:
            self._views[seat] = self.rules.game.view(self.state, seat)
        return self._views[seat]

    def past(self) -> list[Position]:
        """All positions from the start to this one."""
        found, at = [self], self.parent
        while at is not None:
            found.append(at)
            at = at.parent
        return found[::-1]

    def told(self, seat: Seat) -> str:
        """Everything the seat has seen and done, ply by ply."""
        missing, at = list[Position](), self
        while seat not in at._told and at.parent is not None:
            missing.append(at)
            at = at.parent
        if seat not in at._told:
            at._told[seat] = f"{seat.value}: {at._step(seat)}"
        text = at._told[seat]
        for position in reversed(missing):
            text = position._told[seat] = f"{text} | {position._step(seat)}"
        return text

    def secrets(self, seat: Seat) -> str:
        """The events so far that the seat sees and a spectator does not."""
        hidden = [
            _event_text(event.seen_by(seat))
            for at in self.past()
            for event in at.events
            if seat in event.audience and Seat.SPECTATOR not in event.audience
        ]
        return " ".join([f"{seat.value}:", *hidden])

    def view_json(self, seat: Seat) -> dict[str, Any]:
        return self.rules.game.view_to_json(self.view(seat))

    def _step(self, seat: Seat) -> str:
        own = self.own_action(seat)
        done = [] if own is None else [f">{self.rules.game.format_action(self.rules.config, own)}"]
        return " ".join([*done, *map(_event_text, self.looks(seat))])

    def observation(self, seat: Seat) -> Float32s:
        if seat not in self._observed:
            self._observed[seat] = self.rules.encoder.observe(self.view(seat))
        return self._observed[seat]

    def history(self, seat: Seat) -> Float32s:
        """The observations after every ply, oldest first; what is still to come is 0."""
        out = np.zeros((self.rules.max_plies + 1, self.rules.encoder.observation_size), np.float32)
        for row, position in zip(out, self.past(), strict=False):
            row[:] = position.observation(seat)
        return out


def _restored_deal(parameters: tuple[Any, ...], drawn: Drawn, n_draws: int) -> Deal:
    return Deal(rules_for(*parameters), drawn, n_draws)


def _restored_position(parameters: tuple[Any, ...], setup: Setup, notation: Sequence[str]) -> Position:
    rules = rules_for(*parameters)
    position = Position(rules, rules.game.start(rules.config, setup), setup=setup)
    for text in notation:
        position = position.after_action(rules.game.parse_action(rules.config, text))
    return position


def _event_text(look: Look) -> str:
    """`moved{"to":"5"}`; a dash for an event that the seat may not read."""
    if "t" not in look:
        return "-"
    body = {key: value for key, value in look.items() if key not in ("v", "t")}
    return f"{look['t']}{json.dumps(body, separators=(',', ':'))}"


def player_of(seat: Seat) -> int:
    return PLAYERS.index(seat)


def numbers_of(past: Sequence[Position]) -> list[int]:
    """The numbers of the actions that lead from the first of these positions to the last."""
    encoder = past[0].rules.encoder
    return [
        list(before.actions.values()).index(after.action)
        if before.seat is Seat.CHANCE
        else encoder.number_of(after.action)
        for before, after in zip(past, past[1:], strict=False)
    ]
