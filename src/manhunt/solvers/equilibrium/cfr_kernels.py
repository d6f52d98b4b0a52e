"""CFR+ and best responses over flat arrays; one pass down for weights, one pass up for values."""

from __future__ import annotations

import numpy as np

from manhunt.core.arrays import Floats
from manhunt.core.jit import kernel
from manhunt.solvers.equilibrium.game import BilinearGame, Decisions, PayoffEntries, Payoffs


@kernel
def payoff_to(
    own: PayoffEntries,
    other: PayoffEntries,
    block_weights: Floats,
    sign: float,
    played: Floats,
    scratch: Floats,
    out: Floats,
) -> None:
    """What each own sequence earns at its blocks against the weights `played` by the other side.

    The payoffs are the evader's: `sign` is 1 for the evader and -1 for the pursuers. In a block of weight w an own
    entry earns sign * w times the sum over the other side's entries that share no card with it.
    """
    out[:] = 0.0
    if len(own.cards) == 0:
        for block in range(len(block_weights)):
            out[own.sequence[block]] += sign * block_weights[block] * played[other.sequence[block]]
        return
    for block in range(len(block_weights)):
        low, high = other.first[block], other.end[block]
        total = 0.0
        for j in range(low, high):
            scratch[j - low] = played[other.sequence[j]]
            total += scratch[j - low]
        if total == 0.0:
            continue
        weight = sign * block_weights[block]
        for i in range(own.first[block], own.end[block]):
            cards, met = own.cards[i], 0.0
            for j in range(low, high):
                if cards & other.cards[j] == 0:
                    met += scratch[j - low]
            out[own.sequence[i]] += weight * met


@kernel
def block_payoffs(payoffs: Payoffs, evader: Floats, pursuers: Floats, scratch: Floats, out: Floats) -> None:
    """What each block pays when both sides play with these weights."""
    own, other = payoffs.evader, payoffs.pursuers
    for block in range(len(payoffs.weight)):
        low, high = other.first[block], other.end[block]
        for j in range(low, high):
            scratch[j - low] = pursuers[other.sequence[j]]
        total = 0.0
        for i in range(own.first[block], own.end[block]):
            cards, weight, met = own.cards[i], evader[own.sequence[i]], 0.0
            if weight == 0.0:
                continue
            for j in range(low, high):
                if cards & other.cards[j] == 0:
                    met += scratch[j - low]
            total += weight * met
        out[block] = payoffs.weight[block] * total


@kernel
def weigh(side: Decisions, policy: Floats, out: Floats) -> None:
    """The weight of each sequence under a policy."""
    out[0] = 1.0
    for infoset in range(len(side.first) - 1):
        reach = 0.0
        for k in range(side.parent_first[infoset], side.parent_first[infoset + 1]):
            reach += out[side.parents[k]]
        for sequence in range(side.first[infoset], side.first[infoset + 1]):
            out[sequence] = reach * policy[sequence]


@kernel
def best_response(side: Decisions, values: Floats, policy: Floats) -> float:
    """Turn own payoffs of sequences into the best values, and write a best pure policy; return its value."""
    policy[:] = 0.0
    for infoset in range(len(side.first) - 2, -1, -1):
        best = side.first[infoset]
        for sequence in range(best + 1, side.first[infoset + 1]):
            if values[sequence] > values[best]:
                best = sequence
        policy[best] = 1.0
        for k in range(side.parent_first[infoset], side.parent_first[infoset + 1]):
            values[side.parents[k]] += values[best]
    return float(values[0])


@kernel
def learn(side: Decisions, values: Floats, policy: Floats, regrets: Floats, foresight: float) -> None:
    """One step of regret matching+ at every infoset; `values` hold own payoffs of sequences and become values.

    The next policy is proportional to max(0, R + foresight * r), where R are the regrets so far and r the newest
    ones. With foresight 0 that is CFR+, with 1 predictive CFR+ (Farina, Kroer and Sandholm 2021): it acts as if the
    next regrets were the newest ones again, and where play settles down they are.
    """
    for infoset in range(len(side.first) - 2, -1, -1):
        low, high = side.first[infoset], side.first[infoset + 1]
        value = 0.0
        for sequence in range(low, high):
            value += policy[sequence] * values[sequence]
        for k in range(side.parent_first[infoset], side.parent_first[infoset + 1]):
            values[side.parents[k]] += value
        total = 0.0
        for sequence in range(low, high):
            regret = values[sequence] - value
            regrets[sequence] = max(0.0, regrets[sequence] + regret)
            policy[sequence] = max(0.0, regrets[sequence] + foresight * regret)
            total += policy[sequence]
        for sequence in range(low, high):
            policy[sequence] = policy[sequence] / total if total > 0.0 else 1.0 / (high - low)


@kernel
def average_in(average: Floats, weights: Floats, share: float) -> None:
    """Move an average towards new weights; a mean of weights is itself the weights of a policy."""
    for sequence in range(len(weights)):
        average[sequence] += share * (weights[sequence] - average[sequence])


@kernel
def iterate(
    game: BilinearGame,
    evader: tuple[Floats, Floats, Floats, Floats],
    pursuers: tuple[Floats, Floats, Floats, Floats],
    scratch: Floats,
    first: int,
    n: int,
    foresight: float,
    power: float,
) -> None:
    """Iterations first to first + n - 1 of CFR+: the sides learn in turn.

    Of each side: policy, regrets, weights under the policy, average weights. About t ** power is the part of
    iteration t in the average: 1 is linear.
    """
    payoffs = game.payoffs
    evader_values, pursuer_values = np.empty(len(evader[0])), np.empty(len(pursuers[0]))
    for t in range(first, first + n):
        share = (power + 1.0) / (t + power)
        payoff_to(payoffs.evader, payoffs.pursuers, payoffs.weight, 1.0, pursuers[2], scratch, evader_values)
        learn(game.evader, evader_values, evader[0], evader[1], foresight)
        weigh(game.evader, evader[0], evader[2])
        average_in(evader[3], evader[2], share)
        payoff_to(payoffs.pursuers, payoffs.evader, payoffs.weight, -1.0, evader[2], scratch, pursuer_values)
        learn(game.pursuers, pursuer_values, pursuers[0], pursuers[1], foresight)
        weigh(game.pursuers, pursuers[0], pursuers[2])
        average_in(pursuers[3], pursuers[2], share)
