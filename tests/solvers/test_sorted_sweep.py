"""The sweep over sorted tuples of interchangeable pursuers, against the one over ordered tuples and plain recursion."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial, prod
from random import Random

import numpy as np
import pytest

from manhunt.core.ids import Node
from manhunt.solvers import sorted_kernels as kernels
from manhunt.solvers.hunt import Hunt, make_hunt
from manhunt.solvers.memory import TooLarge
from manhunt.solvers.retrograde import AllStarts, Start, solve_hunt
from manhunt.solvers.sorted_sweep import n_sorted, solve_sorted, sort_hunt

Places = tuple[int, ...]


def random_hunt(seed: int, k: int, n: int, **rules: bool) -> Hunt:
    """Pursuers on one-way streets, a quarry on other streets; some pursuers have nowhere to go."""
    rng = Random(seed)
    pairs = [(a, b) for a in range(n) for b in range(a, n)]
    two_way = rng.sample(pairs, min(len(pairs), 3 * n))
    quarry = [sorted({b for a, b in two_way if a == x} | {a for a, b in two_way if b == x}) for x in range(n)]
    pursuers = [sorted(rng.sample(range(n), rng.randint(0, 3))) for _ in range(n)]
    reach = [{v, *rng.sample(range(n), rng.randint(0, 1))} for v in range(n)]
    return make_hunt(pursuers, quarry, reach, n_pursuers=k, **rules)


@pytest.mark.parametrize("seed", range(60))
def test_who_shares_nodes_has_the_same_answer_in_both_sweeps(seed: int) -> None:
    k = 2 + seed % 4
    n = {2: 4 + seed % 20, 3: 4 + seed % 9, 4: 4 + seed % 4, 5: 3 + seed % 3}[k]
    hunt = random_hunt(seed, k, n, may_share=True, quarry_first=seed % 3 > 0)
    whole = solve_hunt(hunt)
    assert solve_sorted(hunt) == whole, "counts, fixpoint, and the first starts that live longest or are lost"
    assert solve_sorted(hunt, 2, n_threads=1) == solve_hunt(hunt, 2)
    assert solve_sorted(hunt, stop_when_hopeless=True) == solve_hunt(hunt, stop_when_hopeless=True)


@pytest.mark.parametrize("n", [64, 65, 130, 199])
def test_sets_of_one_to_four_words(n: int) -> None:
    hunt = random_hunt(n, 2, n, may_share=True)
    assert solve_sorted(hunt, 3) == solve_hunt(hunt, 3)


def at_once(hunt: Hunt, rounds: int) -> AllStarts:
    """All starts by plain recursion: pursuers at once, on different nodes; where they cannot, all stay."""
    n, k = hunt.n_nodes, hunt.n_pursuers
    moves = [[int(to) for to in hunt.moves[hunt.indptr[v] : hunt.indptr[v + 1]]] or [v] for v in range(n)]

    def has(sets: np.ndarray, row: int, node: int) -> bool:
        return bool(int(sets[row, node // 64]) >> (node % 64) & 1)

    def caught(x: int, p: Places) -> bool:
        return any(has(hunt.reach, node, x) for node in p)

    @cache
    def ways(p: Places) -> list[Places]:
        return [q for q in product(*[moves[node] for node in p]) if len(set(q)) == k] or [p]

    @cache
    def lives(left: int, x: int, p: Places, quarry_to_move: bool) -> bool:
        if caught(x, p):
            return False
        if left == 0 and quarry_to_move == hunt.quarry_first:
            return True
        if quarry_to_move:
            left -= not hunt.quarry_first
            return any(lives(left, y, p, False) for y in range(n) if has(hunt.steps, x, y) and y not in p)
        return all(lives(left - hunt.quarry_first, x, q, True) for q in ways(p))

    starts = [p for p in product(range(n), repeat=k) if len(set(p)) == k]
    alive = [[(x, p) for p in starts for x in range(n) if lives(r, x, p, hunt.quarry_first)] for r in range(rounds + 1)]
    longest = max(r for r in range(rounds + 1) if alive[r] or r == 0)
    x, p = alive[longest][0] if alive[longest] else (0, ())
    first = Start(Node(x), tuple(Node(v) for v in p), longest) if p else None
    return AllStarts(len(alive[0]), tuple(len(those) for those in alive[1:]), False, first)


@pytest.mark.kernel
@pytest.mark.parametrize("seed", range(40))
def test_pursuers_at_once_who_do_not_share_nodes(seed: int) -> None:
    k = 2 + seed % 3
    hunt = random_hunt(seed, k, {2: 7, 3: 6, 4: 6}[k], may_share=False, quarry_first=seed % 2 > 0)
    found, plain = solve_sorted(hunt, 4), at_once(hunt, 4)
    counts = found.survivors_by_round
    assert found.states == plain.states
    assert counts == plain.survivors_by_round[: len(counts)]
    assert plain.survivors_by_round[len(counts) :] == counts[-1:] * (4 - len(counts))
    if found.longest is not None and plain.longest is not None:
        assert (found.longest.quarry, found.longest.pursuers) == (plain.longest.quarry, plain.longest.pursuers)


@pytest.mark.parametrize(("n", "k"), [(5, 1), (6, 2), (5, 3), (4, 5)])
def test_sorted_tuples_are_numbered_without_gaps(n: int, k: int) -> None:
    counts = sort_hunt(random_hunt(0, k, n)).counts
    tuples = sorted(combinations_with_replacement(range(n), k), key=lambda nodes: nodes[::-1])
    assert [sum(counts[j, node] for j, node in enumerate(nodes, 1)) for nodes in tuples] == list(range(n_sorted(n, k)))
    if k > 2:
        rest, seen = np.zeros(k - 1, dtype=np.int64), []
        for _ in range(n_sorted(n, k - 1)):
            seen.append(tuple(map(int, rest)))
            kernels.next_rest(rest)
        assert seen == sorted(combinations_with_replacement(range(n), k - 1), key=lambda nodes: nodes[::-1])


def test_orders_of_a_tuple_with_equal_nodes() -> None:
    for rest in combinations_with_replacement(range(4), 4):
        repeats = prod(factorial(rest.count(node)) for node in set(rest))
        assert kernels.n_orders(np.array(rest, dtype=np.int64)) == factorial(5) // repeats


def test_what_does_not_fit_is_refused() -> None:
    hunt = random_hunt(1, 4, 40)
    with pytest.raises(TooLarge, match="sorted tuples of 4 of 40 nodes needs about"):
        solve_sorted(hunt, max_memory=10_000)
