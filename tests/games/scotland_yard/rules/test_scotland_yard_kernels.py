"""The kernels of Scotland Yard say what the rules say."""

import os
from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from manhunt.boards.catalog import load_board
from manhunt.core.kernel_random import below, new_rng, next_bits
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.rules import kernels, playouts, rules
from manhunt.games.scotland_yard.rules.actions import Double, Piece, Tickets
from manhunt.games.scotland_yard.rules.config import make_config
from manhunt.games.scotland_yard.rules.game import make_setup
from manhunt.games.scotland_yard.rules.model import StartingPlayer, new_game
from manhunt.games.scotland_yard.rules.packed import OUTCOMES, decode, most_actions, pack, pack_table, state_size
from scotland_yard_games import board_of, random_board, random_history, random_new_game, scotland_yard_games
from scotland_yard_packed import apply, encode, legal, packed_perft, unpack
from scotland_yard_perft import divided, files, perft, read
from scotland_yard_policy import dealt_games, draw, greedy_policy, policy_playout, uniform_policy

pytestmark = pytest.mark.kernel
LONDON = load_board("london")
GAME = make_game("scotland_yard")
IS_COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
N_POSITIONS = 4_000 if IS_COMPILED else 600
N_DRAWS = 40_000 if IS_COMPILED else 1_500


@pytest.fixture(autouse=True)
def _wrap_around():
    """The generator's arithmetic is meant to overflow; NumPy warns of it where nothing is compiled."""
    with np.errstate(over="ignore"):
        yield


def compare(state, rng: Random, n_next: int = 5) -> None:
    """Outcome, moves in their order, and some next states."""
    table, row = pack_table(state.config), pack(state)
    out, after = np.zeros(most_actions(state.config), np.int64), np.zeros(state_size(state.config), np.int32)
    assert unpack(state.config, state.pieces, row, free=state.free) == state
    assert OUTCOMES[kernels.outcome(table, row)] == rules.outcome(state)
    actions = rules.legal_actions(state)
    n = legal(table, row, out)
    assert tuple(decode(state.pieces, int(code)) for code in out[:n]) == actions
    for action in rng.sample(actions, min(n_next, len(actions))):
        assert decode(state.pieces, encode(state, action)) == action
        apply(table, row, encode(state, action), after)
        following = rules.apply_action(state, action)
        assert unpack(state.config, state.pieces, after, free=state.free) == following
        assert np.array_equal(after, pack(following)), "also what is kept twice"


def test_kernels_equal_rules_on_random_positions() -> None:
    n_positions, seed, outcomes, n_doubles, n_passed = 0, 0, Counter(), 0, 0
    while n_positions < N_POSITIONS:
        seed += 1
        rng = Random(seed)
        board = LONDON if seed % 4 == 0 else random_board(rng)
        states, actions = random_history(rng, random_new_game(rng, board, max_rounds=24 if board is LONDON else 10))
        for state in states:
            compare(state, rng)
        n_positions += len(states)
        outcomes[rules.outcome(states[-1])] += 1
        n_doubles += sum(isinstance(action, Double) for action in actions)
        n_passed += sum(
            len(a.waiting) > 1 and not b.waiting for a, b in zip(states, states[1:], strict=False) if a.waiting
        )
    assert set(outcomes) == set(OUTCOMES[1:]), "every kind of end was met"
    assert n_doubles
    assert n_passed


@given(scotland_yard_games(), st.integers(0, 1000))
def test_kernels_equal_rules(start, seed) -> None:
    rng = Random(seed)
    states, _ = random_history(rng, start, 20)
    compare(states[-1], rng, n_next=1000)


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_counted_trees(path) -> None:
    counted = read(path)
    config = counted.state.config
    table, row = pack_table(config), pack(counted.state)
    for depth, count in counted.counts.items():
        rows = np.zeros((depth + 1, state_size(config)), np.int32)
        actions = np.zeros((depth, most_actions(config)), np.int64)
        if IS_COMPILED or count < 2_000:
            found = packed_perft(table, row, depth, rows, actions)
            assert found == count, f"depth {depth}; by first action: {divided(counted.state, min(depth, 3))}"
        if count < 20_000:
            assert perft(counted.state, depth) == count


CROWDED = board_of("1-2:TB 1-3:T 1-4:TU 1-5:F 2-3:T 3-4:B 4-5:TB 5-6:T 6-7:U 2-7:T")


SCARCE = Tickets(2, 1, 1, 1, 1)


def _crowded(order, mrx=SCARCE, rounds=(False,) * 4):
    players = [
        StartingPlayer(piece, Tickets(2, 2, 0), at) for piece, at in ((Piece.RED, 2), (Piece.GREEN, 3), (Piece.BLUE, 7))
    ]
    return new_game(CROWDED, rounds, StartingPlayer(Piece.MRX, mrx, 1), players, order)


SITUATIONS = {
    "mr x among detectives": _crowded("any"),
    "detectives in any order": _crowded("any").advance("S5"),
    "detectives in the order of seats": _crowded("seated").advance("S5"),
    "one ticket of each kind": _crowded("any", Tickets(1, 1, 1, 1, 1)),
    "one way out": _crowded("any", Tickets(0, 0, 1, 0, 0)),
    "london": GAME.start(make_config(n_detectives=5), make_setup(104, [116, 117, 94, 26, 29])),
    "london, double moves": GAME.start(make_config(n_detectives=2), make_setup(67, [66, 111])),
}


