"""The compiled twin of `rules.py`: the same actions in the same order, the same next states, the same ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from manhunt.games.jit import kernel
from manhunt.games.pursuit.packed import (
    CAPTURED,
    PURSUERS,
    QUARRY,
    ROUND,
    RUNNING,
    SEEN_NODE,
    SEEN_ROUND,
    STRANDED,
    SURVIVED,
    WAITING,
    PackedGame,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

_ANY, _AT_ONCE = 1, 2
_ALWAYS, _ROUNDS = 0, 1


@kernel
def holds_pursuer(game: PackedGame, state: Numbers, node: int, but: int) -> bool:
    """Whether a detective other than `but` stands on the node."""
    for piece in range(game.n_detectives):
        if piece != but and state[PURSUERS + piece] == node:
            return True
    return False


@kernel
def is_caught(game: PackedGame, state: Numbers) -> bool:
    quarry = state[QUARRY]
    if holds_pursuer(game, state, quarry, -1):
        return True
    if game.reach_hops:
        for edge in range(game.indptr[quarry], game.indptr[quarry + 1]):
            if holds_pursuer(game, state, game.target[edge], -1):
                return True
    return False


@kernel
def steps(game: PackedGame, node: int, may_stay: bool, out: Numbers) -> int:
    """Neighbours, ascending, with the node itself among them if it may stay; returns how many."""
    n = 0
    pending = may_stay
    for edge in range(game.indptr[node], game.indptr[node + 1]):
        to = game.target[edge]
        if pending and node < to:
            out[n] = node
            n += 1
            pending = False
        out[n] = to
        n += 1
    if pending:
        out[n] = node
        n += 1
    return n


@kernel
def quarry_targets(game: PackedGame, state: Numbers, out: Numbers) -> int:
    n = steps(game, state[QUARRY], game.quarry_may_stay, out)
    if game.may_step_onto:
        return n
    kept = 0
    for i in range(n):
        if not holds_pursuer(game, state, out[i], -1):
            out[kept] = out[i]
            kept += 1
    return kept


@kernel
def detective_targets(game: PackedGame, state: Numbers, piece: int, out: Numbers) -> int:
    here = state[PURSUERS + piece]
    n = steps(game, here, game.detectives_may_stay, out)
    kept = 0
    for i in range(n):
        if game.may_share or not holds_pursuer(game, state, out[i], piece):
            out[kept] = out[i]
            kept += 1
    if kept == 0:
        out[0] = here
        return 1
    return kept


@kernel
def has_quarry_target(game: PackedGame, state: Numbers) -> bool:
    quarry = state[QUARRY]
    if game.quarry_may_stay and (game.may_step_onto or not holds_pursuer(game, state, quarry, -1)):
        return True
    for edge in range(game.indptr[quarry], game.indptr[quarry + 1]):
        if game.may_step_onto or not holds_pursuer(game, state, game.target[edge], -1):
            return True
    return False


@kernel
def outcome(game: PackedGame, state: Numbers) -> int:
    """RUNNING, CAPTURED, SURVIVED or STRANDED."""
    if is_caught(game, state):
        return CAPTURED
    waiting = state[WAITING]
    everybody = (1 << game.n_detectives) - 1
    if 0 <= game.max_rounds <= state[ROUND] and waiting == (0 if game.evader_first else everybody):
        return SURVIVED
    if waiting == 0 and not has_quarry_target(game, state):
        return STRANDED
    return RUNNING


@kernel
def legal(game: PackedGame, state: Numbers, out: Numbers) -> int:
    """Write the codes of all legal actions to `out`; return how many. None when the game is over."""
    if outcome(game, state) != RUNNING:
        return 0
    if state[WAITING] == 0:
        return quarry_targets(game, state, out)
    if game.order == _AT_ONCE:
        return joint_moves(game, state, out)
    n = 0
    for piece in range(game.n_detectives):
        if state[WAITING] >> piece & 1:
            found = detective_targets(game, state, piece, out[n:])
            for i in range(n, n + found):
                out[i] += game.n_nodes * (piece + 1)
            n += found
            if game.order != _ANY:
                break
    return n


@kernel
def joint_moves(game: PackedGame, state: Numbers, out: Numbers) -> int:
    """An odometer over everybody's steps, the last detective fastest."""
    k = game.n_detectives
    choices = np.empty((k, game.n_nodes + 1), dtype=np.int64)
    counts = np.empty(k, dtype=np.int64)
    wheel = np.zeros(k, dtype=np.int64)
    for piece in range(k):
        here = state[PURSUERS + piece]
        counts[piece] = steps(game, here, game.detectives_may_stay, choices[piece])
        if counts[piece] == 0:
            choices[piece, 0] = here
            counts[piece] = 1
    n = 0
    while True:
        if game.may_share or all_differ(choices, wheel):
            out[n] = joint_code(game, choices, wheel)
            n += 1
        piece = k - 1
        while piece >= 0 and wheel[piece] == counts[piece] - 1:
            wheel[piece] = 0
            piece -= 1
        if piece < 0:
            break
        wheel[piece] += 1
    if n == 0:
        for piece in range(k):
            choices[piece, 0] = state[PURSUERS + piece]
            wheel[piece] = 0
        out[0] = joint_code(game, choices, wheel)
        n = 1
    return n


