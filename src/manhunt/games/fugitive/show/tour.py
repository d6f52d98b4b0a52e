"""Fugitive in `manhunt demo`: a game of cards, seen by the Marshal."""

from manhunt.cli.terminal.tour import GameAct
from manhunt.core.ids import Seat

NEXT = (("manhunt play fugitive --as marshal", "find the hideouts"),)


def act(seed: int) -> GameAct:
    return Cards(seed)


class Cards(GameAct):
    game = "fugitive"
    title = "Fugitive, seen by the Marshal"
    about = (
        "He hides cards in a rising row, she guesses. The shades are exact: every deal and draw that fits is counted."
    )
    agents = {Seat.EVADER: "continuation", Seat.PURSUERS: "bir-2u"}  # noqa: RUF012
    seat = Seat.PURSUERS
    seconds = 14.0
