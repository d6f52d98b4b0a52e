"""Moves that were not played: another way on from a ply of a finished game, or from one of another variation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from random import Random
from typing import Any

from manhunt.core.errors import BadText
from manhunt.core.events import Event, number_events
from manhunt.core.ids import Seat
from manhunt.play.hindsight import Hindsight


class Variation(Hindsight):
    """A game of the same deal that leaves its parent at a ply. It need not be over.

    Chance is an action like any other, so the same actions always lead to the same states. IllegalAction or BadText
    where an action cannot be made.
    """

    def __init__(self, parent: Hindsight, ply: int, actions: Sequence[str]) -> None:
        self.parent, self.begins = parent, parent.check_ply(ply)
        self.game, self.config, self.forfeited = parent.game, parent.config, False
        played, states = list(parent.actions[:ply]), list(parent.states[: ply + 1])
        for text in actions:
            played.append(self.game.parse_action(self.config, text))
            states.append(self.game.apply_action(states[-1], played[-1]))
        self.actions, self.states = tuple(played), tuple(states)
        self.record = replace(parent.record, rounds=(), outcome=self.game.outcome(states[-1]), fault=None)

    @cached_property
    def happened(self) -> tuple[Sequence[Event], ...]:
        """As for its parent up to where it leaves it."""
        out = list(self.parent.happened[: self.begins + 1])
        number = 1 + sum(map(len, out))
        for ply in range(self.begins, self.last):
            events = self.game.events(self.states[ply], self.actions[ply], self.states[ply + 1])
            out.append(number_events(events, number))
            number += len(events)
        return tuple(out)


def texts_of(past: Hindsight) -> list[str]:
    """All actions of a game or a variation in notation."""
    return [past.game.format_action(past.config, action) for action in past.actions]


def draw_action(past: Hindsight, ply: int, rng: Random) -> str:
    """What chance makes of its turn at a ply, in notation; BadText where it is somebody else's."""
    state: Any = past.states[past.check_ply(ply)]
    if past.game.to_act(state) is not Seat.CHANCE:
        raise BadText("it is not chance's turn; choose a move")
    return past.game.format_action(past.config, past.game.sample_chance(state, rng))
