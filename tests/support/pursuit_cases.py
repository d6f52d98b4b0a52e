"""Small random boards and switch settings for the solvers' tests."""

from __future__ import annotations

from random import Random

from manhunt.boards.board import Board
from manhunt.boards.build import build_board
from manhunt.core.ids import Side
from manhunt.games.pursuit.rules.config import PursuitConfig, PursuitOrder, make_config


def random_board(rng: Random, n: int) -> Board:
    """Any graph: sparse ones have dead ends, cut-off parts and nodes without edges."""
    pairs = [(a, b) for a in range(1, n + 1) for b in range(a + 1, n + 1)]
    n_edges = rng.randint(n - 2, min(len(pairs), 2 * n))
    chosen = rng.sample(pairs, n_edges)
    return build_board(f"random-{n}", [(a, b, None) for a, b in chosen], nodes=range(1, n + 1))


def random_config(rng: Random, *, any_order: bool) -> PursuitConfig:
    """A preset or a random setting; `any_order` allows orders that only the one-start solver knows."""
    k = rng.choice((1, 1, 1, 2, 2, 2, 3))
    board = random_board(rng, 5 if k == 3 else rng.randint(5, 6) if k == 2 else rng.randint(5, 8))
    preset = rng.choice(("seed", "seed", "cops-and-robbers", None))
    if preset is not None:
        return make_config(preset, board, n_detectives=k)
    may_share = rng.random() < 0.4
    orders = list(PursuitOrder) if may_share or any_order or k == 1 else [PursuitOrder.IN_ORDER]
    return make_config(
        "seed",
        board,
        n_detectives=k,
        first=rng.choice(list(Side)),
        quarry_may_stay=rng.random() < 0.5,
        detectives_may_stay=rng.random() < 0.4,
        may_share=may_share,
        order=rng.choice(orders),
        may_step_onto=rng.random() < 0.3,
        reach_hops=int(rng.random() < 0.25),
    )


def random_interchangeable(rng: Random) -> PursuitConfig:
    """A random setting in which only the set of the detectives' nodes matters."""
    k = rng.choice((2, 2, 2, 3, 3, 4))
    board = random_board(rng, {2: rng.randint(5, 7), 3: rng.randint(5, 6), 4: 5}[k])
    may_share, order = rng.random() < 0.3, rng.choice(list(PursuitOrder))
    if not may_share and order is PursuitOrder.IN_ORDER:
        order = PursuitOrder.AT_ONCE
    may_stay = rng.random() < 0.4 or (order is PursuitOrder.ANY and not may_share)
    return make_config(
        "seed",
        board,
        n_detectives=k,
        first=rng.choice(list(Side)),
        quarry_may_stay=rng.random() < 0.5,
        detectives_may_stay=may_stay,
        may_share=may_share,
        order=order,
        may_step_onto=rng.random() < 0.3,
        reach_hops=int(rng.random() < 0.25),
    )
