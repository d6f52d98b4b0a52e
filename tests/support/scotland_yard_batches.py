"""Random configs of Scotland Yard whose games are dealt, for tests of the encoder and of batches."""

from random import Random

from hypothesis import strategies as st

from manhunt.games.scotland_yard.rules.actions import Tickets
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig, ScotlandYardOrder
from scotland_yard_games import random_board


def random_config(rng: Random, max_nodes: int = 9, max_rounds: int = 6) -> ScotlandYardConfig:
    """Any small board, tickets, rounds and order; the start places from lists or anywhere."""
    board = random_board(rng, max_nodes)
    n_detectives = rng.randint(1, min(5, board.n_nodes - 1))
    has_lists = rng.random() < 0.5
    return ScotlandYardConfig(
        board,
        tuple(rng.random() < 0.4 for _ in range(rng.randint(1, max_rounds))),
        n_detectives,
        Tickets(*(rng.randint(0, 4) for _ in range(5))),
        Tickets(*(rng.randint(0, 5) for _ in range(3))),
        mrx_starts=tuple(rng.sample(board.labels, 2)) if has_lists else (),
        detective_starts=board.labels if has_lists else (),
        order=rng.choice(list(ScotlandYardOrder)),
    )


def board_configs(max_nodes: int = 9, max_rounds: int = 6) -> st.SearchStrategy[ScotlandYardConfig]:
    return st.integers(0, 2**32).map(lambda seed: random_config(Random(seed), max_nodes, max_rounds))
