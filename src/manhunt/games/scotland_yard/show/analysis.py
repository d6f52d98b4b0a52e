"""Scotland Yard: moves compared by quick games on worlds drawn from what the acting seat could believe.

In the quick games Mr X runs from the nearest detective, and the detectives run to where they may think he is, not to
where he is. Both moves of a pair meet the same world and the same luck. The curves show the chance that lies halfway,
in log odds, between the share of quick games that Mr X wins and what the nets of `champion` say; both alone were
further from how games ended (docs/explanation/champion.md).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from random import Random
from typing import Any

from manhunt.agents.registry import make_agent
from manhunt.analysis import findings
from manhunt.analysis.findings import CurveAxis, Effort, Findings, Judged, SeatPast, ValueEstimate, Verdicts
from manhunt.core.agent import Limit
from manhunt.core.ids import PLAYERS, Node, Seat, Side
from manhunt.core.kernel_random import new_rng
from manhunt.games.scotland_yard.agents.mcts import MctsAgent
from manhunt.games.scotland_yard.agents.mcts_search.playout import Habits, play_out
from manhunt.games.scotland_yard.agents.mcts_search.worlds import walking_distances
from manhunt.games.scotland_yard.beliefs.weighted import WeightedBelief
from manhunt.games.scotland_yard.champion.judge import ChampionJudge
from manhunt.games.scotland_yard.champion.nets import shipped_nets
from manhunt.games.scotland_yard.rules import rules
from manhunt.games.scotland_yard.rules.actions import Double
from manhunt.games.scotland_yard.rules.game import ScotlandYardGame
from manhunt.games.scotland_yard.rules.kernels import EXHAUSTED, SURVIVED
from manhunt.games.scotland_yard.rules.packed import NO_NODE, pack, pack_table
from manhunt.games.scotland_yard.rules.state import ScotlandYardState
from manhunt.games.scotland_yard.rules.views import events
from manhunt.play.hindsight import Hindsight

MODEL = "category"
EPSILON = 0.2
MOST_SCREENED = 48
FINALISTS = 3
NET_STEPS = 30
"""Of the search for the rest of the detectives' turn, where the nets are asked in the middle of it."""
PLAIN = "greedy:temperature=0"
"""Who plays what comes to mind first."""
SURE = 0.005
"""No chance is closer to 0 or 1 than this before a mean is taken."""
GAME = ScotlandYardGame()


def analyse(past: Hindsight, effort: Effort) -> Findings:
    found = Findings(
        CurveAxis("chance", "Mr X's winning chance", 0.0, 1.0),
        [
            "Every move is judged by what its player could know at the time: Mr X knows where he is, the detectives"
            " know what the log tells them.",
            f"The curves are halfway between the share of quick games that Mr X wins after a move, on places drawn from"
            f" the belief (model {MODEL}), and his chance by the nets of champion. The band is the noise of the quick"
            " games alone.",
            "The best alternative is found by a tree search and by quick games, then compared with the played move"
            f" in {effort.sampled} fresh pairs of quick games with the same places and the same luck.",
        ],
        findings.stated_words(95),
        surprise=surprise(past),
        surprise_how=f"How unlikely Mr X's true station was to everybody else, in bits (model {MODEL}); 0 is certain.",
    )
    true_values = TrueValues(past, effort)
    return findings.judge_seats(found, past, lambda each: _verdicts(each, effort), true_values.at)


def _verdicts(past: SeatPast, effort: Effort) -> Verdicts:
    judge = _GameJudge(past, effort)
    for ply in past.actions:
        yield ply, *judge.judge(ply)


def surprise(past: Hindsight) -> list[tuple[int, float]]:
    belief = WeightedBelief(MODEL)
    belief.start(past.view(0, Seat.SPECTATOR))
    points = []
    for ply, state in enumerate(past.states):
        belief.observe(event.seen_by(Seat.SPECTATOR) for event in past.happened[ply])
        points.append((ply, findings.bits_of(belief.probabilities.get(state.quarry, 0.0))))
    return points


@dataclass(frozen=True)
class _Sample:
    """One world and its luck: Mr X's node, a share for where the detectives think he is, a seed."""

    quarry: Node
    share: float
    seed: int


@dataclass(frozen=True)
class _WeightedPlaces:
    """Nodes with the sums of their probabilities."""

    nodes: list[Node]
    sums: list[float]

    def at(self, share: float) -> Node:
        return self.nodes[min(bisect_right(self.sums, share * self.sums[-1]), len(self.nodes) - 1)]


