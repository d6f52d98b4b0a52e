"""The features of the value nets: the kernel equals the plain Python, on any board and for any number of detectives."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from champion_positions import random_belief
from manhunt.core.arrays import Float32s, Floats
from manhunt.core.ids import Node
from manhunt.games.scotland_yard.beliefs.models import shipped_soft
from manhunt.games.scotland_yard.champion import feature_kernels as kernels
from manhunt.games.scotland_yard.champion.features import FEATURES, N_FEATURES, N_PUBLIC, feature_row
from manhunt.games.scotland_yard.rules import packed
from manhunt.games.scotland_yard.rules.state import ScotlandYardState
from scotland_yard_games import History, board_of, random_new_game, scotland_yard_histories

pytestmark = pytest.mark.kernel


def compiled_row(state: ScotlandYardState, belief: Floats) -> Float32s:
    graph = kernels.pack_champion_graph(state.config, shipped_soft())
    row = packed.pack(state)
    placement = kernels.new_placement(state.config.board.n_nodes)
    public, out = np.zeros(N_PUBLIC, np.float32), np.zeros(N_FEATURES, np.float32)
    kernels.place_detectives(graph, row, placement)
    spread = kernels.new_spread(state.config.board.n_nodes)
    kernels.spread_out(belief, spread)
    kernels.public_features(graph, row, spread, placement, public)
    kernels.node_features(graph, placement, spread, public, int(row[packed.HELD]), int(state.quarry), out)
    return out


@given(scotland_yard_histories(), st.integers(0, 2**32))
def test_the_kernel_equals_the_plain_features(history: History, seed: int) -> None:
    rng = Random(seed)
    state = rng.choice(history[0])
    belief = random_belief(state, rng)
    expected = feature_row(state, belief)
    assert len(expected) == len(FEATURES)
    np.testing.assert_allclose(compiled_row(state, belief), expected, rtol=1e-5, atol=1e-6)


@given(scotland_yard_histories(), st.integers(0, 2**32))
def test_public_features_do_not_depend_on_where_mrx_is(history: History, seed: int) -> None:
    rng = Random(seed)
    state = rng.choice(history[0])
    belief = random_belief(state, rng)
    other = replace(state, quarry=Node(rng.randrange(state.config.board.n_nodes)))
    assert (feature_row(state, belief)[-N_PUBLIC:] == feature_row(other, belief)[-N_PUBLIC:]).all()


def test_features_do_not_depend_on_the_names_or_order_of_stations() -> None:
    board = board_of("1-2:T 2-3:TB 3-4:T 4-1:T 3-5:U 5-6:TF 6-2:T")
    mirrored = board_of("6-5:T 5-4:TB 4-3:T 3-6:T 4-2:U 2-1:TF 1-5:T")
    state = random_new_game(Random(5), board)
    there = {node: mirrored.node(str(7 - int(board.label(node)))) for node in board.nodes()}
    config = replace(state.config, board=mirrored, mrx_starts=(), detective_starts=())
    twin = replace(
        state, config=config, quarry=there[state.quarry], pursuers=tuple(there[node] for node in state.pursuers)
    )
    belief = random_belief(state, Random(1))
    moved = np.zeros_like(belief)
    for node, to in there.items():
        moved[to] = belief[node]
    np.testing.assert_allclose(feature_row(twin, moved), feature_row(state, belief), rtol=1e-6)
