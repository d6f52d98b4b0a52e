"""The Fugitive who weighs progress, cost, mobility and the odds of an escape."""

from math import log
from random import Random
from typing import Any, ClassVar

import numpy as np

from manhunt.core.arrays import Floats
from manhunt.games.fugitive.agents.escape_odds import EscapeOdds
from manhunt.games.fugitive.agents.listed_placements import ListedPlacementFugitive, one_kind
from manhunt.games.fugitive.agents.payments import Plans, Plays, hands_of, picked, rest_of
from manhunt.games.fugitive.agents.planners import before, hidden_cards, may_pass, unseen_of
from manhunt.games.fugitive.agents.route_count import RouteCount
from manhunt.games.fugitive.agents.soft_choice import esoft, pick, pick_soft
from manhunt.games.fugitive.rules.card_bits import bits_of
from manhunt.games.fugitive.rules.public import Public, with_draw
from manhunt.games.fugitive.rules.views import FugitiveView

STUCK = -0.5
PASSING = 0.35
ESCAPE = 4.0
VARIETY = 0.25
DEAREST = 4 * 2.75
"""What a card can cost at most, in quarters."""


class Bir1Fugitive(ListedPlacementFugitive):
    """Random choices of pile, opening and placement, weighted by distance, price, and the options that remain."""

    usual_seconds: ClassVar[float] = 0.03

    def pile(self, view: FugitiveView, piles: tuple[int, ...], rng: Random) -> int:
        hand, scores = bits_of(view.hand), []
        for pile in piles:
            odds = EscapeOdds(with_draw(view.public, pile, view.round), view.row, view.round)
            values = [self.hand_value(view, hand | 1 << card, odds, rng) for card in unseen_of(view, pile)]
            scores.append(float(np.mean(values)))
        return pick_soft(piles, scores, rng)

    def choose_plan(self, view: FugitiveView, plans: Plans, rng: Random) -> int:
        """Inside one kind: the first hideout, its payment, the second hideout, its payment."""
        scores = self.plan_scores(view, plans)
        left = one_kind(plans.kind, rng)
        first = plans.first_of
        for column in (plans.firsts.hideout[first], plans.firsts.sprints[first], plans.seconds.hideout):
            left = _narrowed(left, column, scores, rng)
        return int(pick_soft(left, scores[left], rng))

    def choose_play(self, view: FugitiveView, plays: Plays, rng: Random) -> int | None:
        odds = EscapeOdds(view.public, view.row, view.round)
        scores, passing = self.play_scores(view, plays, odds, rng)
        options: list[Any] = [np.flatnonzero(plays.hideout == card) for card in np.unique(plays.hideout)]
        bests = [scores[indices].max() for indices in options]
        if may_pass(view):
            options.append(None)
            bests.append(passing)
        chosen = pick(options, esoft(bests), rng)
        if chosen is None:
            return None
        chosen = chosen[one_kind(plays.kind[chosen], rng)]
        return int(pick_soft(chosen, scores[chosen], rng))

    def plan_scores(self, view: FugitiveView, plans: Plans) -> Floats:
        hand, hands = bits_of(view.hand), hands_of(view.config)
        rest = rest_of(hand, picked(plans.firsts, plans.first_of)) & rest_of(hand, plans.seconds)
        free = hands.mobilities(rest, plans.seconds.hideout)
        return opening_terms(view, plans) + 0.5 * free

    def play_scores(self, view: FugitiveView, plays: Plays, odds: EscapeOdds, rng: Random) -> tuple[Floats, float]:
        """Of each placement, and of a pass."""
        scores = self._scores(view, bits_of(view.hand), plays, odds, rng)
        return scores, self._pass_score(view, odds, rng) if may_pass(view) else 0.0

    def _scores(self, view: FugitiveView, hand: int, plays: Plays, odds: EscapeOdds, rng: Random) -> Floats:
        free = hands_of(view.config).mobilities(rest_of(hand, plays), plays.hideout)
        return play_terms(view, hand, plays) + 0.6 * free + ESCAPE * escape_terms(view, plays, odds, rng)

    def _pass_score(self, view: FugitiveView, odds: EscapeOdds, rng: Random) -> float:
        hand, piles = bits_of(view.hand), [p for p, size in enumerate(view.pile_sizes) if size]
        if not piles:
            return self.hand_value(view, hand, odds, rng) - 0.5
        hands = hands_of(view.config)
        bests = []
        for pile in piles:
            drawn = np.array([hand | 1 << card for card in unseen_of(view, pile)], np.int64)
            bests.append(float(hands.quick_values(drawn, before(view)).mean()))
        return max(bests) - PASSING - caught_risk(view.public, len(hidden_cards(view)))

    def hand_value(self, view: FugitiveView, hand: int, odds: EscapeOdds, rng: Random) -> float:
        """The best hideout with its cheapest payment, and how many there are."""
        plays = hands_of(view.config).plays(hand, before(view))
        if not len(plays.hideout):
            return STUCK
        cheapest = picked(plays, np.flatnonzero(np.diff(plays.hideout, prepend=-1)))
        scores = self._scores(view, hand, cheapest, odds, rng)
        return float(scores.max()) + VARIETY * log(1 + len(cheapest.hideout))


def _narrowed(options: Any, column: Any, scores: Floats, rng: Random) -> Any:
    """Those that share one value of the column, chosen softly by the best of each."""
    values = np.unique(column[options]).tolist()
    bests = [scores[options[column[options] == value]].max() for value in values]
    return options[column[options] == pick_soft(values, bests, rng)]


def play_terms(view: FugitiveView, hand: int, plays: Plays) -> Floats:
    """Progress and cost of each placement."""
    start, last = before(view), view.config.last
    cost = np.minimum(1, plays.cost / (DEAREST * max(1, hand.bit_count() - 1)))
    terms: Floats = 2 * (plays.hideout - start) / (last - start) - cost
    return terms


def opening_terms(view: FugitiveView, plans: Plans) -> Floats:
    cost = np.minimum(1, plans.cost / (DEAREST * max(1, len(view.hand) - 2)))
    terms: Floats = 2 * plans.seconds.hideout / view.config.last - cost
    return terms


def escape_terms(view: FugitiveView, plays: Plays, odds: EscapeOdds, rng: Random) -> Floats:
    """The odds of each placement that is an escape; 0 for others."""
    out = np.zeros(len(plays.hideout))
    for i in np.flatnonzero(plays.hideout == view.config.last):
        out[i] = odds.survival(int(plays.sprints[i]).bit_count(), rng)
    return out


def caught_risk(public: Public, n_hidden: int) -> float:
    """The share of rows that are the true one."""
    if not n_hidden:
        return 1.0
    n_rows = len(RouteCount(public))
    return 1 / n_rows if n_rows else 1 / max(2, 3 * n_hidden)
