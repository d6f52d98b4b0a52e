"""What a Marshal with a supposed hand would do next: which pile, which card by lot, which guess."""

from dataclasses import replace
from random import Random

import numpy as np

from manhunt.core.errors import ManhuntError
from manhunt.core.ids import Seat, Side
from manhunt.games.fugitive.agents.guess_search import GuessSearch
from manhunt.games.fugitive.agents.planners import unseen_of
from manhunt.games.fugitive.beliefs.trails import Trails
from manhunt.games.fugitive.beliefs.worlds import Worlds, worlds_or_none
from manhunt.games.fugitive.champion.features import SeenGuess
from manhunt.games.fugitive.champion.habits import MODELS, SHARES, THRIFTY
from manhunt.games.fugitive.champion.mixed_worlds import mixed_or_none
from manhunt.games.fugitive.rules.card_bits import bits_of
from manhunt.games.fugitive.rules.public import Card, Draw, Public
from manhunt.games.fugitive.rules.views import FugitiveView


class ForeseenMarshal:
    """A Marshal like `exact`, or like the champion, with this hand.

    Her draws are the first cards of piles that were shuffled once, and she draws from the same pile whatever he does,
    so that all turns that he compares meet the same chance.
    """

    def __init__(
        self, view: FugitiveView, hand: tuple[Card, ...], rng: Random, weight: float = 1.0, *, sly: bool
    ) -> None:
        self.view, self.hand, self.expects_sly = view, hand, sly
        self.weight = weight
        """How much what she does counts."""
        self.piles = []
        for pile in range(len(view.config.piles)):
            cards = [card for card in unseen_of(view, pile) if card not in hand]
            self.piles.append(rng.sample(cards, len(cards)))
        self.n_draws = view.config.first_draws if view.round == 1 else 1
        self.cards = hand
        """Hers after her draws."""
        self.guesses: dict[tuple[int, ...], int] = {}
        """By sprint cards on the table, what she would name, as bits."""
        self.chosen: list[int] = []
        """The piles of her draws, known when the first table was looked at."""

    def guess(self, public: Public, n_his: int) -> SeenGuess:
        """What she names when he has left the table like this with so many cards, and what she believes then."""
        hand, trails, last = self.hand, None, self.view.config.last
        taken: list[Card] = []
        worlds = self._worlds(public, hand)
        for n in range(self.n_draws):
            piles = [[card for card in cards if card not in taken] for cards in self.piles]
            if worlds is None or not any(piles):
                break
            pile = self._pile(n, self._seen(public, hand, n_his), worlds, piles)
            card = piles[pile][0]
            taken.append(card)
            hand = tuple(sorted((*hand, card)))
            public = replace(public, draws=(*public.draws, Draw(Side.PURSUERS, pile, self.view.round, len(public.row))))
            if n + 1 < self.n_draws:
                worlds = self._worlds(public, hand)
            else:
                trails = trails_after(worlds, card)
        self.cards = hand
        if trails is None:
            if worlds is None:  # too many worlds, or none: such a Marshal is lost
                return SeenGuess(np.zeros(0, np.int64), np.zeros(0), (), last)
            trails = worlds.trails
        numbers = GuessSearch(self._seen(public, hand, n_his)).guess(trails).numbers
        self.guesses[tuple(spot.n_sprints for spot in public.row)] = bits_of(numbers)
        return SeenGuess(trails.masks.view(np.int64), trails.weights, numbers, last)

    def _worlds(self, public: Public, hand: tuple[Card, ...]) -> Worlds | None:
        if self.expects_sly:
            return mixed_or_none(public, hand, MODELS, SHARES)
        return worlds_or_none(public, hand, THRIFTY)

    def _seen(self, public: Public, hand: tuple[Card, ...], n_his: int) -> FugitiveView:
        return replace(
            self.view, seat=Seat.PURSUERS, public=public, fugitive=None, marshal=hand, hand_sizes=(n_his, len(hand))
        )

    def _pile(self, n: int, seen: FugitiveView, worlds: Worlds, piles: list[list[Card]]) -> int:
        if n < len(self.chosen) and piles[self.chosen[n]]:
            return self.chosen[n]
        search, usable = GuessSearch(seen), [i for i, cards in enumerate(piles) if cards]
        values = [search.pile_value(worlds, pile, lambda: True) for pile in usable] if len(usable) > 1 else [0.0]
        pile = usable[int(np.argmax(values))]
        self.chosen = [*self.chosen[:n], pile]
        return pile


def trails_after(worlds: Worlds, card: Card) -> Trails | None:
    """None if she can be sure that the card is not there."""
    try:
        return worlds.after_draw(card)
    except ManhuntError:
        return None
