"""What an agent keeps of a Scotland Yard game from event to event: candidates, places, public moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from manhunt.beliefs.support import PackedSupport
from manhunt.games.scotland_yard.actions import Ticket
from manhunt.games.scotland_yard.packed import DOUBLE_BIT
from manhunt.games.scotland_yard.views import View
from manhunt.ids import Node

_TICKET_OF = {str(ticket): int(ticket) for ticket in Ticket}
HIDDEN = 0xFFFF


class Tracker:
    """Follows a game through a seat's events.

    Without them (a bare view of a game under way) the candidates are a superset of the exact ones, and distances
    are taken to where the detectives are now.
    """

    def __init__(self) -> None:
        self._support = PackedSupport()
        self._view: View | None = None
        self._places: list[Node] = []
        self._n_logged = 0
        self._double: int | None = None
        self._steps: list[int] = []
        self.places_then: tuple[Node, ...] = ()
        """Where the detectives stood when Mr X last moved."""

    @property
    def candidates(self) -> frozenset[Node]:
        return self._support.candidates

    def start(self, view: View) -> None:
        self._view = view
        self._support.start(view)
        self._places = list(view.pursuers)
        self.places_then = view.pursuers
        self._n_logged = len(view.log)
        self._steps = []
        self._double = None

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        if self._view is None:
            return
        self._support.observe(events)
        for event in events:
            self._follow(self._view, event)

    def catch_up(self, view: View) -> bool:
        """Start anew if the events did not lead to this view; whether they did."""
        if self._view is not None and self._n_logged == len(view.log) and tuple(self._places) == view.pursuers:
            return True
        self.start(view)
        return False

    def take_keys(self) -> list[int]:
        """The public moves since this was asked last, numbered as `tree.public_key` does."""
        keys, self._steps = self._steps, []
        return keys

    def _follow(self, view: View, event: Mapping[str, Any]) -> None:
        kind = event.get("t")
        if kind == "moved":
            seat = [str(d.piece) for d in view.detectives].index(event["piece"])
            to = view.config.board.node(event["to"])
            self._places[seat] = to
            self._steps.append((seat + 1) | _TICKET_OF[event["ticket"]] << 3 | to << 8)
        elif kind == "double":
            self._double = 0
        elif kind == "logged":
            self._log(view, event)

    def _log(self, view: View, event: Mapping[str, Any]) -> None:
        self._n_logged += 1
        self.places_then = tuple(self._places)
        ticket = _TICKET_OF[event["ticket"]]
        to = HIDDEN if event["at"] is None else view.config.board.node(event["at"])
        if self._double is None:
            self._steps.append(ticket << 3 | to << 8)
        elif self._double == 0:
            self._double = ticket << 3 | DOUBLE_BIT | to << 8
        else:
            self._steps.append(self._double | ticket << 6 | to << 24)
            self._double = None
