"""The easy way in for beginners: one method that chooses a move."""

from abc import abstractmethod
from random import Random
from typing import Any

from manhunt.boards.board import Board
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.errors import BadAgent, ManhuntError, one_of
from manhunt.core.game import View
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game


class Strategy(Agent):
    """For beginners: write `choose_move` and return one of `valid_moves`, its notation, or its destination's label."""

    @abstractmethod
    def choose_move(self, board: Any, view: Any, seat: Seat, valid_moves: tuple[Any, ...]) -> Any: ...

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        return Advice(find_action(view, self.choose_move(board_of(view), view, view.seat, view.legal)))


def board_of(view: View) -> Board | None:
    """The board that a game is played on, None where it has none."""
    board: Board | None = view.config.board if make_game(view.game).capabilities.board else None
    return board


def find_action(view: View, choice: object) -> Any:
    """The legal action meant by an action, its notation, or the label of its destination."""
    if choice in view.legal:
        return choice
    if not isinstance(choice, str):
        shown = f"{choice!r} ({type(choice).__name__})"
        raise BadAgent(f"{shown} is no move: return one of valid_moves, or as text its notation or destination's label")
    text = choice
    game = make_game(view.game)
    try:
        action = game.parse_action(view.config, text)
    except ManhuntError:
        action = None
    if action in view.legal:
        return action
    board = board_of(view)
    leading = [a for a in view.legal if board and hasattr(a, "to") and board.label(a.to) == text]
    if len(leading) == 1:
        return leading[0]
    legal = one_of(game.format_action(view.config, a) for a in view.legal)
    why = "fits several moves" if leading else "is not legal now"
    raise BadAgent(f"{text!r} {why}; legal: {legal}")
