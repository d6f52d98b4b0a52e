"""Monte Carlo tree search for both sides of Scotland Yard, after Nijssen and Winands."""

import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from manhunt.core import thinking_time
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.arrays import Int32s
from manhunt.core.errors import BadAgent
from manhunt.core.ids import Node, Seat
from manhunt.games.scotland_yard.agents.mcts_search.engine import Engine, MctsResult
from manhunt.games.scotland_yard.agents.mcts_search.iterate import MctsSettings
from manhunt.games.scotland_yard.agents.mcts_search.tracking import Tracker
from manhunt.games.scotland_yard.agents.mcts_search.worlds import categorised_worlds
from manhunt.games.scotland_yard.beliefs.public import PublicState
from manhunt.games.scotland_yard.rules.packed import decode, pack
from manhunt.games.scotland_yard.rules.views import ScotlandYardView
from manhunt.search.bank import BankKeeper
from manhunt.search.worlds import PlaceWeights, even_worlds, known_place, no_place

SECONDS = 1.0
"""The budget of a decision that nobody bounds."""
LEAST_SECONDS = 1e-6
UCT_CONSTANT = {Seat.EVADER: 0.2, Seat.PURSUERS: 2.0}


class MctsAgent(Agent):
    """Monte Carlo tree search: one tree, a new world in every iteration, epsilon-greedy playouts.

    Switch parts of the method off with no or 0: `categories` and `filtering` of the places where Mr X may be,
    `coalition` reduction, progressive `history`, `greedy` playouts (otherwise random), `thrift` (filters Mr X's moves),
    `assumed` (in Mr X's playouts the detectives run to where they may think he is, otherwise to where he is),
    `infosets` (the tree branches on what is public, otherwise on whole moves). `reuse` keeps the tree between
    decisions. `c` is the UCT constant, by default 0.2 for Mr X and 2.0 for detectives.
    """

    games: ClassVar[tuple[str, ...]] = ("scotland_yard",)

    def __init__(
        self,
        seconds: float = math.inf,
        iterations: float = math.inf,
        categories: bool = True,
        filtering: bool = True,
        coalition: float = 0.25,
        history: float = 3.0,
        greedy: bool = True,
        epsilon: float = 0.2,
        thrift: bool = True,
        assumed: bool = True,
        infosets: bool = True,
        reuse: bool = False,
        c: float = math.inf,
    ) -> None:
        _demand("seconds", seconds, seconds > 0, "more than 0")
        _demand(
            "iterations", iterations, iterations >= 1 and (math.isinf(iterations) or iterations % 1 == 0), "1 or more"
        )
        _demand("coalition", coalition, 0 <= coalition <= 1, "from 0 to 1")
        _demand("epsilon", epsilon, 0 <= epsilon <= 1, "from 0 to 1")
        _demand("history", history, 0 <= history < math.inf, "0 or more")
        _demand("c", c, c >= 0, "0 or more")
        self.seconds, self.iterations = seconds, iterations
        self.categories, self.filtering, self.assumed = categories, filtering, assumed
        self.coalition, self.history, self.c = coalition, history, c
        self.epsilon = epsilon if greedy else 1.0
        self.thrift, self.infosets, self.reuse = thrift, infosets, reuse
        self.tracker = Tracker()
        self._engine: Engine | None = None
        self._keeper = BankKeeper()

    def start(self, view: Any) -> None:
        """Also compiles the kernels, before a clock runs."""
        self._keeper = BankKeeper()
        self.tracker.start(view)
        engine = self._engine_for(view)
        if view.outcome is None:
            engine.run(root_of(view), known_place(view.pursuers[0]), no_place(), Limit(iterations=1), 0)
        engine.forget()

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        self.tracker.observe(events)

    def act(self, view: Any, limit: Limit, rng: Random) -> Advice:
        if view.to_act is not view.seat:
            raise BadAgent(f"agent mcts is asked to act for {view.seat.value}, whose turn it is not")
        if self._engine is None:
            self.start(view)
        began = thinking_time.now()
        limit = self._keeper.pace(limit, view.moves_left)
        engine = self._engine_for(view)
        followed = self.tracker.catch_up(view)
        keys = self.tracker.take_keys()
        if followed and self.reuse:
            engine.go_on(keys)
        else:
            engine.forget()
        root, worlds, guesses = root_of(view), self._worlds(view), self._guesses(view)
        found = engine.run(root, worlds, guesses, self._budget(limit, thinking_time.now() - began), rng.getrandbits(64))
        advice = _advice(view, found)
        self._keeper.done()
        return advice

    def stop(self) -> None:
        self._engine = None

    def _engine_for(self, view: ScotlandYardView) -> Engine:
        if self._engine is None or self._engine.config != view.config:
            c = UCT_CONSTANT[view.seat] if math.isinf(self.c) else self.c
            settings = MctsSettings(c, self.history, self.coalition, int(not self.infosets))
            self._engine = Engine(view.config, settings, self.epsilon, thrift=self.thrift)
        return self._engine

    def _worlds(self, view: ScotlandYardView) -> PlaceWeights:
        """Where Mr X is in the iterations of a search: he knows, detectives draw."""
        if view.quarry is not None:
            return known_place(view.quarry)
        places = self.tracker.candidates if self.filtering else _unfiltered(view)
        return self._weighted(view, places)

    def _guesses(self, view: ScotlandYardView) -> PlaceWeights:
        """Where detectives may think that Mr X is, for his own search; nowhere if they shall know."""
        if view.quarry is None or not self.assumed:
            return no_place()
        return self._weighted(view, self.tracker.candidates)

    def _weighted(self, view: ScotlandYardView, places: frozenset[Node]) -> PlaceWeights:
        if not self.categories:
            return even_worlds(places)
        return categorised_worlds(view.config.board, places, self.tracker.places_then)

    def _budget(self, limit: Limit, used_seconds: float) -> Limit:
        """What is left of the tighter of the limit and the agent's own."""
        seconds = min(self.seconds, math.inf if limit.seconds is None else limit.seconds)
        iterations = min(self.iterations, math.inf if limit.iterations is None else limit.iterations)
        if math.isinf(seconds) and math.isinf(iterations):
            seconds = SECONDS
        return Limit(
            None if math.isinf(seconds) else max(seconds - used_seconds, LEAST_SECONDS),
            None if math.isinf(iterations) else int(iterations),
        )


def root_of(view: ScotlandYardView) -> Int32s:
    """The packed state of a view; a hidden quarry stands on node 0 until a world is drawn."""
    return pack(PublicState(view).state(Node(0) if view.quarry is None else view.quarry))


def _unfiltered(view: ScotlandYardView) -> frozenset[Node]:
    """Where Mr X may be for one who looks at the newest entry of the log alone."""
    newest = view.log[-1].node if view.log else None
    return frozenset({newest} if newest is not None else set(view.config.board.nodes()) - set(view.pursuers))


def _advice(view: ScotlandYardView, found: MctsResult) -> Advice:
    pieces = tuple(d.piece for d in view.detectives)
    counters = {
        "iterations": float(found.n_iterations),
        "nodes": float(found.n_nodes),
        "iterations_per_second": found.n_iterations / max(found.seconds, 1e-9),
        "depth": float(found.depth),
    }
    line = tuple(decode(pieces, code) for code in found.line)
    return Advice(decode(pieces, found.action), 2.0 * found.escape_rate - 1.0, found.gap, line, counters)


def _demand(name: str, value: float, holds: bool, right: str) -> None:
    if not holds:
        raise BadAgent(f"agent mcts: option {name} must be {right}, not {value:g}")
