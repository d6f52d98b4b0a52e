"""The same games as a linear program, solved by HiGHS: exact, for small ones."""

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import bmat, csr_matrix

from manhunt.core.arrays import Floats, Int32s
from manhunt.core.errors import ManhuntError
from manhunt.solvers.equilibrium.cfr import Equilibrium, judge
from manhunt.solvers.equilibrium.game import BilinearGame, Decisions, Payoffs

MOST_SEQUENCES = 60_000


def solve_exactly(game: BilinearGame) -> Equilibrium:
    """Solve the game exactly, by one linear program for each side.

    >>> from manhunt import make_game
    >>> from manhunt.solvers import build_tree
    >>> game = make_game("pursuit")
    >>> config = game.make_config(board="complete:4", n_detectives=1, max_rounds=1, visibility="rounds")
    >>> round(solve_exactly(build_tree(game, config).form).value, 6)
    0.333333
    """
    size = max(game.evader.n_sequences, game.pursuers.n_sequences)
    if size > MOST_SEQUENCES:
        raise ManhuntError(f"{size:,} sequences are too many for a linear program; at most {MOST_SEQUENCES:,}")
    matrix = payoff_matrix(game)
    evader = _best_weights(matrix, game.evader, game.pursuers)
    pursuers = _best_weights(csr_matrix(-matrix.T), game.pursuers, game.evader)
    return judge(game, evader, pursuers)


def payoff_matrix(game: BilinearGame) -> csr_matrix:
    """The evader's payoff by his sequence (row) and theirs (column)."""
    shape, payoffs = (game.evader.n_sequences, game.pursuers.n_sequences), game.payoffs
    if not len(payoffs.evader.cards):
        return csr_matrix((payoffs.weight, (payoffs.evader.sequence, payoffs.pursuers.sequence)), shape=shape)
    rows, columns, values = [], [], []
    for block in range(len(game.payoffs.weight)):
        row, column = _pairs(game.payoffs, block)
        rows.append(row)
        columns.append(column)
        values.append(np.full(len(row), game.payoffs.weight[block]))
    return csr_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape=shape)


def _pairs(payoffs: Payoffs, block: int) -> tuple[Int32s, Int32s]:
    own, other = payoffs.evader, payoffs.pursuers
    evader, pursuers = slice(own.first[block], own.end[block]), slice(other.first[block], other.end[block])
    apart = own.cards[evader][:, None] & other.cards[pursuers][None, :] == 0
    i, j = np.nonzero(apart)
    return own.sequence[evader][i], other.sequence[pursuers][j]


def _best_weights(matrix: csr_matrix, own: Decisions, other: Decisions) -> Floats:
    """Maximise the least payoff: max q0 with F'q <= A'x, Ex = e, x >= 0 (q: the other side's values of infosets)."""
    ours, theirs = _flow(own), _flow(other)
    n, m = own.n_sequences, other.n_infosets + 1
    above = bmat([[-matrix.T, theirs.T]], format="csr")
    equal = bmat([[ours, csr_matrix((own.n_infosets + 1, m))]], format="csr")
    goal = np.zeros(n + m)
    goal[n] = -1.0
    result = linprog(
        goal,
        A_ub=above,
        b_ub=np.zeros(other.n_sequences),
        A_eq=equal,
        b_eq=np.concatenate(([1.0], np.zeros(own.n_infosets))),
        bounds=[(0, None)] * n + [(None, None)] * m,
        method="highs",
    )
    if not result.success:
        raise ManhuntError(f"the linear program was not solved: {result.message}")
    weights: Floats = np.maximum(result.x[:n], 0.0)
    return weights


def _flow(side: Decisions) -> csr_matrix:
    """Row 0: the empty sequence has weight 1. Row i + 1: what leaves infoset i is what came in."""
    infosets = np.arange(1, side.n_infosets + 1)
    out_rows = np.concatenate(([0], np.repeat(infosets, np.diff(side.first))))
    in_rows = np.repeat(infosets, np.diff(side.parent_first))
    values = np.concatenate((np.ones(len(out_rows)), -np.ones(len(in_rows))))
    rows = np.concatenate((out_rows, in_rows))
    columns = np.concatenate((np.arange(side.n_sequences), side.parents))
    return csr_matrix((values, (rows, columns)), shape=(side.n_infosets + 1, side.n_sequences))
