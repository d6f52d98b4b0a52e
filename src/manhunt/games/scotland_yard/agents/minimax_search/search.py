"""The search of the detectives: plans against replies, deeper and deeper, with alpha-beta and a table."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Floats, Int32s
from manhunt.games.scotland_yard.agents.minimax_search import arrays
from manhunt.games.scotland_yard.agents.minimax_search.arrays import DetectivesTurn
from manhunt.games.scotland_yard.agents.minimax_search.config import CHOICES, MinimaxSettings
from manhunt.games.scotland_yard.agents.minimax_search.deepening import Deepening, SearchBudget
from manhunt.games.scotland_yard.agents.minimax_search.plans import joint_plans
from manhunt.games.scotland_yard.agents.minimax_search.replies import DOUBLE, UNKNOWN, replies
from manhunt.games.scotland_yard.agents.minimax_search.routes import scarcity_costs
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig, ScotlandYardOrder

FEW_TICKETS = 4


@dataclass(frozen=True, slots=True)
class Position:
    """The detectives' turn with their belief; counts are tickets (taxi, bus, underground), by detective."""

    belief: Floats
    places: Int32s
    counts: Int32s
    mrx_counts: Int32s
    n_logged: int
    waiting: int
    entropy_before: float | None = None
    """Of the belief one turn earlier; None where nobody asks for it or there was no turn."""

    @property
    def key(self) -> tuple[object, ...]:
        """Detectives' places, belief, tickets, and the number of the round, which tells the next shown one."""
        rounded = np.round(self.belief * 4095).astype(np.int16)
        tickets = (self.counts.tobytes(), self.mrx_counts.tobytes())
        past = None if self.entropy_before is None else round(self.entropy_before, 3)
        return (self.places.tobytes(), rounded.tobytes(), tickets, self.n_logged, self.waiting, past)


class JointPlan(NamedTuple):
    """A joint move: where each detective ends and what he pays (-1: he stays), with its rating at first sight."""

    places: tuple[int, ...]
    tickets: tuple[int, ...]
    value: float
    caught: float


@dataclass(slots=True)
class PlanSearchResult:
    """Plans of the first turn with their backed-up values; `movers` tells who goes when.

    `order` lists, best first, the plans that were searched to this depth.
    """

    plans: list[JointPlan]
    values: list[float]
    order: list[int]
    movers: list[int]
    depth: int
    counters: dict[str, float]


