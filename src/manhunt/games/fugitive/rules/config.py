"""A game of Fugitive: the deck, how it is dealt, and the switches of the rule book."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum
from functools import cached_property
from typing import Any

from manhunt.core.errors import BadConfig, unknown
from manhunt.core.game import Size, expect_keys
from manhunt.core.short_repr import config_repr

MOST_CARDS = 62
"""The highest card that a deck may have: sets of cards are 64-bit words in kernels."""
MOST_PILES = 8


class Opening(Enum):
    """Paragraph 4: how many hideouts the Fugitive places in his first turn."""

    ONE_OR_TWO = "one_or_two"
    EXACTLY_TWO = "exactly_two"


@dataclass(frozen=True)
class Config:
    """The options of a game. The deck is 0 to `last`; the Fugitive gets all cards that are in no pile (except 0), and
    `dealt` random ones from each pile.
    """

    last: int = 42
    """The highest card, which the Fugitive wants to reach."""
    piles: tuple[tuple[int, int], ...] = ((4, 14), (15, 28), (29, 41))
    """Lowest and highest card of each pile, in order."""
    dealt: tuple[int, ...] = (3, 2, 0)
    """How many random cards of each pile the Fugitive gets at the start."""
    reach: int = 3
    """How much higher a hideout may be than the one before it without sprint cards."""
    manhunt_below: int = 30
    """An escape starts the manhunt unless a hideout of at least this number is face up."""
    first_draws: int = 2
    """Cards that the Marshal draws in her first turn."""
    opening_hideouts: Opening = Opening.ONE_OR_TWO
    """How many hideouts the Fugitive places in his first turn."""
    must_guess: bool = True
    """Whether the Marshal must guess in every turn."""
    allow_last_sprint: bool = False
    """Whether the last card may be a sprint card."""
    pass_bonus: bool = False
    """Whether a Fugitive who passes may draw one more card."""
    max_rounds: int = 50
    """Paragraph 11: the Marshal wins after this many rounds without an escape."""
    idle_passes: int = 2
    """Paragraph 11: the Fugitive loses after this many turns in a row without a draw or a hideout; 0 switches it off.
    """

    def __repr__(self) -> str:
        return config_repr(self)

    def __post_init__(self) -> None:
        for name, least, most in _RANGES:
            _check_whole(name, getattr(self, name), least, most)
        object.__setattr__(self, "piles", _pairs(self.piles))
        object.__setattr__(self, "dealt", _numbers("dealt", self.dealt))
        object.__setattr__(self, "opening_hideouts", parse_opening(self.opening_hideouts))
        for name in ("must_guess", "allow_last_sprint", "pass_bonus"):
            if not isinstance(getattr(self, name), bool):
                raise BadConfig(f"{name} must be true or false, not {getattr(self, name)!r}")
        _check_piles(self)
        _check_escape(self)

    @cached_property
    def kept(self) -> tuple[int, ...]:
        """Paragraph 2: the cards in no pile, which the Fugitive always has; ascending, the last card included."""
        piled = {card for pile in range(len(self.piles)) for card in self.cards_of(pile)}
        return tuple(card for card in range(1, self.last + 1) if card not in piled)

    @cached_property
    def pile_of(self) -> tuple[int | None, ...]:
        """By card, the pile it belongs to; None for cards in no pile."""
        homes: list[int | None] = [None] * (self.last + 1)
        for pile in range(len(self.piles)):
            for card in self.cards_of(pile):
                homes[card] = pile
        return tuple(homes)

    @cached_property
    def sprint_values(self) -> tuple[int, ...]:
        """Paragraph 3: by card, what it is worth as a sprint card; 0 for the last one where it is none."""
        return (*map(sprint_value, range(self.last)), sprint_value(self.last) if self.allow_last_sprint else 0)

    @cached_property
    def pile_names(self) -> tuple[str, ...]:
        """`low`, `middle`, `high` where there are three piles, else `pile1`, `pile2`, ..."""
        n = len(self.piles)
        return ("low", "middle", "high") if n == 3 else tuple(f"pile{i + 1}" for i in range(n))

    def cards_of(self, pile: int) -> range:
        """The cards that belong to a pile."""
        low, high = self.piles[pile]
        return range(low, high + 1)


def sprint_value(card: int) -> int:
    """Paragraph 3: an odd card sprints 1, an even card 2."""
    return 2 - card % 2


_RANGES = (
    ("last", 2, MOST_CARDS),
    ("reach", 1, MOST_CARDS),
    ("manhunt_below", 1, MOST_CARDS),
    ("first_draws", 0, MOST_CARDS),
    ("max_rounds", 1, 1000),
    ("idle_passes", 0, 1000),
)


def _check_whole(name: str, value: object, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadConfig(f"{name} must be a whole number, not {value!r}")
    if not least <= value <= most:
        raise BadConfig(f"{name} is {value}; it must be from {least} to {most}")


def _numbers(name: str, value: object) -> tuple[int, ...]:
    if not isinstance(value, list | tuple) or not all(type(n) is int for n in value):
        raise BadConfig(f"{name} must be a list of whole numbers such as [3, 2, 0], not {value!r}")
    return tuple(value)


def _pairs(value: object) -> tuple[tuple[int, int], ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(p, list | tuple) and len(p) == 2 for p in value):
        raise BadConfig(f"piles must be a list of lowest and highest cards such as [[4, 14], [15, 28]], not {value!r}")
    pairs = [_numbers("piles", pair) for pair in value]
    return tuple((low, high) for low, high in pairs)


def _check_piles(config: Config) -> None:
    if len(config.piles) > MOST_PILES:
        raise BadConfig(f"{len(config.piles)} piles; at most {MOST_PILES} can lie on the table")
    below = 0
    for i, (low, high) in enumerate(config.piles, 1):
        if not 1 <= low <= high < config.last:
            raise BadConfig(f"pile {i} is {low}-{high}; piles hold cards from 1 to {config.last - 1}, the lowest first")
        if low <= below:
            raise BadConfig(f"pile {i} ({low}-{high}) overlaps the pile before it, which ends with {below}")
        below = high
    if len(config.dealt) != len(config.piles):
        raise BadConfig(f"dealt has {len(config.dealt)} numbers for {len(config.piles)} piles; give one for each")
    for i, n in enumerate(config.dealt):
        size = len(config.cards_of(i))
        if not 0 <= n <= size:
            raise BadConfig(f"{n} cards dealt from pile {i + 1}; it has {size}, so give 0 to {size}")


def _check_escape(config: Config) -> None:
    """Refuse a deck in which even the best cards at once do not lead to the last one.

    With k hideouts before it (one a round, two in the first) he covers (k + 1) * reach and the values of the other
    cards that he can have drawn by then.
    """
    n_piled = sum(len(config.cards_of(pile)) for pile in range(len(config.piles)))
    n_in_piles = n_piled - sum(config.dealt)
    n_held = len(config.kept) - 1 + sum(config.dealt)
    values = sorted((sprint_value(card) for card in range(1, config.last)), reverse=True)
    n_cards = n_held + min(n_in_piles, (config.max_rounds - 1) * (1 + config.pass_bonus))
    most_hideouts = min(config.max_rounds, n_cards)
    ways = [(k + 1) * config.reach + sum(values[: n_cards - k]) for k in range(1, most_hideouts + 1)]
    farthest = max(ways, default=0)
    if farthest < config.last:
        raise BadConfig(
            f"no way to the last card {config.last}: even with all possible cards the Fugitive "
            f"reaches {farthest} at most; deal more, allow more rounds or a longer reach"
        )


def parse_opening(value: Opening | str) -> Opening:
    try:
        return Opening(value)
    except ValueError:
        raise BadConfig(unknown("opening_hideouts", str(value), [opening.value for opening in Opening])) from None


_PRESETS: Mapping[str, Mapping[str, Any]] = {
    "standard": {},
    "second-edition": {"pass_bonus": True},
    "exactly-two": {"opening_hideouts": Opening.EXACTLY_TWO},
    "mini": {
        "last": 12,
        "piles": ((3, 7), (8, 11)),
        "dealt": (1, 0),
        "reach": 2,
        "manhunt_below": 9,
        "first_draws": 1,
        "max_rounds": 12,
    },
}
PRESETS = tuple(_PRESETS)
SOURCES: Mapping[str, str] = {
    "standard": "rule book of Fugitive, paragraphs 1 to 9",
    "second-edition": "rule book of Fugitive, paragraph 10",
    "exactly-two": "rule book of Fugitive, paragraph 4 with two hideouts in the first turn",
    "mini": "rule book of Fugitive with 13 cards in two piles",
}
_SYNONYMS = {"allow_42_sprint": "allow_last_sprint"}
_OPTIONS = tuple(f.name for f in fields(Config))


def make_config(preset: str | None = None, **options: Any) -> Config:
    """A preset, with what differs from it."""
    name = preset or "standard"
    if name not in _PRESETS:
        raise BadConfig(unknown("preset", name, _PRESETS))
    values = dict(_PRESETS[name])
    for option, value in options.items():
        known = _SYNONYMS.get(option, option)
        if known not in _OPTIONS:
            raise BadConfig(unknown("option of fugitive", option, [*_OPTIONS, *_SYNONYMS]))
        values[known] = value
    return Config(**values)


def config_to_json(config: Config) -> dict[str, Any]:
    values = {name: getattr(config, name) for name in _OPTIONS}
    return values | {
        "piles": [list(pile) for pile in config.piles],
        "dealt": list(config.dealt),
        "opening_hideouts": config.opening_hideouts.value,
    }


def config_from_json(data: Mapping[str, Any]) -> Config:
    expect_keys(data, frozenset(_OPTIONS), "config of fugitive")
    return make_config(None, **data)


def size_of(config: Config) -> Size:
    """In a round he draws, hides, is done and draws a bonus card, she draws and asks, after naming every number at
    most; each card sprints once, and the manhunt names each number once."""
    plies = config.max_rounds * (config.last + 6) + config.first_draws + 2 * config.last + 4
    return Size(plies=plies)
