"""One step ahead: the quarry away from the nearest detective, the detectives towards where it probably is."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from manhunt.agents.base import Advice, Agent, Limit
from manhunt.beliefs.base import Belief
from manhunt.beliefs.features import hops_or_far
from manhunt.beliefs.models import make_model
from manhunt.beliefs.pursuit import PursuitCandidates
from manhunt.beliefs.support import Support
from manhunt.beliefs.weighted import WeightedBelief
from manhunt.boards.board import Board
from manhunt.errors import BadAgent, ManhuntError
from manhunt.games.base import View
from manhunt.games.pursuit.actions import JointMove
from manhunt.games.scotland_yard.actions import Double, Ticket
from manhunt.games.scotland_yard.rules import fares
from manhunt.ids import Node, Seat

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from manhunt.games.pursuit.views import View as PursuitView
    from manhunt.games.scotland_yard.views import View as ScotlandYardView

FAR_HOPS = 6
NO_WAY = 20.0  # hops, where no way leads
CATCH = 12.0  # what a certain catch is worth, in hops
STYLES = ("run", "hide")
_ACTIONS_PER_LOOK_AT_THE_CLOCK = 256


class GreedyAgent(Agent):
    """One step: Mr X away from the nearest detective, detectives towards the most likely node.

    The rating of a move is in hops. With a temperature a move is drawn with probability exp(rating / temperature);
    at 0 it is one of the best, by lot. Rating the moves once is one iteration. `style` is Mr X's: `run` keeps away,
    `hide` also wants to be hard to guess. `model` is the detectives' belief about him.
    """

    games = ("scotland_yard", "pursuit")

    def __init__(self, model: str = "category", temperature: float = 0.0, style: str = "run") -> None:
        if not (math.isfinite(temperature) and temperature >= 0):
            raise BadAgent(f"greedy: temperature must be 0 or more, not {temperature}")
        if style not in STYLES:
            raise BadAgent(f"greedy: style is one of {', '.join(STYLES)}, not {style!r}")
        try:
            self.model = make_model(model)
        except ManhuntError as error:
            raise BadAgent(f"greedy: {error}") from None
        self.temperature = temperature
        self.style = style
        self._player: _Player | None = None

    def start(self, view: View) -> None:
        self._player = self._player_for(view)
        self._player.start(view)

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        if self._player is not None:
            self._player.observe(events)

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        if self._player is None or self._player.is_behind(view):
            self.start(view)  # asked about a position out of nowhere
        assert self._player is not None
        ratings = self._player.rate(view, limit.deadline())
        chosen, confidence = pick(ratings, self.temperature, rng)
        counters = {"iterations": 1.0, "rated": float(len(ratings)), **self._player.counters()}
        value = self._player.value(view, chosen)
        return Advice(view.legal[chosen], value, confidence, (view.legal[chosen],), counters)

    def stop(self) -> None:
        self._player = None

    def _player_for(self, view: View) -> _Player:
        if view.game == "scotland_yard":
            if view.seat is Seat.EVADER:
                return _HidingMrX() if self.style == "hide" else _MrX()
            return _Detectives(WeightedBelief(self.model))
        if view.seat is Seat.EVADER:
            return _PursuitQuarry()
        return _PursuitDetectives(PursuitCandidates())


def pick(ratings: NDArray[np.float64], temperature: float, rng: Random) -> tuple[int, float]:
    """The number of the chosen move, and how likely it was chosen."""
    top = float(ratings.max())
    if temperature == 0:
        best = np.flatnonzero(ratings >= top - 1e-9)
        return int(best[rng.randrange(len(best))]), 1 / len(best)
    weights = np.exp((ratings - top) / temperature)
    chosen = rng.choices(range(len(ratings)), weights.tolist())[0]
    return chosen, float(weights[chosen] / weights.sum())


class _Player(ABC):
    """One seat in one game."""

    def start(self, view: View) -> None: ...

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None: ...

    def is_behind(self, view: Any) -> bool:
        """Whether the view tells of things that were never observed."""
        return False

    @abstractmethod
    def rate(self, view: Any, deadline: float) -> NDArray[np.float64]:
        """How good each legal action is, in hops; what there was no time for is minus infinity."""

    @abstractmethod
    def value(self, view: Any, chosen: int) -> float:
        """The evader's prospects in [-1, 1] after the chosen action, by rule of thumb."""

    def counters(self) -> dict[str, float]:
        return {}


