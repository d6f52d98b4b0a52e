"""A strategy of one's own: Mr X goes where the nearest detective is farthest away.

manhunt watch pursuit --agent-mrx examples/careful_quarry.py:CarefulQuarry
"""

from manhunt import Board, Node, Seat, Strategy
from manhunt.boards.distance import distance_hops
from manhunt.games.pursuit.actions import Move
from manhunt.games.pursuit.views import View


class CarefulQuarry(Strategy):
    """Keeps away from the nearest detective."""

    games = ("pursuit",)
    seats = (Seat.EVADER,)

    def choose_move(self, board: Board, view: View, seat: Seat, valid_moves: tuple[Move, ...]) -> Move:
        def nearest(node: Node) -> int:
            hops = [distance_hops(board, node, detective) for detective in view.pursuers]
            return min((h for h in hops if h is not None), default=board.n_nodes)

        return max(valid_moves, key=lambda move: nearest(move.to))
