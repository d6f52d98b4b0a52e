"""One step ahead: the quarry away from the nearest pursuer, the pursuers towards where it probably is."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np

from manhunt.boards.board import Board
from manhunt.boards.distance import hops_or_far
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.arrays import Bools, Floats
from manhunt.core.belief import Belief
from manhunt.core.errors import BadAgent
from manhunt.core.game import BoardView, View
from manhunt.core.ids import Node

FAR_HOPS = 6
NO_WAY = 20.0  # hops, where no way leads
CATCH = 12.0  # what a certain catch is worth, in hops


class Player(ABC):
    """One seat in one game."""

    def start(self, view: View) -> None:
        """A game begins; override it to prepare."""

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        """Something happened; override it to keep a belief up to date."""

    def is_behind(self, view: Any) -> bool:
        """Whether the view shows things that were never observed."""
        return False

    @abstractmethod
    def rate(self, view: Any, deadline: float) -> Floats:
        """How good each legal action is, in hops; minus infinity for those that there was no time to rate."""

    @abstractmethod
    def value(self, view: Any, chosen: int) -> float:
        """The evader's prospects in [-1, 1] after the chosen action, by rule of thumb."""

    def counters(self) -> dict[str, float]:
        """Figures for the `Advice`, such as how many candidates there are."""
        return {}


class OneStepAgent(Agent):
    """Rates each legal action in hops and plays one of the best.

    With a temperature a move is drawn with a probability proportional to exp(rating / temperature); at 0 it is one of
    the best, drawn at random. Rating all moves once is one iteration.
    """

    def __init__(self, temperature: float = 0.0) -> None:
        if not (math.isfinite(temperature) and temperature >= 0):
            raise BadAgent(f"greedy: temperature must be 0 or more, not {temperature}")
        self.temperature = temperature
        self._player: Player | None = None

    @abstractmethod
    def player_for(self, view: View) -> Player:
        """Who rates the actions of this seat."""

    def start(self, view: View) -> None:
        self._player = self.player_for(view)
        self._player.start(view)

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        if self._player is not None:
            self._player.observe(events)

    def act(self, view: View, limit: Limit, rng: Random, *, among: Bools | None = None) -> Advice:
        """`among` says which of the legal actions may be chosen; usually all."""
        if self._player is None or self._player.is_behind(view):
            self.start(view)  # asked about a position out of nowhere
        assert self._player is not None
        ratings = self._player.rate(view, limit.deadline())
        if among is not None:
            ratings = np.where(among, ratings, -np.inf)
        chosen, confidence = pick(ratings, self.temperature, rng)
        counters = {"iterations": 1.0, "rated": float(len(ratings)), **self._player.counters()}
        value = self._player.value(view, chosen)
        return Advice(view.legal[chosen], value, confidence, (view.legal[chosen],), counters)

    def stop(self) -> None:
        self._player = None


def pick(ratings: Floats, temperature: float, rng: Random) -> tuple[int, float]:
    """The number of the chosen move, and how likely it was chosen."""
    top = float(ratings.max())
    if temperature == 0:
        best = np.flatnonzero(ratings >= top - 1e-9)
        return int(best[rng.randrange(len(best))]), 1 / len(best)
    weights = np.exp((ratings - top) / temperature)
    chosen = rng.choices(range(len(ratings)), weights.tolist())[0]
    return chosen, float(weights[chosen] / weights.sum())


def prospects(hops: float) -> float:
    """Three hops between the quarry and the nearest pursuer is neither good nor bad."""
    return math.tanh((hops - 3.0) / 2.0)


class BoardHops:
    """What is worked out once for a board."""

    def __init__(self, board: Board) -> None:
        self.hops = np.minimum(hops_or_far(board), NO_WAY).astype(np.float64)
        self.exits = np.array([len(board.neighbours(node)) for node in board.nodes()], np.float64)


@lru_cache(maxsize=32)
def hops_of_board(board: Board) -> BoardHops:
    return BoardHops(board)


def keep_away(board_hops: BoardHops, pursuers: Sequence[Node]) -> Floats:
    """How good each node is for the quarry: hops to the nearest pursuer, then to all, then ways to go on."""
    rows = board_hops.hops[list(pursuers)]
    return np.asarray(
        np.minimum(rows.min(axis=0), FAR_HOPS)
        + 0.1 * np.minimum(rows, FAR_HOPS).mean(axis=0)
        + 0.1 * np.log1p(board_hops.exits)
    )


def two_smallest(rows: Floats) -> tuple[Floats, Floats]:
    """By column; of a single row the second smallest counts as far."""
    if len(rows) == 1:
        return rows[0], np.full_like(rows[0], NO_WAY)
    parted = np.partition(rows, 1, axis=0)
    return parted[0], parted[1]


class Runner(Player):
    """The quarry of a `BoardView`: moves as far away as one `BoardMove` takes it."""

    def __init__(self) -> None:
        self._nearest: Floats = np.zeros(0)

    def rate(self, view: BoardView, deadline: float) -> Floats:
        board_hops = hops_of_board(view.config.board)
        self._nearest = board_hops.hops[list(view.pursuers)].min(axis=0)
        return np.asarray(keep_away(board_hops, view.pursuers)[[move.to for move in view.legal]])

    def value(self, view: BoardView, chosen: int) -> float:
        return prospects(float(self._nearest[view.legal[chosen].to]))


class Hunters(Player):
    """Pursuers who minimise the expected distance: the sum over nodes of its probability times the hops of the nearest
    pursuer.

    Only the nearest pursuer counts, so they spread out over the likely nodes.
    """

    def __init__(self, belief: Belief[Node]) -> None:
        self.belief = belief
        self.chance: Floats = np.zeros(0)
        self.expected: Floats = np.zeros(0)

    def start(self, view: View) -> None:
        self.belief.start(view)

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        self.belief.observe(events)

    def is_behind(self, view: Any) -> bool:
        candidates = self.belief.candidates
        return not candidates or (view.quarry is not None and candidates != {view.quarry})

    def rate(self, view: Any, deadline: float) -> Floats:
        """Rate the legal actions of a `BoardView` whose actions are `BoardMove`s."""
        self.spread(view.config.board)
        return self.rate_steps(view.config.board, view.pursuers, [(move.piece, move.to) for move in view.legal])

    def counters(self) -> dict[str, float]:
        return {"candidates": float(np.count_nonzero(self.chance))}

    def value(self, view: Any, chosen: int) -> float:
        return prospects(float(self.expected[chosen]))

    def rate_steps(self, board: Board, pursuers: Sequence[Node], steps: Sequence[tuple[int, Node]]) -> Floats:
        """Ratings of single steps, given as (piece, node)."""
        likely = np.flatnonzero(self.chance)
        chance, hops = self.chance[likely], hops_of_board(board).hops
        rows = hops[list(pursuers)][:, likely]
        nearest, second = two_smallest(rows)
        without = np.where(rows == nearest, second, nearest)  # hops of the nearest of the others
        pieces, nodes = [piece for piece, _ in steps], [node for _, node in steps]
        own = hops[nodes][:, likely]
        self.expected = np.minimum(without[pieces], own) @ chance
        return np.asarray(CATCH * self.chance[nodes] - self.expected - 0.1 * (own @ chance))

    def spread(self, board: Board) -> None:
        """Write the belief's probabilities into `chance`, node by node."""
        self.chance = np.zeros(board.n_nodes)
        for node, probability in self.belief.probabilities.items():
            self.chance[node] = probability
