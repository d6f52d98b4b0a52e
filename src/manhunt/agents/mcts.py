"""Monte Carlo tree search for both sides of Scotland Yard, after Nijssen and Winands."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from manhunt.agents.base import Advice, Agent, Limit
from manhunt.errors import BadAgent
from manhunt.ids import Node

if TYPE_CHECKING:
    from manhunt.agents.search.engine import Engine
    from manhunt.agents.search.iterate import Worlds
    from manhunt.games.scotland_yard.views import View

SECONDS = 1.0
"""The budget of a decision that nobody bounds."""


class MctsAgent(Agent):
    """Monte Carlo tree search: one tree, a new world at every iteration, epsilon-greedy playouts.

    `categories`, `filtering` (of places), `coalition`, `history`, `greedy` and `thrift` (filtering of Mr X's moves)
    are the parts of the method; no or 0 switches one off. `c_mrx` and `c_detectives` are the UCT constants.
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
        c_mrx: float = 0.2,
        c_detectives: float = 2.0,
        knows_all: bool = False,
        reuse: bool = True,
    ) -> None:
        from manhunt.agents.search.iterate import Settings
        from manhunt.agents.search.tracking import Tracker

        _demand("seconds", seconds, seconds > 0, "more than 0")
        _demand("iterations", iterations, iterations >= 1 and (math.isinf(iterations) or iterations % 1 == 0), "1, 2, ...")
        _demand("coalition", coalition, 0 <= coalition <= 1, "from 0 to 1")
        _demand("epsilon", epsilon, 0 <= epsilon <= 1, "from 0 to 1")
        for name, value in (("history", history), ("c_mrx", c_mrx), ("c_detectives", c_detectives)):
            _demand(name, value, 0 <= value < math.inf, "0 or more")
        self.seconds, self.iterations = seconds, iterations
        self.categories, self.filtering, self.thrift, self.reuse = categories, filtering, thrift, reuse
        self.epsilon = epsilon if greedy else 1.0
        self.settings = Settings(c_mrx, c_detectives, history, coalition, int(knows_all))
        self.tracker = Tracker()
        self._engine: Engine | None = None

    def start(self, view: Any) -> None:
        """Also has the kernels ready before a clock runs."""
        from manhunt.agents.search.worlds import known_place

        self.tracker.start(view)
        engine = self._engine_for(view)
        if view.outcome is None:
            engine.run(_root(view), known_place(view.pursuers[0]), Limit(iterations=1), 0)
        engine.forget()

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        self.tracker.observe(events)

    def act(self, view: Any, limit: Limit, rng: Random) -> Advice:
        from manhunt.games.scotland_yard.packed import decode

        if self._engine is None:
            self.start(view)
        engine = self._engine_for(view)
        followed = self.tracker.catch_up(view)
        keys = self.tracker.take_keys()
        if followed and self.reuse:
            engine.go_on(keys)
        else:
            engine.forget()
        found = engine.run(_root(view), self._worlds(view), self._budget(limit), rng.getrandbits(64))
        pieces = tuple(d.piece for d in view.detectives)
        return Advice(
            decode(pieces, found.action),
            2.0 * found.escape_rate - 1.0,
            found.gap,
            tuple(decode(pieces, code) for code in found.line),
            {
                "iterations": float(found.n_iterations),
                "nodes": float(found.n_nodes),
                "iterations_per_second": found.n_iterations / max(found.seconds, 1e-9),
                "depth": float(found.depth),
            },
        )

    def stop(self) -> None:
        self._engine = None

    def _engine_for(self, view: View) -> Engine:
        from manhunt.agents.search.engine import Engine

        if self._engine is None or self._engine.config != view.config:
            self._engine = Engine(view.config, self.settings, self.epsilon, thrift=self.thrift)
        return self._engine

    def _worlds(self, view: View) -> Worlds:
        from manhunt.agents.search.worlds import categorised_worlds, even_worlds, known_place

        if view.quarry is not None:
            return known_place(view.quarry)
        places = self.tracker.candidates if self.filtering else self._free_places(view)
        if self.categories:
            return categorised_worlds(view.config.board, places, self.tracker.places_then)
        return even_worlds(places)

    def _free_places(self, view: View) -> frozenset[Node]:
        """Where Mr X may be for one who looks at the newest entry of the log alone."""
        newest = view.log[-1].node if view.log else None
        return frozenset({newest} if newest is not None else set(view.config.board.nodes()) - set(view.pursuers))

    def _budget(self, limit: Limit) -> Limit:
        seconds = min(self.seconds, math.inf if limit.seconds is None else limit.seconds)
        iterations = min(self.iterations, math.inf if limit.iterations is None else limit.iterations)
        if math.isinf(seconds) and math.isinf(iterations):
            return Limit(seconds=SECONDS)
        return Limit(
            None if math.isinf(seconds) else seconds,
            None if math.isinf(iterations) else int(iterations),
        )


def _root(view: View) -> Any:
    """The packed state of a view; a hidden quarry stands on node 0 until a world is drawn."""
    from manhunt.games.scotland_yard.packed import pack
    from manhunt.games.scotland_yard.state import State

    return pack(
        State(
            view.config,
            view.quarry if view.quarry is not None else Node(0),
            tuple(d.piece for d in view.detectives),
            view.pursuers,
            (view.mrx_tickets, *(d.tickets for d in view.detectives)),
            view.log,
            view.waiting,
            view.free,
        )
    )


def _demand(name: str, value: float, holds: bool, right: str) -> None:
    if not holds:
        raise BadAgent(f"agent mcts: option {name} must be {right}, not {value:g}")
