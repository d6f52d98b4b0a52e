"""What the games of `champion.playouts` are worth on average, to be read: every game is listed by the plain rules.

For one detective whose belief is not blurred: then his plan is the move that his net likes best, and not left to luck.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from manhunt.core.arrays import Floats
from manhunt.core.ids import Node, Seat, Side
from manhunt.games.scotland_yard.champion import playouts
from manhunt.games.scotland_yard.champion.features import feature_row
from manhunt.games.scotland_yard.champion.nets import ChampionNets
from manhunt.games.scotland_yard.rules.actions import ScotlandYardAction
from manhunt.games.scotland_yard.rules.game import ScotlandYardGame
from manhunt.games.scotland_yard.rules.rules import STRANDED
from manhunt.games.scotland_yard.rules.state import ScotlandYardState
from manhunt.search.value_net import ValueNet, win_chances
from scotland_yard_plain_belief import PlainWeightedBelief, look_of

GAME = ScotlandYardGame()


def belief_before(states: Sequence[ScotlandYardState], actions: Sequence[ScotlandYardAction]) -> PlainWeightedBelief:
    """What everybody believes after these actions."""
    belief = PlainWeightedBelief("soft")
    belief.start(GAME.view(states[0], Seat.SPECTATOR))
    for before, action, after in zip(states, actions, states[1:], strict=False):
        _tell(belief, before, action, after)
    return belief


def exact_chance(
    nets: ChampionNets,
    state: ScotlandYardState,
    belief: PlainWeightedBelief,
    turns: int,
    first: ScotlandYardAction | None = None,
) -> float:
    """Mr X's chance from this state, on his turn after the given move; after so many of his turns his net's."""
    end = GAME.outcome(state)
    if end is not None:
        return float(end.winner is Side.EVADER)
    if state.waiting:
        return exact_chance(nets, *_after(state, belief, _answer(nets, state, belief)), turns)
    if first is not None:
        return exact_chance(nets, *_after(state, belief, first), turns)
    chances = _chances(nets, state, belief)
    if turns == 0:
        return math.fsum(chance * mrx_value(nets, state, belief, move) for move, chance in chances.items())
    return math.fsum(
        chance * exact_chance(nets, *_after(state, belief, move), turns - 1) for move, chance in chances.items()
    )


def _answer(nets: ChampionNets, state: ScotlandYardState, belief: PlainWeightedBelief) -> ScotlandYardAction:
    plans = {move: _plan_value(nets.after_detectives, state, belief, move) for move in GAME.legal_actions(state)}
    best, *others = sorted(plans, key=plans.__getitem__)
    assert all(plans[other] > plans[best] + 1e-6 for other in others), "the detective's best move is not clear"
    return best


def _plan_value(
    net: ValueNet, state: ScotlandYardState, belief: PlainWeightedBelief, move: ScotlandYardAction
) -> float:
    """Mr X's chance after the detective's move, over where he can be."""
    chances = belief.probabilities
    left = {node: p for node, p in chances.items() if node != move.to}
    if not left:
        return 0.0
    struck = _array(state, {node: p / sum(left.values()) for node, p in left.items()})
    value = 0.0
    for node, p in chances.items():
        if p <= playouts.LEAST_LIKELY or node == move.to:
            continue
        after = GAME.apply_action(replace(state, quarry=node), move)
        end = GAME.outcome(after)
        if end is None:
            value += p * float(win_chances(net, feature_row(after, struck)[None])[0])
        elif end != STRANDED:
            value += p * float(end.winner is Side.EVADER)
    return value


def _chances(
    nets: ChampionNets, state: ScotlandYardState, belief: PlainWeightedBelief
) -> Mapping[ScotlandYardAction, float]:
    """How Mr X draws, of moves that look and end alike one."""
    alike = {(look_of(state, move), move.to): move for move in reversed(GAME.legal_actions(state))}
    values = {move: mrx_value(nets, state, belief, move) for move in alike.values()}
    best = max(values.values())
    weights = {move: math.exp((value - best) / playouts.TEMPERATURE) for move, value in values.items()}
    total = math.fsum(weights.values())
    return {move: weight / total for move, weight in weights.items()}


def mrx_value(
    nets: ChampionNets, state: ScotlandYardState, belief: PlainWeightedBelief, move: ScotlandYardAction
) -> float:
    """What Mr X's net says of a move."""
    after, believed = _after(state, belief, move)
    return float(win_chances(nets.choice, feature_row(after, _array(after, believed.probabilities))[None])[0])


def _after(
    state: ScotlandYardState, belief: PlainWeightedBelief, move: ScotlandYardAction
) -> tuple[ScotlandYardState, PlainWeightedBelief]:
    after, believed = GAME.apply_action(state, move), copy_of(belief)
    _tell(believed, state, move, after)
    return after, believed


def copy_of(belief: PlainWeightedBelief) -> PlainWeightedBelief:
    """One that learns on its own."""
    other = copy.copy(belief)
    other.public = copy.copy(belief.public)
    for name in ("pursuers", "tickets", "log"):
        setattr(other.public, name, list(getattr(belief.public, name)))
    other._move = []
    other._set(belief.probabilities)
    return other


def _tell(
    belief: PlainWeightedBelief, before: ScotlandYardState, action: ScotlandYardAction, after: ScotlandYardState
) -> None:
    belief.observe(event.seen_by(Seat.SPECTATOR) for event in GAME.events(before, action, after))


def _array(state: ScotlandYardState, probabilities: Mapping[Node, float]) -> Floats:
    out = np.zeros(state.config.board.n_nodes)
    for node, p in probabilities.items():
        out[node] = p
    return out
