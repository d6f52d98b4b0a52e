"""Mr X's moves with their values: the beliefs after each sight, the features, and what the net says of them."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from champion_positions import mrx_turns, random_belief
from manhunt.core.ids import Node
from manhunt.games.scotland_yard.beliefs import weighted_kernels as filters
from manhunt.games.scotland_yard.beliefs.models import new_factors, shipped_soft
from manhunt.games.scotland_yard.beliefs.weighted_kernels import NOTHING, Seen
from manhunt.games.scotland_yard.champion import move_kernels as kernels
from manhunt.games.scotland_yard.champion.feature_kernels import pack_champion_graph
from manhunt.games.scotland_yard.champion.features import feature_row
from manhunt.games.scotland_yard.champion.move_kernels import new_champion_scratch
from manhunt.games.scotland_yard.champion.nets import new_nets
from manhunt.games.scotland_yard.rules import packed
from manhunt.games.scotland_yard.rules.actions import ScotlandYardAction
from manhunt.games.scotland_yard.rules.packed import decode, pack, pack_table
from manhunt.games.scotland_yard.rules.rules import apply_action, legal_actions, steps_of
from manhunt.games.scotland_yard.rules.state import ScotlandYardState
from manhunt.search.value_net import win_chances
from scotland_yard_games import History, scotland_yard_histories

pytestmark = pytest.mark.kernel
NET = new_nets(3).after_mrx


def no_deeper(belief: np.ndarray) -> np.ndarray:
    return np.full((kernels.N_SIGHTS, len(belief)), np.nan)


def sight(state: ScotlandYardState, action: ScotlandYardAction) -> Seen:
    """What everybody sees of a move of Mr X."""
    after = apply_action(state, action)
    entries = after.log[state.round :]
    parts = [(int(e.ticket), NOTHING if e.node is None else int(e.node)) for e in entries]
    return Seen(*parts[0], *(parts[1] if len(parts) > 1 else (NOTHING, NOTHING)))


def filtered(state: ScotlandYardState, belief: np.ndarray, seen: Seen) -> np.ndarray:
    """The belief by the filter that everybody uses."""
    board, after = state.config.board, belief.copy()
    table, factors = pack_table(state.config), new_factors(board)
    places, n = np.array(state.pursuers, np.int32), board.n_nodes
    shipped_soft().fill(
        pack_champion_graph(state.config, shipped_soft()).model, table.shown, places, state.round, factors
    )
    room = filters.FilterScratch(np.zeros(n, np.uint8), np.zeros((n, 4)), np.zeros(n), np.zeros(n), np.zeros((2, 5)))
    filters.move_mrx(table, after, places, np.array(state.tickets[0], np.int32), state.round, seen, factors, room)
    return after


@given(scotland_yard_histories(), st.integers(0, 2**32))
def test_every_move_is_rated_by_what_everybody_believes_after_its_sight(history: History, seed: int) -> None:
    rng = Random(seed)
    turns = mrx_turns(history)
    if not turns:
        return
    state = rng.choice(turns)
    belief = random_belief(state, rng)
    graph, scratch = pack_champion_graph(state.config, shipped_soft()), new_champion_scratch(state.config)
    n = kernels.rated(graph, NET, pack(state), belief, True, scratch)
    rated = {decode(state.pieces, int(code)): i for i, code in enumerate(scratch.moves.actions[:n])}
    kinds = {(sight(state, action), action.to) for action in rated}
    assert kinds == {(sight(state, action), action.to) for action in legal_actions(state)}
    for action, i in rated.items():
        after = apply_action(state, action)
        expected = feature_row(after, filtered(state, belief, sight(state, action)))
        value = float(win_chances(NET, expected[None])[0])
        assert scratch.moves.values[i] == pytest.approx(value, abs=1e-4)
        assert kernels.end_of(int(scratch.moves.actions[i])) == steps_of(action)[-1][1]


@given(scotland_yard_histories(), st.integers(0, 2**32))
def test_informed_detectives_expect_good_moves_from_every_node(history: History, seed: int) -> None:
    """Against the same sum over all nodes and moves, one by one."""
    rng = Random(seed)
    turns = mrx_turns(history)
    if not turns:
        return
    state = rng.choice(turns)
    belief = random_belief(state, rng)
    chosen = sight(state, rng.choice(legal_actions(state)))
    graph, scratch = pack_champion_graph(state.config, shipped_soft()), new_champion_scratch(state.config)
    expected = np.zeros_like(belief)
    for node in np.flatnonzero(belief >= kernels.LEAST_PROBABILITY):
        there = replace(state, quarry=Node(int(node)))
        n = kernels.rated(graph, NET, pack(there), belief, bool(belief[node] >= kernels.LEAST_FOR_DOUBLES), scratch)
        if n == 0:
            continue
        weights = np.exp(scratch.moves.values[:n] / 0.05)
        for code, weight in zip(scratch.moves.actions[:n].tolist(), weights / weights.sum(), strict=True):
            action = decode(state.pieces, code)
            if sight(there, action) == chosen:
                expected[action.to] += belief[node] * weight
    row, out = pack(state), np.zeros_like(belief)
    chance = kernels.informed_belief(
        graph, NET, row, belief, belief.copy(), chosen, no_deeper(belief), 0.05, scratch, out
    )
    assert row[packed.QUARRY] == state.quarry
    assert chance == pytest.approx(expected.sum(), abs=1e-9)
    np.testing.assert_allclose(out, expected / expected.sum() if chance > 0 else expected, atol=1e-9)
