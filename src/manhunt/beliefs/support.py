"""Exact candidates for Scotland Yard (paragraph 17), in plain Python and compiled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np

from manhunt.beliefs.base import Belief
from manhunt.beliefs.public import PublicState
from manhunt.boards.board import Board
from manhunt.errors import BadConfig
from manhunt.games.base import View
from manhunt.games.scotland_yard.actions import Ticket, Tickets
from manhunt.games.scotland_yard.rules import fares
from manhunt.games.scotland_yard.state import State
from manhunt.games.scotland_yard.views import View as ScotlandYardView
from manhunt.ids import Node

_TICKET_OF = {str(ticket): ticket for ticket in Ticket}


class Support(Belief):
    """The set of nodes on which Mr X can be, from what the detectives are told; all are equally likely.

    Besides where the tickets lead, it uses that the game goes on: Mr X is on no detective's node, and on his turn
    he has a move. Exact when started with a game's first view. Started later it may be too large, since a view does
    not tell where the detectives stood before; the next shown round makes it exact again.
    """

    def __init__(self) -> None:
        self._board: Board | None = None
        self._nodes: frozenset[Node] = frozenset()
        self._places: dict[str, Node] = {}
        self._tickets = Tickets()

    @property
    def candidates(self) -> frozenset[Node]:
        return self._nodes

    @property
    def probabilities(self) -> Mapping[Node, float]:
        nodes = self.candidates
        return {node: 1 / len(nodes) for node in sorted(nodes)}

    def sample(self, rng: Random) -> State:
        return self._public.state(self.sample_node(rng))

    def start(self, view: View) -> None:
        if not isinstance(view, ScotlandYardView):
            raise BadConfig(f"these candidates are for scotland_yard, not for {view.game}")
        board = self._board = view.config.board
        self._public = PublicState(view)
        self._places = {str(d.piece): d.node for d in view.detectives}
        self._tickets = view.mrx_tickets
        self._set(board.nodes() if view.free else (board.node(label) for label in view.config.mrx_starts))
        for entry in view.log:
            self._spread(entry.ticket, ())
            if entry.node is not None:
                self._set((entry.node,))
        if view.outcome is not None and view.quarry is not None:
            self._set((view.quarry,))
        elif view.outcome is None:
            self._game_goes_on(is_mrx_turn=not view.waiting)

    def update(self, event: Mapping[str, Any]) -> None:
        kind = event.get("t")
        self._public.update(event)
        if kind == "moved":
            self._places[event["piece"]] = self._node(event["to"])
            self._tickets = self._tickets.plus(_TICKET_OF[event["ticket"]])
        elif kind == "double":
            self._tickets = self._tickets.plus(Ticket.DOUBLE, -1)
        elif kind == "logged":
            self._tickets = self._tickets.plus(_TICKET_OF[event["ticket"]], -1)
            self._spread(_TICKET_OF[event["ticket"]], self._places.values())
            if event["at"] is not None:
                self._set((self._node(event["at"]),))
        elif kind == "turn" and event["quarry"] is not None:
            self._set((self._node(event["quarry"]),))
        elif kind == "turn":
            self._game_goes_on(is_mrx_turn=event["movers"] == ["mrx"])

    def _node(self, label: str) -> Node:
        assert self._board is not None, "start comes before update"
        return self._board.node(label)

    def _game_goes_on(self, *, is_mrx_turn: bool) -> None:
        self._drop(self._places.values())
        if is_mrx_turn:
            self._keep_movable(self._places.values())

    def _set(self, nodes: Iterable[Node]) -> None:
        self._nodes = frozenset(nodes)

    def _spread(self, ticket: Ticket, blocked: Iterable[Node]) -> None:
        assert self._board is not None
        reach = _reach(self._board)[ticket]
        self._nodes = frozenset().union(*(reach[node] for node in self._nodes)) - frozenset(blocked)

    def _drop(self, nodes: Iterable[Node]) -> None:
        self._nodes -= frozenset(nodes)

    def _keep_movable(self, blocked: Iterable[Node]) -> None:
        """Were he stranded, the game would be over."""
        assert self._board is not None
        taken, every = frozenset(blocked), _reach(self._board)
        held = [ticket for ticket in range(4) if self._tickets[ticket]]
        self._nodes = frozenset(n for n in self._nodes if any(every[ticket][n] - taken for ticket in held))


@lru_cache(maxsize=64)
def _reach(board: Board) -> tuple[tuple[frozenset[Node], ...], ...]:
    """By ticket and node: where one step leads."""
    return tuple(
        tuple(frozenset(to for kind, to in row if kind == ticket) for row in fares(board)) for ticket in range(4)
    )


class PackedSupport(Support):
    """The same candidates as bits in four words (London), moved by the kernels."""

    def __init__(self) -> None:
        super().__init__()
        self._words = self._other = np.zeros(1, np.uint64)

    @property
    def candidates(self) -> frozenset[Node]:
        from manhunt.games.scotland_yard.packed import unpack_nodes

        return unpack_nodes(self._words)

    @property
    def words(self) -> np.ndarray[Any, np.dtype[np.uint64]]:
        """Bit n % 64 of word n // 64 is set if node n is a candidate; a copy."""
        return self._words.copy()

    def _set(self, nodes: Iterable[Node]) -> None:
        self._words = self._pack(nodes)
        self._other = np.zeros_like(self._words)

    def _spread(self, ticket: Ticket, blocked: Iterable[Node]) -> None:
        from manhunt.games.scotland_yard.kernels import spread
        from manhunt.games.scotland_yard.packed import reach

        assert self._board is not None
        spread(reach(self._board), self._words, int(ticket), self._pack(blocked), self._other)
        self._words, self._other = self._other, self._words

    def _drop(self, nodes: Iterable[Node]) -> None:
        self._words &= ~self._pack(nodes)

    def _keep_movable(self, blocked: Iterable[Node]) -> None:
        from manhunt.games.scotland_yard.kernels import keep_movable
        from manhunt.games.scotland_yard.packed import reach

        assert self._board is not None
        held = sum(1 << ticket for ticket in range(4) if self._tickets[ticket])
        keep_movable(reach(self._board), self._words, held, self._pack(blocked))

    def _pack(self, nodes: Iterable[Node]) -> np.ndarray[Any, np.dtype[np.uint64]]:
        from manhunt.games.scotland_yard.packed import pack_nodes

        assert self._board is not None
        return pack_nodes(self._board, nodes)