def _places(probabilities: Mapping[Node, float], without: Sequence[Node] = ()) -> _WeightedPlaces:
    rows = [(node, p) for node, p in sorted(probabilities.items()) if node not in without]
    rows = rows or sorted(probabilities.items())
    return _WeightedPlaces([node for node, _ in rows], list(accumulate(p for _, p in rows)))


def halfway(one: float, other: float) -> float:
    """The chance whose log odds are the mean of those of two chances."""
    if one == other:
        return one
    odds = [chance / (1 - chance) for chance in (min(max(each, SURE), 1 - SURE) for each in (one, other))]
    mean = math.sqrt(odds[0] * odds[1])
    return mean / (1 + mean)


class _Follower:
    """What everybody heard in a game, ply by ply."""

    def __init__(self, past: SeatPast, effort: Effort) -> None:
        self.past, self.effort, self.config = past, effort, past.views[0].config
        self.table = pack_table(self.config)
        self.habits = Habits(walking_distances(self.config.board), int(EPSILON * (1 << 32)))
        self.public: list[dict[str, Any]] = []
        self.heard_up_to = 0

    def hear(self, ply: int) -> None:
        """All up to this ply; plies are asked for in their order."""
        while self.heard_up_to <= ply:
            self.observe(self.past.events[self.heard_up_to])
            self.heard_up_to += 1

    def observe(self, events: Sequence[dict[str, Any]]) -> None:
        self.public += [event for event in events if event.get("t") != "quarry"]

    def belief(self, more: Sequence[Mapping[str, Any]] = ()) -> WeightedBelief:
        """What those can believe who do not see Mr X."""
        belief = WeightedBelief(MODEL)
        belief.start(replace(self.past.views[0], seat=Seat.SPECTATOR, quarry=None, legal=()))  # type: ignore[type-var]
        belief.observe((*self.public, *more))
        return belief


