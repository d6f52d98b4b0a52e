"""Trees of small games: values known by hand, the same values from another builder, nobody forgets anything."""

from __future__ import annotations

import os
from collections.abc import Hashable
from typing import Any

import numpy as np
import pytest

from coin_game import CoinGame
from game_tree import Chance, Decision, GameTree, Leaf, Point
from manhunt.core.errors import ManhuntError
from manhunt.core.ids import PLAYERS, Seat, Side
from manhunt.core.registry import make_game
from manhunt.games.fugitive.solvers.decks import DECKS
from manhunt.games.fugitive.solvers.mini import solve_mini
from manhunt.solvers.equilibrium.cfr import policy_of, solve_by_cfr, uniform_weights, weights_of
from manhunt.solvers.equilibrium.checksum import checksum
from manhunt.solvers.equilibrium.sequence_form import solve_exactly
from manhunt.solvers.equilibrium.tree import HistoryTree, Kind, build_tree, estimate_histories
from manhunt.solvers.memory import TooLarge
from small_games import SMALL, small_tree, tree_of

pytestmark = pytest.mark.kernel
PLAIN = os.environ.get("NUMBA_DISABLE_JIT") == "1"
N_ITERATIONS, CLOSE = (30, 0.02) if PLAIN else (3000, 1e-6)


@pytest.mark.parametrize("n", [3, 4, 5])
def test_blind_hide_and_seek_where_all_nodes_are_neighbours(n: int) -> None:
    """The quarry can be on each of the n - 1 nodes that the pursuer can go to, and he goes to one of them."""
    tree = tree_of("pursuit", board=f"complete:{n}", n_detectives=1, max_rounds=1, visibility="rounds")
    assert solve_exactly(tree.form).value == pytest.approx(1 - 2 / (n - 1))


def test_a_seen_quarry_among_neighbours_is_caught() -> None:
    tree = tree_of("pursuit", board="complete:4", n_detectives=1, max_rounds=1)
    assert solve_exactly(tree.form).value == pytest.approx(-1)


def test_the_smallest_game_by_hand() -> None:
    """Three nodes, each joined to both others: 6 deals, the quarry must go to the third node, the pursuer chooses."""
    tree = tree_of("pursuit", board="complete:3", n_detectives=1, max_rounds=1, visibility="rounds")
    assert len(tree.deals) == 6
    assert tree.n_histories == 6 * (1 + 1 + 2), "dealt, the quarry gone, and two ways for the pursuer"
    assert [len(side) for side in tree.infosets] == [0, 3], "the pursuer knows his own node alone"
    assert tree.form.pursuers.n_sequences == 1 + 3 * 2
    assert solve_exactly(tree.form).value == pytest.approx(0)


@pytest.mark.parametrize(
    ("may_turn", "value"), [(False, -0.5), (True, 0.0)], ids=["names the likelier side", "pennies once more"]
)
def test_chance_counts_with_its_odds(may_turn: bool, value: float) -> None:
    game: Any = CoinGame(may_turn)
    tree = build_tree(game, None)
    assert np.bincount(tree.nodes.kind).tolist() == [2 * may_turn, 2 + 2 * may_turn, 1, 4 + 4 * may_turn]
    assert solve_exactly(tree.form).value == pytest.approx(value)


def test_a_seat_that_does_not_see_what_it_can_do_is_an_error_in_the_game() -> None:
    game: Any = CoinGame(may_turn=True, tells=False)
    with pytest.raises(ManhuntError, match="the evader can choose differently in two histories that look the same"):
        build_tree(game, None)


@pytest.mark.parametrize("name", SMALL)
def test_all_histories_of_an_infoset_have_the_same_own_past(name: str) -> None:
    nodes, tree = (tree := small_tree(name)).nodes, tree
    pasts: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {}
    own: list[tuple[tuple[tuple[int, int], ...], ...]] = []
    for node, (kind, parent) in enumerate(zip(nodes.kind.tolist(), nodes.parent.tolist(), strict=True)):
        past = own[parent] if parent >= 0 else ((), ())
        if parent >= 0 and (mover := int(nodes.kind[parent])) < Kind.CHANCE:
            step = (int(nodes.infoset[parent]), int(nodes.branch[node]))
            past = tuple((*each, step) if side == mover else each for side, each in enumerate(past))
        own.append(past)
        if kind < Kind.CHANCE:
            assert pasts.setdefault((kind, int(nodes.infoset[node])), past[kind]) == past[kind]
    assert len(pasts) == tree.n_infosets


@pytest.mark.parametrize("name", SMALL)
def test_all_histories_of_an_infoset_give_their_seat_the_same_view(name: str) -> None:
    tree = small_tree(name)
    views: dict[tuple[int, int], Any] = {}
    for node in range(0, len(tree.nodes.kind), 7):
        kind = int(tree.nodes.kind[node])
        if kind < Kind.CHANCE:
            view = tree.game.view(tree.history_of(node)[2], PLAYERS[kind])
            assert views.setdefault((kind, int(tree.nodes.infoset[node])), view) == view


def by_views(name: str) -> GameTree[Any]:
    """The same game by another builder, with infosets by the views of every ply instead of events."""
    game = make_game(SMALL[name][0])
    config = game.make_config(None, **SMALL[name][1])

    def expand(node: Any) -> Point[Any]:
        if node is None:
            return Chance(
                tuple((p, _seen(game, game.start(config, setup), ((), ()))) for setup, p in game.deals(config))
            )
        state, known = node
        end, seat = game.outcome(state), game.to_act(state)
        if end is not None:
            return Leaf(end.value)
        assert seat is not None
        side = PLAYERS.index(seat)
        children = []
        for action in game.legal_actions(state):
            chosen = tuple((*knows, action) if i == side else knows for i, knows in enumerate(known))
            children.append(_seen(game, game.apply_action(state, action), chosen))
        return Decision(Side(seat.value), known[side], tuple(children))

    return GameTree(expand)


