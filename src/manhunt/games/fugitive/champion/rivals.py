"""Which Marshal he meets: one who expects him to be thrifty or one who expects him to be sly, by what she names."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from manhunt.games.fugitive.rules.card_bits import bits_of
from manhunt.games.fugitive.rules.public import Public

FLOOR = 0.1
"""How alike two guesses are at least: a Marshal may be one that nobody foresees."""
MOST = 0.95
"""No kind of Marshal is more likely than this."""


class Foreseen(NamedTuple):
    """A guess as bits that a Marshal of one kind would have made."""

    is_sly: bool
    guess: int


class RivalSigns:
    """Compares every guess with those that were foreseen for it."""

    def __init__(self) -> None:
        self.log_odds = 0.0
        """Of a Marshal who expects him to be sly."""
        self._round = 0
        self._foreseen: Sequence[Foreseen] = ()

    def expect(self, round_: int, foreseen: Sequence[Foreseen]) -> None:
        self._round, self._foreseen = round_, foreseen

    def look(self, public: Public) -> None:
        """Learn from her last guess if it was foreseen."""
        if not public.guesses or public.guesses[-1].round != self._round:
            return
        named = bits_of(public.guesses[-1].numbers)
        alike: dict[bool, list[float]] = {False: [], True: []}
        for each in self._foreseen:
            alike[each.is_sly].append((named & each.guess).bit_count() / max(1, (named | each.guess).bit_count()))
        if alike[False] and alike[True]:
            self.log_odds += float(np.log((np.mean(alike[True]) + FLOOR) / (np.mean(alike[False]) + FLOOR)))
        self._round, self._foreseen = 0, ()

    @property
    def sly_share(self) -> float:
        """How likely she expects him to be sly."""
        share = 1 / (1 + float(np.exp(-self.log_odds)))
        return min(MOST, max(1 - MOST, share))
