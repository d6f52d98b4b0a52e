"""Mr X's search: his own moves, with the detectives' answers predicted from what they can believe, never from his node.

Depth d looks at d of his moves. At depth 1 a move is worth what the net says after it. Deeper, the detectives answer a
sight with one of their plans (`answers.py`); after each of these he makes his best move, and so on:

    value(move) = MIX * net(move) + (1 - MIX) * sum over plans of chance(plan) * best value after plan

Moves with the same sight share the predicted plans. Only the most promising moves are looked at deeper.

Detectives may know how Mr X chooses. So, where there is time, his best moves are judged again by a mixture of
predictions: detectives who believe what is public, and detectives who know his net, or more (`foresight.py`).
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from manhunt.core.arrays import Floats, Int32s
from manhunt.games.scotland_yard.agents.minimax_search.deepening import OutOfBudget, SearchBudget
from manhunt.games.scotland_yard.champion import plan_kernels
from manhunt.games.scotland_yard.champion.answers import (
    BEAM,
    HEDGING_BEAM,
    MIX,
    Answers,
    PredictedTeam,
    SameSight,
    ends_of,
)
from manhunt.games.scotland_yard.champion.foresight import Foresight, Priors
from manhunt.games.scotland_yard.champion.move_kernels import SHOWN, rated, sight_of
from manhunt.games.scotland_yard.champion.rivals import ForeseenMoves, Rivals
from manhunt.games.scotland_yard.rules import kernels, packed

CLOSE = 0.25
"""A move that is so much worse than the best is not looked at deeper."""
WIDTHS = (8, 4)
"""Moves looked at deeper, now and later."""
LATER_BEAM = 4
"""Joint plans kept while the answers to later moves are predicted."""
LEAST_WEIGHT = 0.1
"""Informed detectives who count less together are not predicted."""


@dataclass(frozen=True, slots=True)
class MrXResult:
    """Moves with their values, best first, how deep all the best were looked at, and the kinds of teams predicted."""

    actions: list[int]
    values: list[float]
    depth: int
    teams: int
    foreseen: ForeseenMoves | None
    """The detectives' answer to the best move; None where no informed ones were predicted."""


