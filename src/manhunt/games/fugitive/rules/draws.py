"""The deal of Fugitive, one card after the other: each pile from its top, the Fugitive's random cards first."""

from collections.abc import Sequence
from itertools import chain

from manhunt.core.game import Setup
from manhunt.games.fugitive.rules.config import Config


def lists(config: Config) -> Sequence[Sequence[str]]:
    """Each place in a pile may hold any card of the pile."""
    piles = [[str(card) for card in config.cards_of(pile)] for pile in range(len(config.piles))]
    return [pile for pile in piles for _ in pile]


def setup_of(config: Config, drawn: Sequence[str]) -> Setup:
    cards, dealt, piles = [int(card) for card in drawn], [], []
    for pile, n in enumerate(config.dealt):
        size = len(config.cards_of(pile))
        dealt.append(cards[:n])
        piles.append(cards[n:size])
        cards = cards[size:]
    return {"dealt": dealt, "piles": piles}


def drawn_of(config: Config, setup: Setup) -> Sequence[str]:
    pairs = zip(setup["dealt"], setup["piles"], strict=True)
    return [str(card) for card in chain.from_iterable((*dealt, *rest) for dealt, rest in pairs)]
