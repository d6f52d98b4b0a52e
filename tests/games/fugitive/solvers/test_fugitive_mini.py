"""Small decks of Fugitive: the public tree against the plain rules, CFR+ against linear programs."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from equilibrium_checks import expected_payoff
from fugitive_rules_tree import rules_game
from manhunt.core.errors import ManhuntError
from manhunt.games.fugitive.rules.config import Config, Opening
from manhunt.games.fugitive.solvers.decks import DECKS
from manhunt.games.fugitive.solvers.mini import solve_mini
from manhunt.games.fugitive.solvers.public_tree import PublicTree, Restrictions
from manhunt.solvers.equilibrium.cfr import best_values, solve_by_cfr, uniform_weights
from manhunt.solvers.equilibrium.sequence_form import solve_exactly

pytestmark = pytest.mark.kernel

PLAIN = os.environ.get("NUMBA_DISABLE_JIT") == "1"
FOUR = Config(last=4, piles=((2, 3),), dealt=(1,), reach=2, manhunt_below=3, first_draws=1, max_rounds=2)
TWO_PILES = Config(last=5, piles=((2, 3), (4, 4)), dealt=(1, 0), reach=2, manhunt_below=4, first_draws=1, max_rounds=2)
SMALL = {
    "one dealt": FOUR,
    "none dealt": replace(FOUR, dealt=(0,), max_rounds=3),
    "all dealt": replace(FOUR, piles=((1, 3),), dealt=(3,), reach=1, manhunt_below=2, max_rounds=3),
    "idle": replace(FOUR, dealt=(2,), reach=1, max_rounds=3, idle_passes=1),
    "no piles": Config(last=4, piles=(), dealt=(), reach=1, manhunt_below=3, first_draws=1, max_rounds=3),
}
LARGER = {
    "two piles": TWO_PILES,
    "two piles, both dealt": replace(TWO_PILES, piles=((1, 2), (3, 4)), dealt=(1, 1), manhunt_below=3),
}
CHECKED = SMALL if PLAIN else SMALL | LARGER


@pytest.mark.parametrize("config", CHECKED.values(), ids=CHECKED)
def test_public_tree_has_the_value_of_the_plain_rules(config: Config) -> None:
    """Nothing is merged or left out in the tree of the rules, so every short cut of the public tree is checked."""
    game = PublicTree(config).build()
    whole, n_nodes = rules_game(config)
    small, large = solve_exactly(game), solve_exactly(whole)
    assert small.exploitability == pytest.approx(0, abs=1e-7)
    assert large.exploitability == pytest.approx(0, abs=1e-7)
    assert small.value == pytest.approx(large.value, abs=1e-7)
    assert game.evader.n_infosets + game.pursuers.n_infosets < n_nodes


@pytest.mark.parametrize("change", [{"must_guess": False}, {"allow_last_sprint": True}], ids=str)
def test_switches_that_cannot_matter_do_not(change: dict[str, bool]) -> None:
    whole, _ = rules_game(replace(FOUR, **change))
    assert solve_exactly(whole).value == pytest.approx(solve_exactly(PublicTree(FOUR).build()).value, abs=1e-7)


@pytest.mark.parametrize("config", [FOUR, TWO_PILES, DECKS["five"]], ids=["four", "two piles", "five"])
def test_cfr_encloses_the_value_of_the_linear_program(config: Config) -> None:
    game = PublicTree(config).build()
    exact, found = solve_exactly(game), solve_by_cfr(game, 20 if PLAIN else 400)
    assert exact.exploitability == pytest.approx(0, abs=1e-7)
    assert found.low - 1e-9 <= exact.value <= found.high + 1e-9
    assert found.exploitability < (0.2 if PLAIN else 0.01)


def test_best_response_against_uniform_play_is_at_least_the_value() -> None:
    game = PublicTree(DECKS["five"]).build()
    weights = uniform_weights(game.evader), uniform_weights(game.pursuers)
    low, high = best_values(game, *weights)
    assert low < 0.5
    assert high >= 0.75 - 1e-9
    assert low <= expected_payoff(game, *weights) <= high


def test_happenings_of_a_solution_add_up() -> None:
    found = solve_mini(DECKS["five"], 20 if PLAIN else 300)
    assert sum(found.openings.values()) == pytest.approx(1)
    won = found.happenings_of("escape at once") + found.happenings_of("manhunt")
    won -= found.happenings_of("caught in the manhunt")
    assert won == pytest.approx(expected_payoff(found.game, found.equilibrium.evader, found.equilibrium.pursuers))
    assert found.low - 1e-9 <= won <= found.high + 1e-9


def test_guess_shares_and_draw_shares_are_shares() -> None:
    found = solve_mini(TWO_PILES, 50)
    assert sum(found.guesses.values()) == pytest.approx(1)
    for who in ("Fugitive", "Marshal"):
        assert sum(found.draws(who).values()) == pytest.approx(1)
        assert set(found.draws(who)) <= {"pile 1", "pile 2"}


def test_more_rounds_never_hurt_the_fugitive() -> None:
    values = [solve_exactly(PublicTree(replace(FOUR, max_rounds=n)).build()).value for n in (1, 2, 3)]
    assert values == sorted(values)


@pytest.mark.parametrize(
    ("restrictions", "sign"),
    [
        (Restrictions(bluffs=False), -1),
        (Restrictions(passes=False), -1),
        (Restrictions(largest_guess=1), 1),
        (Restrictions(shunned_pile=1), 1),
    ],
    ids=["no bluffs", "no passes", "single guesses", "shunned pile"],
)
@pytest.mark.parametrize("config", [FOUR, TWO_PILES, SMALL["no piles"]], ids=["four", "two piles", "no piles"])
def test_doing_without_something_never_helps(config: Config, restrictions: Restrictions, sign: int) -> None:
    free, bound = (solve_exactly(PublicTree(config, each).build()) for each in (Restrictions(), restrictions))
    assert sign * (bound.value - free.value) >= -1e-7


def test_bluffing_is_worth_something_in_the_deck_of_five() -> None:
    """Without it the number of sprint cards tells the Marshal too much."""
    free, honest = (
        solve_exactly(PublicTree(DECKS["five"], Restrictions(bluffs=each)).build()).value for each in (True, False)
    )
    assert free == pytest.approx(0.75, abs=1e-7)
    assert honest < free - 0.01


def test_deck_over_the_limit_is_refused_in_one_line() -> None:
    with pytest.raises(ManhuntError, match="more than 1,000 infosets"):
        solve_mini(DECKS["six"], most_infosets=1000)


def test_switches_that_are_not_solved_are_refused() -> None:
    with pytest.raises(ManhuntError, match="pass_bonus"):
        solve_mini(replace(FOUR, pass_bonus=True))
    with pytest.raises(ManhuntError, match="opening_hideouts"):
        solve_mini(replace(FOUR, opening_hideouts=Opening.EXACTLY_TWO))
