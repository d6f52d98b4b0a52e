"""Exact candidates for Scotland Yard (paragraph 17)."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from random import Random
from typing import Any

from manhunt.boards.board import Board
from manhunt.core.belief import Belief
from manhunt.core.game import View
from manhunt.core.ids import Node
from manhunt.games.scotland_yard.beliefs.public import PublicState
from manhunt.games.scotland_yard.rules.actions import TICKET_OF, Ticket
from manhunt.games.scotland_yard.rules.rules import fares
from manhunt.games.scotland_yard.rules.state import ScotlandYardState


class Support(Belief[Node]):
    """The nodes where Mr X can be, from what the detectives know; all are equally likely.

    It uses the tickets, and the fact that the game goes on: Mr X is not on a detective's node, and on his turn he has a
    move. Exact when started with a game's first view. Started later it may be too large, because a view does not show
    where the detectives stood before; the next shown round makes it exact again.

    Examples:
        >>> from manhunt import Seat, make_game
        >>> game = make_game("scotland_yard")
        >>> setup = {"mrx": "104", "detectives": ["117"]}
        >>> state = game.start(game.make_config(n_detectives=1), setup)
        >>> support = Support()
        >>> support.start(game.view(state, Seat.PURSUERS))
        >>> len(support.candidates)  # the start places of the preset
        12
    """

    public: PublicState

    def __init__(self) -> None:
        self._nodes: frozenset[Node] = frozenset()

    @property
    def candidates(self) -> frozenset[Node]:
        return self._nodes

    @property
    def probabilities(self) -> Mapping[Node, float]:
        return {node: 1 / len(self._nodes) for node in sorted(self._nodes)}

    def sample(self, rng: Random) -> ScotlandYardState:
        return self.public.state(self.sample_candidate(rng))

    def start(self, view: View) -> None:
        self.public = public = PublicState(view)
        board = public.config.board
        starts = board.nodes() if public.free else (board.node(label) for label in public.config.mrx_starts)
        self._nodes = frozenset(starts)
        for entry in public.log:
            self._spread(entry.ticket, ())
            if entry.node is not None:
                self._nodes = frozenset({entry.node})
        quarry: Node | None = getattr(view, "quarry", None)
        if view.outcome is None:
            self._game_goes_on(is_mrx_turn=not public.waiting)
        elif quarry is not None:
            self._nodes = frozenset({quarry})

    def update(self, event: Mapping[str, Any]) -> None:
        kind, node = event.get("t"), self.public.config.board.node
        self.public.update(event)
        if kind == "logged":
            self._spread(TICKET_OF[event["ticket"]], self.public.pursuers)
            if event["at"] is not None:
                self._nodes = frozenset({node(event["at"])})
        elif kind == "turn" and event["quarry"] is not None:
            self._nodes = frozenset({node(event["quarry"])})
        elif kind == "turn":
            self._game_goes_on(is_mrx_turn=event["movers"] == ["mrx"])

    def _spread(self, ticket: Ticket, blocked: Iterable[Node]) -> None:
        reach = _reach(self.public.config.board)[ticket]
        self._nodes = frozenset().union(*(reach[node] for node in self._nodes)) - frozenset(blocked)

    def _game_goes_on(self, *, is_mrx_turn: bool) -> None:
        """Were he caught or stranded, the game would be over."""
        taken, every = frozenset(self.public.pursuers), _reach(self.public.config.board)
        self._nodes -= taken
        if is_mrx_turn:
            held = [ticket for ticket in range(4) if self.public.mrx_tickets[ticket]]
            self._nodes = frozenset(n for n in self._nodes if any(every[ticket][n] - taken for ticket in held))


@lru_cache(maxsize=64)
def _reach(board: Board) -> tuple[tuple[frozenset[Node], ...], ...]:
    """By ticket and node: where one step leads."""
    return tuple(
        tuple(frozenset(to for kind, to in row if kind == ticket) for row in fares(board)) for ticket in range(4)
    )
