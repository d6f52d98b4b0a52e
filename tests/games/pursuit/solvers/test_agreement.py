"""The solvers against each other and against a plain recursion, on every start of many small boards."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from manhunt.boards.build import build_board
from manhunt.core.ids import Node, Seat
from manhunt.games.pursuit.rules import rules
from manhunt.games.pursuit.rules.config import PRESETS, PursuitConfig, make_config
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.games.pursuit.solvers.all_starts import solve_all_starts
from manhunt.games.pursuit.solvers.exhaustive import solve_one_start
from manhunt.games.pursuit.solvers.probe import Probe
from manhunt.games.pursuit.solvers.tables import FOREVER, open_table, solve_to_table
from pursuit_cases import random_config
from pursuit_reference import Reference, all_starts

ROUNDS = 4
N_BOARDS, N_GROUPS = 220, 11
N_OF_PRESETS = 40
"""Three boards of four have the settings of a preset; so many of all boards are enough for these."""


def start_state(config: PursuitConfig, quarry: int, pursuers: tuple[int, ...]) -> PursuitState:
    return rules.begun(PursuitState(config, Node(quarry), tuple(Node(d) for d in pursuers)))


def is_preset(config: PursuitConfig) -> bool:
    presets = (make_config(name, config.board, n_detectives=config.n_detectives) for name in PRESETS)
    return config in presets


def by_rules(state: PursuitState, memo: dict[PursuitState, bool]) -> bool:
    """The exhaustive question asked of `rules.py` directly."""
    if state not in memo:
        end = rules.outcome(state)
        if end is not None:
            memo[state] = end.value > 0
        else:
            quantifier = any if rules.to_act(state) is Seat.EVADER else all
            after = (rules.apply_action(state, action) for action in rules.legal_actions(state))
            memo[state] = quantifier([by_rules(s, memo) for s in after])
    return memo[state]


@pytest.mark.parametrize("seed", range(12))
def test_reference_agrees_with_rules(seed: int) -> None:
    rng = Random(1000 + seed)
    config = replace(random_config(rng, any_order=True), max_rounds=3)
    reference, memo = Reference(config), {}
    for quarry, pursuers in rng.sample(all_starts(config), 6) if len(all_starts(config)) > 6 else all_starts(config):
        state = start_state(config, quarry, pursuers)
        assert reference.survives(quarry, pursuers, 3) == by_rules(state, memo)
        assert solve_one_start(state).states_evaluated == len(reachable(state))


def reachable(state: PursuitState) -> set[PursuitState]:
    seen, stack = {state}, [state]
    while stack:
        here = stack.pop()
        fresh = {rules.apply_action(here, action) for action in rules.legal_actions(here)} - seen
        seen |= fresh
        stack.extend(fresh)
    return seen


@pytest.mark.parametrize("group", range(N_GROUPS))
def test_all_starts_equal_the_reference(group: int, tmp_path: Path) -> None:
    for seed in range(group, N_BOARDS, N_GROUPS):
        config = random_config(Random(seed), any_order=False)
        found = solve_to_table(config, tmp_path / "t.table", ROUNDS)
        table, reference, starts = open_table(tmp_path / "t.table"), Reference(config), all_starts(config)
        values = {start: reference.rounds_survived(*start, ROUNDS) for start in starts}
        assert found.states == len(starts)
        for (quarry, pursuers), rounds in values.items():
            told = table.rounds_survived(Node(quarry), tuple(Node(d) for d in pursuers))
            assert min(told, ROUNDS) == rounds, f"seed {seed}: {config}, X {quarry}, d {pursuers}"
        counts = [sum(rounds > i for rounds in values.values()) for i in range(len(found.survivors_by_round))]
        assert list(found.survivors_by_round) == counts


@pytest.mark.parametrize("group", range(N_GROUPS))
def test_one_start_equals_the_reference(group: int) -> None:
    for seed in range(group, N_BOARDS, N_GROUPS):
        config = random_config(Random(seed), any_order=True)
        if seed >= N_OF_PRESETS and is_preset(config):
            continue
        config = replace(config, max_rounds=ROUNDS)
        reference = Reference(config)
        for quarry, pursuers in all_starts(config):
            answer = solve_one_start(start_state(config, quarry, pursuers))
            rounds = reference.rounds_survived(quarry, pursuers, ROUNDS)
            assert answer.survival_rounds == rounds, f"seed {seed}: {config}, X {quarry}, d {pursuers}"
            assert answer.forced_escape == (rounds == ROUNDS)
        assert answer.policy_size == len(list(answer.policy())), f"seed {seed}: {config}"


@pytest.mark.parametrize("seed", range(30))
def test_fixpoint_means_that_more_rounds_change_nothing(seed: int) -> None:
    config = random_config(Random(seed), any_order=False)
    found = solve_all_starts(config)
    assert found.fixpoint
    more = solve_all_starts(config, len(found.survivors_by_round) + 20)
    assert more == found
    reference, last = Reference(config), len(found.survivors_by_round)
    alive = [start for start in all_starts(config) if reference.survives(*start, last + 2)]
    assert len(alive) == found.survivors_by_round[-1]
    assert (found.rounds_to_capture_all is None) == bool(alive)
    if found.longest is not None and found.longest.rounds is not None:
        start = (found.longest.quarry, found.longest.pursuers)
        assert reference.rounds_survived(*start, last + 2) == found.longest.rounds == last - 1


@pytest.mark.parametrize("seed", range(20))
def test_value_is_the_best_of_the_moves(seed: int, tmp_path: Path) -> None:
    """A table's entry equals the best look-ahead over its own round, in every state."""
    config = random_config(Random(seed), any_order=False)
    solve_to_table(config, tmp_path / "t.table")
    probe, unlimited = Probe(open_table(tmp_path / "t.table")), replace(config, max_rounds=None)
    for quarry, pursuers in all_starts(config):
        state = start_state(unlimited, quarry, pursuers)
        if rules.outcome(state) is None:
            best = max if rules.to_act(state) is Seat.EVADER else min
            assert probe.value(state) == best(value for _, value in probe.action_values(state))
        else:
            assert probe.value(state) == 0


