"""The truth of a game of Fugitive: every card, face down or not, and the order of the piles."""

from __future__ import annotations

from typing import NamedTuple

from manhunt.core.ids import Seat, Side
from manhunt.core.outcome import Outcome
from manhunt.core.short_repr import line_repr
from manhunt.games.fugitive.rules.config import Config
from manhunt.games.fugitive.rules.public import Card, Draw, Guess, Phase


class Hideout(NamedTuple):
    """One position of the row as it really is; see `Spot` for what others see of it."""

    card: Card
    sprints: tuple[Card, ...]
    round: int
    n_draws: tuple[int, ...]
    face_up: bool = False


_new = tuple.__new__

Cards = tuple[Card, ...]
Piles = tuple[Cards, ...]
Row = tuple[Hideout, ...]


class State(NamedTuple):
    """The whole truth of a game; a tuple for speed.

    Hands are ascending; a pile's next card comes first. Cards being placed stay in the hand until they are on the row.
    """

    config: Config
    piles: Piles
    fugitive: Cards
    marshal: Cards = ()
    row: Row = ()
    draws: tuple[Draw, ...] = ()
    guesses: tuple[Guess, ...] = ()
    n_passes: int = 0
    round: int = 1
    phase: Phase = Phase.FUGITIVE_PLAY
    n_left: int = 0
    """Cards that the Marshal still draws in this turn."""
    bonus: bool = False
    """The Fugitive has passed and may take the bonus card of paragraph 10."""
    end: Outcome | None = None
    pending: Cards = ()
    """The hideout being placed and its sprint cards so far, or the numbers of the guess so far.

    The last field because it changes most often: `naming` replaces it alone.
    """

    # Most steps end in one of these four. They build the tuple at once, which is several times as fast as `_replace`.

    def naming(self, card: Card) -> State:
        """The state with one more card pending."""
        return _new(State, self[:-1] + (self[-1] + (card,),))  # noqa: RUF005  a third faster

    def after_draw(
        self, side: Side, pile: int, piles: Piles, fugitive: Cards, marshal: Cards, phase: Phase, n_left: int
    ) -> State:
        """The state after a draw; hands and piles are the new ones."""
        config, _, _, _, row, drawn, guesses, n_passes, now = self[:9]
        draws = (*drawn, _new(Draw, (side, pile, now, len(row))))
        fields = (config, piles, fugitive, marshal, row, draws, guesses, n_passes, now, phase, n_left, False, None, ())
        return _new(State, fields)

    def after_placing(self, row: Row, fugitive: Cards, n_passes: int, phase: Phase, n_left: int) -> State:
        """The state after a placement or a pass."""
        config, piles, _, marshal, _, draws, guesses, _, now = self[:9]
        fields = (config, piles, fugitive, marshal, row, draws, guesses, n_passes, now, phase, n_left, False, None, ())
        return _new(State, fields)

    def after_guess(self, row: Row, guesses: tuple[Guess, ...], now: int, phase: Phase) -> State:
        """The state after a guess; `now` is the round."""
        config, piles, fugitive, marshal, _, draws, _, n_passes = self[:8]
        fields = (config, piles, fugitive, marshal, row, draws, guesses, n_passes, now, phase, 0, False, None, ())
        return _new(State, fields)

    @property
    def last_card(self) -> Card:
        """The latest card of the row; 0 while there is only the start."""
        return self.row[-1].card if self.row else 0

    @property
    def n_hideouts(self) -> int:
        """Hideouts on the row, without the start and the escape."""
        row = self.row
        return len(row) - 1 if row and row[-1].card == self.config.last else len(row)

    @property
    def newest_round(self) -> int:
        """The last round in which a card was drawn or placed."""
        return max(self.row[-1].round if self.row else 0, self.draws[-1].round if self.draws else 0)

    @property
    def round_begun(self) -> bool:
        """Whether somebody has acted in this round."""
        if self.phase not in (Phase.FUGITIVE_DRAW, Phase.FUGITIVE_PLAY):
            return True
        return bool(self.pending) or self.bonus or self.round == self.newest_round

    @property
    def n_drawn(self) -> tuple[int, ...]:
        """By pile, how many cards the Fugitive had drawn up to his latest hideout, and how many since."""
        row = self.row
        counts = list(row[-1].n_draws) if row else [0] * len(self.piles)
        for draw in reversed(self.draws):
            if draw.n_placed < len(row):
                break
            if draw.side is Side.EVADER:
                counts[draw.pile] += 1
        return tuple(counts)

    def __repr__(self) -> str:
        from manhunt.games.fugitive.rules.notation import format_state

        return line_repr(self, format_state)

    def _repr_svg_(self) -> str:
        from manhunt.draw.scenes import draw_view
        from manhunt.games.fugitive.rules.views import view

        return draw_view(view(self, Seat.EVADER))
