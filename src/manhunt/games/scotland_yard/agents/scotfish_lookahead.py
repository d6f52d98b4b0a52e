"""Mr X by a map of scores that knows the detectives' ways, and by looking ahead along the best line."""

import math
from collections.abc import Sequence
from random import Random

import numpy as np

from manhunt.core import thinking_time
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.errors import BadAgent
from manhunt.core.game import View
from manhunt.core.ids import Node, Seat
from manhunt.games.scotland_yard.agents import scotfish
from manhunt.games.scotland_yard.agents.minimax_search.arrays import pack_ticket_graph
from manhunt.games.scotland_yard.agents.minimax_search.routes import pack_ways
from manhunt.games.scotland_yard.agents.scotfish_kernels import MOST_DEPTH, Chase, line_value, lower_paths, new_stack
from manhunt.games.scotland_yard.rules.actions import Double, Piece, ScotlandYardAction, Single, Ticket
from manhunt.games.scotland_yard.rules.rules import fares, steps_of
from manhunt.games.scotland_yard.rules.views import ScotlandYardView
from manhunt.search.bank import BankKeeper

FIRST_GUESS = (200, 0.001)
"""Nodes looked at, and seconds, until there is something measured."""


class ScotfishLookaheadAgent(Agent):
    """Like `scotfish`, but Mr X looks several rounds ahead while every detective runs towards him on a shortest path.

    Nodes on those paths are lowered too, if the detectives' tickets can pay for them. A special ticket is used when it
    is worth its cost in points. The first look at all moves is one iteration, then every position of a line is one.
    """

    games = ("scotland_yard",)
    seats = (Seat.EVADER,)

    def __init__(
        self,
        depth: int = 5,
        iterations: int = 20_000,
        shadow: float = scotfish.SHADOW,
        factor: float = scotfish.FACTOR,
        ferry: float = scotfish.FERRY,
        discount: float = 0.9,
        double_cost: float = 150.0,
        secret_cost: float = 50.0,
    ) -> None:
        name = "scotfish-lookahead"
        if not 0 <= depth <= MOST_DEPTH:
            raise BadAgent(f"{name}: depth must be from 0 to {MOST_DEPTH}, not {depth}")
        if iterations < 1:
            raise BadAgent(f"{name}: iterations must be 1 or more, not {iterations}")
        scotfish.check_number(name, "shadow", shadow, 1.0, 1e6)
        scotfish.check_number(name, "factor", factor, 1.0, 1e3)
        scotfish.check_number(name, "ferry", ferry, 0.0, 1e6)
        scotfish.check_number(name, "discount", discount, 0.0, 1.0)
        scotfish.check_number(name, "double_cost", double_cost, 0.0, 1e6)
        scotfish.check_number(name, "secret_cost", secret_cost, 0.0, 1e6)
        self.depth, self.iterations = depth, iterations
        self.shadow, self.factor, self.ferry, self.discount = shadow, factor, ferry, discount
        self.double_cost, self.secret_cost = double_cost, secret_cost
        self._keeper = BankKeeper()

    def start(self, view: View) -> None:
        """Look one step ahead, so that everything is compiled before the first decision."""
        if view.legal:
            self.act(view, Limit(iterations=1), Random(0))
        self._keeper = BankKeeper()

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        position = scotfish.mrx_view(view)
        own = limit.iterations is None and limit.seconds is None
        limit = self._keeper.pace(limit, position.moves_left)
        deadline = limit.deadline()
        costs = self._costs(position)
        search = _LineSearch(position, self._chase(position), self.iterations if own else limit.iterations, deadline)
        values, depth = search.deepen(sorted({move.to for move in position.legal}), self.depth)
        worth = [values[move.to] - cost for move, cost in zip(position.legal, costs, strict=True)]
        order = sorted(range(len(worth)), key=lambda i: -worth[i])
        best = [i for i in order if worth[i] == worth[order[0]]]
        action = position.legal[rng.choice(best)]
        counters = {"iterations": float(search.nodes), "depth": float(depth), "worth": worth[order[0]]}
        value = scotfish.squash(worth[order[0]] / (1 + depth), self.shadow)
        confidence = self._confidence(position.legal, worth, order)
        advice = Advice(action, value, confidence, search.line(position, action), counters)
        self._keeper.done()
        return advice

    def _confidence(self, moves: Sequence[ScotlandYardAction], worth: Sequence[float], order: Sequence[int]) -> float:
        """How far the best move that ends elsewhere is behind, in detectives' shadows."""
        first = order[0]
        others = [worth[i] for i in order if moves[i].to != moves[first].to]
        return 1.0 if not others else math.tanh((worth[first] - others[0]) / self.shadow)

    def _chase(self, view: ScotlandYardView) -> Chase:
        scores = np.zeros(view.config.board.n_nodes)
        for node in scotfish.ferry_nodes(view.config.board):
            scores[node] += self.ferry * bool(view.mrx_tickets.secret) - self.ferry * (node == view.quarry)
        held = np.array([_held(d.tickets[:3]) for d in view.detectives], np.int32)
        caught = scotfish.OWN_NODE * self.shadow
        chase = Chase(scores, held, _held(view.mrx_tickets[:4]), self.shadow, self.factor, caught, self.discount)
        assert view.quarry is not None
        places = np.array(view.pursuers, np.int32)
        counts = np.array([d.tickets[:3] for d in view.detectives], np.int32)
        board = view.config.board
        lower_paths(pack_ticket_graph(board), pack_ways(board), chase, view.quarry, places, counts, scores)
        return chase

    def _costs(self, view: ScotlandYardView) -> list[float]:
        """What a move's tickets are worth; scarce kinds cost a little more, so that they last."""
        held = view.mrx_tickets
        price = [0.05 * self.shadow / (1 + held[ticket]) for ticket in range(3)] + [self.secret_cost]
        if view.log and view.log[-1].node is not None:
            price[Ticket.SECRET] *= 0.2  # everybody has just seen where he is
        return [
            sum(price[ticket] for ticket, _ in steps_of(move)) + self.double_cost * isinstance(move, Double)
            for move in view.legal
        ]


