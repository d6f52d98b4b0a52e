"""What the moves of one seat were worth, by the nets and a short look ahead, from what that seat knew."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from manhunt.core.ids import Node, Seat
from manhunt.games.scotland_yard.agents.minimax_search.deepening import SearchBudget
from manhunt.games.scotland_yard.beliefs.public import PublicState
from manhunt.games.scotland_yard.champion.answers import Answers
from manhunt.games.scotland_yard.champion.foresight import Foresight, InformedChains
from manhunt.games.scotland_yard.champion.informed import PublicBelief
from manhunt.games.scotland_yard.champion.mixing import LEAST_LIKELY
from manhunt.games.scotland_yard.champion.move_kernels import SHOWN, end_of, rated, sight_of
from manhunt.games.scotland_yard.champion.nets import ChampionNets
from manhunt.games.scotland_yard.champion.plan_kernels import STAYS, plan_value
from manhunt.games.scotland_yard.rules import rules
from manhunt.games.scotland_yard.rules.actions import ScotlandYardAction
from manhunt.games.scotland_yard.rules.packed import DOUBLE_BIT, pack
from manhunt.games.scotland_yard.rules.views import ScotlandYardView

LEVEL = 2
"""What the detectives suppose of Mr X."""


def encode_mrx(action: ScotlandYardAction) -> int:
    """A move of Mr X as the kernels write it."""
    (ticket, to), *second = rules.steps_of(action)
    code = int(ticket) << 3 | int(to) << 8
    for later, end in second:
        code |= DOUBLE_BIT | int(later) << 6 | int(end) << 24
    return code


def is_alike(row: int, end: int, code: int, other_row: int, other: int) -> bool:
    """Whether two moves look and end alike; of such moves the kernels list one."""
    return other_row == row and (end_of(other) == end if row < SHOWN else other == code)


class ChampionJudge:
    """Follows one seat through a game and gives Mr X's chance after its moves."""

    def __init__(self, view: ScotlandYardView, nets: ChampionNets, steps: int) -> None:
        self.steps = steps
        self.answers = Answers(view.config, nets)
        chains = InformedChains(Foresight(self.answers), (LEVEL,) if view.seat is Seat.PURSUERS else ())
        self.belief = PublicBelief(chains)
        self.belief.start(replace(view, seat=Seat.PURSUERS, quarry=None, legal=()))

    def observe(self, events: Iterable[Mapping[str, Any]]) -> None:
        self.belief.observe(event for event in events if event.get("t") != "quarry")

    def chance(self, view: ScotlandYardView, action: ScotlandYardAction) -> float:
        """Mr X's chance after this move; the events up to it were observed."""
        return self._after_mrx(view, action) if view.seat is Seat.EVADER else self._after_detective(view, action)

    def _after_mrx(self, view: ScotlandYardView, action: ScotlandYardAction) -> float:
        """At depth 2: what the net says, and what it says of his best move after the detectives' answer."""
        assert view.quarry is not None
        answers, state = self.answers, pack(PublicState(view).state(view.quarry))
        n = rated(answers.graph, answers.nets.choice, state, self.belief.array, True, answers.scratch)
        moves = answers.scratch.moves
        code = encode_mrx(action)
        row, end = sight_of(answers.graph, state, code), end_of(code)
        i = next(i for i in range(n) if is_alike(row, end, code, int(moves.sights[i]), int(moves.actions[i])))
        sight = answers.same_sight(state, [code], np.array([end], np.int32), moves.values[i : i + 1].copy())
        if answers.end_of(sight) is None:
            answers.predict_uninformed(sight)
        return float(answers.deeper(sight)[0])

    def _after_detective(self, view: ScotlandYardView, action: ScotlandYardAction) -> float:
        """With the best plan for those who wait, over the belief that supposes a good Mr X."""
        belief = self.belief.array
        informed = self.belief.chains.catch_up(SearchBudget(1 << 62, math.inf))[LEVEL]
        public = PublicState(view)
        numbers = {detective.piece: d for d, detective in enumerate(view.detectives)}
        places = np.array([detective.node for detective in view.detectives], np.int32)
        places[numbers[action.piece]] = action.to
        elsewhere = informed.copy()
        elsewhere[places] = 0.0
        if not elsewhere.any():
            return 0.0
        after = rules.apply_action(public.state(Node(int(np.argmax(elsewhere)))), action)
        team, row = self.answers.team, pack(after)
        if after.waiting:
            return min(1.0, team.run(row, belief, informed, 0, SearchBudget(self.steps, math.inf))[0].value)
        head = (team.graph, team.nets.after_detectives, row, belief, informed, LEAST_LIKELY)
        return float(plan_value(*head, places, np.full(len(places), STAYS, np.int32), team.scratch))