class TrueValues:
    """What true positions are worth: quick games from where Mr X is, against detectives who know what they know."""

    def __init__(self, past: Hindsight, effort: Effort) -> None:
        self.past, self.effort = past, effort
        self.sides = {seat: findings.past_of(past, seat) for seat in PLAYERS}
        self.followers = {seat: _Follower(side, effort) for seat, side in self.sides.items()}

    def at(self, ply: int, better: tuple[Any, ...]) -> float:
        """If the seat to act plays `better`, or what it played where that is empty."""
        seat = self.past.acting(ply)
        assert seat is not None
        follower = self.followers[seat]
        follower.hear(ply)
        view = self.sides[seat].views[ply]
        decision = _Decision(follower, view, follower.belief(), self.effort.rng(-1 - ply), self.past.states[ply].quarry)
        (action,) = better or (self.past.actions[ply],)
        values = decision.values(action, decision.samples(self.effort.sampled // 2))
        return math.fsum(values) / len(values)


class _GameJudge(_Follower):
    """Follows one seat through the game; plies are asked for in their order."""

    def __init__(self, past: SeatPast, effort: Effort) -> None:
        super().__init__(past, effort)
        self.agent, self.quick = MctsAgent(), make_agent(PLAIN, GAME.name, past.seat)
        first: Any = past.views[0]
        for agent in (self.agent, self.quick):
            agent.start(first)
        self.nets = ChampionJudge(first, shipped_nets()[0], NET_STEPS)

    def observe(self, events: Sequence[dict[str, Any]]) -> None:
        super().observe(events)
        for hearer in (self.agent, self.quick, self.nets):
            hearer.observe(events)

    def judge(self, ply: int) -> tuple[Judged | None, ValueEstimate]:
        """The decision, None for a forced one, and the value of what was played."""
        self.hear(ply)
        view, action = self.past.views[ply], self.past.actions[ply]
        decision = _Decision(self, view, self.belief(), self.effort.rng(ply))
        if len(view.legal) == 1:
            few = decision.samples(self.effort.sampled // 3)
            return None, self._chance(view, action, decision.values(action, few))
        best, second = self._best(decision, view, action)
        fresh = decision.samples(self.effort.sampled)
        mine = decision.values(action, fresh)
        value, lost = self._chance(view, action, mine), None
        if best != action:
            sign = 1.0 if self.past.seat.side is Side.EVADER else -1.0
            lost = findings.difference(
                [sign * (b - a) for a, b in zip(mine, decision.values(best, fresh), strict=True)]
            )
        played, better = GAME.format_action(self.config, action), GAME.format_action(self.config, best)
        judged = findings.judged_by_games(ply, self.past.seat, played, value, better, lost, len(fresh))
        if best == action and second is not None:
            judged = self._margin(judged, decision, view, mine, decision.values(second, fresh))
        return judged, value

    def _margin(
        self, judged: Judged, decision: _Decision, view: Any, mine: Sequence[float], second: Sequence[float]
    ) -> Judged:
        """How much the next best move surely is worth less, and what a greedy player would have done."""
        sign = 1.0 if self.past.seat.side is Side.EVADER else -1.0
        margin = findings.difference([sign * (a - b) for a, b in zip(mine, second, strict=True)]).low
        plain = self.quick.act(view, Limit(), decision.rng).action
        return replace(judged, margin=margin, plain=GAME.format_action(self.config, plain))

    def _chance(self, view: Any, action: Any, games: Sequence[float]) -> ValueEstimate:
        """Mr X's after the move: halfway between these quick games and the nets."""
        found, nets = findings.share(games), self.nets.chance(view, action)
        return ValueEstimate(*(halfway(each, nets) for each in (found.mean, found.low, found.high)))

    def _best(self, decision: _Decision, view: Any, action: Any) -> tuple[Any, Any]:
        """The move that quick games like best, of all single ones and the search's choice; on other luck than later.
        With it the next one, if that looked much worse."""
        advised = self.agent.act(view, Limit(iterations=self.effort.iterations), decision.rng).action
        singles = [option for option in view.legal if not isinstance(option, Double)]
        if len(singles) > MOST_SCREENED:
            singles = decision.rng.sample(singles, MOST_SCREENED)
        pool = list(dict.fromkeys([action, advised, *singles]))
        sign = 1.0 if self.past.seat.side is Side.EVADER else -1.0
        scores: dict[Any, float] = {}
        for n, keep in ((self.effort.screened, FINALISTS), (3 * self.effort.screened, 2)):
            samples = decision.samples(n)
            scores = {option: sign * sum(decision.values(option, samples)) / n for option in pool}
            pool.sort(key=lambda option: -scores[option])
            pool = pool[:keep] if keep == 2 else list(dict.fromkeys([*pool[:keep], advised]))
        is_clear = len(pool) > 1 and scores[pool[0]] - scores[pool[1]] > findings.FIND
        return pool[0], pool[1] if is_clear else None


class _Decision:
    """One moment of one seat: the worlds it may be in, and what its moves lead to in them."""

    def __init__(
        self, judge: _Follower, view: Any, belief: WeightedBelief, rng: Random, truth: Node | None = None
    ) -> None:
        self.judge, self.view, self.belief, self.rng = judge, view, belief, rng
        own: Node | None = view.quarry if truth is None else truth
        self._worlds = _places({own: 1.0} if own is not None else belief.probabilities)
        self._after: dict[Any, tuple[dict[Node, Any], _WeightedPlaces]] = {}

    def samples(self, n: int) -> list[_Sample]:
        draw = self.rng.random
        return [_Sample(self._worlds.at(draw()), draw(), self.rng.getrandbits(63)) for _ in range(n)]

    def values(self, action: Any, samples: Sequence[_Sample]) -> list[float]:
        """Who wins the quick games: 1 for Mr X."""
        if action not in self._after:
            self._after[action] = ({}, self._assumed(action))
        ends, assumed = self._after[action]
        return [self._play(action, ends, assumed, sample) for sample in samples]

    def _play(self, action: Any, ends: dict[Node, Any], assumed: _WeightedPlaces, sample: _Sample) -> float:
        """One quick game; positions that come again are packed once."""
        if sample.quarry not in ends:
            after = rules.apply_action(self.belief.public.state(sample.quarry), action)
            end = rules.outcome(after)
            ends[sample.quarry] = pack(after) if end is None else float(end.winner is Side.EVADER)
        start = ends[sample.quarry]
        if isinstance(start, float):
            return start
        judge, goal = self.judge, assumed.at(sample.share) if assumed.nodes else NO_NODE
        code, _ = play_out(judge.table, start.copy(), judge.habits, goal, new_rng(sample.seed))
        return float(code in (SURVIVED, EXHAUSTED))

    def _assumed(self, action: Any) -> _WeightedPlaces:
        """Where the detectives may think that he is after this move."""
        if self.view.quarry is None:
            state = self.belief.public.state(self._worlds.nodes[0])
            taken = [action.to if p == action.piece else n for p, n in zip(state.pieces, state.pursuers, strict=True)]
            return _places(self.belief.probabilities, taken)
        state = self.belief.public.state(self.view.quarry)
        after: ScotlandYardState = rules.apply_action(state, action)
        if rules.outcome(after) is not None:
            return _WeightedPlaces([], [])
        heard = [event.seen_by(Seat.SPECTATOR) for event in events(state, action, after)]
        return _places(self.judge.belief(heard).probabilities)
