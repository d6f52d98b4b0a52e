"""Games followed from every seat, ply by ply, as a room of the server follows them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from manhunt.analysis.seat_log import SeatLog
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.play.referee import Referee

SEATS = (Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR)


class Moment(NamedTuple):
    """The truth after some plies, and what each seat has been told."""

    state: Any
    logs: dict[Seat, Any]
    """A `SeatLog` for each seat; its views are those of the game."""


def follow(name: str, config: Any, seed: int, most: int = 400) -> Iterator[Moment]:
    """Every moment of a game of random actions, the first and the last included."""
    game = make_game(name)
    referee = Referee(game, config, seed=seed)
    rng = Random(seed)
    openings = {seat: referee.view(seat) for seat in SEATS}

    def now() -> Moment:
        logs = {
            seat: SeatLog(name, seat, openings[seat], referee.events_for(seat), referee.view(seat)) for seat in SEATS
        }
        return Moment(referee.state, logs)

    yield now()
    while not referee.over and len(referee.actions) < most:
        referee.submit(rng.choice(game.legal_actions(referee.state)))
        yield now()


def as_json(data: Any) -> Any:
    """What a page gets; refuses what JSON does not know."""
    return json.loads(json.dumps(data, allow_nan=False))
