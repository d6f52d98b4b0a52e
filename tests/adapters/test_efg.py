"""The EFG text of a tree: OpenSpiel reads it, and judges our solutions of it as we do."""

from __future__ import annotations

from typing import Any

import pytest

from coin_game import CoinGame
from manhunt.adapters.efg import export_efg
from manhunt.solvers.equilibrium.cfr import judge, solve_by_cfr, uniform_weights
from manhunt.solvers.equilibrium.sequence_form import solve_exactly
from manhunt.solvers.equilibrium.tree import build_tree
from small_games import SMALL, small_tree


def test_a_tree_by_hand() -> None:
    game: Any = CoinGame()
    game.name, game.seat_names = "coin", {}
    assert export_efg(build_tree(game, None)).splitlines() == [
        'EFG 2 R "Coin: " { "evader" "pursuers" }',
        'c "" 1 "" { "1" 0.25 "2" 0.75 } 0',
        'p "" 2 1 "" { "heads" "tails" } 0',
        't "" 2 "" { -1, 1 }',
        't "" 1 "" { 1, -1 }',
        'p "" 2 1 "" { "heads" "tails" } 0',
        't "" 1 "" { 1, -1 }',
        't "" 2 "" { -1, 1 }',
    ]


@pytest.mark.parametrize("name", SMALL)
def test_openspiel_finds_no_more_to_gain_than_we_do(name: str) -> None:
    from openspiel_checks import load, policy_for, value_and_gap

    tree = small_tree(name)
    game = load(tree)
    exact, found = solve_exactly(tree.form), solve_by_cfr(tree.form, 2000, predictive=True)
    for solution in (exact, found):
        value, gap = value_and_gap(game, policy_for(game, tree, solution))
        assert value == pytest.approx(exact.value, abs=1e-6)
        assert gap == pytest.approx(solution.exploitability, abs=1e-9)
        assert gap < 1e-6


@pytest.mark.parametrize("name", ["grid-blind", "cards"])
def test_openspiel_finds_the_same_gap_of_policies_that_are_no_solution(name: str) -> None:
    from openspiel_checks import load, policy_for, value_and_gap

    tree = small_tree(name)
    game, form = load(tree), tree.form
    poor = judge(form, uniform_weights(form.evader), uniform_weights(form.pursuers))
    assert value_and_gap(game, policy_for(game, tree, poor))[1] == pytest.approx(poor.exploitability) != 0