class MrXSearch:
    """The search of one agent in one game; `levels` are those of the informed detectives that he predicts."""

    def __init__(self, answers: Answers, foresight: Foresight, most_depth: int, levels: tuple[int, ...] = ()) -> None:
        self.answers, self.foresight, self.most_depth, self.levels = answers, foresight, most_depth, levels
        self.beam = HEDGING_BEAM if levels else BEAM

    def run(
        self, state: Int32s, belief: Floats, priors: Priors, budget: SearchBudget, weights: Floats | None = None
    ) -> MrXResult:
        """Deeper and deeper until the budget is used up; `priors` are what informed detectives believe.

        `weights` are those of uninformed detectives and of each level; levels are left out if they hardly count.
        """
        if weights is None:
            weights = Rivals(len(self.levels)).weights
        levels = self.levels if 1.0 - weights[0] >= LEAST_WEIGHT else ()
        budget.used += 1
        sights = self._sights(state, belief, WIDTHS[0], with_doubles=True)
        depth, teams = 1, 1
        verified: list[SameSight] = []
        if sum(len(sight.actions) for sight in sights) > 1:
            with suppress(OutOfBudget):
                for deeper in range(2, self.most_depth + 1):
                    sights = self._deeper(sights, deeper, budget)
                    depth = deeper
                    if deeper == 2:
                        rows: list[Floats] = []
                        for level in levels:
                            rows.append(self.foresight.sights(level, state, belief, priors, budget))
                            sights = self._hedged(sights, state, rows, _first(weights, len(rows)), budget)
                            teams += 1
                        if rows:
                            self._verify(sights, state, rows, weights, budget, verified)
        pairs = [(a, float(v)) for sight in sights for a, v in zip(sight.actions, sight.values, strict=True)]
        pairs.sort(key=lambda pair: -pair[1])
        best = next(sight for sight in sights if pairs[0][0] in sight.actions)
        answers = [team.places[0] for team in best.teams[1:]]
        foreseen = (
            ForeseenMoves(answers, any(best.teams is sight.teams for sight in verified))
            if len(answers) == len(levels) > 0
            else None
        )
        return MrXResult([a for a, _ in pairs], [v for _, v in pairs], depth, teams, foreseen)

    def _deeper(
        self,
        sights: list[SameSight],
        depth: int,
        budget: SearchBudget,
        prepare: Callable[[SameSight], None] = lambda sight: None,
    ) -> list[SameSight]:
        """All moves looked at so deep, the most promising first; each sight is a copy, which `prepare` may change.

        Values of different depths do not compare. So when the budget ends before all are done, those that are done
        count alone, if they are two moves or more, and else nothing changes.
        """
        order = sorted(sights, key=lambda sight: -float(sight.values.max()))
        done: list[SameSight] = []
        try:
            for sight in map(replace, order):
                prepare(sight)
                sight.values = MIX * sight.first + (1 - MIX) * self._backed_up(sight, depth, self.beam, budget)
                done.append(sight)
        except OutOfBudget:
            if sum(len(sight.actions) for sight in done) < 2:
                raise
            sights[:] = done
            raise
        return done

    def _hedged(
        self, sights: list[SameSight], state: Int32s, rows: list[Floats], weights: Floats, budget: SearchBudget
    ) -> list[SameSight]:
        """Depth 2 again, with informed detectives predicted beside the uninformed; `rows`: their beliefs by sight."""

        def hedge(sight: SameSight) -> None:
            self._hedge(sight, state, rows, weights, budget, thorough=False)

        return self._deeper(sights, 2, budget, hedge)

    def _hedge(
        self,
        sight: SameSight,
        state: Int32s,
        rows: list[Floats],
        weights: Floats,
        budget: SearchBudget,
        *,
        thorough: bool,
    ) -> None:
        row = sight_of(self.answers.graph, state, sight.actions[0])
        if row < SHOWN and sight.teams:
            self.foresight.hedge(sight, [some[row] for some in rows], weights, budget, thorough=thorough)

    def _verify(
        self,
        sights: list[SameSight],
        state: Int32s,
        rows: list[Floats],
        weights: Floats,
        budget: SearchBudget,
        verified: list[SameSight],
    ) -> None:
        """Do the informed detectives' own search against the best move, until the best is one that has stood it.

        A quick look finds worse plans than they do, so moves look better than they are until they are verified.
        """
        while True:
            i = max(range(len(sights)), key=lambda i: float(sights[i].values.max()))
            if sights[i] in verified:
                return
            sight = replace(sights[i])
            self._hedge(sight, state, rows, weights, budget, thorough=True)
            sight.values = MIX * sight.first + (1 - MIX) * self._backed_up(sight, 2, self.beam, budget)
            sights[i] = sight
            verified.append(sight)

    def _sights(self, state: Int32s, belief: Floats, width: int, *, with_doubles: bool) -> list[SameSight]:
        """The best moves at first sight, by what is seen of them."""
        answers, moves = self.answers, self.answers.scratch.moves
        n = rated(answers.graph, answers.nets.choice, state, belief, with_doubles, answers.scratch)
        values = moves.values[:n]
        order = np.argsort(-values, kind="stable")[:width]
        order = order[values[order] >= values[order[0]] - CLOSE]
        together: dict[tuple[int, int], list[int]] = {}
        for i in order.tolist():
            row = int(moves.sights[i])  # a sight with a node in it is of one move alone
            together.setdefault((row, i if row >= SHOWN else 0), []).append(i)
        lists = [(moves.actions[group].tolist(), values[group]) for group in together.values()]
        return [answers.same_sight(state, actions, ends_of(actions), worth) for actions, worth in lists]

    def _backed_up(self, sight: SameSight, depth: int, beam: int, budget: SearchBudget) -> Floats:
        """For each move of a sight: what the detectives' answers leave."""
        budget.spend()
        end = self.answers.end_of(sight)
        if end is not None:
            return np.full(len(sight.nodes), end)
        self.answers.predict_uninformed(sight, beam)
        if depth == 2:
            return self.answers.worth(sight)
        out = np.zeros(len(sight.nodes))
        for team in sight.teams:
            for i, chance in enumerate(team.chances.tolist()):
                out += team.weight * chance * self._after_plan(sight, team, i, depth, budget)
        return out

    def _after_plan(
        self, sight: SameSight, team: PredictedTeam, number: int, depth: int, budget: SearchBudget
    ) -> Floats:
        """The best values of Mr X's next move, from each node of the sight, after one plan of a team."""
        graph, scratch = self.answers.graph, self.answers.scratch
        out, (places, tickets) = np.zeros(len(sight.nodes)), (team.places[number], team.tickets[number])
        for i, node in enumerate(sight.nodes.tolist()):
            state, belief = sight.state.copy(), team.belief.copy()
            state[packed.QUARRY] = node
            code = plan_kernels.carry_out(graph, state, belief, places, tickets, scratch)
            if code != kernels.GOES_ON:
                out[i] = plan_kernels.value_of_end(code)
                continue
            budget.spend()
            for later in self._sights(state, belief, WIDTHS[1], with_doubles=False):
                backed = self._backed_up(later, depth - 1, LATER_BEAM, budget)
                out[i] = max(out[i], float((MIX * later.values + (1 - MIX) * backed).max()))
        return out


def _first(weights: Floats, n_levels: int) -> Floats:
    """The weights as long as only some of the levels are predicted."""
    some = weights[: n_levels + 1]
    return np.asarray(some / some.sum())
