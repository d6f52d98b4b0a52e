"""A finished game with what its analysis finds, for Python and notebooks: `record.analyse()`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from manhunt.analysis.analyse import analysis_json, findings_of
from manhunt.analysis.findings import QUICK, USUAL, Effort, Findings, Judged
from manhunt.core.html import html_table
from manhunt.core.ids import PLAYERS, Seat
from manhunt.play.hindsight import Hindsight
from manhunt.play.record import Record
from manhunt.play.replay import Moment


@dataclass(frozen=True)
class AnalysedGame:
    """An analysis together with its game."""

    past: Hindsight = field(repr=False)
    findings: Findings = field(repr=False)
    found: dict[str, Any] = field(repr=False)
    """The findings as JSON, as the web app stores them."""

    def __repr__(self) -> str:
        n_marked, n_judged = len(self.marked), len(self.findings.moves)
        return f"<AnalysedGame {self.past.record.about}; {n_marked} of {n_judged} decisions marked>"

    @property
    def marked(self) -> tuple[Judged, ...]:
        """The decisions with a mark, in the order of the game."""
        return tuple(move for move in self.findings.moves if move.mark)

    @property
    def worst(self) -> Judged | None:
        """The decision that lost the most, of either side; None if no mistake was found."""
        return self._worst(PLAYERS)

    def worst_of(self, seat: Seat) -> Judged | None:
        """The decision of a seat that lost it the most; None if it made no mistake.

        Examples:
            >>> from manhunt import Seat, make_agent, make_game, play_game
            >>> game = make_game("pursuit")
            >>> agents = {Seat.EVADER: make_agent("random"), Seat.PURSUERS: make_agent("greedy", "pursuit")}
            >>> found = play_game(game, game.make_config(board="grid:3x3"), agents, seed=1).analyse()
            >>> print(found.worst_of(Seat.PURSUERS).words)
            red to 5 instead of to 3: caught 1 round later
            >>> print(found.worst_of(Seat.EVADER))
            None
        """
        return self._worst((seat,))

    def _worst(self, seats: tuple[Seat, ...]) -> Judged | None:
        names = [seat.value for seat in seats]
        mistakes = (move for move in self.marked if move.seat in names and move.lost > 0)
        return max(mistakes, key=lambda move: move.lost, default=None)

    def before(self, move: Judged) -> Moment:
        """The moment before a move, as its seat saw it."""
        return Moment(self.past, move.ply).seen_by(self.past.acting(move.ply))

    def to_json(self) -> dict[str, Any]:
        """The document that `manhunt analyse --json` prints."""
        return self.found

    def _repr_html_(self) -> str:
        rows = [self._row(move) for move in self.found["moves"] if move["mark"]]
        caption = f"{self.past.record.about}; {self.findings.stated}"
        return html_table(("round", "who", "mark", "what"), rows, caption)

    def _row(self, move: dict[str, Any]) -> tuple[object, ...]:
        acting = self.past.acting(move["ply"])
        who = "" if acting is None else self.past.game.seat_names[acting]
        return self.past.round_to_play(move["ply"]), who, move["mark"], move["words"]


def analyse_record(record: Record, *, quick: bool = False, effort: Effort | None = None) -> AnalysedGame:
    """BadText where the game is not over, or brings no analysis; `effort` says exactly how much work to take."""
    past = Hindsight(record)
    findings = findings_of(past, effort or (QUICK if quick else USUAL))
    return AnalysedGame(past, findings, analysis_json(past, findings))
