"""Games that the learner plays to learn from: what it saw and did, and how much better that was than expected."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from manhunt.core.arrays import Bools, Float32s, Int64s
from manhunt.core.batch import OVER, Batch
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import kit_of
from manhunt.learning.network import multiply
from manhunt.learning.plain_batch import RANDOM, PlainBatch
from manhunt.learning.settings import SNAPSHOTS, Settings
from manhunt.search.policy_net import PolicyNet, judge, legal_in, pick


class Decisions(NamedTuple):
    """Decisions of the learner, one row each; the legal actions lie one decision after the other."""

    rows: Float32s
    numbers: Int64s
    """The legal actions of all decisions."""
    counts: Int64s
    """How many of them each decision has."""
    chosen: Int64s
    """Which of its legal actions each decision took, counted from 0."""
    log_chances: Float32s
    values: Float32s
    advantages: Float32s

    @property
    def returns(self) -> Float32s:
        return self.advantages + self.values


@dataclass
class Match:
    """The games of one learning seat against one opponent, side by side."""

    batch: Batch
    seat: Seat
    opponent: str
    snapshot: PolicyNet | None = None
    wins: int = 0
    games: int = 0

    def act(self, net: PolicyNet, rng: np.random.Generator) -> Step:
        """One ply in each game; the learner's decisions are kept."""
        batch = self.batch
        numbers = np.zeros(batch.n_games, np.int64)
        mine = batch.to_act == PLAYERS.index(self.seat)
        step = _decide(net, batch, mine, self.seat, rng, numbers)
        theirs = ~mine & (batch.to_act != OVER)
        if theirs.any():
            assert self.snapshot is not None
            _decide(self.snapshot, batch, theirs, PLAYERS[1 - PLAYERS.index(self.seat)], rng, numbers)
        batch.step(numbers)
        step.over = batch.to_act == OVER
        step.rewards = batch.values.copy() if self.seat is Seat.EVADER else -batch.values
        return step

    def values(self, net: PolicyNet) -> Float32s:
        """What the learner expects of each game now; not a number where the opponent is to act."""
        out = np.full(self.batch.n_games, np.nan, np.float32)
        mine = self.batch.to_act == PLAYERS.index(self.seat)
        if mine.any():
            rows = _seen(self.batch, mine, self.seat)
            out[mine] = judge(net, rows, legal_in(self.batch.masks[mine]), multiply).values
        return out


@dataclass
class Step:
    """One ply in each game: the learner's decisions in the games of `mine`, and how games ended after it."""

    mine: Bools
    rows: Float32s
    numbers: Int64s
    counts: Int64s
    chosen: Int64s
    log_chances: Float32s
    values: Float32s
    over: Bools = field(default_factory=lambda: np.zeros(0, np.bool_))
    rewards: Float32s = field(default_factory=lambda: np.zeros(0, np.float32))


def _seen(batch: Batch, where: Bools, seat: Seat) -> Float32s:
    rows = batch.observations[where]
    if seat is Seat.EVADER:
        rows[:, batch.encoder.observation_size :] = 0
    return rows


def _decide(net: PolicyNet, batch: Batch, where: Bools, seat: Seat, rng: np.random.Generator, out: Int64s) -> Step:
    """Write one action, drawn by its chance, for each of these games."""
    rows = _seen(batch, where, seat)
    legal = legal_in(batch.masks[where])
    judgement = judge(net, rows, legal, multiply) if len(rows) else None
    if judgement is None:
        none, zeros = np.zeros(0, np.int64), np.zeros(0, np.float32)
        return Step(where, rows, none, none, none, zeros, zeros)
    picked = pick(judgement, legal, rng.gumbel(size=len(legal.numbers)))
    out[where] = legal.numbers[picked]
    counts = np.bincount(legal.rows, minlength=len(rows))
    log_chances = judgement.log_chances[picked]
    return Step(where, rows, legal.numbers, counts, picked - legal.starts, log_chances, judgement.values)


def make_matches(settings: Settings, config: Any, snapshots: dict[Seat, PolicyNet] | None = None) -> list[Match]:
    """Every learning seat against every opponent; without snapshots yet, random moves stand in for them."""
    kit, matches = kit_of(settings.game), []
    for seat in settings.seats:
        for opponent in settings.opponents:
            snapshot = None if opponent != SNAPSHOTS or snapshots is None else snapshots[seat]
            mover = RANDOM if opponent == SNAPSHOTS else opponent
            plays: dict[str, Any] = {"seat": None if snapshot is not None else seat, "belief": settings.has_belief}
            if kit.has("batch") and mover == RANDOM:
                batch = kit.batch(config, settings.n_games, **plays)
            else:
                batch = PlainBatch(kit, config, settings.n_games, **plays, opponent=mover)
            matches.append(Match(batch, seat, opponent, snapshot))
    return matches


def roll_out(match: Match, net: PolicyNet, settings: Settings, rng: np.random.Generator) -> Decisions:
    """Play some plies in every game of a match. Wins are counted on the way."""
    steps = [match.act(net, rng) for _ in range(settings.n_steps)]
    for step in steps:
        match.games += int(step.over.sum())
        match.wins += int((step.over & (step.rewards > 0)).sum())
    advantages, known = estimate_advantages(steps, match.values(net), settings.discount, settings.trace)
    kept = np.concatenate(known)
    counts = np.concatenate([step.counts for step in steps])
    return Decisions(
        np.concatenate([step.rows for step in steps])[kept],
        np.concatenate([step.numbers for step in steps])[np.repeat(kept, counts)],
        counts[kept],
        np.concatenate([step.chosen for step in steps])[kept],
        np.concatenate([step.log_chances for step in steps])[kept],
        np.concatenate([step.values for step in steps])[kept],
        np.concatenate(advantages)[kept],
    )


def estimate_advantages(
    steps: list[Step], last: Float32s, discount: float, trace: float
) -> tuple[list[Float32s], list[Bools]]:
    """Generalised advantage estimates, by step and decision, and whether they are known.

    A game's decisions need not be in consecutive steps: from one to the next, with reward r at a game's end,

        delta = r + discount * V(next) - V          advantage = delta + discount * trace * advantage(next)

    The last decision of a game in which somebody else is to act at the end has no next value yet; it is left out.
    """
    n = len(last)
    reward, following = np.zeros(n, np.float32), np.zeros(n, np.float32)
    value = last.astype(np.float32)
    advantages, known = [], []
    for step in reversed(steps):
        reward = np.where(step.over, step.rewards, reward)
        value = np.where(step.over, 0, value)
        following = np.where(step.over, 0, following)
        mine = step.mine
        delta = reward[mine] + discount * value[mine] - step.values
        found = (delta + discount * trace * following[mine]).astype(np.float32)
        is_known = np.isfinite(found)
        advantages.append(found)
        known.append(is_known)
        following[mine] = np.where(is_known, found, 0)
        value[mine] = step.values
        reward[mine] = 0
    return advantages[::-1], known[::-1]


def joined(parts: list[Decisions]) -> Decisions:
    return Decisions(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
