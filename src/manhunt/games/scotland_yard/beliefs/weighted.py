"""The exact probability of every node in Scotland Yard, given what was seen and a model of how Mr X moves.

Only Mr X's node is hidden, so this is a forward filter. Each of his moves multiplies the probability of the node he
leaves with the model's probability of every move that would look like what was seen; the places of the detectives and
the game going on strike nodes out. What remains, made to add up to 1, is Bayes' posterior over all hidden histories.
"""

import math
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

import numpy as np

from manhunt.core.arrays import Floats, Int32s
from manhunt.core.belief import Belief
from manhunt.core.errors import ManhuntError
from manhunt.core.game import View
from manhunt.core.ids import Node, Seat
from manhunt.games.scotland_yard.beliefs import weighted_kernels as kernels
from manhunt.games.scotland_yard.beliefs.models import Model, make_model, new_factors, pack_model_graph
from manhunt.games.scotland_yard.beliefs.public import PublicState
from manhunt.games.scotland_yard.beliefs.support import Support
from manhunt.games.scotland_yard.beliefs.weighted_kernels import NOTHING, FilterScratch, Seen
from manhunt.games.scotland_yard.rules.actions import TICKET_OF
from manhunt.games.scotland_yard.rules.packed import pack_table
from manhunt.games.scotland_yard.rules.state import ScotlandYardState


class PosteriorBelief(Belief[Node]):
    """What both filters share: reading events. `evidence` is the log-probability of everything seen so far.

    Exact when started with a game's first view. Started later, all candidates are equally likely at first, because a
    view does not show where the detectives stood before. On Mr X's own seat it simply knows his node.
    """

    public: PublicState

    def __init__(self, model: Model | str = "category") -> None:
        self.model = make_model(model) if isinstance(model, str) else model
        self.evidence = 0.0
        self._own = False
        self._move: list[Mapping[str, Any]] = []

    def start(self, view: View) -> None:
        self.public = PublicState(view)
        self.evidence = 0.0
        self._move = []
        self._own = view.seat is Seat.EVADER
        self._prepare()
        quarry: Node | None = getattr(view, "quarry", None)
        if quarry is not None:
            self._set({quarry: 1.0})
        elif self.public.log:
            candidates = Support()
            candidates.start(view)
            self._set(candidates.probabilities)
        else:
            self._set(prior(self.public))
            self._goes_on()

    def update(self, event: Mapping[str, Any]) -> None:
        kind = event.get("t")
        if kind in ("double", "logged"):
            self._move.append(event)
            if len(self._move) == (3 if self._move[0]["t"] == "double" else 1):
                self._mrx_moved()
        elif kind == "quarry":
            self._set({self.public.config.board.node(event["at"]): 1.0})
        elif kind == "turn" and event["quarry"] is not None:
            self._set({self.public.config.board.node(event["quarry"]): 1.0})
        else:
            self.public.update(event)
            if kind == "turn" and not event["outcome"]:
                self._goes_on()

    def _mrx_moved(self) -> None:
        if not self._own:
            self.evidence += math.log(self._possible(self._step(self._seen())))
        for event in self._move:
            self.public.update(event)
        self._move = []

    def _goes_on(self) -> None:
        """Mr X is on no detective's node, and on his turn he has a move."""
        if not self._own:
            self.evidence += math.log(self._possible(self._strike(is_mrx_turn=not self.public.waiting)))

    def _possible(self, probability: float) -> float:
        if not probability > 0:
            raise ManhuntError("these events cannot follow the view that the belief was started with")
        return probability

    def _seen(self) -> Seen:
        logged = [event for event in self._move if event["t"] == "logged"]
        node = self.public.config.board.node
        parts = [(int(TICKET_OF[e["ticket"]]), NOTHING if e["at"] is None else int(node(e["at"]))) for e in logged]
        return Seen(*parts[0], *(parts[1] if len(parts) > 1 else (NOTHING, NOTHING)))

    @property
    def candidates(self) -> frozenset[Node]:
        return frozenset(self.probabilities)

    def sample(self, rng: Random) -> ScotlandYardState:
        """A whole state that the seat cannot tell from the true one, drawn from the belief.

        On Mr X's seat there is only one: nothing is hidden from him except the future.
        """
        return self.public.state(self.sample_candidate(rng))

    @abstractmethod
    def _prepare(self) -> None:
        """A new game; `public` is known."""

    @abstractmethod
    def _set(self, probabilities: Mapping[Node, float]) -> None: ...

    @abstractmethod
    def _step(self, seen: Seen) -> float:
        """Mr X made a move that looks like this; returns how likely that was."""

    @abstractmethod
    def _strike(self, *, is_mrx_turn: bool) -> float:
        """Drop the nodes on which the game would be over; returns how likely it was that he is on none of them."""


def prior(public: PublicState) -> dict[Node, float]:
    """Where Mr X begins: the chance that the deal puts him there, given the detectives' places.

    His start places (all nodes if the setup was free) less theirs. They count alike, unless only some of them are
    also the detectives': a detective could not have been dealt Mr X's place, so the others were likelier dealt.
    """
    config, board = public.config, public.config.board
    starts = board.labels if public.free else config.mrx_starts
    theirs = config.detective_starts or board.labels
    ways = {
        board.node(label): math.comb(len(theirs) - (label in theirs), config.n_detectives)
        for label in starts
        if board.node(label) not in public.pursuers
    }
    return {node: 1.0 / max(n, 1) for node, n in ways.items()}


class WeightedBelief(PosteriorBelief):
    """The belief filter, compiled: a move of Mr X takes microseconds on London."""

    def _prepare(self) -> None:
        config = self.public.config
        n = config.board.n_nodes
        self._table, self._graph = pack_table(config), pack_model_graph(config.board)
        self._factors = new_factors(config.board)
        self._scratch = FilterScratch(
            np.zeros(n, np.uint8), np.zeros((n, 4)), np.zeros(n), np.zeros(n), np.zeros((2, 5))
        )
        self._belief = np.zeros(n)

    @property
    def array(self) -> Floats:
        """The probability of each node; a copy."""
        return self._belief.copy()

    @property
    def probabilities(self) -> Mapping[Node, float]:
        return {Node(int(node)): float(self._belief[node]) for node in np.flatnonzero(self._belief)}

    def _set(self, probabilities: Mapping[Node, float]) -> None:
        self._belief[:] = 0.0
        self._belief[list(probabilities)] = list(probabilities.values())
        self._belief /= self._belief.sum()

    def _step(self, seen: Seen) -> float:
        public = self.public
        places, n_logged = _int32(public.pursuers), len(public.log)
        self.model.fill(self._graph, self._table.shown, places, n_logged, self._factors)
        return kernels.move_mrx(
            self._table,
            self._belief,
            places,
            _int32(public.mrx_tickets),
            n_logged,
            seen,
            self._factors,
            self._scratch,
        )

    def _strike(self, *, is_mrx_turn: bool) -> float:
        places, counts = _int32(self.public.pursuers), _int32(self.public.mrx_tickets)
        return kernels.strike(self._table, self._belief, places, counts, is_mrx_turn, self._scratch)


def _int32(values: Iterable[int]) -> Int32s:
    return np.array(tuple(values), np.int32)
