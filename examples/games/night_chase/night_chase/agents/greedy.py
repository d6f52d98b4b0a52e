"""One step ahead, on both sides."""

from manhunt import Seat
from manhunt.core import View
from manhunt.search import Hunters, OneStepAgent, Player, Runner
from night_chase.belief import Candidates


class GreedyAgent(OneStepAgent):
    """The runner keeps away from the nearest hunter; the hunters close in on where the runner can be."""

    games = ("night_chase",)

    def player_for(self, view: View) -> Player:
        return Runner() if view.seat is Seat.EVADER else Hunters(Candidates())
