"""Fugitive for programs that learn: its actions as numbers, its views as vectors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from manhunt.core.arrays import Float32s
from manhunt.core.encoding import Encoder, Plane, common_planes, laid_out, write_common
from manhunt.core.game import View
from manhunt.core.ids import Seat, Side
from manhunt.games.fugitive.rules.actions import Action, Ask, Done, Hide, Name, Pass, Sprint, TakeFrom, number_of
from manhunt.games.fugitive.rules.config import Config
from manhunt.games.fugitive.rules.public import Phase, Public, Spot
from manhunt.games.fugitive.rules.views import FugitiveView

N_GUESSES = 16
"""The newest guesses that an observation holds."""
_PHASES = tuple(Phase)


class FugitiveEncoder(Encoder):
    """Numbers: draws by pile, then hideouts, sprints and guesses by card, then done, pass and ask."""

    def __init__(self, config: Config) -> None:
        self.config = config
        n_piles, n_cards = len(config.piles), config.last + 1
        n_positions = min(config.max_rounds + 1, config.last)
        kinds: tuple[tuple[type, int], ...] = (
            (TakeFrom, n_piles), (Hide, n_cards), (Sprint, n_cards), (Name, n_cards), (Done, 1), (Pass, 1), (Ask, 1),
        )  # fmt: skip
        self._first: dict[type, int] = {}
        self.n_actions = 0
        for kind, n in kinds:
            self._first[kind] = self.n_actions
            self.n_actions += n
        self.planes = laid_out((*common_planes(), *_own_planes(n_piles, n_cards, n_positions)))
        self._at = {plane.name: plane.where for plane in self.planes}
        meaning = "By card: 1 if the quick notes, with what everybody saw, do not rule out a face-down hideout there."
        self.shared_planes = (Plane("possible_hideouts", meaning, n_cards),)
        self._pile_sizes = [len(config.cards_of(pile)) for pile in range(n_piles)]
        self._n_positions = n_positions

    def number_of(self, action: Action) -> int:
        return self._first[type(action)] + number_of(action)

    def observe(self, view: View) -> Float32s:
        assert isinstance(view, FugitiveView)
        out = np.zeros(self.observation_size, np.float32)
        plane = {name: out[where] for name, where in self._at.items()}
        write_common(out, view)
        plane["phase"][_PHASES.index(view.phase)] = 1
        plane["round"][0] = view.round / self.config.max_rounds
        plane["passes"][0] = min(view.public.n_passes / self.config.max_rounds, 1)
        plane["draws_left"][0] = view.n_left / (view.n_left + 1)
        plane["bonus"][0] = view.bonus
        _set(plane["fugitive"], view.fugitive or ())
        _set(plane["marshal"], view.marshal or ())
        self._write_pending(plane, view)
        plane["piles"][:] = np.divide(view.pile_sizes, self._pile_sizes)
        plane["hands"][:] = np.divide(view.hand_sizes, self.config.last)
        drawn = [view.public.n_drawn(side) for side in (Side.EVADER, Side.PURSUERS)]
        plane["draws"].reshape(2, -1)[:] = np.divide(drawn, self._pile_sizes)
        self._write_row(plane, view.row, view.public)
        self._write_guesses(plane["guesses"].reshape(N_GUESSES, -1), view.public)
        return out

    def _write_pending(self, plane: dict[str, Float32s], view: FugitiveView) -> None:
        pending = view.pending
        if pending and view.seat is Seat.EVADER:
            plane["placing"][pending[0]] = 1
            pending = pending[1:]
        _set(plane["named"], pending)

    def _write_row(self, plane: dict[str, Float32s], row: tuple[Spot, ...], public: Public) -> None:
        by_position = plane["row"].reshape(self._n_positions, -1)
        for i, (spot, shown) in enumerate(zip(row, public.row, strict=True)):
            drawn = np.divide(spot.n_draws, self._pile_sizes)
            up, n = shown.card is not None, spot.n_sprints
            by_position[i] = 1, up, n / (n + 1), spot.round / self.config.max_rounds, *drawn
            where = (i + 1) / self._n_positions
            if spot.card is not None:
                plane["hideouts"][spot.card] = where
            if spot.sprints:
                plane["sprints"][list(spot.sprints)] = where

    def _write_guesses(self, slots: Float32s, public: Public) -> None:
        for slot, guess in zip(slots, reversed(public.guesses), strict=False):
            slot[:3] = 1, guess.hit, guess.n_placed / self._n_positions
            _set(slot[3:], guess.numbers)

    def belief_planes(self, belief: Any) -> Float32s:
        """From the quick notes: counting all worlds can take seconds."""
        return np.array(belief.view.guess_mask, np.float32)


def _set(plane: Float32s, cards: Iterable[int]) -> None:
    for card in cards:
        plane[card] = 1


def _own_planes(n_piles: int, n_cards: int, n_positions: int) -> tuple[Plane, ...]:
    row = "placed, face up, n / (n + 1) of its n sprint cards, round, and his draws by pile before it"
    guess = f"made, hit, hideouts on the row, and by card 1 if it was named; the newest {N_GUESSES}, newest first"
    return (
        Plane("phase", f"What comes next: {', '.join(phase.value for phase in _PHASES)}.", len(_PHASES)),
        Plane("round", "The round, as a share of all rounds.", 1),
        Plane("passes", "How often the Fugitive has passed, as a share of all rounds.", 1),
        Plane("draws_left", "n / (n + 1) for the n cards that the Marshal still draws in this turn.", 1),
        Plane("bonus", "1 if the Fugitive may take a bonus card.", 1),
        Plane("fugitive", "By card: 1 if it is in the Fugitive's hand; all 0 while the seat does not see it.", n_cards),
        Plane("marshal", "By card: 1 if it is in the Marshal's hand; all 0 while the seat does not see it.", n_cards),
        Plane("placing", "By card: 1 for the hideout that the Fugitive is placing; only he sees it.", n_cards),
        Plane("named", "By card: 1 for the sprint cards or the guess named so far; for that seat only.", n_cards),
        Plane("piles", "By pile: the share of its cards that are left.", n_piles),
        Plane("hands", "Cards in the hands of the Fugitive and the Marshal, as a share of the deck.", 2),
        Plane("draws", "For the Fugitive, then the Marshal, by pile: the share of its cards drawn.", 2 * n_piles),
        Plane("row", f"For each position of the row: {row}.", n_positions * (4 + n_piles)),
        Plane("hideouts", "By card: its position, as a share of the row's length, if the seat knows it.", n_cards),
        Plane("sprints", "By card: the position it was spent for as a sprint card, if the seat knows it.", n_cards),
        Plane("guesses", f"For each guess: {guess}.", N_GUESSES * (3 + n_cards)),
    )
