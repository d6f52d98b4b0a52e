"""A game with a chance ply: a coin falls, the evader alone sees it and may turn it, the pursuers name a side."""

from __future__ import annotations

from typing import Any

from manhunt.core.events import Event
from manhunt.core.ids import Seat, Side
from manhunt.core.outcome import Outcome, Termination

HEADS = 0.25


class CoinGame:
    """As much of the contract as a tree needs. A state is the list of plies so far."""

    title = "Coin"

    def __init__(self, may_turn: bool = False, tells: bool = True) -> None:
        self.may_turn = may_turn
        self.tells = tells
        """Whether the evader sees how the coin has fallen."""

    def called(self, seat: Seat) -> str:
        return f"the {seat.value}"

    def describe_config(self, config: Any) -> str:
        return ""

    def deals(self, config: Any) -> list[tuple[dict[str, Any], float]]:
        return [({}, 1.0)]

    def start(self, config: Any, setup: dict[str, Any]) -> tuple[str, ...]:
        return ()

    def to_act(self, state: tuple[str, ...]) -> Seat | None:
        return (Seat.CHANCE, Seat.EVADER, Seat.PURSUERS, None)[len(state)]

    def legal_actions(self, state: tuple[str, ...]) -> tuple[str, ...]:
        if len(state) != 1:
            return ("heads", "tails")[: 0 if len(state) > 2 else 2]
        other = "tails" if state[0] == "heads" else "heads"
        return (state[0], other) if self.may_turn else (state[0],)

    def chance_odds(self, state: tuple[str, ...]) -> tuple[tuple[str, float], ...]:
        return (("heads", HEADS), ("tails", 1 - HEADS))

    def apply_action(self, state: tuple[str, ...], action: str) -> tuple[str, ...]:
        return (*state, action)

    def outcome(self, state: tuple[str, ...]) -> Outcome | None:
        if len(state) < 3:
            return None
        side = Side.PURSUERS if state[1] == state[2] else Side.EVADER
        return Outcome(side, Termination.CAPTURE)

    def opening_events(self, state: tuple[str, ...]) -> tuple[Event, ...]:
        return ()

    def events(self, before: tuple[str, ...], action: str, after: tuple[str, ...]) -> tuple[Event, ...]:
        seats = frozenset({Seat.EVADER} if self.tells else set())
        return (Event("lies", {"side": action}, seats),)

    def format_action(self, config: Any, action: str) -> str:
        return action
