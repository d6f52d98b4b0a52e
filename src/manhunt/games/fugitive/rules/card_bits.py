"""Sets of cards as bits of a whole number: bit c is card c."""

from collections.abc import Iterable

from manhunt.games.fugitive.rules.public import Card


def bits_of(cards: Iterable[Card]) -> int:
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits


def cards_of(bits: int) -> tuple[Card, ...]:
    """Ascending."""
    return tuple(card for card in range(int(bits).bit_length()) if bits >> card & 1)


def cards_within(cards: int, most: int) -> int:
    """The cards from 1 to `most` above one of these, or below one if it is negative."""
    found = 0
    for step in range(1, abs(most) + 1):
        found |= cards << step if most > 0 else cards >> step
    return found