def test_stuck_detective_stays_and_cut_off_quarry_lives_for_ever() -> None:
    """Paragraph 5 on a path 1-2-3 with an edge 4-5 beside it: d0 on 1 is walled in by d1 on 2."""
    board = build_board("parts", [(1, 2, None), (2, 3, None), (4, 5, None)])
    config = make_config("seed", board, n_detectives=2, max_rounds=30)
    far = solve_one_start(start_state(config, 3, (0, 1)))
    assert far.forced_escape
    near = solve_one_start(start_state(config, 2, (0, 1)))
    assert not near.forced_escape
    assert near.survival_rounds == 0
    assert near.states_evaluated == 1
    found = solve_all_starts(config)
    assert found.rounds_to_capture_all is None
    assert found.longest is not None
    assert found.longest.rounds is None


def test_wide_sets_and_small_chunks_agree_with_a_plain_sweep() -> None:
    """Boards of more than one word, and one so large that chunks are half a byte."""
    for name in ("path:70", "ring:130"):
        config = make_config("seed", name, n_detectives=1)
        found = solve_all_starts(config, 40)
        reference = Reference(config)
        alive = sum(reference.survives(x, d, 40) for x, d in all_starts(config)) if name == "path:70" else None
        if alive is not None:
            assert found.survivors_by_round[-1] == alive
        else:
            assert found.survivors_by_round == (130 * 129,)
            assert found.fixpoint
    wide = solve_all_starts(make_config("seed", "grid:20x20", n_detectives=1))
    assert wide.states == 400 * 399
    assert wide.longest is not None
    assert wide.longest.rounds is None


def test_forever_is_a_number_beyond_all_rounds() -> None:
    assert FOREVER > 65535
