"""Small decks of Fugitive that can be solved, by name."""

from collections.abc import Mapping
from types import MappingProxyType

from manhunt.games.fugitive.rules.config import Config

DEFAULT_DECK = "six"


def _deck(last: int, piles: tuple[tuple[int, int], ...], dealt: tuple[int, ...], rounds: int, reach: int = 2) -> Config:
    """The manhunt's border is about where it is in the whole deck, the first draw is one card."""
    return Config(
        last=last,
        piles=piles,
        dealt=dealt,
        reach=reach,
        manhunt_below=(last * 30 + 41) // 42,
        first_draws=1,
        max_rounds=rounds,
    )


DECKS: Mapping[str, Config] = MappingProxyType(
    {
        "five": _deck(5, ((3, 4),), (1,), 3),
        "six": _deck(6, ((3, 5),), (1,), 3),
        "six-long": _deck(6, ((3, 5),), (1,), 4),
        "seven": _deck(7, ((3, 6),), (1,), 3),
        "eight": _deck(8, ((3, 7),), (1,), 3),
        "eight-two": _deck(8, ((3, 5), (6, 7)), (1, 0), 3),
        "eight-rich": _deck(8, ((3, 5), (6, 7)), (1, 1), 3),
    }
)