def prospects(hops: float) -> float:
    """Three hops between him and the nearest detective is neither good nor bad."""
    return math.tanh((hops - 3.0) / 2.0)


class _Ground:
    """What is worked out once for a board."""

    def __init__(self, board: Board) -> None:
        self.hops = np.minimum(hops_or_far(board), NO_WAY).astype(np.float64)
        self.exits = np.array([len(board.neighbours(node)) for node in board.nodes()], np.float64)


_grounds: dict[str, _Ground] = {}


def ground_of(board: Board) -> _Ground:
    if board.hash not in _grounds:
        if len(_grounds) >= 32:
            _grounds.clear()
        _grounds[board.hash] = _Ground(board)
    return _grounds[board.hash]


def keep_away(ground: _Ground, pursuers: Sequence[Node]) -> NDArray[np.float64]:
    """How good each node is for the quarry: hops to the nearest detective, then to all, then ways to go on."""
    rows = ground.hops[list(pursuers)]
    return np.asarray(
        np.minimum(rows.min(axis=0), FAR_HOPS)
        + 0.1 * np.minimum(rows, FAR_HOPS).mean(axis=0)
        + 0.1 * np.log1p(ground.exits)
    )


class _MrX(_Player):
    """Ticket costs in hops: a secret one is saved unless he was just seen, a double unless a detective is next door."""

    def __init__(self) -> None:
        self._nearest: NDArray[np.float64] = np.zeros(0)

    def rate(self, view: ScotlandYardView, deadline: float) -> NDArray[np.float64]:
        ground = ground_of(view.config.board)
        self._nearest = ground.hops[list(view.pursuers)].min(axis=0)
        assert view.quarry is not None
        good = self._good_places(ground, view)
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

    def _good_places(self, ground: _Ground, view: ScotlandYardView) -> NDArray[np.float64]:
        return keep_away(ground, view.pursuers)

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

    def value(self, view: ScotlandYardView, chosen: int) -> float:
        return prospects(float(self._nearest[view.legal[chosen].to]))


class _HidingMrX(_MrX):
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

    def _good_places(self, ground: _Ground, view: ScotlandYardView) -> NDArray[np.float64]:
        return np.asarray(2.0 * np.minimum(self._nearest, 2.0) + 0.5 * np.log1p(ground.exits))

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


