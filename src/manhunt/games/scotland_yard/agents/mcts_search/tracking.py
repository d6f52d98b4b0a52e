"""What an agent keeps of a Scotland Yard game from event to event: candidates, places, public moves."""

from collections.abc import Mapping, Sequence
from typing import Any

from manhunt.core.ids import Node
from manhunt.games.scotland_yard.beliefs.support import Support
from manhunt.games.scotland_yard.rules.actions import PIECE_OF, TICKET_OF
from manhunt.games.scotland_yard.rules.packed import DOUBLE_BIT
from manhunt.games.scotland_yard.rules.views import ScotlandYardView

HIDDEN = 0xFFFF


class Tracker:
    """Follows a game through a seat's events.

    Without them (a bare view of a game under way) the candidates are a superset of the exact ones, and distances
    are taken to where the detectives are now.
    """

    def __init__(self) -> None:
        self._support = Support()
        self._is_started = False
        self._double: int | None = None
        self._steps: list[int] = []
        self.places_then: tuple[Node, ...] = ()
        """Where the detectives stood when Mr X last moved."""

    @property
    def candidates(self) -> frozenset[Node]:
        return self._support.candidates

    def start(self, view: ScotlandYardView) -> None:
        self._support.start(view)
        self._is_started = True
        self.places_then = view.pursuers
        self._steps = []
        self._double = None

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        for event in events if self._is_started else ():
            self._support.update(event)
            self._follow(event)

    def catch_up(self, view: ScotlandYardView) -> bool:
        """Start anew if the events did not lead to this view; whether they did."""
        if self._is_started and self._support.public.fits(view):
            return True
        self.start(view)
        return False

    def take_keys(self) -> list[int]:
        """The public moves since this was asked last, numbered as `moves.public_key` does."""
        keys, self._steps = self._steps, []
        return keys

    def _follow(self, event: Mapping[str, Any]) -> None:
        kind, public = event.get("t"), self._support.public
        if kind == "moved":
            seat = public.pieces.index(PIECE_OF[event["piece"]])
            self._steps.append((seat + 1) | TICKET_OF[event["ticket"]] << 3 | public.pursuers[seat] << 8)
        elif kind == "double":
            self._double = 0
        elif kind == "logged":
            self.places_then = tuple(public.pursuers)
            to = HIDDEN if event["at"] is None else public.config.board.node(event["at"])
            self._log(TICKET_OF[event["ticket"]], to)

    def _log(self, ticket: int, to: int) -> None:
        if self._double is None:
            self._steps.append(ticket << 3 | to << 8)
        elif self._double == 0:
            self._double = ticket << 3 | DOUBLE_BIT | to << 8
        else:
            self._steps.append(self._double | ticket << 6 | to << 24)
            self._double = None
