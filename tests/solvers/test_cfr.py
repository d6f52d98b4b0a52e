"""Games whose values are known: CFR+, best responses and the linear program agree on them."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrium_checks import expected_payoff
from game_tree import Chance, Decision, GameTree, Leaf, Point
from manhunt.core.ids import Side
from manhunt.solvers.equilibrium.cfr import best_values, judge, policy_of, solve_by_cfr, uniform_weights
from manhunt.solvers.equilibrium.game import BilinearGame
from manhunt.solvers.equilibrium.sequence_form import solve_exactly

pytestmark = pytest.mark.kernel


def pennies(head: float = 1.0) -> BilinearGame:
    """He gets 1 (`head` for two heads) when both show the same, else pays 1."""

    def expand(node: str) -> Point[str]:
        if len(node) == 2:
            return Leaf(head if node == "HH" else 1.0 if node == "TT" else -1.0)
        return Decision(Side.PURSUERS if node else Side.EVADER, "", (node + "H", node + "T"))

    return GameTree(expand).build("")


def kuhn() -> tuple[BilinearGame, GameTree[str]]:
    """Kuhn's poker with three cards; a node is two cards and the bets so far."""

    def expand(node: str) -> Point[str]:
        if not node:
            return Chance(tuple((1 / 6, a + b) for a in "JQK" for b in "JQK" if a != b))
        bets = node[2:]
        if bets in ("pp", "bb", "pbb"):
            stake = 1 if bets == "pp" else 2
            return Leaf(stake if "JQK".index(node[0]) > "JQK".index(node[1]) else -stake)
        if bets in ("bp", "pbp"):
            return Leaf(1 if bets == "bp" else -1)
        mover = len(bets) % 2
        return Decision((Side.EVADER, Side.PURSUERS)[mover], node[mover] + bets, (node + "p", node + "b"))

    tree = GameTree(expand)
    return tree.build(""), tree


def test_matching_pennies_is_even() -> None:
    game = pennies()
    found = solve_by_cfr(game, 200)
    assert found.value == pytest.approx(0, abs=1e-9)
    assert policy_of(game.evader, found.evader)[1:] == pytest.approx([0.5, 0.5], abs=1e-6)


def test_uneven_pennies_have_the_mixture_of_the_textbook() -> None:
    game = pennies(head=3.0)
    exact = solve_exactly(game)
    assert exact.value == pytest.approx(1 / 3)  # both show heads with 1/3
    assert policy_of(game.evader, exact.evader)[1] == pytest.approx(1 / 3)
    found = solve_by_cfr(game, 2000)
    assert found.low - 1e-12 <= 1 / 3 <= found.high + 1e-12
    assert found.exploitability < 0.01


def test_kuhn_poker_has_its_known_value_and_sizes() -> None:
    game, tree = kuhn()
    assert (tree.n_nodes, game.evader.n_infosets, game.pursuers.n_infosets) == (55, 6, 6)
    found, exact = solve_by_cfr(game, 1000), solve_exactly(game)
    assert exact.value == pytest.approx(-1 / 18, abs=1e-9)
    assert exact.exploitability == pytest.approx(0, abs=1e-9)
    assert found.low <= -1 / 18 + 1e-12 <= found.high + 2e-12
    assert found.exploitability < 0.005


def test_kuhn_pursuer_calls_and_bluffs_as_known() -> None:
    """The second player's equilibrium is unique: bluff with J one time in three, call with Q one time in three."""
    game, tree = kuhn()
    policy = policy_of(game.pursuers, solve_by_cfr(game, 4000).pursuers)
    bet = {name: policy[tree.names[Side.PURSUERS, name] + 1] for name in ("Jp", "Qb", "Kb", "Jb", "Kp", "Qp")}
    assert bet["Jp"] == pytest.approx(1 / 3, abs=0.02)
    assert bet["Qb"] == pytest.approx(1 / 3, abs=0.02)
    assert bet["Kb"] == pytest.approx(1, abs=0.01)
    assert bet["Jb"] == pytest.approx(0, abs=0.01)


def test_best_responses_enclose_every_pair_of_policies() -> None:
    game, _ = kuhn()
    weights = uniform_weights(game.evader), uniform_weights(game.pursuers)
    low, high = best_values(game, *weights)
    assert low <= expected_payoff(game, *weights) <= high
    assert low <= -1 / 18 <= high
    assert judge(game, *weights).exploitability == pytest.approx(high - low)


def test_best_response_in_kuhn_against_always_betting_pursuer() -> None:
    """By hand: K wins 2 either way; Q calls (evens); J folds to the bet after passing: -1. Mean (2 + 0 - 1) / 3."""
    game, _ = kuhn()
    betting = np.zeros(game.pursuers.n_sequences)
    betting[0] = 1.0
    betting[game.pursuers.first[:-1] + 1] = 1.0
    assert best_values(game, uniform_weights(game.evader), betting)[1] == pytest.approx(1 / 3)


def test_infoset_that_forgets_its_own_past_is_refused() -> None:
    def expand(node: str) -> Point[str]:
        return Leaf(0) if len(node) == 2 else Decision(Side.EVADER, "" if not node else "x", (node + "a", node + "b"))

    with pytest.raises(AssertionError, match="forgets"):
        GameTree(expand).build("")


def test_solve_stops_at_its_target_and_reports() -> None:
    game, _ = kuhn()
    seen: list[int] = []
    found = solve_by_cfr(game, 10_000, target=0.05, on_progress=lambda iterations, _, __: seen.append(iterations))
    assert found.exploitability <= 0.05
    assert found.iterations == seen[-1] < 10_000
