"""The Marshal who counts all worlds and chooses for the winning chance."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from manhunt.agents.fugitive.guess_search import GuessSearch
from manhunt.agents.fugitive.habit import Habit
from manhunt.agents.fugitive.hunt_order import best_first
from manhunt.agents.fugitive.planned import MarshalPlanner
from manhunt.beliefs.fugitive.models import CHANCE_ONLY, PlayModel
from manhunt.beliefs.fugitive.worlds import Worlds
from manhunt.errors import BadAgent, unknown
from manhunt.games.fugitive.public import Card
from manhunt.games.fugitive.views import View

MODELS = ("habit", "chance")


class ExactMarshal(MarshalPlanner):
    """Exact worlds under a model of sensible play; draws, guesses and hunts for the best chance to win."""

    def __init__(self, model: str = MODELS[0], far: float = 0.1, waste: float = 0.1, more: float = 0.4,
                 bluff: float = 0.2, draws: bool = True) -> None:  # fmt: skip
        if model not in MODELS:
            raise BadAgent(unknown("model of exact", model, MODELS))
        self.model: PlayModel = CHANCE_ONLY if model == "chance" else Habit(far, waste, more, bluff)
        self.draws = draws

    def worlds(self, view: View) -> Worlds:
        return Worlds(view.public, view.hand, self.model)

    def pile(self, view: View, piles: tuple[int, ...], rng: Random) -> int:
        if not self.draws or not view.row:
            return piles[0]
        worlds, search = self.worlds(view), GuessSearch(view)
        values = [search.pile_value(worlds, pile) for pile in piles]
        best = int(np.argmax(values))
        self.counted = {"rows": len(worlds.trails.weights), "chance": values[best]}
        return piles[best]

    def guess(self, view: View, rng: Random) -> Sequence[Card]:
        worlds, search = self.worlds(view), GuessSearch(view)
        if not worlds.trails.hidden:
            return (1,)
        choice = search.guess(worlds.trails)
        self.counted = {"rows": len(worlds.trails.weights), "right": choice.chance, "chance": choice.value}
        return choice.numbers

    def hunt(self, view: View, rng: Random) -> Card:
        worlds = self.worlds(view)
        number, chance = best_first(worlds, rng)
        self.counted = {"rows": len(worlds.trails.weights), "chance": chance}
        return number
