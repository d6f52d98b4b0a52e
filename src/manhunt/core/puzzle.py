"""A puzzle: one position of a game with a question that has one right answer, and how the right one is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from manhunt.core.ids import Seat
from manhunt.core.scene import Scene


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position as setup and actions, and the value of every answer. Nobody who has not answered may see the values.

    `values` maps answers to what they are worth (the game's own words, as JSON), `best` is the right one. `solved` says
    for each level of the game's agents how many of its tries were right; `rating` is made from that.
    """

    id: str
    game: str
    kind: str
    seat: Seat
    config: Mapping[str, Any]
    setup: Mapping[str, Any]
    actions: tuple[str, ...]
    best: str
    values: Mapping[str, Any]
    more: Mapping[str, Any] = field(default_factory=dict)
    """What only the game reads."""
    solved: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    rating: int = 0
    level: str = ""


class Posed(NamedTuple):
    """What is shown to whoever is to solve a puzzle: made from the seat's view, with the answers as offers."""

    question: str
    scene: Scene


class Judged(NamedTuple):
    """What an answer leads to. `solved` is None while the puzzle goes on."""

    solved: bool | None
    position: Any
    """A `play.position.Position`, with the opponent's reply."""
    words: str = ""
    """Right or wrong in one sentence."""
    why: tuple[str, ...] = ()
    """What the answers are worth; empty while the puzzle goes on."""
    best: str = ""
    """What would have been right at this step, where it was not the puzzle's own answer."""
    scene: Scene | None = None
    """What is shown at the end, where the game has more to show than the position."""
