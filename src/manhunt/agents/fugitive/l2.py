"""The Marshal who counts completions exactly and names what is certain."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from manhunt.agents.fugitive.completions import Completions
from manhunt.agents.fugitive.manhunt_tree import best_number
from manhunt.agents.fugitive.planned import MarshalPlanner
from manhunt.errors import BadAgent, unknown
from manhunt.games.fugitive.public import Card
from manhunt.games.fugitive.views import View

MODES = ("certain_plus_argmax", "certain_only", "argmax_only")
GUARDS = ("no", "lift", "wait")
MOST_WORLDS = 4096


class L2Marshal(MarshalPlanner):
    """Lowest pile; all certain numbers and the likeliest other one; in the manhunt the best tree for some worlds.

    With a guard she leaves hideouts alone that would open his way, unless her guess would win.
    """

    def __init__(self, mode: str = MODES[0], guard: str = GUARDS[0], worlds: int = 64) -> None:
        if mode not in MODES:
            raise BadAgent(unknown("mode of l2", mode, MODES))
        if guard not in GUARDS:
            raise BadAgent(unknown("guard of l2", guard, GUARDS))
        if not 1 <= worlds <= MOST_WORLDS:
            raise BadAgent(f"l2: worlds must be from 1 to {MOST_WORLDS}, not {worlds}")
        self.mode, self.guard, self.worlds = mode, guard, worlds

    def pile(self, view: View, piles: tuple[int, ...], rng: Random) -> int:
        return piles[0]

    def guess(self, view: View, rng: Random) -> Sequence[Card]:
        belief = Completions(view.public, view.hand)
        n_hidden = belief.routes.n_hidden
        if not belief.numbers:
            return (1,)
        self.counted = {"rows": len(belief.routes), "hidden": n_hidden, "certain": len(belief.certain)}
        chosen = self._choose(belief, belief.numbers, n_hidden)
        if self.guard == "no" or len(chosen) == n_hidden:
            return chosen
        low = tuple(n for n in belief.numbers if n < view.config.manhunt_below)
        if low:
            return self._choose(belief, low, n_hidden)
        return chosen if self.guard == "lift" else (1,)

    def _choose(self, belief: Completions, numbers: tuple[Card, ...], n_hidden: int) -> tuple[Card, ...]:
        """The guess if these numbers are all that may be named."""
        if self.mode == "argmax_only":
            return (belief.best_of(numbers),)
        certain = tuple(n for n in numbers if n in belief.certain)
        others = tuple(n for n in numbers if n not in certain)
        if self.mode == "certain_only":
            return certain or (belief.best_of(numbers),)
        return (*certain, belief.best_of(others)) if others and len(certain) < n_hidden else certain

    def hunt(self, view: View, rng: Random) -> Card:
        belief = Completions(view.public, view.hand)
        if not belief.numbers:
            return 1
        number = best_number(belief.draw(self.worlds, rng), belief.routes.face_up)
        return belief.numbers[0] if number is None else number
