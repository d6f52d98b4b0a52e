"""The search of Mr X: his moves against the plans of detectives who know the tickets he paid.

The value of a move is backed up from the detectives' best plans against the belief that it leaves. With v the values of
the positions after the first few plans, p their chances and a the adversity,

    AT_SIGHT * (rating at first sight) + (1 - AT_SIGHT) * (a * min of v + (1 - a) * sum of p * v)

and a position is worth its best move; a plan that ends on his node is worth 0. It deepens by one turn of both sides at
a time as long as the budget of positions lasts, over twice `width` moves at the root and half of `width` below. Plans
are cut off once even values of 1 for the rest would not bring the move above `alpha`. Beliefs are worked out once for
all moves that look alike (`_Beliefs`); positions are kept in a table by node, belief, places, tickets and round.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Floats
from manhunt.games.scotland_yard.agents.minimax_search.config import MinimaxSettings
from manhunt.games.scotland_yard.agents.minimax_search.deepening import Deepening, SearchBudget
from manhunt.games.scotland_yard.agents.minimax_search.hideouts import NO_BELIEF, Options, Tastes, follow, rate_options
from manhunt.games.scotland_yard.agents.minimax_search.search import PlanSearch, Position
from manhunt.games.scotland_yard.rules.actions import Ticket
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig

PLAN_CHANCES = (0.5, 0.3, 0.2)
"""How likely the detectives carry out the best, second and third plan against their belief."""
AT_SIGHT = 0.4
"""Share of a move's rating at first sight in its backed-up value: detectives may plan differently."""
STEP_COSTS = (0.1, 0.15, 0.2)
"""Of a taxi, bus and underground ticket, when it is the last one."""
LONG_HIDDEN = 4
"""Rounds."""
SECRET_COST, DOUBLE_COST = 0.6, 1.5


class MrXMove(NamedTuple):
    """One or two steps: (ticket, node) each."""

    steps: tuple[tuple[int, int], ...]

    @property
    def to(self) -> int:
        return self.steps[-1][1]


@dataclass(frozen=True, slots=True)
class MrXTurn:
    """Mr X's turn: his node, and the position as the detectives see it."""

    quarry: int
    seen: Position

    @property
    def held(self) -> int:
        return sum(1 << kind for kind in range(4) if self.seen.mrx_counts[kind] > 0)

    @property
    def key(self) -> tuple[object, ...]:
        return (self.quarry, *self.seen.key)


class RatedMove(NamedTuple):
    """A move with its value at first sight and the belief it leaves."""

    move: MrXMove
    value: float
    belief: Floats


@dataclass(slots=True)
class Escape:
    """Mr X's options with their backed-up values; `order` lists, best first, those searched to this depth."""

    options: list[RatedMove]
    values: list[float]
    order: list[int]
    depth: int
    counters: dict[str, float]


