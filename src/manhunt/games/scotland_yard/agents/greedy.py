"""One step ahead: Mr X away from the nearest detective, the detectives towards where he probably is."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from manhunt.boards.board import Board
from manhunt.core.arrays import Floats
from manhunt.core.errors import BadAgent, ManhuntError
from manhunt.core.game import View
from manhunt.core.ids import Node, Seat
from manhunt.games.scotland_yard.beliefs.models import Model, make_model
from manhunt.games.scotland_yard.beliefs.support import Support
from manhunt.games.scotland_yard.beliefs.weighted import WeightedBelief
from manhunt.games.scotland_yard.rules.actions import Double, Ticket
from manhunt.games.scotland_yard.rules.rules import fares
from manhunt.games.scotland_yard.rules.views import ScotlandYardView
from manhunt.search.one_step import BoardHops, Hunters, OneStepAgent, Player, Runner, hops_of_board, keep_away

STYLES = ("run", "hide")


class ScotlandYardGreedyAgent(OneStepAgent):
    """One step: Mr X away from the nearest detective, detectives towards the most likely node.

    `style` is for Mr X: `run` keeps away, `hide` also tries to be hard to guess. `model` is the detectives' belief
    about him.
    """

    games = ("scotland_yard",)

    def __init__(self, model: str = "category", temperature: float = 0.0, style: str = "run") -> None:
        super().__init__(temperature)
        if style not in STYLES:
            raise BadAgent(f"greedy: style is one of {', '.join(STYLES)}, not {style!r}")
        try:
            self.model = make_model(model)
        except ManhuntError as error:
            raise BadAgent(f"greedy: {error}") from None
        self.style = style

    def player_for(self, view: View) -> Player:
        if view.seat is not Seat.EVADER:
            return _GreedyDetectives(self.model)
        return _HidingMrX() if self.style == "hide" else _GreedyMrX()


class _GreedyMrX(Runner):
    """Ticket costs in hops: a secret one is saved unless he was just seen, a double unless a detective is next door."""

    def rate(self, view: Any, deadline: float) -> Floats:
        board_hops = hops_of_board(view.config.board)
        self._nearest = board_hops.hops[list(view.pursuers)].min(axis=0)
        assert view.quarry is not None
        good = self._good_places(board_hops, view)
        costs = self._ticket_costs(view)
        double_cost = 0.5 if self._nearest[view.quarry] <= 1 else 4.0
        ratings = np.empty(len(view.legal))
        for i, action in enumerate(view.legal):
            if isinstance(action, Double):
                cost = double_cost + costs[action.ticket1] + costs[action.ticket2]
            else:
                cost = costs[action.ticket]
            ratings[i] = good[action.to] - cost
        return ratings

    def _good_places(self, hops: BoardHops, view: ScotlandYardView) -> Floats:
        return keep_away(hops, view.pursuers)

    def _ticket_costs(self, view: ScotlandYardView) -> Mapping[Ticket, float]:
        """Small for what he has plenty of; a secret ticket pays where many transports meet and everybody looks."""
        costs = {ticket: 0.2 / (1 + view.mrx_tickets[ticket]) for ticket in Ticket}
        was_seen = bool(view.log) and view.log[-1].node is not None
        costs[Ticket.SECRET] = 0.0 if was_seen and self._secret_gain(view) >= 2 else 1.5
        return costs

    @staticmethod
    def _secret_gain(view: ScotlandYardView) -> float:
        """From where he stands: places a secret ticket could lead to, over those of his commonest ticket."""
        assert view.quarry is not None
        reached: dict[Ticket, int] = dict.fromkeys(Ticket, 0)
        for ticket, _ in fares(view.config.board)[view.quarry]:
            reached[ticket] += 1
        plain = max(reached[ticket] for ticket in (Ticket.TAXI, Ticket.BUS, Ticket.UNDERGROUND))
        return reached[Ticket.SECRET] / max(plain, 1)


class _HidingMrX(_GreedyMrX):
    """Two hops from a detective are enough for him; rather he pays with the ticket that leaves most candidates."""

    def __init__(self) -> None:
        super().__init__()
        self.candidates = Support()

    def start(self, view: View) -> None:
        self.candidates.start(view)

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        self.candidates.observe(events)

    def counters(self) -> dict[str, float]:
        return {"candidates": float(len(self.candidates.candidates))}

    def _good_places(self, hops: BoardHops, view: ScotlandYardView) -> Floats:
        return np.asarray(2.0 * np.minimum(self._nearest, 2.0) + 0.5 * np.log1p(hops.exits))

    def _ticket_costs(self, view: ScotlandYardView) -> Mapping[Ticket, float]:
        """One hop for each halving of the candidates; saving tickets counts as well."""
        places: dict[Ticket, set[Node]] = {ticket: set() for ticket in Ticket}
        if not view.config.rounds[view.round]:
            for node in self.candidates.candidates:
                for ticket, to in fares(view.config.board)[node]:
                    places[ticket].add(to)
        most = max(map(len, places.values())) or 1
        costs = {t: math.log2(most / max(len(reached), 1)) if most > 1 else 0.0 for t, reached in places.items()}
        return {t: cost + 1.5 / (1 + view.mrx_tickets[t]) for t, cost in costs.items()}


class _GreedyDetectives(Hunters):
    belief: WeightedBelief

    def __init__(self, model: Model) -> None:
        super().__init__(WeightedBelief(model))

    def is_behind(self, view: ScotlandYardView) -> bool:
        return not self.belief.public.fits(view)

    def rate(self, view: ScotlandYardView, deadline: float) -> Floats:
        self.spread(view.config.board)
        seat_of = {d.piece: i for i, d in enumerate(view.detectives)}
        moves: Sequence[Any] = view.legal
        ratings = self.rate_steps(view.config.board, view.pursuers, [(seat_of[m.piece], m.to) for m in moves])
        return np.asarray(ratings - [self._cost(view, seat_of, move) for move in moves])

    @staticmethod
    def _cost(view: ScotlandYardView, seat_of: Mapping[Any, int], move: Any) -> float:
        """A ticket of which few are left is dearer; between equals this decides."""
        return 0.1 / (1 + view.detectives[seat_of[move.piece]].tickets[move.ticket])

    def spread(self, board: Board) -> None:
        self.chance = self.belief.array
