"""The Marshal who counts all worlds and chooses for the winning chance."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from manhunt.agents.fugitive.guess_search import GuessSearch
from manhunt.agents.fugitive.habit import Habit
from manhunt.agents.fugitive.hunt_order import best_first
from manhunt.agents.fugitive.notepad import noted_guess, noted_number
from manhunt.agents.fugitive.planned import MarshalPlanner
from manhunt.agents.fugitive.reckoning import Reckoner, lead
from manhunt.beliefs.fugitive.models import CHANCE_ONLY, PlayModel
from manhunt.beliefs.fugitive.worlds import Worlds
from manhunt.errors import BadAgent, ManhuntError, unknown
from manhunt.games.fugitive.public import Card
from manhunt.games.fugitive.views import View

MODELS = ("habit", "chance")
MOST_WORLDS = 10_000
USUAL = Habit()


class ExactMarshal(Reckoner, MarshalPlanner):
    """Counts all worlds under one model of sensible play; draws, guesses and hunts for the best chance to win.

    The model never asks who the opponent is: `far`, `waste`, `more` and `bluff` are those of `Habit`, and
    `model=chance` weighs every play alike. `worlds` are drawn to plan a manhunt.
    """

    def __init__(
        self,
        model: str = MODELS[0],
        far: float = USUAL.far,
        waste: float = USUAL.waste,
        more: float = USUAL.more,
        bluff: float = USUAL.bluff,
        worlds: int = 300,
    ) -> None:
        if model not in MODELS:
            raise BadAgent(unknown("model of exact", model, MODELS))
        for name, share in (("waste", waste), ("more", more), ("bluff", bluff)):
            if not 0 < share <= 1:
                raise BadAgent(f"exact: {name} must be more than 0 and at most 1, not {share}")
        if not -1 <= far <= 1:
            raise BadAgent(f"exact: far must be from -1 to 1, not {far}")
        if not 1 <= worlds <= MOST_WORLDS:
            raise BadAgent(f"exact: worlds must be from 1 to {MOST_WORLDS}, not {worlds}")
        self.model: PlayModel = CHANCE_ONLY if model == "chance" else Habit(far, waste, more, bluff)
        self.n_worlds = worlds

    def belief(self, view: View) -> Worlds | None:
        """None where nothing lies face down, or where there are too many worlds to be counted."""
        if all(spot.card is not None for spot in view.public.row):
            return None
        try:
            return Worlds(view.public, view.hand, self.model)
        except ManhuntError:
            return None

    def pile(self, view: View, piles: tuple[int, ...], rng: Random) -> int:
        worlds = self.belief(view)
        if worlds is None or len(piles) == 1:
            return piles[0]
        search = GuessSearch(view)
        values = [search.pile_value(worlds, pile, self.spend) for pile in piles]
        best = int(np.argmax(values))
        self.note(values[best], lead(values, best))
        self.counted = {"rows": len(worlds.trails.weights)}
        return piles[best]

    def guess(self, view: View, rng: Random) -> Sequence[Card]:
        worlds = self.belief(view)
        if worlds is None:
            return noted_guess(view.public, view.hand)
        choice = GuessSearch(view).guess(worlds.trails)
        self.note(choice.value, choice.chance)
        self.counted = {"rows": len(worlds.trails.weights), "right": choice.chance}
        return choice.numbers

    def hunt(self, view: View, rng: Random) -> Card:
        worlds = self.belief(view)
        if worlds is None:
            return noted_number(view.public, view.hand)
        number, chance = best_first(worlds, rng, self.n_worlds, self.spend)
        self.note(chance, float(worlds.hideouts[number]))
        self.counted = {"rows": len(worlds.trails.weights)}
        return number
