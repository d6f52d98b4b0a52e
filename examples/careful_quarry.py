"""A strategy of one's own: Mr X goes where the nearest detective is farthest away.

manhunt watch pursuit --agent-mrx examples/careful_quarry.py:CarefulQuarry
python examples/careful_quarry.py        how often it survives against random detectives
"""

from manhunt import Board, Node, Seat, Side, Strategy, make_agent, make_game, play_game
from manhunt.boards import distance_hops
from manhunt.games.pursuit import PursuitMove, PursuitView


class CarefulQuarry(Strategy):
    """Keeps away from the nearest detective."""

    games = ("pursuit",)
    seats = (Seat.EVADER,)

    def choose_move(
        self, board: Board, view: PursuitView, seat: Seat, valid_moves: tuple[PursuitMove, ...]
    ) -> PursuitMove:
        def nearest(node: Node) -> int:
            hops = [distance_hops(board, node, detective) for detective in view.pursuers]
            return min((h for h in hops if h is not None), default=board.n_nodes)

        return max(valid_moves, key=lambda move: nearest(move.to))


def main(n_games: int = 50) -> None:
    game = make_game("pursuit")
    config = game.make_config(board="grid:5x5")
    agents = {Seat.EVADER: CarefulQuarry(), Seat.PURSUERS: make_agent("random")}
    records = [play_game(game, config, agents, seed=seed) for seed in range(n_games)]
    survived = sum(record.outcome is not None and record.outcome.winner is Side.EVADER for record in records)
    print(f"survived {survived} of {n_games} games")


if __name__ == "__main__":
    main()