def _seen(game: Any, state: Any, known: tuple[Hashable, ...]) -> tuple[Any, tuple[Hashable, ...]]:
    pairs = zip(known, PLAYERS, strict=True)
    return state, tuple((*knows, game.view(state, seat)) for knows, seat in pairs)  # type: ignore[misc]


@pytest.mark.parametrize("name", ["grid-blind", "complete-blind", "tickets", "cards"])
def test_infosets_by_views_give_the_same_value(name: str) -> None:
    other = by_views(name)
    assert solve_exactly(other.build(None)).value == pytest.approx(solve_exactly(small_tree(name).form).value)


@pytest.mark.parametrize("name", SMALL)
def test_cfr_and_the_linear_program_agree(name: str) -> None:
    form = small_tree(name).form
    exact, found = solve_exactly(form), solve_by_cfr(form, N_ITERATIONS, predictive=True)
    assert exact.exploitability < 1e-9
    assert found.exploitability < CLOSE
    assert found.value == pytest.approx(exact.value, abs=CLOSE)
    plain = solve_by_cfr(form, N_ITERATIONS)
    assert plain.low - 1e-9 <= exact.value <= plain.high + 1e-9
    assert found.exploitability <= plain.exploitability + 1e-12


def test_a_small_deck_has_the_value_that_its_own_solver_finds() -> None:
    deck = DECKS["five"]
    options = {key: getattr(deck, key) for key in ("last", "piles", "dealt", "reach", "manhunt_below", "first_draws")}
    tree = tree_of("fugitive", **options, max_rounds=2)
    own = solve_mini(type(deck)(**options, max_rounds=2), 100 if PLAIN else 3000)
    assert own.exploitability < 1e-2
    found = solve_by_cfr(tree.form, 20 if PLAIN else 1000, predictive=True)
    assert found.value == pytest.approx(2 * own.value - 1, abs=1e-2)


def test_policies_and_weights_are_two_ways_to_say_the_same() -> None:
    side = small_tree("grid-blind").form.evader
    policy = np.random.default_rng(3).dirichlet([1.0], side.n_sequences).ravel()
    sums = np.add.reduceat(policy, side.first[:-1])
    policy[1:] /= np.repeat(sums, np.diff(side.first))
    policy[0] = 1.0
    assert policy_of(side, weights_of(side, policy)) == pytest.approx(policy)
    assert policy_of(side, uniform_weights(side))[1:] == pytest.approx(
        1 / np.repeat(np.diff(side.first), np.diff(side.first))
    )


def test_the_checksum_is_that_of_the_solution() -> None:
    tree = small_tree("complete-blind")
    found = solve_by_cfr(tree.form, 1000, predictive=True)
    assert checksum(tree.form, found) == checksum(tree.form, solve_by_cfr(tree.form, 1200, predictive=True))
    assert checksum(tree.form, found) != checksum(tree.form, solve_by_cfr(tree.form, 3))


def test_a_history_leads_to_its_node() -> None:
    tree = small_tree("shown-once")
    for side, infosets in zip(PLAYERS, tree.infosets, strict=True):
        for infoset in infosets[::50]:
            first, plies, last = tree.history_of(infoset.node)
            assert tree.game.to_act(last) is side
            assert tree.game.legal_actions(last) == infoset.actions
            assert (plies[0].state if plies else last) == first


def test_what_is_too_large_is_refused_in_one_line_before_it_is_listed() -> None:
    game = make_game("pursuit")
    with pytest.raises(
        TooLarge, match=r"about 6e\+17 histories, and at most 1,000,000 fit; take fewer rounds"
    ) as refused:
        build_tree(game, game.make_config())
    assert len(str(refused.value).splitlines()) == 1
    with pytest.raises(TooLarge, match="more than 3,000 histories, with 8"):
        tree_of_at_most(3000)
    with pytest.raises(TooLarge, match="histories"):
        build_tree(game, game.make_config("cops-and-robbers", board="path:3"), most_histories=3000)


def tree_of_at_most(most: int) -> HistoryTree:
    game = make_game("pursuit")
    return build_tree(game, game.make_config(None, **SMALL["grid-blind"][1]), most_histories=most)


def test_the_estimate_of_a_size_is_near_it() -> None:
    tree = small_tree("grid-blind")
    assert estimate_histories(tree.game, tree.config, tree.deals, 2000) == pytest.approx(tree.n_histories, rel=0.05)


def test_progress_is_told() -> None:
    game = make_game("pursuit")
    told: list[tuple[int, float]] = []
    options = {**SMALL["shown-once"][1]}
    build_tree(game, game.make_config(None, **options), on_progress=lambda n, share: told.append((n, share)))
    assert [n for n, _ in told] == [4096, 8192, 12288]
    assert all(0 < share < 1 for _, share in told)
    assert [share for _, share in told] == sorted(share for _, share in told)


def test_seats_are_in_the_order_of_kinds() -> None:
    assert [PLAYERS[kind] for kind in (Kind.EVADER, Kind.PURSUERS)] == [Seat.EVADER, Seat.PURSUERS]
