"""Words for hunts on a board whose game brings none: title, turn, ending, moves."""

from __future__ import annotations

from typing import Any

from manhunt.core.game import AnyGame, BoardView
from manhunt.core.ids import PLAYERS, Node, Seat, Side
from manhunt.core.outcome import Outcome, Termination, forfeit_words
from manhunt.core.registry import make_game
from manhunt.draw.look import pursuer_look

_HOW = {
    Termination.CAPTURE: "{evader} was caught",
    Termination.STRANDED: "{evader} could not move",
    Termination.EXHAUSTED: "{pursuers} could not move",
    Termination.SURVIVAL: "the rounds were over",
    Termination.ARRIVAL: "the goal was reached",
    Termination.FORFEIT: "{forfeit}",
}


def title_of(view: BoardView) -> str:
    """`Foxes and Hounds, round 3: the hounds to move`."""
    game = make_game(view.game)
    return f"{game.title}, round {view.round}: {turn_of(game, view)}"


def turn_of(game: AnyGame, view: BoardView) -> str:
    """Who acts now, or how the game ended."""
    if view.outcome is not None:
        return ending_of(game, view.outcome)
    return "chance decides" if view.to_act in (None, Seat.CHANCE) else f"{game.called(view.to_act)} to move"


def ending_of(game: AnyGame, outcome: Outcome) -> str:
    """`the wardens won: the fox was caught`; the past tense fits one winner and several."""
    called = {seat.value: game.called(seat) for seat in PLAYERS}
    winner = Seat.EVADER if outcome.winner is Side.EVADER else Seat.PURSUERS
    loser = Seat.PURSUERS if winner is Seat.EVADER else Seat.EVADER
    how = _HOW[outcome.termination].format_map({**called, "forfeit": forfeit_words(outcome, called[loser.value])})
    cost = "" if outcome.cost is None else f", at a cost of {outcome.cost:g}"
    return f"{called[winner.value]} won: {how}{cost}"


def move_words(view: BoardView, action: Any) -> str:
    """`to 8`, `red to 12`, `blue stays on 5`; other actions in notation."""
    to = getattr(action, "to", None)
    if to is None:
        return make_game(view.game).format_action(view.config, action)
    who = "" if action.piece is None else f"{pursuer_look(action.piece).name} "
    how = "stays on" if place_of(view, action.piece) == to else "to"
    return f"{who}{how} {view.config.board.label(to)}"


def place_of(view: BoardView, piece: int | None) -> Node | None:
    """Where a piece stands before it moves; None if it is not placed yet, or not seen."""
    if piece is None:
        return view.quarry
    return view.pursuers[piece] if piece < len(view.pursuers) else None
