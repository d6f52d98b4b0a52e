"""What a seat cannot see: the nodes the runner can be on, and starts that look the same."""

from collections.abc import Iterator

from manhunt import Seat
from manhunt.beliefs import BeliefByRules
from manhunt.core import Setup
from night_chase.config import Config
from night_chase.game import NightChase
from night_chase.rules import State
from night_chase.views import View


class Candidates(BeliefByRules):
    """Exact: the rules themselves say what could have happened."""

    game = NightChase()

    def worlds_of(self, view: View) -> Iterator[State]:
        for node in view.config.board.nodes():
            yield State(view.config, node, view.pursuers, view.round, view.moved, view.sighting)


def setups(config: Config, setup: Setup, seat: Seat) -> Iterator[Setup]:
    """Other setups that may look the same to a seat, for the leak certificate."""
    if seat is not Seat.EVADER:
        free = (label for label in config.board.labels if label not in setup["hunters"])
        yield from ({**setup, "runner": label} for label in free)
