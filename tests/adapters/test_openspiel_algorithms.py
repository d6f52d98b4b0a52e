"""OpenSpiel's algorithms run on our games: exact ones on the smallest, IS-MCTS on all."""

from __future__ import annotations

from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (pip install 'manhunt[openspiel]')")

import numpy as np  # noqa: E402
from open_spiel.python.algorithms import (  # noqa: E402
    best_response,
    cfr,
    expected_game_score,
    exploitability,
    external_sampling_mccfr,
    ismcts,
    mcts,
    outcome_sampling_mccfr,
)
from open_spiel.python.policy import UniformRandomPolicy  # noqa: E402

from manhunt.adapters.openspiel import load  # noqa: E402
from manhunt.adapters.openspiel.policies import tabular_policy  # noqa: E402
from manhunt.core.registry import BUILT_IN  # noqa: E402
from manhunt.solvers.equilibrium.sequence_form import solve_exactly  # noqa: E402
from manhunt.solvers.equilibrium.tree import build_tree  # noqa: E402

HIDDEN = ("pursuit", "scotland_yard", "fugitive")


@pytest.mark.parametrize("name", HIDDEN)
def test_cfr_plus_lowers_exploitability(name: str) -> None:
    game = load(name, "tiny")
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(12):
        solver.evaluate_and_update_policy()
    before = pyspiel.exploitability(game, pyspiel.UniformRandomPolicy(game))
    assert pyspiel.exploitability(game, solver.average_policy()) < before / 3


@pytest.mark.parametrize("name", HIDDEN)
def test_openspiel_finds_our_equilibria_unexploitable(name: str) -> None:
    game = load(name, "tiny")
    tree = build_tree(game.rules.game, game.rules.config)
    ours = solve_exactly(tree.form)
    policy = tabular_policy(game, tree, ours)
    assert pyspiel.nash_conv(game, policy) < 1e-6
    root = game.new_initial_state()
    assert pyspiel.expected_returns(root, policy, -1, True)[0] == pytest.approx(ours.value, abs=1e-6)


def test_cfr_of_both_libraries_finds_the_same_value() -> None:
    game = load("pursuit", "tiny")
    solver = cfr.CFRSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    value = solve_exactly(build_tree(game.rules.game, game.rules.config).form).value
    policy = solver.average_policy()
    found = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    gap = exploitability.nash_conv(game, policy)
    assert gap < 0.05
    assert abs(found[0] - value) <= gap


@pytest.mark.parametrize("name", HIDDEN)
def test_sampling_cfr_runs_and_plays_better_than_at_random(name: str) -> None:
    np.random.seed(1)
    game = load(name, "tiny")
    usual = exploitability.exploitability(game, UniformRandomPolicy(game))
    solver = external_sampling_mccfr.ExternalSamplingSolver(game, external_sampling_mccfr.AverageType.SIMPLE)
    for _ in range(200):
        solver.iteration()
    assert exploitability.exploitability(game, solver.average_policy()) < usual
    outcomes = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    for _ in range(100):
        outcomes.iteration()
    assert exploitability.exploitability(game, outcomes.average_policy()) < 2


@pytest.mark.parametrize("name", HIDDEN)
def test_a_best_response_is_no_worse_than_random_play(name: str) -> None:
    game = load(name, "tiny")
    uniform = UniformRandomPolicy(game)
    values = expected_game_score.policy_value(game.new_initial_state(), [uniform, uniform])
    for player in (0, 1):
        response = best_response.BestResponsePolicy(game, player, uniform)
        assert response.value(game.new_initial_state()) >= values[player]


def play(game: Any, bots: list[Any], rng: np.random.RandomState) -> Any:
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            numbers, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(numbers, p=odds)))
        else:
            state.apply_action(int(bots[state.current_player()].step(state)))
    return state


def search_bot(game: Any, rng: np.random.RandomState, n: int) -> Any:
    return ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 2.0, n, random_state=rng)


@pytest.mark.parametrize("name", HIDDEN)
def test_ismcts_plays_the_small_games(name: str) -> None:
    game, rng = load(name, "small"), np.random.RandomState(2)
    final = play(game, [search_bot(game, rng, 20) for _ in range(2)], rng)
    assert sum(final.returns()) == 0


def test_ismcts_plays_london_with_five_detectives() -> None:
    game, rng = load("scotland_yard"), np.random.RandomState(1)
    final = play(game, [search_bot(game, rng, 2) for _ in range(2)], rng)
    state = final.position.state
    assert (state.config.board.name, len(state.pursuers)) == ("london", 5)
    assert sorted(final.returns()) == [-1.0, 1.0]


def test_mcts_finds_the_way_where_nothing_is_hidden() -> None:
    game, rng = load("shortest_path", "tiny"), np.random.RandomState(3)
    bot = mcts.MCTSBot(game, 2.0, 100, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    assert play(game, [bot, bot], rng).returns() == [1.0, -1.0]


@pytest.mark.parametrize("name", BUILT_IN)
def test_openspiels_playthrough_is_the_same_twice(name: str) -> None:
    from open_spiel.python.algorithms import generate_playthrough

    game = str(load(name, "tiny"))
    lines = generate_playthrough.playthrough_lines(game, seed=4, alsologtostdout=False)
    assert lines == generate_playthrough.playthrough_lines(game, seed=4, alsologtostdout=False)
    assert any("IsTerminal() = True" in line for line in lines)