def _held(counts: Sequence[int]) -> int:
    return sum(1 << kind for kind, count in enumerate(counts) if count)


class _LineSearch:
    """The search for one decision: all places Mr X can reach, deeper and deeper."""

    def __init__(self, view: ScotlandYardView, chase: Chase, iterations: int | None, deadline: float) -> None:
        self.graph, self.chase = pack_ticket_graph(view.config.board), chase
        self.places = np.array(view.pursuers, np.int32)
        self.stack = new_stack(len(self.places))
        self.most, self.deadline = iterations, deadline
        self.nodes = 0
        self._timed_nodes, self._timed_seconds = FIRST_GUESS
        self._lines: dict[Node, list[int]] = {}
        self._rounds_left = view.rounds_left

    def deepen(self, places: Sequence[Node], most_depth: int) -> tuple[dict[Node, float], int]:
        """The worth of each place by the deepest search that was finished, and its depth."""
        values = {to: self._worth(to, 0, 1 << 40)[0] for to in places}
        self.nodes, depth = 1, 0
        for deeper in range(1, min(most_depth, self._rounds_left - 1) + 1):
            found: dict[Node, float] = {}
            lines: dict[Node, list[int]] = {}
            for to in places:
                left = self._left()
                value, finished = self._worth(to, deeper, left)
                if not finished:
                    return values, depth
                found[to] = value
                lines[to] = self.stack.line[0, :deeper].tolist()
            values, depth, self._lines = found, deeper, lines
        return values, depth

    def _worth(self, to: Node, depth: int, budget: int) -> tuple[float, bool]:
        if budget < 1:
            return 0.0, False
        began = thinking_time.now()
        value, nodes = line_value(self.graph, self.chase, to, self.places, depth, budget, self.stack)
        self.nodes += nodes
        if depth:
            self._timed_nodes += nodes
            self._timed_seconds += thinking_time.now() - began
        return float(value), value > -math.inf

    def _left(self) -> int:
        """Nodes until the limit; time is turned into nodes by the speed so far."""
        left = 1 << 40 if self.most is None else self.most - self.nodes
        if self.deadline < math.inf:
            now = thinking_time.now()
            speed = self._timed_nodes / self._timed_seconds
            left = min(left, int(0.8 * (self.deadline - now) * speed))
        return left

    def line(self, view: ScotlandYardView, action: ScotlandYardAction) -> tuple[ScotlandYardAction, ...]:
        """The move, then the best line after it, paid with what he has most of."""
        held, out, here = view.mrx_tickets, [action], action.to
        for step in self._lines.get(action.to, []):
            kinds = [kind for kind, to in fares(view.config.board)[here] if to == step]
            if not kinds:
                break
            here = Node(step)
            out.append(Single(Piece.MRX, max(kinds, key=lambda kind: held[kind]), here))
        return tuple(out)
