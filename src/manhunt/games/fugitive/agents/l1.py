"""The Fugitive of few words: the farthest free step, and dead cards as sprints."""

from random import Random

from manhunt.core.errors import BadAgent
from manhunt.games.fugitive.agents.planners import FugitivePlanner, Placement, before
from manhunt.games.fugitive.rules.config import Config, sprint_value
from manhunt.games.fugitive.rules.placing import need_of, total_value
from manhunt.games.fugitive.rules.public import Card
from manhunt.games.fugitive.rules.views import FugitiveView

MOST_SPRINTS = 60


class L1Fugitive(FugitivePlanner):
    """Lowest pile; escapes as soon as possible, otherwise the farthest hideout that needs no sprint, with some dead
    cards.
    """

    def __init__(self, sprints: int = 1) -> None:
        if not 0 <= sprints <= MOST_SPRINTS:
            raise BadAgent(f"l1: sprints must be from 0 to {MOST_SPRINTS}, not {sprints}")
        self.sprints = sprints

    def pile(self, view: FugitiveView, piles: tuple[int, ...], rng: Random) -> int:
        return piles[0]

    def opening(self, view: FugitiveView, rng: Random) -> tuple[Placement, ...]:
        """The cheapest hideout that leaves a second one, and the cheapest after it; the farther of equals."""
        config, hand = view.config, view.hand
        for first in cheapest(config, [card for card in hand if card < config.last], hand, 0):
            rest = tuple(card for card in hand if card not in (first.hideout, *first.sprints))
            seconds = cheapest(config, rest, rest, first.hideout)
            if seconds:
                return first, seconds[0]
        return ()

    def placement(self, view: FugitiveView, rng: Random) -> Placement | None:
        config, hand, start = view.config, view.hand, before(view)
        if view.row and config.last in hand:
            sprints = payment(config, hand, start, config.last)
            if sprints is not None:
                return Placement(config.last, sprints)
        near = [card for card in hand if start < card <= start + config.reach]
        if near:
            return Placement(near[-1], dead_cards(hand, start, self.sprints if view.round > 1 else 0))
        options = cheapest(config, [c for c in hand if c < config.last], hand, start) if view.round == 1 else []
        return options[0] if options else None


def cheapest(config: Config, cards: list[Card] | tuple[Card, ...], hand: tuple[Card, ...], start: Card
             ) -> list[Placement]:  # fmt: skip
    """Which of the cards can be placed after `start`: fewest sprint cards first, then the farther."""
    found = []
    for card in cards:
        sprints = payment(config, hand, start, card) if card > start else None
        if sprints is not None:
            found.append(Placement(card, sprints))
    return sorted(found, key=lambda placement: (len(placement.sprints), -placement.hideout))


def payment(config: Config, hand: tuple[Card, ...], start: Card, hideout: Card) -> tuple[Card, ...] | None:
    """The fewest sprint cards that suffice, then the lexicographically smallest; None if all are too few."""
    need = need_of(config, start, hideout)
    cards = [card for card in hand if card not in (hideout, config.last)]
    n = next((n for n in range(len(cards) + 1) if most_of(cards, n) >= need), None)
    if n is None:
        return None
    chosen: list[Card] = []
    for i, card in enumerate(cards):
        missing = need - total_value((*chosen, card))
        if len(chosen) < n and most_of(cards[i + 1 :], n - len(chosen) - 1) >= missing:
            chosen.append(card)
    return tuple(chosen)


def most_of(cards: list[Card], n: int) -> int:
    """What n of the cards are worth at most; fewer than n are worth nothing."""
    if n > len(cards):
        return -1
    return sum(sorted(map(sprint_value, cards), reverse=True)[:n])


def dead_cards(hand: tuple[Card, ...], start: Card, n: int) -> tuple[Card, ...]:
    """Cards that can be no hideout any more: odd ones first, then lower ones."""
    dead = sorted((card for card in hand if card <= start), key=lambda card: (card % 2 == 0, card))
    return tuple(sorted(dead[:n]))
