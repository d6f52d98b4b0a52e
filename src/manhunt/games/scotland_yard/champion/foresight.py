"""What detectives believe who know how Mr X chooses; they use it, and Mr X foresees it.

There are levels. At level 1 they know his net: wherever he may be, he moves by softmax(value / temperature) of what the
net says. At level 2 they know that he searches, too: values are those of his search at depth 2 against uninformed
detectives. At level 3 they know his whole strategy: he hedges against detectives of level 1.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from manhunt.core.arrays import Floats, Int32s
from manhunt.games.scotland_yard.agents.minimax_search.deepening import OutOfBudget, SearchBudget
from manhunt.games.scotland_yard.beliefs.weighted_kernels import Seen
from manhunt.games.scotland_yard.champion.answers import BEAM, HEDGING_BEAM, Answers, SameSight
from manhunt.games.scotland_yard.champion.mixing import mixed, within
from manhunt.games.scotland_yard.champion.move_kernels import N_SIGHTS, SHOWN, informed_belief, informed_sights
from manhunt.games.scotland_yard.champion.rivals import PRIOR

LEVELS = range(1, 4)
TEMPERATURES = (math.nan, 0.05, 0.03, 0.03)
"""By level, of the softmax by which he is supposed to choose."""
LEAST_SIGHT = 0.01
"""Sights that are less likely are not looked at deeper."""
LEAST_MOVE = 1e-4
"""Moves that are less likely are not."""


@dataclass(frozen=True, slots=True)
class PublicMove:
    """A move of Mr X as everybody sees it, with the state and the public belief before it, and the belief after."""

    state: Int32s
    before: Floats
    after: Floats
    seen: Seen


class Foresight:
    """Makes the beliefs of detectives who know Mr X's net, or more."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self._blank = np.full((N_SIGHTS, len(answers.graph.hops[0])), np.nan)

    def sights(self, level: int, state: Int32s, belief: Floats, priors: "Priors", budget: SearchBudget) -> Floats:
        """By hidden sight where Mr X will be believed to be, not normalised; raises when the budget ends before."""
        table = self._table(level, state, belief, priors, budget)
        return self._rows(level, state, belief, priors[level], table)[0]

    def after(self, level: int, move: PublicMove, priors: "Priors", budget: SearchBudget) -> Floats:
        """What detectives of a level believe after a move; of level 1 when there is no time for more."""
        if np.count_nonzero(move.after) == 1:
            return move.after
        try:
            table = self._table(level, move.state, move.before, priors, budget)
        except OutOfBudget:
            level, priors, table = 1, {1: priors[level]}, self._blank
        answers, out = self.answers, np.zeros_like(move.before)
        temperature = TEMPERATURES[level]
        known = (answers.graph, answers.nets.choice, move.state, move.before, priors[level], move.seen)
        informed_belief(*known, table, temperature, answers.scratch, out)
        return mixed(out, move.after)

    def _rows(
        self, level: int, state: Int32s, belief: Floats, prior: Floats, table: Floats
    ) -> tuple[Floats, "np.ndarray[tuple[int], np.dtype[np.int64]]"]:
        answers, rows, examples = self.answers, np.zeros_like(self._blank), np.zeros(N_SIGHTS, np.int64)
        informed_sights(
            answers.graph,
            answers.nets.choice,
            state,
            belief,
            prior,
            table,
            TEMPERATURES[level],
            answers.scratch,
            rows,
            examples,
        )
        return rows, examples

    def _table(self, level: int, state: Int32s, belief: Floats, priors: "Priors", budget: SearchBudget) -> Floats:
        """Values of (hidden sight, end) by the search that the level assumes; NaN where the net's will do."""
        if level == 1:
            return self._blank
        rows, examples = self._rows(1, state, belief, priors[level], self._blank)
        table, values = self._blank.copy(), self.answers.scratch.sights.values.copy()
        known = self._rows(1, state, belief, priors[1], self._blank)[0] if level > 2 else None
        listed: list[tuple[int, SameSight]] = []
        for row in np.flatnonzero(rows[:SHOWN].sum(1) >= LEAST_SIGHT).tolist():
            nodes = np.flatnonzero((rows[row] >= LEAST_MOVE) & ~np.isnan(values[row])).astype(np.int32)
            if len(nodes):
                listed.append((row, self.answers.same_sight(state, [int(examples[row])], nodes, values[row, nodes])))
        for row, sight in listed:
            budget.spend()
            if self.answers.end_of(sight) is None:
                self.answers.predict_uninformed(sight, BEAM if known is None else HEDGING_BEAM)
                if known is not None:
                    self.hedge(sight, [known[row]], np.array((1 - PRIOR, PRIOR)), budget, thorough=True)
            table[row, sight.nodes] = self.answers.deeper(sight)
        return table

    def hedge(
        self, sight: SameSight, rows: list[Floats], weights: Floats, budget: SearchBudget, *, thorough: bool = False
    ) -> None:
        """Besides uninformed detectives, predict those with these beliefs; weights in this order."""
        first, beliefs = sight.teams[0], [mixed(row, sight.belief) for row in rows]
        informed = [self.answers.predict_informed(sight, each, budget, thorough=thorough) for each in beliefs]
        sight.teams = [
            replace(team, weight=weight) for weight, team in zip(weights.tolist(), [first, *informed], strict=True)
        ]


Priors = dict[int, Floats]
"""By level what detectives believe before a move."""


class InformedChains:
    """The beliefs of detectives of several levels during a game, brought up to date when they are asked for."""

    def __init__(self, foresight: Foresight, levels: tuple[int, ...]) -> None:
        self.foresight, self.levels = foresight, levels
        self.priors: Priors = {}
        self._news: list[PublicMove | Floats] = []

    def begin(self, belief: Floats) -> None:
        self.priors = dict.fromkeys(self.levels, belief)
        self._news = []

    def moved(self, move: PublicMove) -> None:
        self._news.append(move)

    def struck(self, belief: Floats) -> None:
        """The public belief after nodes were struck out."""
        self._news.append(belief)

    def catch_up(self, budget: SearchBudget) -> Priors:
        """The beliefs by level. What the budget does not suffice for is done at level 1."""
        for news in self._news:
            if isinstance(news, PublicMove):
                self.priors = {level: self.foresight.after(level, news, self.priors, budget) for level in self.levels}
            else:
                self.priors = {level: within(prior, news) for level, prior in self.priors.items()}
        self._news = []
        return self.priors
