"""Where Mr X can be and why he cannot be elsewhere, with the reasons: candidates, layer by layer of the travel log."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from manhunt.boards.board import Board
from manhunt.core.ids import Node, Seat
from manhunt.games.scotland_yard.beliefs.support import Support
from manhunt.games.scotland_yard.rules.actions import TICKET_OF, Ticket
from manhunt.games.scotland_yard.rules.rules import fares
from manhunt.games.scotland_yard.rules.views import ScotlandYardView


def public_opening(view: ScotlandYardView) -> ScotlandYardView:
    """What everybody knew when this view was; Mr X's own has his place and moves besides."""
    return replace(view, seat=Seat.PURSUERS, quarry=None, legal=()) if view.outcome is None else view


def places_words(seat: Seat, places: Sequence[str]) -> str:
    """How many stations Mr X can be on, or which one, for him or for those who look for him."""
    is_his = seat is Seat.EVADER
    if len(places) == 1:
        return f"The detectives know that you are on {places[0]}" if is_his else f"Mr X can only be on {places[0]}"
    return f"{'The detectives think you could be on' if is_his else 'Mr X can be on'} {len(places)} stations"


def public_events(events: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """What everybody was told; only Mr X is told his place."""
    return [event for event in events if event.get("t") not in (None, "quarry")]


@dataclass
class Layer:
    """The candidates after one entry of the travel log, and why nodes were struck out since."""

    round: int
    ticket: Ticket | None
    nodes: frozenset[Node]
    shown: bool = False
    struck: dict[Node, str] = field(default_factory=dict)


class Chronicle:
    """The candidates of a game, entry by entry; `layers[0]` is before Mr X's first move."""

    def __init__(self, opening: ScotlandYardView, events: Iterable[Mapping[str, Any]]) -> None:
        self.board: Board = opening.config.board
        self.support = Support()
        self.support.start(public_opening(opening))
        self._places = {str(d.piece): d.node for d in opening.detectives}
        self.layers = [Layer(opening.round, None, self.support.candidates)]
        for event in public_events(events):
            self._hear(event)

    def _hear(self, event: Mapping[str, Any]) -> None:
        kind = event["t"]
        if kind == "logged":
            self._logged(event)
            return
        self.support.update(event)
        if kind == "moved":
            self._places[event["piece"]] = self.board.node(event["to"])
        elif kind == "turn":
            self._strike(is_mrx_turn=event["movers"] == ["mrx"])

    def _logged(self, event: Mapping[str, Any]) -> None:
        ticket = TICKET_OF[event["ticket"]]
        standing = {node: f"{piece} stood there" for piece, node in self._places.items()}
        self.support.update(event)
        shown = event["at"] is not None
        self.layers.append(Layer(event["round"], ticket, self.support.candidates, shown, standing))

    def _strike(self, *, is_mrx_turn: bool) -> None:
        layer, now = self.layers[-1], self.support.candidates
        by_place = {node: piece for piece, node in self._places.items()}
        for node in layer.nodes - now:
            if node in by_place:
                layer.struck[node] = f"{by_place[node]} came there and did not find him"
            elif is_mrx_turn:
                layer.struck[node] = "he could not have moved on from there, and the game would be over"
        layer.nodes = now

    @property
    def candidates(self) -> frozenset[Node]:
        return self.layers[-1].nodes

    def known(self) -> int:
        """The number of the newest layer that was certain or given: a shown round, else the beginning."""
        return max((i for i, layer in enumerate(self.layers) if layer.shown), default=0)

    def way_to(self, node: Node) -> list[Node]:
        """One way that fits everything, from where Mr X was last known, to a candidate."""
        first, way = self.known(), [node]
        for i in range(len(self.layers) - 1, first, -1):
            ticket = self.layers[i].ticket
            before = (n for n in sorted(self.layers[i - 1].nodes) if (ticket, way[0]) in fares(self.board)[n])
            way.insert(0, next(before))
        return way

    def why_not(self, node: Node) -> list[str]:
        """Why Mr X cannot be there: sentences that follow from what everybody was told."""
        first = self.known()
        since = self.layers[first + 1 :]
        sentences = [self._beginning(first, since)]
        if not since and self.layers[first].shown:
            return [*sentences, f"He has not moved since, so he is not on {self._name(node)}."]
        if not since:
            return [*sentences, f"{self._name(node)} is none of these."]
        ways = self._ticket_ways(node, first)
        if ways is None:
            return [*sentences, self._no_way(node, first)]
        return [*sentences, *self._stopped(node, first, ways)]

    def _beginning(self, first: int, since: list[Layer]) -> str:
        layer = self.layers[first]
        paid = ", ".join(str(later.ticket) for later in since)
        after = f" Since then he paid {paid}." if since else ""
        if layer.shown:
            return f"Mr X was seen on {self._names(layer.nodes)} in round {layer.round}.{after}"
        n = len(layer.nodes)
        place = self._names(layer.nodes) if n <= 18 else f"any of {n} stations"
        return f"Mr X has not been seen yet; he started on {place if n <= 1 or n > 18 else f'one of {place}'}.{after}"

    def _ticket_ways(self, node: Node, first: int) -> list[frozenset[Node]] | None:
        """Layer by layer the nodes from which the tickets lead to `node`; None if they do not lead there at all."""
        ways = [frozenset({node})]
        for layer in reversed(self.layers[first + 1 :]):
            ways.insert(0, self._before(ways[0], layer.ticket))
        return ways if ways[0] & self.layers[first].nodes else None

    def _before(self, nodes: frozenset[Node], ticket: Ticket | None) -> frozenset[Node]:
        rows = fares(self.board)
        return frozenset(n for n in self.board.nodes() if any(t is ticket and to in nodes for t, to in rows[n]))

    def _no_way(self, node: Node, first: int) -> str:
        last = self.layers[-1]
        if not self._before(frozenset({node}), last.ticket):
            return f"In round {last.round} he paid {last.ticket}, and no {last.ticket} goes to {self._name(node)}."
        for i in range(len(self.layers) - 1, first, -1):
            ways = self._back(node, i)
            if not ways:
                return f"The tickets since round {self.layers[i].round} do not lead to {self._name(node)}."
        begun = self.layers[first]
        start = self._names(begun.nodes) if begun.shown else "there"
        return f"These tickets do not lead from {start} to {self._name(node)}."

    def _back(self, node: Node, i: int) -> frozenset[Node]:
        ways = frozenset({node})
        for layer in reversed(self.layers[i:]):
            ways = self._before(ways, layer.ticket)
        return ways

    def _stopped(self, node: Node, first: int, ways: list[frozenset[Node]]) -> list[str]:
        """Every way that the tickets allow ends on a node that was struck out; which, and by what."""
        alive = ways[0] & self.layers[first].nodes
        reasons: list[str] = []
        for layer, wanted in zip(self.layers[first + 1 :], ways[1:], strict=True):
            reached = {to for n in alive for t, to in fares(self.board)[n] if t is layer.ticket} & wanted
            for lost in sorted(reached - layer.nodes):
                why = layer.struck.get(lost, "it was ruled out")
                reasons.append(f"over {self._name(lost)} in round {layer.round}: {why}")
            alive = frozenset(reached & layer.nodes)
        if len(reasons) == 1 and len(self.layers) - first == 2:
            return [f"{self._name(node)}: {reasons[0].partition(': ')[2]}."]
        more = f"; and {len(reasons) - 4} more" if len(reasons) > 4 else ""
        return [f"The tickets lead to {self._name(node)}, but every way is ruled out: {'; '.join(reasons[:4])}{more}."]

    def _name(self, node: Node) -> str:
        return self.board.label(node)

    def _names(self, nodes: Iterable[Node]) -> str:
        return self.board.text(sorted(nodes))
