"""The Marshal who counts all worlds and chooses for the winning chance."""

from collections.abc import Sequence
from random import Random

import numpy as np

from manhunt.core.errors import BadAgent, unknown
from manhunt.games.fugitive.agents.guess_search import GuessSearch
from manhunt.games.fugitive.agents.manhunt_search import best_first
from manhunt.games.fugitive.agents.notepad import noted_guess, noted_number
from manhunt.games.fugitive.agents.planners import BudgetedPlanner, MarshalPlanner, lead
from manhunt.games.fugitive.beliefs.models import CHANCE_ONLY, PlayModel, SensiblePlay
from manhunt.games.fugitive.beliefs.worlds import Worlds, worlds_or_none
from manhunt.games.fugitive.rules.public import Card
from manhunt.games.fugitive.rules.views import FugitiveView

MODELS = ("habit", "chance")
MOST_WORLDS = 10_000
USUAL = SensiblePlay()


class ExactMarshal(BudgetedPlanner, MarshalPlanner):
    """Counts all worlds under one model of sensible play, and draws and guesses for the best chance to win.

    The model does not depend on the opponent: `far`, `waste`, `more` and `bluff` are those of `SensiblePlay`, and
    `model=chance` gives every play the same weight. `worlds` is how many are sampled to plan a manhunt.
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
        self.model: PlayModel = CHANCE_ONLY if model == "chance" else SensiblePlay(far, waste, more, bluff)
        self.n_worlds = worlds

    def belief(self, view: FugitiveView) -> Worlds | None:
        """All worlds that fit, weighted by her model of his play; None if there are none, or too many to count."""
        return worlds_or_none(view.public, view.hand, self.model)

    def pile(self, view: FugitiveView, piles: tuple[int, ...], rng: Random) -> int:
        worlds = self.belief(view)
        if worlds is None or len(piles) == 1:
            return piles[0]
        search = GuessSearch(view)
        values = [search.pile_value(worlds, pile, self.spend) for pile in piles]
        best = int(np.argmax(values))
        self.note(values[best], lead(values, best))
        self.counted = {"rows": len(worlds.trails.weights)}
        return piles[best]

    def guess(self, view: FugitiveView, rng: Random) -> Sequence[Card]:
        worlds = self.belief(view)
        if worlds is None:
            return noted_guess(view.public, view.hand)
        choice = GuessSearch(view).guess(worlds.trails)
        self.note(choice.value, choice.chance)
        self.counted = {"rows": len(worlds.trails.weights), "right": choice.chance}
        return choice.numbers

    def hunt(self, view: FugitiveView, rng: Random) -> Card:
        worlds = self.belief(view)
        if worlds is None:
            return noted_number(view.public, view.hand)
        number, chance = best_first(worlds, rng, self.n_worlds, self.spend)
        self.note(chance, float(worlds.hideouts[number]))
        self.counted = {"rows": len(worlds.trails.weights)}
        return number
