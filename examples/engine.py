"""A game driven by hand: two strategies as a team, somebody who listens, single steps, and then the rest.

python examples/engine.py
"""

from careful_quarry import CarefulQuarry

from manhunt import Referee, Seat, Strategy, TeamStrategy, make_game
from manhunt.boards import distance_hops


class Chaser(Strategy):
    """One detective who goes straight for Mr X; `piece` is his number in the team."""

    def choose_move(self, board, view, piece, valid_moves):
        return min(valid_moves, key=lambda move: distance_hops(board, move.to, view.quarry))


def main() -> None:
    game = make_game("pursuit")
    config = game.make_config(max_rounds=8)
    start = {"mrx": "1", "detectives": ["5", "10"]}
    agents = {Seat.EVADER: CarefulQuarry(), Seat.PURSUERS: TeamStrategy([Chaser(), Chaser()])}
    engine = Referee(game, config, agents, setup=start)
    engine.register(lambda notice: print(f"ply {notice.ply}: {notice.events}"))

    first = engine.step()
    print(f"Mr X went to {config.board.label(first.to)}; {engine.to_act.value} move now")
    print(f"outcome: {engine.run()}")


if __name__ == "__main__":
    main()
