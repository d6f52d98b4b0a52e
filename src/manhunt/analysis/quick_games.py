"""Moves compared by whole games between quick agents, on worlds that the acting seat cannot tell from the true one."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from manhunt.analysis.findings import STATED, Z99, Effort, Judged, ValueEstimate, difference, judged_by_games, share
from manhunt.core.agent import Agent, Limit
from manhunt.core.game import AnyGame
from manhunt.core.ids import Seat, Side

WIDE = 0.25
"""An interval wider than this says too little of how bad a mistake was."""
MOST_PLIES = 2000
"""A quick game that goes on longer is nobody's."""
Steps = tuple[Any, ...]
"""One choice: an action, or the few that make up a placement or a guess."""
Sampler = Callable[[Random, int], Sequence[Any]]
"""States drawn by the seat's belief."""


@dataclass(frozen=True)
class MoveChoice:
    """What a seat did at a ply, and what it could have done instead."""

    ply: int
    seat: Seat
    played: Steps
    others: Sequence[Steps]
    sampler: Sampler


class QuickGames:
    """Judges the moves of a finished game by playing many games from there with quick agents."""

    def __init__(self, game: AnyGame, config: Any, agents: Mapping[Seat, Agent], effort: Effort) -> None:
        self.game, self.config, self.agents, self.effort = game, config, agents, effort

    def judge(self, choice: MoveChoice) -> tuple[Judged, ValueEstimate]:
        """Judge a choice, and give the value of the played move."""
        rng, (first, most) = self.effort.rng(choice.ply), self.effort.played
        best = self._best(choice, rng, max(4, first // 2))
        sign = 1.0 if choice.seat.side is Side.EVADER else -1.0
        mine, lost, interval = list[float](), list[float](), None
        while len(mine) < most:
            for state in choice.sampler(rng, first):
                seed = rng.getrandbits(63)
                mine.append(self._value(state, choice.played, seed))
                if best != choice.played:
                    lost.append(sign * (self._value(state, best, seed) - mine[-1]))
            if best == choice.played:
                break
            interval = difference(lost, Z99)  # it is looked at several times
            if interval.high < 2 * STATED or interval.mean < STATED:
                break
            if interval.low > STATED and interval.high - interval.low < WIDE:
                break
        played, value = self.text(choice.played), share(mine)
        return judged_by_games(choice.ply, choice.seat, played, value, self.text(best), interval, len(lost)), value

    def rate(self, ply: int, choices: Sequence[Steps], sampler: Sampler, n: int) -> list[tuple[Steps, ValueEstimate]]:
        """The evader's chance after each choice, by `n` quick games on the same worlds with the same luck for all."""
        rng = Random(2000 + ply)
        games = [(state, rng.getrandbits(63)) for state in sampler(rng, n)]
        return [(steps, share([self._value(state, steps, seed) for state, seed in games])) for steps in choices]

    def text(self, steps: Steps) -> str:
        """The steps of a move in notation."""
        return " ".join(self.game.format_action(self.config, step) for step in steps)

    def true_value(self, ply: int, state: Any, steps: Steps, renew: Callable[[Any, Random], Any]) -> float:
        """The evader's chance in the true state after these steps; `renew` draws again what nobody can know at that
        moment.
        """
        rng = self.effort.rng(-1 - ply)
        worlds = [(renew(state, rng), rng.getrandbits(63)) for _ in range(self.effort.played[0])]
        return math.fsum(self._value(world, steps, seed) for world, seed in worlds) / len(worlds)

    def _best(self, choice: MoveChoice, rng: Random, n: int) -> Steps:
        """The choice that wins most of a few games, on other worlds than those it is compared on later."""
        pool = list(dict.fromkeys([choice.played, *choice.others]))
        if len(pool) == 1:
            return pool[0]
        worlds = [(state, rng.getrandbits(63)) for state in choice.sampler(rng, n)]
        sign = 1.0 if choice.seat.side is Side.EVADER else -1.0
        return max(pool, key=lambda steps: sign * sum(self._value(state, steps, seed) for state, seed in worlds))

    def _value(self, state: Any, steps: Steps, seed: int) -> float:
        """1 if the evader wins a quick game after these steps; the same luck for everybody."""
        game, rng = self.game, Random(seed)
        for step in steps:
            state = game.apply_action(state, step)
        for seat, agent in self.agents.items():
            agent.start(game.view(state, seat))
        for _ in range(MOST_PLIES):
            end = game.outcome(state)
            if end is not None:
                return float(end.winner is Side.EVADER)
            acting = game.to_act(state)
            if acting is Seat.CHANCE or acting is None:
                state = game.apply_action(state, game.sample_chance(state, rng))
            else:
                advice = self.agents[acting].act(game.view(state, acting), Limit(), rng)
                state = game.apply_action(state, advice.action)
        return 0.5
