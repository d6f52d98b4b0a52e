"""Which numbers are worth a guess: those that can still be face-down hideouts, for all the seat knows."""

import numpy as np

from manhunt.core.arrays import Int8s
from manhunt.games.fugitive.beliefs.notes import MarshalNotes
from manhunt.games.fugitive.rules.views import FugitiveView, known_to


def guess_mask(view: FugitiveView, *, exact: bool = False) -> Int8s:
    """By number, 1 if it can be a face-down hideout now, else 0: an action mask for `name:NUMBER`.

    The mask comes from the notes, which are quick but sometimes allow a number that is impossible. With `exact` it
    comes from all worlds, which takes tens of milliseconds late in a game. Both contain the true hideouts, and the
    exact mask is part of the other one. For the Marshal's view it uses the table and her hand, for any other view only
    the table. A number that is 0 now can be 1 after the next hideout. All are 0 while no hideout is face down.
    """
    public, hand = known_to(view)
    mask = np.zeros(view.config.last + 1, np.int8)
    if not public.n_hidden:
        return mask
    if exact:
        from manhunt.games.fugitive.beliefs.worlds import Worlds  # loads the kernels

        mask[Worlds(public, hand).hideouts > 0] = 1
        return mask
    notes = MarshalNotes.of(public, hand)
    for position, spot in enumerate(public.row, 1):
        if spot.card is None:
            mask[list(notes.candidates(position))] = 1
    return mask