@pytest.mark.parametrize("name", SITUATIONS)
def test_drawn_actions_are_uniform_over_the_legal_ones(name) -> None:
    state = SITUATIONS[name]
    table, row, legal = pack_table(state.config), pack(state), rules.legal_actions(state)
    scratch, rng = playouts.new_scratch(state.config), new_rng(11)
    n_draws = max(N_DRAWS, 20 * len(legal)) if IS_COMPILED else N_DRAWS
    drawn = Counter(decode(state.pieces, draw(table, row, rng, scratch.actions)) for _ in range(n_draws))
    assert set(drawn) <= set(legal)
    if len(legal) > 1:
        assert chisquare([drawn[action] for action in legal]).pvalue > 1e-4


def test_draws_that_fail_often_fall_back_to_the_list() -> None:
    """One free neighbour among twenty blocked ones would need many tries."""
    ring = " ".join(f"1-{n}:T" for n in range(2, 7)) + " 2-8:T 1-7:T"
    players = [StartingPlayer(p, Tickets(1), n) for n, p in enumerate((*Piece,)[1:], 2)]
    state = new_game(board_of(ring), (False,) * 3, StartingPlayer(Piece.MRX, Tickets(1), 1), players)
    table, row, scratch = pack_table(state.config), pack(state), playouts.new_scratch(state.config)
    rng = new_rng(1)
    seen = {playouts.draw_mrx(table, row, rng) for _ in range(400)}
    assert -1 in seen, "twelve draws in a row can fail"
    assert {draw(table, row, rng, scratch.actions) for _ in range(400)} == {encode(state, *state.available_moves)}


def test_below_is_uniform() -> None:
    rng = new_rng(3)
    counts = Counter(below(rng, 7) for _ in range(N_DRAWS))
    assert chisquare([counts[i] for i in range(7)]).pvalue > 1e-4
    assert {below(rng, 1) for _ in range(20)} == {0}


def test_xoshiro_gives_the_published_numbers() -> None:
    """The first outputs for the state 1, 2, 3, 4, as printed in public test vectors."""
    rng = np.array([1, 2, 3, 4], np.uint64)
    assert [int(next_bits(rng)) for _ in range(4)] == [11520, 0, 1509978240, 1215971899390074240]


@pytest.mark.parametrize("preset", GAME.presets)
def test_playouts_end_as_the_rules_say(preset) -> None:
    config = make_config(preset)
    state = GAME.new(config, Random(2))
    table, row, scratch, rng = pack_table(config), pack(state), playouts.new_scratch(config), new_rng(2)
    for _ in range(100 if IS_COMPILED else 5):
        scratch.state[:] = row
        code, n_plies = playouts.playout(table, scratch.state, rng, scratch.actions)
        end = unpack(config, state.pieces, scratch.state, free=False)
        assert rules.outcome(end) == OUTCOMES[code]
        assert OUTCOMES[code] is not None
        assert n_plies > 0
    assert np.array_equal(row, pack(state))


@given(scotland_yard_games(), st.integers(0, 1000))
def test_a_playout_follows_the_rules_ply_by_ply(start, seed) -> None:
    table, row, scratch = pack_table(start.config), pack(start), playouts.new_scratch(start.config)
    rng, same = new_rng(seed), new_rng(seed)
    state, n_plies = start, 0
    while rules.outcome(state) is None:
        code = draw(table, pack(state), rng, scratch.actions)
        state, n_plies = rules.apply_action(state, decode(state.pieces, code)), n_plies + 1
    end = playouts.playout(table, row, same, scratch.actions)
    assert (OUTCOMES[end[0]], end[1]) == (rules.outcome(state), n_plies)
    assert unpack(start.config, start.pieces, row) == state
    row, same = pack(start), new_rng(seed)
    assert policy_playout(table, row, same, uniform_policy(), scratch.actions) == end
    assert unpack(start.config, start.pieces, row) == state


def _share_won(config, policy, n_games) -> float:
    """Mr X's share of dealt games."""
    rng, scratch, counts = new_rng(4), playouts.new_scratch(config), np.zeros(5, np.int64)
    starts = tuple(
        np.array([LONDON.node(label) for label in labels], np.int32)
        for labels in (config.mrx_starts, config.detective_starts)
    )
    row = pack(GAME.new(config, Random(1)))
    n_plies = dealt_games(pack_table(config), row, starts, n_games, rng, policy, scratch, counts)
    assert counts.sum() == n_games
    assert counts[0] == 0
    assert n_plies > n_games
    return float(counts[2] + counts[3]) / n_games


def test_the_policy_hook_changes_who_wins() -> None:
    config = make_config(n_detectives=3)
    n_games = 2_000 if IS_COMPILED else 12
    blind = _share_won(config, uniform_policy(), n_games)
    hunting = _share_won(config, greedy_policy(config, mrx_draws=1, detective_draws=4), n_games)
    by_log = greedy_policy(config, mrx_draws=1, detective_draws=4, chases_truth=False)
    fleeing = _share_won(config, greedy_policy(config, mrx_draws=6, detective_draws=1), n_games)
    assert hunting < blind
    assert 0 <= _share_won(config, by_log, n_games) <= 1
    if IS_COMPILED:
        assert hunting < _share_won(config, by_log, n_games) < blind < fleeing


def test_dealt_starts_are_from_the_lists_and_all_different() -> None:
    config = make_config("ravensburger")
    row = pack(GAME.new(config, Random(1)))
    starts = np.array([LONDON.node(label) for label in config.mrx_starts], np.int32)
    rng, seen = new_rng(9), Counter()
    for _ in range(300):
        playouts.deal(pack_table(config), row, starts, starts, rng)
        places = [int(row[0]), *map(int, row[3:8])]
        assert len(set(places)) == 6
        assert set(places) <= set(map(int, starts))
        seen.update(places)
    assert len(seen) == 18