def two_smallest(rows: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """By column; of a single row the second smallest counts as far."""
    if len(rows) == 1:
        return rows[0], np.full_like(rows[0], NO_WAY)
    parted = np.partition(rows, 1, axis=0)
    return parted[0], parted[1]


class _Hunters(_Player):
    """Detectives: the sum over nodes of how likely it is times the hops of the nearest detective; less is better.

    As only the nearest counts, they spread over the likely nodes by themselves.
    """

    def __init__(self, belief: Belief) -> None:
        self.belief = belief
        self._chance: NDArray[np.float64] = np.zeros(0)
        self._expected: NDArray[np.float64] = np.zeros(0)

    def start(self, view: View) -> None:
        self.belief.start(view)

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        self.belief.observe(events)

    def counters(self) -> dict[str, float]:
        return {"candidates": float(np.count_nonzero(self._chance))}

    def value(self, view: Any, chosen: int) -> float:
        return prospects(float(self._expected[chosen]))

    def _rate_steps(
        self, board: Board, pursuers: Sequence[Node], steps: Sequence[tuple[int, Node]]
    ) -> NDArray[np.float64]:
        """Ratings of single steps, given as (piece, node)."""
        likely = np.flatnonzero(self._chance)
        chance, hops = self._chance[likely], ground_of(board).hops
        rows = hops[list(pursuers)][:, likely]
        nearest, second = two_smallest(rows)
        without = np.where(rows == nearest, second, nearest)  # hops of the nearest of the others
        pieces, nodes = [piece for piece, _ in steps], [node for _, node in steps]
        own = hops[nodes][:, likely]
        self._expected = np.minimum(without[pieces], own) @ chance
        return np.asarray(CATCH * self._chance[nodes] - self._expected - 0.1 * (own @ chance))

    def _spread(self, board: Board) -> None:
        if isinstance(self.belief, WeightedBelief):
            self._chance = self.belief.array
            return
        self._chance = np.zeros(board.n_nodes)
        for node, probability in self.belief.probabilities.items():
            self._chance[node] = probability


class _Detectives(_Hunters):
    def is_behind(self, view: ScotlandYardView) -> bool:
        assert isinstance(self.belief, WeightedBelief)
        public = self.belief.public
        return len(public.log) != len(view.log) or tuple(public.pursuers) != view.pursuers

    def rate(self, view: ScotlandYardView, deadline: float) -> NDArray[np.float64]:
        self._spread(view.config.board)
        seat_of = {d.piece: i for i, d in enumerate(view.detectives)}
        moves: Sequence[Any] = view.legal
        ratings = self._rate_steps(view.config.board, view.pursuers, [(seat_of[m.piece], m.to) for m in moves])
        return np.asarray(ratings - [self._cost(view, seat_of, move) for move in moves])

    @staticmethod
    def _cost(view: ScotlandYardView, seat_of: Mapping[Any, int], move: Any) -> float:
        """A ticket of which few are left is dearer; between equals this decides."""
        return 0.1 / (1 + view.detectives[seat_of[move.piece]].tickets[move.ticket])


class _PursuitDetectives(_Hunters):
    def is_behind(self, view: PursuitView) -> bool:
        if view.placing:
            return False
        seen = view.quarry is not None and self.belief.candidates != {view.quarry}
        return seen or not self.belief.candidates

    def rate(self, view: PursuitView, deadline: float) -> NDArray[np.float64]:
        board = view.config.board
        if view.placing:
            return self._rate_places(view)
        self._spread(board)
        legal: Sequence[Any] = view.legal
        if not isinstance(legal[0], JointMove):
            return self._rate_steps(board, view.pursuers, [(move.piece, move.to) for move in legal])
        hops = ground_of(board).hops
        ratings, self._expected = np.full(len(legal), -np.inf), np.full(len(legal), float(FAR_HOPS))
        for i, move in enumerate(legal):
            rows = hops[list(move.to_all)]
            self._expected[i] = rows.min(axis=0) @ self._chance
            caught = self._chance[sorted(set(move.to_all))].sum()
            ratings[i] = CATCH * caught - self._expected[i] - 0.1 * (rows.mean(axis=0) @ self._chance)
            if i % _ACTIONS_PER_LOOK_AT_THE_CLOCK == 0 and time.perf_counter() > deadline:
                break
        return ratings

    def _rate_places(self, view: PursuitView) -> NDArray[np.float64]:
        """Where detectives choose their places: all nodes should be near to one of them."""
        board = view.config.board
        hops = ground_of(board).hops
        self._chance = np.full(board.n_nodes, 1 / board.n_nodes)
        so_far = hops[list(view.pursuers)].min(axis=0) if view.pursuers else np.full(board.n_nodes, NO_WAY)
        self._expected = np.minimum(so_far, hops[destinations(view)]) @ self._chance
        return -self._expected


class _PursuitQuarry(_Player):
    def __init__(self) -> None:
        self._nearest: NDArray[np.float64] = np.zeros(0)

    def rate(self, view: PursuitView, deadline: float) -> NDArray[np.float64]:
        ground = ground_of(view.config.board)
        self._nearest = ground.hops[list(view.pursuers)].min(axis=0)
        return np.asarray(keep_away(ground, view.pursuers)[destinations(view)])

    def value(self, view: PursuitView, chosen: int) -> float:
        return prospects(float(self._nearest[destinations(view)[chosen]]))


def destinations(view: PursuitView) -> list[Node]:
    return [action.to for action in view.legal if not isinstance(action, JointMove)]