class PlanSearch(Deepening):
    """One detective team's search in one game; its table lives for one turn."""

    def __init__(self, game: ScotlandYardConfig, config: MinimaxSettings) -> None:
        super().__init__()
        self.game, self.config = game, config
        costs = scarcity_costs(game.detective_tickets, config.scarcity)
        self.graph = arrays.pack_ticket_graph(game.board, costs)
        self.scratch = arrays.new_minimax_scratch(game, config.beam, arrays.safety_table(config.reach))
        self.weights = config.weights
        self.seated = int(game.order is ScotlandYardOrder.SEATED)
        self.dominance = CHOICES["dominance"].index(config.dominance)

    def run(self, position: Position, budget: SearchBudget) -> PlanSearchResult:
        """Iterative deepening up to the adaptive horizon."""
        self.begin(budget)
        plans = self.plans(position, self.config.beam)[: self.config.width]
        movers = [d for d in self.scratch.order[: len(position.places)].tolist() if position.waiting >> d & 1]
        choices = list(range(len(plans)))
        order, found, depth = self.deepen(
            choices, self.horizon(position), lambda i, depth: self.plan_value(position, plans[i], depth, 0.0)
        )
        values = [found.get(i, 0.0) for i in choices] if found else [plan.value for plan in plans]
        return PlanSearchResult(plans, values, order, movers, depth, self.counters(depth))

    def warm_up(self, position: Position) -> None:
        """Look once at plans and replies, so that the first decision finds everything compiled."""
        after = self.after(position, self.plans(position, 1)[0])
        if after is not None:
            self.answers(after)

    def horizon(self, position: Position) -> int:
        """Shorter when tickets are few or Mr X is about to show himself; never beyond the last round."""
        poorest = int(position.counts.sum(axis=1).min())
        horizon = self.config.horizon - (poorest < FEW_TICKETS) - self.shown(position.n_logged)
        return max(1, min(horizon, self.game.n_rounds - position.n_logged + 1))

    def shown(self, slot: int) -> bool:
        return slot < self.game.n_rounds and self.game.rounds[slot]

    def future(self, n_logged: int) -> float:
        """What there still is to win after the turn that follows so many log entries."""
        left = self.game.n_rounds - n_logged
        return self.config.discount * left / (left + 2.0)

    def turn(self, position: Position, size: int) -> DetectivesTurn:
        soon = self.shown(position.n_logged) or self.shown(position.n_logged + 1)
        past = self.entropy(position) if position.entropy_before is None else position.entropy_before
        return DetectivesTurn(
            position.belief,
            position.places,
            position.counts,
            position.mrx_counts,
            position.waiting,
            self.seated,
            int(soon),
            self.future(position.n_logged),
            0.0 if past is None else past,
            self.dominance,
            size,
        )

    def entropy(self, position: Position) -> float | None:
        """Of the belief, where the settings ask for it."""
        if self.config.entropy_drop == 0.0:
            return None
        likely = position.belief[position.belief > 0.0]
        return float(-(likely * np.log(likely)).sum())

    def plans(self, position: Position, size: int) -> list[JointPlan]:
        """The best joint plans at first sight, best first."""
        n = joint_plans(self.graph, self.weights, self.turn(position, size), self.scratch)
        beam, n_detectives = self.scratch.beam, len(position.places)
        places, tickets = beam.places[:n, :n_detectives].tolist(), beam.tickets[:n, :n_detectives].tolist()
        values, caught = beam.value[:n].tolist(), beam.caught[:n].tolist()
        return [JointPlan(tuple(places[i]), tuple(tickets[i]), values[i], caught[i]) for i in range(n)]

    def position_value(self, position: Position, depth: int, alpha: float, beta: float) -> float:
        """The detectives' turn: the best of their plans."""
        key = (depth, position.key)
        if (known := self.known(key, alpha, beta)) is not None:
            return known
        self.budget.spend()
        inner = max(self.config.width // 2, 1)
        plans = self.plans(position, inner + 1)
        if depth == 1:
            return self.keep(key, plans[0].value)
        best = 0.0
        for plan in plans[:inner]:
            best = max(best, self.plan_value(position, plan, depth, max(alpha, best)))
            if best >= beta:
                self.cutoffs += 1
                break
        return self.keep(key, best, alpha, beta)

    def plan_value(self, position: Position, plan: JointPlan, depth: int, alpha: float) -> float:
        """Mr X's turn after a plan: between what the model expects and his worst reply.

        The belief beyond the hypotheses keeps its value at first sight. Once no reply that is left can bring the
        value above alpha the rest is cut off, and the bound returned.
        """
        left = self.game.n_rounds - position.n_logged
        if left == 0:
            return plan.caught
        at_sight = (plan.value - plan.caught) / max(1.0 - plan.caught, 1e-9)
        after = self.after(position, plan)
        if after is None:
            return 1.0
        answers, covered = self.answers(after)
        if not answers:
            return plan.caught + (1.0 - plan.caught) * (covered + (1.0 - covered) * at_sight)
        share, rest = covered * self.config.discount, (1.0 - covered) * at_sight
        aim = ((alpha - plan.caught) / max(1.0 - plan.caught, 1e-9) - rest) / share
        worth = self.reply_value(answers, depth - 1, aim)
        return plan.caught + (1.0 - plan.caught) * (share * worth + rest)

    def reply_value(self, answers: list[tuple[float, Position]], depth: int, alpha: float) -> float:
        """Of replies with their chances, the likeliest first."""
        adversity = self.config.adversity

        def value_of(i: int, lowest: float, worst: float) -> float:
            return self.position_value(answers[i][1], depth, lowest, worst if adversity == 1.0 else 1.0)

        return self.mixed_value(adversity, (chance for chance, _ in answers), value_of, alpha)

    def after(self, position: Position, plan: JointPlan) -> Position | None:
        """The position when the plan was carried out and nobody was caught; None if he surely was."""
        belief = position.belief.copy()
        belief[list(plan.places)] = 0.0
        total = belief.sum()
        if total < 1e-9:
            return None
        counts, mrx_counts = position.counts.copy(), position.mrx_counts.copy()
        for d, ticket in enumerate(plan.tickets):
            if ticket >= 0:
                counts[d, ticket] -= 1
                mrx_counts[ticket] += 1
        everybody = (1 << len(plan.places)) - 1
        places = np.array(plan.places, np.int32)
        return Position(
            belief / total, places, counts, mrx_counts, position.n_logged, everybody, self.entropy(position)
        )

    def answers(self, after: Position) -> tuple[list[tuple[float, Position]], float]:
        """Mr X's replies merged by what is seen of them, in order; and how much of the belief they stand for."""
        turn = self.turn(after, 1)._replace(shown_soon=int(self.shown(after.n_logged)))
        n, covered = replies(self.graph, self.weights, turn, self.config.hypotheses, self.scratch)
        chances, kinds = self.scratch.chances[:n].tolist(), self.scratch.kinds[:n].tolist()
        beliefs, out = self.scratch.replies[:n].copy(), []
        ranks = chances if self.config.ordering == "chance" else (beliefs @ self.safety(after)).tolist()
        for i in sorted(range(n), key=lambda i: -ranks[i]):
            mrx_counts = after.mrx_counts
            if kinds[i] != UNKNOWN:
                mrx_counts = mrx_counts.copy()
                mrx_counts[kinds[i]] -= 1
            n_logged = min(after.n_logged + (2 if kinds[i] == DOUBLE else 1), self.game.n_rounds)
            there = replace(after, belief=beliefs[i], mrx_counts=mrx_counts, n_logged=n_logged)
            out.append((chances[i], there))
        return out, covered

    def safety(self, position: Position) -> Floats:
        """How safe Mr X is on every node: his escape potential there."""
        held = (position.counts > 0) @ (1, 2, 4)
        nobody = np.full((1, self.game.board.n_nodes), arrays.MOST_HOPS, np.int8)
        hops = np.concatenate((self.graph.hops[held, position.places], nobody))
        near, second = np.sort(hops, axis=0)[:2]
        table: Floats = self.scratch.safety[near, second]
        return table
