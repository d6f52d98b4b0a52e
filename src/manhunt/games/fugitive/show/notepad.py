"""The notepad of Fugitive: what is certain about every number, for whoever looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import Enum

from manhunt.core.scene import PadCell, Scene
from manhunt.games.fugitive.rules.public import Card
from manhunt.games.fugitive.rules.views import FugitiveView


class Mark(Enum):
    """What is certain about a number, for whoever looks."""

    OPEN = "open"
    FUGITIVE = "in the Fugitive's hand"
    MARSHAL = "in the Marshal's hand"
    SHOWN = "hideout, face up"
    OWN_HIDEOUT = "hideout, face down"
    SPENT = "sprint card"
    MISSED = "missed since the last hideout"


_CELLS = {
    Mark.OPEN: PadCell("", Mark.OPEN.value),
    Mark.FUGITIVE: PadCell("", Mark.FUGITIVE.value, "taxi"),
    Mark.MARSHAL: PadCell("", Mark.MARSHAL.value, "ferry"),
    Mark.SHOWN: PadCell("", Mark.SHOWN.value, "offer"),
    Mark.OWN_HIDEOUT: PadCell("", Mark.OWN_HIDEOUT.value, "secret"),
    Mark.SPENT: PadCell("", Mark.SPENT.value, is_crossed=True),
    Mark.MISSED: PadCell("", Mark.MISSED.value, is_crossed=True),
}
_MAY_HIDE = (Mark.OPEN.value, Mark.MISSED.value)


def notepad(view: FugitiveView) -> dict[Card, Mark]:
    """Every number from 1 to the last card with what a seat knows for certain without thinking."""
    marks = dict.fromkeys(range(1, view.config.last + 1), Mark.OPEN)
    n_placed = sum(spot.card != view.config.last for spot in view.row)
    for guess in view.public.guesses:
        if len(guess.numbers) == 1 and not guess.hit and guess.n_placed == n_placed:
            marks[guess.numbers[0]] = Mark.MISSED
    marks |= dict.fromkeys(view.fugitive or (), Mark.FUGITIVE) | dict.fromkeys(view.marshal or (), Mark.MARSHAL)
    for own, seen in zip(view.row, view.public.row, strict=True):
        if own.card is not None:
            is_shown = seen.card is not None and (view.outcome is None or was_found(view, own.card))
            marks[own.card] = Mark.SHOWN if is_shown else Mark.OWN_HIDEOUT
        for card in own.sprints or ():
            marks[card] = Mark.SPENT
    return marks


def was_found(view: FugitiveView, card: Card) -> bool:
    """Whether a hideout was turned up in play; after the end all cards are shown."""
    return card == view.config.last or any(guess.hit and card in guess.numbers for guess in view.public.guesses)


def pad_cells(marks: Mapping[Card, Mark]) -> tuple[PadCell, ...]:
    return tuple(replace(_CELLS[mark], text=str(number)) for number, mark in marks.items())


def pad_legend(marks: Mapping[Card, Mark]) -> tuple[PadCell, ...]:
    used = set(marks.values()) - {Mark.OPEN}
    return tuple(_CELLS[mark] for mark in Mark if mark in used)


def with_chances(scene: Scene, chances: Mapping[Card, float]) -> Scene:
    """The numbers that may be a face-down hideout, shaded by how likely that is."""
    assert scene.table is not None
    pad = tuple(
        replace(cell, chance=chances.get(int(cell.text))) if cell.words in _MAY_HIDE else cell
        for cell in scene.table.pad
    )
    return replace(scene, table=replace(scene.table, pad=pad))
