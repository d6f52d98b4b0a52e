"""A finished game with what its analysis finds, for Python and notebooks: `record.analyse()`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from manhunt.analysis.findings import QUICK, USUAL, Effort, Findings, Judged
from manhunt.core.errors import BadText
from manhunt.core.html import html_table
from manhunt.core.registry import kit_of
from manhunt.play.hindsight import Hindsight
from manhunt.play.record import Record
from manhunt.play.replay import Moment


@dataclass(frozen=True)
class AnalysedGame:
    """What was found, and the game that it was found in."""

    past: Hindsight = field(repr=False)
    findings: Findings = field(repr=False)

    def __repr__(self) -> str:
        n_marked, n_judged = len(self.marked), len(self.findings.moves)
        return f"<AnalysedGame {self.past.record.about}; {n_marked} of {n_judged} decisions marked>"

    @property
    def marked(self) -> tuple[Judged, ...]:
        """The moves that surely lost something, in the order of the game."""
        return tuple(move for move in self.findings.moves if move.mark)

    @property
    def worst(self) -> Judged | None:
        """The marked move that lost most."""
        return max(self.marked, key=lambda move: move.lost, default=None)

    def before(self, move: Judged) -> Moment:
        """The moment at which a move was decided, as its seat saw it."""
        return Moment(self.past, move.ply).seen_by(self.past.acting(move.ply))

    def to_json(self) -> dict[str, Any]:
        """The findings with the game and its number of plies."""
        return {"game": self.past.game.name, "plies": self.past.last, **self.findings.to_json()}

    def _repr_html_(self) -> str:
        names = self.past.game.seat_names
        who = [names[seat] for seat in map(self.past.acting, (move.ply for move in self.marked)) if seat is not None]
        rows = [
            (self.past.round_to_play(move.ply), name, move.mark, move.words)
            for move, name in zip(self.marked, who, strict=True)
        ]
        caption = f"{self.past.record.about}. {self.findings.stated}"
        return html_table(("round", "who", "mark", "what"), rows, caption)


def analyse_record(record: Record, *, quick: bool = False, effort: Effort | None = None) -> AnalysedGame:
    """BadText where the game is not over, or brings no analysis; `effort` says exactly how much work to take."""
    past = Hindsight(record)
    analysis = kit_of(past.game.name).part("analysis")
    if analysis is None:
        raise BadText(f"{past.game.title} has no analysis")
    return AnalysedGame(past, analysis.analyse(past, effort or (QUICK if quick else USUAL)))
