"""The Marshal who has nothing but the notepad: which cards each position may be."""

from collections.abc import Sequence
from random import Random

from manhunt.games.fugitive.agents.planners import MarshalPlanner
from manhunt.games.fugitive.beliefs.notes import MarshalNotes
from manhunt.games.fugitive.rules.public import Card, Public
from manhunt.games.fugitive.rules.views import FugitiveView


class NotepadMarshal(MarshalPlanner):
    """Guesses all numbers that the notepad makes certain and the likeliest other one; draws from the pile that rules
    out most.
    """

    def pile(self, view: FugitiveView, piles: tuple[int, ...], rng: Random) -> int:
        """The pile from which a card rules out most on average."""
        chances = number_chances(view.public, view.hand)

        def gain(pile: int) -> float:
            return sum(chances.get(card, 0.0) for card in view.config.cards_of(pile)) / view.pile_sizes[pile]

        return max(piles, key=gain)

    def guess(self, view: FugitiveView, rng: Random) -> Sequence[Card]:
        return noted_guess(view.public, view.hand)

    def hunt(self, view: FugitiveView, rng: Random) -> Card:
        return noted_number(view.public, view.hand)


def number_chances(public: Public, hand: Sequence[Card], notes: MarshalNotes | None = None) -> dict[Card, float]:
    """By number that may lie face down: the sum over positions of one part in as many as the position has cards."""
    notes, found = notes or MarshalNotes.of(public, hand), dict[Card, float]()
    for position, spot in enumerate(public.row, 1):
        if spot.card is None:
            cards = notes.candidates(position)
            for card in cards:
                found[card] = found.get(card, 0.0) + 1 / len(cards)
    return found


def noted_guess(public: Public, hand: Sequence[Card]) -> tuple[Card, ...]:
    """The certain numbers and one more."""
    notes, certain, n_hidden = MarshalNotes.of(public, hand), set[Card](), 0
    for position, spot in enumerate(public.row, 1):
        if spot.card is None:
            cards = notes.candidates(position)
            certain |= cards if len(cards) == 1 else frozenset()
            n_hidden += 1
    chances = number_chances(public, hand, notes)
    others = [card for card in chances if card not in certain]
    if others and len(certain) < n_hidden:
        certain.add(_likeliest(others, chances))
    return tuple(sorted(certain)) or (1,)


def noted_number(public: Public, hand: Sequence[Card]) -> Card:
    """The likeliest number; the lowest of equals."""
    chances = number_chances(public, hand)
    return _likeliest(list(chances), chances) if chances else 1


def _likeliest(numbers: Sequence[Card], chances: dict[Card, float]) -> Card:
    return max(sorted(numbers), key=lambda card: round(chances[card], 12))