@kernel
def all_differ(choices: Numbers, wheel: Numbers) -> bool:
    for a in range(len(wheel)):
        for b in range(a):
            if choices[a, wheel[a]] == choices[b, wheel[b]]:
                return False
    return True


@kernel
def joint_code(game: PackedGame, choices: Numbers, wheel: Numbers) -> int:
    code = 0
    for piece in range(len(wheel)):
        code = code * game.n_nodes + choices[piece, wheel[piece]]
    return code + game.n_nodes * (game.n_detectives + 1)


@kernel
def apply(game: PackedGame, state: Numbers, code: int, out: Numbers) -> None:
    """The state after a legal action, into `out`; never checks."""
    out[:] = state
    n, k = game.n_nodes, game.n_detectives
    if code < n:
        out[QUARRY] = code
        out[ROUND] += 1
        out[WAITING] = (1 << k) - 1
    elif code < n * (k + 1):
        piece = code // n - 1
        out[PURSUERS + piece] = code % n
        out[WAITING] &= ~(1 << piece)
    else:
        rest = code - n * (k + 1)
        for piece in range(k - 1, -1, -1):
            out[PURSUERS + piece] = rest % n
            rest //= n
        out[WAITING] = 0
    if game.visibility != _ALWAYS and is_seen(game, out):
        out[SEEN_NODE] = out[QUARRY]
        out[SEEN_ROUND] = out[ROUND]


@kernel
def is_seen(game: PackedGame, state: Numbers) -> bool:
    if game.visibility == _ALWAYS or is_caught(game, state):
        return True
    if game.visibility == _ROUNDS:
        if state[WAITING] != (1 << game.n_detectives) - 1:
            return False
        for reveal in game.reveal_rounds:
            if reveal == state[ROUND]:
                return True
        return False
    for piece in range(game.n_detectives):
        hops = game.hops[state[QUARRY], state[PURSUERS + piece]]
        if 0 <= hops <= game.sight_hops:
            return True
    return False


@kernel
def perft(game: PackedGame, state: Numbers, depth: int, n_most: int) -> int:
    """Leaves of the move tree after `depth` plies; a game that ends earlier is no leaf. `n_most` bounds actions."""
    if depth == 0:
        return 1
    states = np.empty((depth, len(state)), dtype=np.int64)
    actions = np.empty((depth, n_most), dtype=np.int64)
    left = np.zeros(depth, dtype=np.int64)
    states[0] = state
    left[0] = legal(game, states[0], actions[0])
    leaves = 0
    level = 0
    while level >= 0:
        if level == depth - 1:
            leaves += left[level]
            level -= 1
        elif left[level] == 0:
            level -= 1
        else:
            left[level] -= 1
            apply(game, states[level], actions[level, left[level]], states[level + 1])
            level += 1
            left[level] = legal(game, states[level], actions[level])
    return leaves
