"""The route count, by which the opponents hr-1c, hr-1.1c, bir-1, continuation and bir-2u are defined.

It is not a belief: every row that fits by steps, piles and guesses counts once, however many worlds it has, and a
face-down sprint card is +2 without being any card. The rows are those that the exact count begins with
(`beliefs/row_limits.py`). What is added here is their number, found without listing them: a Fugitive asks for it many
times a turn, of tables that may have millions of rows.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from manhunt.core.arrays import Int64s
from manhunt.games.fugitive.agents.route_count_kernels import NO_KEY, count_rows
from manhunt.games.fugitive.beliefs import row_kernels
from manhunt.games.fugitive.beliefs.evidence import gather, hidden_positions
from manhunt.games.fugitive.beliefs.row_limits import list_rows, row_limits_of
from manhunt.games.fugitive.rules.card_bits import bits_of
from manhunt.games.fugitive.rules.public import Card, Public, without_marshal_draws

_ROOM_FOR_STATES = 1 << 12


class RouteCount:
    """All rows that fit what a Marshal with this hand sees; without one, what everybody sees."""

    def __init__(self, public: Public, hand: Iterable[Card] | None = None) -> None:
        self.last = public.config.last
        self.evidence = gather(without_marshal_draws(public), ()) if hand is None else gather(public, hand)
        self.limits = row_limits_of(self.evidence)
        self.face_up = bits_of(card for card in self.evidence.shown if card is not None)
        self.n_hidden = self.evidence.shown.count(None)

    def __len__(self) -> int:
        return self._counted[0]

    @property
    def counts(self) -> Int64s:
        """By card, the rows that have it face down."""
        return self._counted[1]

    @cached_property
    def _counted(self) -> tuple[int, Int64s]:
        out = np.zeros(self.last + 1, np.int64)
        n = count_rows(self.limits, ~self.face_up, _ROOM_FOR_STATES, out)
        if n != NO_KEY:
            return n, out
        shares = np.zeros(self.last + 1)
        row_kernels.add_hidden(self._rows, self._hidden_positions, np.ones(len(self._rows)), shares)
        return len(self._rows), shares.astype(np.int64)

    @cached_property
    def numbers(self) -> tuple[Card, ...]:
        """The cards that some row has face down, ascending."""
        return tuple(np.flatnonzero(self.counts).tolist())

    @cached_property
    def _rows(self) -> Any:
        return list_rows(self.limits)

    @property
    def _hidden_positions(self) -> Int64s:
        return np.array(hidden_positions(self.evidence.public.row), np.int64)

    @cached_property
    def rows(self) -> Int64s:
        """Per row its cards as bits, without the escape; by ascending cards."""
        positions = [i for i, card in enumerate(self.evidence.shown) if card != self.last]
        return self._bits_at(np.array(positions, np.int64))

    @cached_property
    def hidden(self) -> Int64s:
        """Per row the cards at its face-down positions, as bits."""
        return self._bits_at(self._hidden_positions)

    def _bits_at(self, positions: Int64s) -> Int64s:
        masks = np.zeros(len(self._rows), np.uint64)
        row_kernels.row_masks(self._rows, positions, masks)
        return masks.view(np.int64)

    def n_with_all(self, sets: Sequence[Iterable[Card]]) -> list[int]:
        """Per set, the rows that have all its cards face down."""
        bits = np.array([bits_of(cards) for cards in sets], np.int64)
        return [int(((self.hidden & each) == each).sum()) for each in bits]
