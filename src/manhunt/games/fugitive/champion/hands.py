"""Hands that the Marshal may have, as far as her draws and her guesses tell the Fugitive."""

from random import Random

from manhunt.core.ids import Side
from manhunt.games.fugitive.agents.planners import unseen_of
from manhunt.games.fugitive.rules.public import Card
from manhunt.games.fugitive.rules.views import FugitiveView


def likely_hand(view: FugitiveView, rng: Random) -> tuple[Card, ...]:
    """One card for each of her draws, none that she named afterwards: nobody names a card of the own hand."""
    piles = [unseen_of(view, pile) for pile in range(len(view.config.piles))]
    hand: list[Card] = []
    for draw in view.public.draws:
        if draw.side is not Side.PURSUERS:
            continue
        named = {n for guess in view.public.guesses if guess.round >= draw.round for n in guess.numbers}
        options = [card for card in piles[draw.pile] if card not in named] or piles[draw.pile]
        card = rng.choice(options)
        piles[draw.pile].remove(card)
        hand.append(card)
    return tuple(sorted(hand))
