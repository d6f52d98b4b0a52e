"""The Fugitive who counts his continuations and looks at his trail with the Marshal's eyes."""

from math import log
from random import Random
from typing import ClassVar

import numpy as np

from manhunt.core.arrays import Floats
from manhunt.games.fugitive.agents import bir_1
from manhunt.games.fugitive.agents.bir_1 import Bir1Fugitive
from manhunt.games.fugitive.agents.escape_odds import EscapeOdds, TrailExposure
from manhunt.games.fugitive.agents.payments import Plans, Plays, hands_of, picked, rest_of
from manhunt.games.fugitive.agents.planners import before, hidden_cards, may_pass, unseen_of
from manhunt.games.fugitive.rules.card_bits import bits_of
from manhunt.games.fugitive.rules.public import with_hideout
from manhunt.games.fugitive.rules.views import FugitiveView

FREEDOM, CONCEALMENT, DANGER = 0.75, 0.50, 1.00


class ContinuationFugitive(Bir1Fugitive):
    """Chooses as bir-1 does, by progress, cost, continuations left, concealment and danger."""

    usual_seconds: ClassVar[float] = 0.3

    def plan_scores(self, view: FugitiveView, plans: Plans) -> Floats:
        hand = bits_of(view.hand)
        firsts = picked(plans.firsts, plans.first_of)
        rest = rest_of(hand, firsts) & rest_of(hand, plans.seconds)
        free = np.log1p(hands_of(view.config).n_ahead(rest, plans.seconds.hideout))
        n_first, n_second = np.bitwise_count(firsts.sprints), np.bitwise_count(plans.seconds.sprints)
        seen = np.zeros(len(rest))
        for k1, k2 in set(zip(n_first.tolist(), n_second.tolist(), strict=True)):
            public = with_hideout(with_hideout(view.public, k1, view.round), k2, view.round)
            exposure = TrailExposure(public)
            some = (n_first == k1) & (n_second == k2)
            catch = exposure.dangers(firsts.hideout[some]) + exposure.dangers(plans.seconds.hideout[some])
            seen[some] = CONCEALMENT * exposure.conceal - DANGER * catch
        scores: Floats = bir_1.opening_terms(view, plans) + FREEDOM * free / max(free.max(), 1e-12) + seen
        return scores

    def play_scores(self, view: FugitiveView, plays: Plays, odds: EscapeOdds, rng: Random) -> tuple[Floats, float]:
        hand, hidden = bits_of(view.hand), np.array(hidden_cards(view), np.int64)
        free = np.log1p(hands_of(view.config).n_ahead(rest_of(hand, plays), plays.hideout))
        free_passing = self._freedom_of_pass(view, hand) if may_pass(view) else 0.0
        most = max(float(free.max()), free_passing, 1e-12)
        fixed = self._fixed_scores(view, odds, hand, plays)
        scores = fixed + FREEDOM * free / most + bir_1.ESCAPE * bir_1.escape_terms(view, plays, odds, rng)
        exposure = TrailExposure(view.public)
        passing = (
            FREEDOM * free_passing / most
            + CONCEALMENT * exposure.conceal
            - DANGER * exposure.danger(hidden)
            - bir_1.PASSING
        )
        return scores, passing

    def _freedom_of_pass(self, view: FugitiveView, hand: int) -> float:
        hands, start, bests = hands_of(view.config), before(view), []
        for pile in (p for p, size in enumerate(view.pile_sizes) if size):
            drawn = np.array([hand | 1 << card for card in unseen_of(view, pile)], np.int64)
            bests.append(float(np.log1p(hands.n_ahead(drawn, np.full(len(drawn), start, np.int64))).mean()))
        if not bests:
            return log(1 + int(hands.n_ahead(np.array([hand]), np.array([start]))[0]))
        return max(bests)

    def _fixed_scores(self, view: FugitiveView, odds: EscapeOdds, hand: int, plays: Plays) -> Floats:
        """Progress, cost, concealment and danger."""
        scores = bir_1.play_terms(view, hand, plays)
        hidden, n_sprints = np.array(hidden_cards(view), np.int64), np.bitwise_count(plays.sprints)
        stays = plays.hideout < view.config.last
        for k in set(n_sprints[stays].tolist()):
            exposure, some = odds.exposure(k), (n_sprints == k) & stays
            danger = exposure.danger(hidden) + exposure.dangers(plays.hideout[some])
            scores[some] += CONCEALMENT * exposure.conceal - DANGER * danger
        return scores

    def hand_value(self, view: FugitiveView, hand: int, odds: EscapeOdds, rng: Random) -> float:
        """The best of all placements, and how many there are."""
        plays = hands_of(view.config).plays(hand, before(view))
        if not len(plays.hideout):
            return bir_1.STUCK
        free = np.log1p(hands_of(view.config).n_ahead(rest_of(hand, plays), plays.hideout))
        scores = self._fixed_scores(view, odds, hand, plays)
        scores += FREEDOM * free / max(free.max(), 1e-12) + bir_1.ESCAPE * bir_1.escape_terms(view, plays, odds, rng)
        return float(scores.max()) + bir_1.VARIETY * log(1 + len(plays.hideout))