class EvasionSearch(Deepening):
    """One Mr X in one game."""

    def __init__(self, game: ScotlandYardConfig, config: MinimaxSettings) -> None:
        super().__init__()
        self.game, self.config = game, config
        self.hunters = PlanSearch(game, config)
        self.tastes = Tastes(*(float(getattr(config, name)) for name in Tastes._fields))

    def run(self, spot: MrXTurn, moves: list[MrXMove], budget: SearchBudget) -> Escape:
        """Iterative deepening over the given legal moves."""
        self.begin(budget)
        options = self.rate(spot, moves)
        at_sight = [option.value for option in options]
        order = sorted(range(len(options)), key=lambda i: -at_sight[i])
        searched, found, depth = self.deepen(
            order[: 2 * self.config.width],
            self.horizon(spot),
            lambda i, depth: self.move_value(spot, options[i], depth, 0.0),
        )
        if not found:
            return Escape(options, at_sight, order, 1, self.counters(1))
        values = [found.get(i, 0.0) for i in range(len(options))]
        return Escape(options, values, searched, depth, self.counters(depth))

    def warm_up(self, spot: MrXTurn) -> None:
        """Look once at moves and plans, so that the first decision finds everything compiled."""
        everybody = (1 << len(spot.seen.places)) - 1
        self.rate(spot, self.moves(spot))
        self.hunters.warm_up(replace(spot.seen, waiting=everybody))

    def horizon(self, spot: MrXTurn) -> int:
        """Shorter when tickets are few or he is about to be shown; never beyond the last round."""
        few = int(spot.seen.mrx_counts[:4].sum()) < self.config.horizon
        horizon = self.config.horizon - few - self.hunters.shown(spot.seen.n_logged)
        return max(1, min(horizon, self.game.n_rounds - spot.seen.n_logged))

    def moves(self, spot: MrXTurn) -> list[MrXMove]:
        """Single moves; double moves are thought of only where they are legal now."""
        graph, held, blocked = self.hunters.graph, spot.held, set(spot.seen.places.tolist())
        first, end = graph.indptr[held, spot.quarry], graph.indptr[held, spot.quarry + 1]
        fares = graph.fares[first:end].tolist()
        return [MrXMove(((fare >> 3 & 3, fare >> 8),)) for fare in fares if fare >> 8 not in blocked]

    def rate(self, spot: MrXTurn, moves: list[MrXMove]) -> list[RatedMove]:
        """All moves at first sight."""
        beliefs = _Beliefs(self.hunters, spot)
        which = [beliefs.after(move) for move in moves]
        options = Options(
            np.array([move.to for move in moves], np.int32),
            np.array(which, np.int32),
            np.array([self.cost(spot, move) for move in moves]),
            np.zeros(len(moves)),
        )
        stacked = np.array(beliefs.found) if beliefs.found else np.zeros((0, self.game.board.n_nodes))
        turn = self.hunters.turn(spot.seen, 1)
        tastes = self.tastes._replace(hiding=self.tastes.hiding * self.hidden_time(spot.seen.n_logged))
        rate_options(self.hunters.graph, self.hunters.scratch, tastes, turn, stacked, options, spot.held or 15)
        values = options.value.tolist()
        n = self.game.board.n_nodes
        left = [_point(n, move.to) if i == NO_BELIEF else stacked[i] for move, i in zip(moves, which, strict=True)]
        return [RatedMove(*each) for each in zip(moves, values, left, strict=True)]

    def hidden_time(self, slot: int) -> float:
        """How much hiding helps: little when he will be shown soon after the step that fills this slot."""
        wait = next((i for i, shown in enumerate(self.game.rounds[slot + 1 :]) if shown), LONG_HIDDEN)
        return min(1.0, (1.0 + wait) / LONG_HIDDEN)

    def cost(self, spot: MrXTurn, move: MrXMove) -> float:
        """What the tickets of a move are worth; a secret one is cheaper just after he was seen."""
        counts, slot = spot.seen.mrx_counts, spot.seen.n_logged
        cost = DOUBLE_COST if len(move.steps) == 2 else 0.0
        for ticket, _ in move.steps:
            if ticket == Ticket.SECRET:
                just_seen = slot > 0 and self.game.rounds[slot - 1]
                wasted = self.hunters.shown(slot)
                cost += SECRET_COST * (0.5 if just_seen else 2.0 if wasted else 1.0)
            else:
                cost += STEP_COSTS[ticket] / max(int(counts[ticket]), 1)
            slot += 1
        left = self.game.n_rounds - spot.seen.n_logged
        return cost * min(1.0, left / 6.0)

    def move_value(self, spot: MrXTurn, option: RatedMove, depth: int, alpha: float) -> float:
        """The detectives' turn after a move: between what they probably do and the worst of it."""
        self.budget.spend()
        after = self.after(spot, option)
        plans = self.hunters.plans(after.seen, 4)[: len(PLAN_CHANCES)]
        weights = PLAN_CHANCES[: len(plans)]
        chances, rest = (weight / sum(weights) for weight in weights), AT_SIGHT * option.value

        def value_of(i: int, lowest: float, worst: float) -> float:
            is_caught = option.move.to in plans[i].places
            hunted = None if is_caught else self.hunters.after(after.seen, plans[i])
            return 0.0 if hunted is None else self.spot_value(MrXTurn(after.quarry, hunted), depth - 1, lowest)

        aim = (alpha - rest) / (1.0 - AT_SIGHT)
        return rest + (1.0 - AT_SIGHT) * self.mixed_value(self.config.adversity, chances, value_of, aim)

    def spot_value(self, spot: MrXTurn, depth: int, alpha: float) -> float:
        """Mr X's turn: the best of his moves."""
        if spot.seen.n_logged >= self.game.n_rounds:
            return 1.0
        key = (depth, spot.key)
        if (known := self.known(key, alpha, 1.0)) is not None:
            return known
        moves = self.moves(spot)
        if not moves:
            return 0.0
        self.budget.spend()
        options = sorted(self.rate(spot, moves), key=lambda option: -option.value)
        if depth == 1:
            return self.keep(key, options[0].value)
        best = 0.0
        for option in options[: max(self.config.width // 2, 1)]:
            best = max(best, self.move_value(spot, option, depth, max(alpha, best)))
        return self.keep(key, best, alpha)

    def after(self, spot: MrXTurn, option: RatedMove) -> MrXTurn:
        """Mr X has moved, the detectives are to reply."""
        counts = spot.seen.mrx_counts.copy()
        for ticket, _ in option.move.steps:
            counts[ticket] -= 1
        if len(option.move.steps) == 2:
            counts[Ticket.DOUBLE] -= 1
        n_logged = spot.seen.n_logged + len(option.move.steps)
        everybody = (1 << len(spot.seen.places)) - 1
        seen = replace(spot.seen, belief=option.belief, mrx_counts=counts, n_logged=n_logged, waiting=everybody)
        return MrXTurn(option.move.to, seen)


class _Beliefs:
    """The beliefs that moves leave, each worked out once: a move is known by its tickets and shown nodes."""

    def __init__(self, hunters: PlanSearch, spot: MrXTurn) -> None:
        self.hunters, self.spot = hunters, spot
        self.turn = hunters.turn(spot.seen, 1)
        self.found: list[Floats] = []
        self._number: dict[tuple[object, ...], int] = {}
        self._by_ticket: dict[tuple[object, ...], Floats] = {}

    def after(self, move: MrXMove) -> int:
        """The number of the belief in `found`, NO_BELIEF if the move ends where everybody sees it."""
        slot = self.spot.seen.n_logged
        if self.hunters.shown(slot + len(move.steps) - 1):
            return NO_BELIEF
        key: tuple[object, ...] = ()
        belief, number = self.spot.seen.belief, NO_BELIEF
        for i, (ticket, node) in enumerate(move.steps):
            shown = self.hunters.shown(slot + i)
            before, key = key, (*key, (ticket, node if shown else None))
            if key not in self._number:
                self._number[key] = len(self.found)
                self.found.append(_point(len(belief), node) if shown else self._follow(before, belief, ticket, node))
            number = self._number[key]
            belief = self.found[number]
        return number

    def _follow(self, before: tuple[object, ...], belief: Floats, ticket: int, node: int) -> Floats:
        if before not in self._by_ticket:
            search, out = self.hunters, np.zeros((4, len(belief)))
            follow(search.graph, search.scratch, search.weights, self.turn, belief, self.spot.held, out)
            self._by_ticket[before] = out
        after = self._by_ticket[before][ticket]
        return after if after.any() else _point(len(belief), node)


def _point(n: int, node: int) -> Floats:
    belief = np.zeros(n)
    belief[node] = 1.0
    return belief
