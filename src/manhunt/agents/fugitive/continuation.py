"""The Fugitive who counts his continuations and looks at his trail with the Marshal's eyes."""

from __future__ import annotations

from math import log
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from manhunt.agents.fugitive.bir_1 import (
    ESCAPE,
    PASSING,
    STUCK,
    VARIETY,
    Bir1Fugitive,
    escape_terms,
    opening_terms,
    play_terms,
)
from manhunt.agents.fugitive.exposure import Exposure
from manhunt.agents.fugitive.payments import Plans, Plays, hands_of, picked, rest_of
from manhunt.agents.fugitive.planned import may_pass
from manhunt.agents.fugitive.prospect import Prospect
from manhunt.agents.fugitive.routes import bits_of, with_hideout
from manhunt.agents.fugitive.weighing import before, hidden_cards, unseen_of
from manhunt.games.fugitive.views import View

if TYPE_CHECKING:
    from manhunt.agents.fugitive.payments_kernels import Floats

FREEDOM, CONCEALMENT, DANGER = 0.75, 0.50, 1.00


class ContinuationFugitive(Bir1Fugitive):
    """Chooses as bir-1 does, by progress, cost, continuations left, concealment and danger."""

    def plan_scores(self, view: View, plans: Plans) -> Floats:
        hand = bits_of(view.hand)
        firsts = picked(plans.firsts, plans.first_of)
        rest = rest_of(hand, firsts) & rest_of(hand, plans.seconds)
        free = np.log1p(hands_of(view.config).n_ahead(rest, plans.seconds.hideout))
        n_first, n_second = np.bitwise_count(firsts.sprints), np.bitwise_count(plans.seconds.sprints)
        seen = np.zeros(len(rest))
        for k1, k2 in set(zip(n_first.tolist(), n_second.tolist(), strict=True)):
            public = with_hideout(with_hideout(view.public, k1, view.round), k2, view.round)
            look = Exposure(public)
            some = (n_first == k1) & (n_second == k2)
            catch = look.dangers(firsts.hideout[some]) + look.dangers(plans.seconds.hideout[some])
            seen[some] = CONCEALMENT * look.conceal - DANGER * catch
        scores: Floats = opening_terms(view, plans) + FREEDOM * free / max(free.max(), 1e-12) + seen
        return scores

    def play_scores(self, view: View, plays: Plays, prospect: Prospect, rng: Random) -> tuple[Floats, float]:
        hand, hidden = bits_of(view.hand), np.array(hidden_cards(view), np.int64)
        free = np.log1p(hands_of(view.config).n_ahead(rest_of(hand, plays), plays.hideout))
        free_passing = self._freedom_of_pass(view, hand) if may_pass(view) else 0.0
        most = max(float(free.max()), free_passing, 1e-12)
        fixed = self._fixed_scores(view, prospect, hand, plays)
        scores = fixed + FREEDOM * free / most + ESCAPE * escape_terms(view, plays, prospect, rng)
        look = Exposure(view.public)
        passing = FREEDOM * free_passing / most + CONCEALMENT * look.conceal - DANGER * look.danger(hidden) - PASSING
        return scores, passing

    def _freedom_of_pass(self, view: View, hand: int) -> float:
        hands, start, bests = hands_of(view.config), before(view), []
        for pile in (p for p, size in enumerate(view.pile_sizes) if size):
            drawn = np.array([hand | 1 << card for card in unseen_of(view, pile)], np.int64)
            bests.append(float(np.log1p(hands.n_ahead(drawn, np.full(len(drawn), start, np.int64))).mean()))
        if not bests:
            return log(1 + int(hands.n_ahead(np.array([hand]), np.array([start]))[0]))
        return max(bests)

    def _fixed_scores(self, view: View, prospect: Prospect, hand: int, plays: Plays) -> Floats:
        """Progress, cost, concealment and danger."""
        scores = play_terms(view, hand, plays)
        hidden, n_sprints = np.array(hidden_cards(view), np.int64), np.bitwise_count(plays.sprints)
        stays = plays.hideout < view.config.last
        for k in set(n_sprints[stays].tolist()):
            look, some = prospect.look(k), (n_sprints == k) & stays
            danger = look.danger(hidden) + look.dangers(plays.hideout[some])
            scores[some] += CONCEALMENT * look.conceal - DANGER * danger
        return scores

    def hand_value(self, view: View, hand: int, prospect: Prospect, rng: Random) -> float:
        """The best of all placements, and how many there are."""
        plays = hands_of(view.config).plays(hand, before(view))
        if not len(plays.hideout):
            return STUCK
        free = np.log1p(hands_of(view.config).n_ahead(rest_of(hand, plays), plays.hideout))
        scores = self._fixed_scores(view, prospect, hand, plays)
        scores += FREEDOM * free / max(free.max(), 1e-12) + ESCAPE * escape_terms(view, plays, prospect, rng)
        return float(scores.max()) + VARIETY * log(1 + len(plays.hideout))
