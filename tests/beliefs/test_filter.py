"""The forward filter equals Bayes' rule summed over all hidden histories."""

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.beliefs.filter import ForwardFilter
from manhunt.core.ids import Node

A, B, C = Node(0), Node(1), Node(2)


def random_chances(rng: Random, n: int) -> list[float]:
    weights = [rng.random() * (rng.random() < 0.7) for _ in range(n)]
    total = sum(weights)
    return [weight / total for weight in weights] if total else [1.0, *[0.0] * (n - 1)]


@given(st.integers(2, 5), st.integers(1, 5), st.integers(0, 2**32))
def test_equals_the_sum_over_all_histories(n_nodes, n_moves, seed) -> None:
    """Every move shows a colour that depends on the edge; after it somebody reports with a chance by node."""
    rng = Random(seed)
    nodes = [Node(i) for i in range(n_nodes)]
    prior = random_chances(rng, n_nodes)
    chance = [random_chances(rng, n_nodes) for _ in nodes]
    colour = [[rng.randrange(2) for _ in nodes] for _ in nodes]
    belief = ForwardFilter({node: prior[node] for node in nodes if prior[node]})
    histories: list[tuple[tuple[Node, ...], float]] = [((node,), prior[node]) for node in nodes if prior[node]]
    for _ in range(n_moves):
        seen, report = rng.randrange(2), [rng.random() * (rng.random() < 0.8) for _ in nodes]
        moved = [
            ((*past, to), weight * chance[past[-1]][to])
            for past, weight in histories
            for to in nodes
            if colour[past[-1]][to] == seen and chance[past[-1]][to]
        ]
        kept = [(past, weight * report[past[-1]]) for past, weight in moved if report[past[-1]]]
        if not kept:
            return
        histories = kept
        steps = {n: [(to, chance[n][to]) for to in nodes if colour[n][to] == seen and chance[n][to]] for n in nodes}
        belief.move(steps.__getitem__)
        belief.see(report.__getitem__)
        total = sum(weight for _, weight in histories)
        sums = {node: sum(w for past, w in histories if past[-1] == node) / total for node in nodes}
        assert dict(belief.probabilities) == pytest.approx({node: p for node, p in sums.items() if p}, abs=1e-12)
        assert belief.log_evidence == pytest.approx(math.log(total), abs=1e-9)


def test_steps_by_hand() -> None:
    belief = ForwardFilter({A: 1, B: 3})
    assert dict(belief.probabilities) == {A: 0.25, B: 0.75}
    assert belief.move(lambda node: [(C, 0.5)] if node == A else [(C, 0.1), (A, 0.1)]) == pytest.approx(0.275)
    assert dict(belief.probabilities) == pytest.approx({A: 0.075 / 0.275, C: 0.2 / 0.275})
    assert belief.see(lambda node: float(node == A)) == pytest.approx(0.075 / 0.275)
    assert dict(belief.probabilities) == {A: 1.0}
    assert belief.log_evidence == pytest.approx(math.log(0.075))


def test_what_cannot_be_has_no_probability_and_changes_nothing() -> None:
    belief = ForwardFilter({A: 1, B: 1})
    assert belief.move(lambda node: ()) == 0
    assert belief.see(lambda node: 0.0) == 0
    assert dict(belief.probabilities) == {A: 0.5, B: 0.5}
    assert belief.log_evidence == -math.inf
