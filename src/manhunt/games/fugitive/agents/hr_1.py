"""The Fugitive who plays by lot, but does not pass without need."""

from random import Random

import numpy as np

from manhunt.games.fugitive.agents.listed_placements import ListedPlacementFugitive, one_kind
from manhunt.games.fugitive.agents.payments import LOW, Plans, Plays
from manhunt.games.fugitive.agents.planners import before, may_pass
from manhunt.games.fugitive.rules.kernels import n_cards
from manhunt.games.fugitive.rules.views import FugitiveView

EASY, USUAL, DEAR = 0.03, 0.10, 0.25
"""Chances of a pass."""


class Hr1Fugitive(ListedPlacementFugitive):
    """Any pile, any hideout, a cheap payment; passes more often when the next step would be expensive."""

    def pile(self, view: FugitiveView, piles: tuple[int, ...], rng: Random) -> int:
        return rng.choice(piles)

    def choose_plan(self, view: FugitiveView, plans: Plans, rng: Random) -> int:
        return int(rng.choice(one_kind(plans.kind, rng)))

    def choose_play(self, view: FugitiveView, plays: Plays, rng: Random) -> int | None:
        if may_pass(view) and rng.random() < pass_chance(view, plays):
            return None
        hideout = rng.choice(sorted({int(card) for card in plays.hideout}))
        options = np.flatnonzero(plays.hideout == hideout)
        return int(options[rng.choice(one_kind(plays.kind[options], rng))])


def pass_chance(view: FugitiveView, plays: Plays) -> float:
    if view.public.way_is_clear and view.config.last in plays.hideout:
        return 0.0
    spent_above = []
    for hideout, sprints, kind in zip(plays.hideout, plays.sprints, plays.kind, strict=True):
        if kind == LOW:
            n_above = n_cards(int(sprints) >> int(hideout + 1))
            if n_above == 0 and hideout - before(view) >= 2:
                return EASY
            spent_above.append(n_above)
    return DEAR if min(spent_above) >= 2 else USUAL
