"""Adversarial Shortest Path in `manhunt demo`: a crossing, compared with the best play."""

from manhunt.boards.contest import make_contest
from manhunt.cli.terminal.contract import AnyScreen
from manhunt.cli.terminal.tour import GameAct, sentence
from manhunt.core.game import AnyGame
from manhunt.core.ids import Seat
from manhunt.games.shortest_path.rules.config import ShortestPathConfig, make_config
from manhunt.games.shortest_path.show.terminal import ShortestPathScreen
from manhunt.games.shortest_path.solvers.bounds import find_bounds
from manhunt.games.shortest_path.solvers.verdict import verdict
from manhunt.play.referee import Referee

NEXT: tuple[tuple[str, str], ...] = ()
CONTEST = (40, 80, 6, 3)
"""Nodes, edges, separation and cut of the graph that is crossed."""
BOUNDS_SECONDS = 0.5


def act(seed: int) -> GameAct:
    return Crossing(seed)


class Crossing(GameAct):
    game = "shortest_path"
    title = "A crossing: Adversarial Shortest Path"
    about = "The traveller wants the cheapest way, the adversary raises an edge after every step."
    agents = {Seat.EVADER: "dijkstra", Seat.PURSUERS: "greedy"}  # noqa: RUF012
    seconds = 10.0

    def config(self, game: AnyGame, seed: int) -> ShortestPathConfig:
        return make_config(None, make_contest(*CONTEST, seed).board)

    def prepare(self, referee: Referee) -> None:
        self.board = referee.config.board
        self.bounds = find_bounds(referee.state, BOUNDS_SECONDS)

    def screen(self) -> AnyScreen:
        screen = ShortestPathScreen()
        screen.certify(self.bounds, self.board)
        return screen

    def remark(self) -> str:
        outcome = self.played.outcome
        return sentence(verdict(self.bounds, outcome.cost if outcome else None))
