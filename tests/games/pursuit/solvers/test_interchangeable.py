"""Detectives of whom only the set of nodes matters: the sweep over sorted tuples against plain recursion and rules."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from manhunt.boards.build import build_board
from manhunt.core.ids import Node, Seat
from manhunt.games.pursuit.rules import rules
from manhunt.games.pursuit.rules.config import PursuitOrder, make_config
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.games.pursuit.solvers.all_starts import build_hunt, solve_all_starts, solve_through_files
from manhunt.games.pursuit.solvers.exhaustive import solve_one_start
from manhunt.solvers.retrograde import solve_hunt
from pursuit_cases import random_config, random_interchangeable
from pursuit_reference import Reference, all_starts

ROUNDS = 4
N_BOARDS, N_GROUPS = 240, 12


def start_state(config, quarry: int, pursuers: tuple[int, ...]) -> PursuitState:
    return rules.begun(PursuitState(config, Node(quarry), tuple(Node(d) for d in pursuers)))


@pytest.mark.parametrize("group", range(N_GROUPS))
def test_counts_equal_the_reference(group: int) -> None:
    for seed in range(group, N_BOARDS, N_GROUPS):
        config = random_interchangeable(Random(seed))
        assert config.interchangeable
        found, reference, starts = solve_all_starts(config, ROUNDS), Reference(config), all_starts(config)
        counts = [sum(reference.survives(*start, r) for start in starts) for r in range(1, ROUNDS + 1)]
        told = list(found.survivors_by_round)
        assert found.states == len(starts)
        assert told == counts[: len(told)], f"seed {seed}: {config}"
        last = told[-1] if told else 0
        assert counts[len(told) :] == [last] * (ROUNDS - len(told)), "after a fixpoint nothing changes"
        if found.longest is not None:
            start, least = (found.longest.quarry, found.longest.pursuers), found.longest.rounds
            assert reference.rounds_survived(*start, ROUNDS) == (ROUNDS if least is None else least)
        if config.may_share:
            assert found == solve_hunt(build_hunt(config), ROUNDS)


@pytest.mark.parametrize("seed", range(24))
def test_the_hardest_start_by_the_rules_and_by_the_one_start_solver(seed: int) -> None:
    rng = Random(5000 + seed)
    config = replace(random_interchangeable(rng), max_rounds=3)
    found, memo = solve_all_starts(config, 3), {}

    def lives(state: PursuitState) -> bool:
        if state not in memo:
            end, quantifier = rules.outcome(state), any if rules.to_act(state) is Seat.EVADER else all
            actions = rules.legal_actions(state)
            memo[state] = end.value > 0 if end else quantifier([lives(rules.apply_action(state, a)) for a in actions])
        return memo[state]

    starts = all_starts(config)
    if len(found.survivors_by_round) == 3 and len(starts) < 400:
        assert found.survivors_by_round[-1] == sum(lives(start_state(config, *start)) for start in starts)
    if found.longest is not None and found.longest.rounds is not None:
        state = start_state(config, found.longest.quarry, found.longest.pursuers)
        assert solve_one_start(state).survival_rounds == found.longest.rounds
        assert lives(state) == (found.longest.rounds == 3)


def test_any_order_without_sharing_and_staying_is_another_game() -> None:
    """On two leaves of a star both can only go to the middle: at once they both stay, in any order one of them goes."""
    board = build_board("star", [(1, 2, None), (2, 3, None), (2, 4, None)])
    counts = []
    for order in ("any", "at-once"):
        config = make_config("seed", board, n_detectives=2, order=order)
        counts.append(sum(Reference(config).survives(*start, 1) for start in all_starts(config)))
        assert config.interchangeable == (order == "at-once")
    assert counts[0] != counts[1]
    for order in ("any", "at-once"):
        assert make_config("seed", board, n_detectives=2, order=order, detectives_may_stay=True).interchangeable
    assert not make_config("seed", board, n_detectives=1, order="at-once").interchangeable


@pytest.mark.parametrize("seed", range(30))
def test_through_files_the_answer_is_the_same(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    config = random_interchangeable(rng) if seed % 2 else random_config(rng, any_order=False)
    if config.n_detectives == 1:
        config = replace(config, n_detectives=2, order=PursuitOrder.IN_ORDER)
    assert solve_through_files(config, tmp_path) == solve_all_starts(config)
    assert sorted(file.suffix for file in tmp_path.iterdir()) == [".jsonl", ".sets"], "one round is kept"
