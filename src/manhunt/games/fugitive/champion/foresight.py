"""What a Marshal with a supposed hand would do next: which pile, which card by lot, which guess."""

from dataclasses import replace
from random import Random

import numpy as np

from manhunt.core.ids import Seat, Side
from manhunt.games.fugitive.agents.guess_search import GuessSearch
from manhunt.games.fugitive.agents.planners import unseen_of
from manhunt.games.fugitive.beliefs.models import PlayModel
from manhunt.games.fugitive.beliefs.trails import Trails
from manhunt.games.fugitive.beliefs.worlds import Worlds, worlds_or_none
from manhunt.games.fugitive.champion.features import SeenGuess
from manhunt.games.fugitive.rules.public import Card, Draw, Public
from manhunt.games.fugitive.rules.views import FugitiveView


class ForeseenMarshal:
    """A Marshal like `exact` with this hand; her draws are the first cards of piles shuffled once.

    So all turns that he compares meet the same chance.
    """

    def __init__(self, view: FugitiveView, hand: tuple[Card, ...], model: PlayModel, rng: Random) -> None:
        self.view, self.hand, self.model = view, hand, model
        self.piles = []
        for pile in range(len(view.config.piles)):
            cards = [card for card in unseen_of(view, pile) if card not in hand]
            rng.shuffle(cards)
            self.piles.append(cards)
        self.chosen: list[int] = []
        self.n_draws = view.config.first_draws if view.round == 1 else 1

    def after(self, public: Public, n_his: int) -> SeenGuess | None:
        """Her guess when he has left the table like this with so many cards; None if such a table cannot be."""
        piles = [list(cards) for cards in self.piles]
        hand, trails = self.hand, None
        seen = self._seen(public, hand, n_his)
        worlds = worlds_or_none(public, hand, self.model)
        for n in range(self.n_draws):
            open_piles = tuple(i for i, cards in enumerate(piles) if cards)
            if not open_piles or worlds is None:
                break
            if len(self.chosen) <= n or self.chosen[n] not in open_piles:
                self.chosen = [*self.chosen[:n], self._pile(seen, worlds, open_piles)]
            pile = self.chosen[n]
            card = piles[pile].pop(0)
            hand = tuple(sorted((*hand, card)))
            public = replace(public, draws=(*public.draws, Draw(Side.PURSUERS, pile, self.view.round, public.n_hidden)))
            if n + 1 < self.n_draws:
                worlds = worlds_or_none(public, hand, self.model)
                seen = self._seen(public, hand, n_his)
            else:
                trails = _after_draw(worlds, card)
        if trails is None:
            trails = None if worlds is None else worlds.trails
        if trails is None:
            return None
        guess = GuessSearch(self._seen(public, hand, n_his)).guess(trails)
        return SeenGuess(trails.masks.view(np.int64), trails.weights, guess.numbers, self.view.config.last)

    def _seen(self, public: Public, hand: tuple[Card, ...], n_his: int) -> FugitiveView:
        return replace(
            self.view, seat=Seat.PURSUERS, public=public, fugitive=None, marshal=hand, hand_sizes=(n_his, len(hand))
        )

    def _pile(self, seen: FugitiveView, worlds: Worlds, piles: tuple[int, ...]) -> int:
        if len(piles) == 1:
            return piles[0]
        search = GuessSearch(seen)
        values = [search.pile_value(worlds, pile, lambda: True) for pile in piles]
        return piles[int(np.argmax(values))]


def _after_draw(worlds: Worlds, card: Card) -> Trails | None:
    try:
        return worlds.after_draw(card)
    except Exception:
        return None
