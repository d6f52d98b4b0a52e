"""The easy way in for beginners: one method that chooses a move."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from numbers import Integral
from random import Random
from typing import Any

from manhunt.boards.board import Board
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.errors import BadAgent, ManhuntError, one_of
from manhunt.core.game import View
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game


class Strategy(Agent):
    """The easiest way to write an agent: write `choose_move` and return one of `valid_moves`.

    You can also return the move's notation, or the label of its destination as text or number: "8" or 8 is the node
    that is printed as 8. Do not return `move.to`, which is an index. In a `TeamStrategy` the third argument is the
    piece that moves.

    Take all chance from `self.rng`, a `random.Random` that is there in `choose_move`: then the same seed gives the same
    game, and `check_agent` can compare. If you set a `self.rng` of your own, it stays.

    Examples:
        >>> class Downwards(Strategy):
        ...     def choose_move(self, board, view, seat, valid_moves):
        ...         return min(valid_moves, key=lambda move: move.to)
    """

    rng: Random
    """The chance of this game's seat, from its seed; set before each call of `choose_move`."""
    _lent_rng: Random | None = None

    @abstractmethod
    def choose_move(self, board: Any, view: Any, seat: Any, valid_moves: tuple[Any, ...]) -> Any:
        """Return one of `valid_moves`, its notation, or the label of its destination.

        `board` is None in games without a board, `view` is what the seat knows, and `valid_moves` are the game's own
        actions. What they hold, game by game: docs/reference/strategies.md.
        """

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        self._lend(rng)
        return Advice(find_action(view, self.choose_move(board_of(view), view, view.seat, view.legal)))

    def _lend(self, rng: Random) -> None:
        if getattr(self, "rng", None) is self._lent_rng:  # else the author keeps something else under this name
            self.rng = self._lent_rng = rng


class TeamStrategy(Strategy):
    """One strategy for each pursuer, in the order of the pieces; each is called for its own moves.

    `TeamStrategy([RunAhead(), Guard()])` plays `Seat.PURSUERS` where pursuers move one at a time.
    """

    seats = (Seat.PURSUERS,)

    def __init__(self, members: Sequence[Strategy]) -> None:
        if not members:
            raise BadAgent("a team needs at least one strategy")
        for member in members:
            if not isinstance(member, Strategy):
                raise BadAgent(f"{member!r} in the team is not a strategy; give objects made from classes of Strategy")
        self.members = tuple(members)

    def start(self, view: View) -> None:
        n_pieces = len(getattr(view, "pursuers", ()))
        if n_pieces not in (0, len(self.members)):
            raise BadAgent(f"the team has {len(self.members)} strategies for {n_pieces} pieces; it needs one for each")
        for member in self.members:
            member.start(view)

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        for member in self.members:
            member.observe(events)

    def choose_move(self, board: Any, view: Any, seat: Any, valid_moves: tuple[Any, ...]) -> Any:
        pieces = [getattr(move, "piece", None) for move in valid_moves]
        if None in pieces:
            raise BadAgent("the pieces move all at once here; write one Strategy that moves them all")
        piece = next(piece for piece in view.waiting if piece in pieces)
        own = tuple(move for move in valid_moves if move.piece == piece)
        member = self.members[view.pieces.index(piece) if hasattr(view, "pieces") else piece]
        return find_action(view, member.choose_move(board, view, piece, own), own)

    def stop(self) -> None:
        for member in self.members:
            member.stop()

    def _lend(self, rng: Random) -> None:
        super()._lend(rng)
        for member in self.members:
            member._lend(rng)


def board_of(view: View) -> Board | None:
    """The board that a game is played on, None where it has none."""
    board: Board | None = view.config.board if make_game(view.game).capabilities.board else None
    return board


def find_action(view: View, choice: object, among: tuple[Any, ...] | None = None) -> Any:
    """The action meant by an action, its notation, or the label of its destination; of the legal ones, or `among`."""
    offered = view.legal if among is None else among
    if choice in offered:
        return choice
    is_number = isinstance(choice, Integral) and not isinstance(choice, bool)
    if not isinstance(choice, str) and not is_number:
        shown = f"{choice!r} ({type(choice).__name__})"
        raise BadAgent(f"{shown} is not a move: return one of valid_moves, its notation, or its destination's label")
    text = choice if isinstance(choice, str) else str(choice)
    game = make_game(view.game)
    try:
        action = game.parse_action(view.config, text)
    except ManhuntError:
        action = None
    if action in offered:
        return action
    board = board_of(view)
    leading = [a for a in offered if board and hasattr(a, "to") and board.label(a.to) == text]
    if len(leading) == 1:
        return leading[0]
    legal = one_of(game.format_action(view.config, a) for a in offered)
    why = "fits several moves" if leading else "is not legal now"
    hint = " (a number is a label; instead of the index move.to return the move)" if is_number else ""
    raise BadAgent(f"{choice!r} {why}; legal: {legal}{hint}")
