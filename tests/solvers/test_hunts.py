"""The sweep over all starts, the layers of one start and table files, on hunts that belong to no game."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from manhunt.core.ids import Node
from manhunt.solvers.hunt import Hunt, make_hunt, placement, placement_number
from manhunt.solvers.layers import StartTree, pursuer_turns, solve_start
from manhunt.solvers.memory import TooLarge
from manhunt.solvers.retrograde import solve_hunt
from manhunt.solvers.tables import FOREVER, BadTable, Header, RoundsTable, Shape, solve_to_file, table_bytes

ROUNDS = 5
Places = tuple[Node, ...]


class Plain(NamedTuple):
    """The same hunt as lists, played by plain recursion."""

    pursuers: list[list[int]]
    quarry: list[list[int]]
    reach: list[set[int]]
    k: int
    quarry_first: bool
    may_share: bool
    may_step_onto: bool

    @property
    def n(self) -> int:
        return len(self.quarry)

    def packed(self) -> Hunt:
        return make_hunt(
            self.pursuers,
            self.quarry,
            self.reach,
            n_pursuers=self.k,
            quarry_first=self.quarry_first,
            may_share=self.may_share,
            may_step_onto=self.may_step_onto,
        )

    def starts(self) -> list[tuple[Node, Places]]:
        nodes = [Node(v) for v in range(self.n)]
        places = [p for p in product(nodes, repeat=self.k) if self.may_share or len(set(p)) == self.k]
        return [(x, p) for p in places for x in nodes if not self.caught(x, p)]

    def caught(self, quarry: int, pursuers: Places) -> bool:
        return any(quarry in self.reach[node] for node in pursuers)


def survives(hunt: Plain, rounds: int, quarry: int, pursuers: Places) -> bool:
    """Whether some play of the quarry gets through all rounds, whatever the pursuers do."""

    @cache
    def lasts(left: int, x: int, p: Places, quarry_to_move: bool) -> bool:
        if hunt.caught(x, p):
            return False
        if left == 0:
            return True
        if quarry_to_move:
            free = [to for to in hunt.quarry[x] if hunt.may_step_onto or to not in p]
            return any(lasts(left - (not hunt.quarry_first), to, p, False) for to in free)
        return all_pursuers(left, x, p, 0)

    @cache
    def all_pursuers(left: int, x: int, p: Places, piece: int) -> bool:
        if hunt.caught(x, p):
            return False
        if piece == hunt.k:
            return lasts(left - hunt.quarry_first, x, p, True)
        others = {node for i, node in enumerate(p) if i != piece}
        free = [to for to in hunt.pursuers[p[piece]] if hunt.may_share or to not in others]
        moved = [(*p[:piece], to, *p[piece + 1 :]) for to in free or [p[piece]]]
        return all(all_pursuers(left, x, places, piece + 1) for places in moved)

    return lasts(rounds, quarry, pursuers, hunt.quarry_first)


def rounds_survived(hunt: Plain, quarry: int, pursuers: Places) -> int:
    return max(r for r in range(ROUNDS + 1) if r == 0 or survives(hunt, r, quarry, pursuers))


def random_hunt(seed: int) -> Plain:
    """Pursuers on one-way streets, a quarry on other streets; no board has such a game yet."""
    rng = Random(seed)
    k = rng.choice((1, 2, 2, 3))
    n = 5 if k == 3 else rng.randint(4, 7)
    pairs = [(a, b) for a in range(n) for b in range(a, n)]
    two_way = rng.sample(pairs, rng.randint(n, min(len(pairs), 2 * n)))
    quarry = [sorted({b for a, b in two_way if a == x} | {a for a, b in two_way if b == x}) for x in range(n)]
    pursuers = [sorted(rng.sample(range(n), rng.randint(0, 3))) for _ in range(n)]
    reach = [{v, *rng.sample(range(n), rng.randint(0, 1))} for v in range(n)]
    return Plain(pursuers, quarry, reach, k, rng.random() < 0.5, rng.random() < 0.5, rng.random() < 0.3)


def shape_of(header: Header) -> Shape:
    return Shape(*header["shape"])


@pytest.mark.parametrize("seed", range(40))
def test_all_starts_equal_a_plain_recursion(seed: int, tmp_path: Path) -> None:
    plain, path = random_hunt(seed), tmp_path / "hunt.table"
    hunt = plain.packed()
    header = {"shape": [plain.n, plain.k, plain.may_share]}
    found = solve_to_file(hunt, path, header, ROUNDS)
    assert found == solve_hunt(hunt, ROUNDS, n_threads=1)
    table = RoundsTable(path, shape_of)
    assert table.header["shape"] == header["shape"]
    values = {start: rounds_survived(plain, *start) for start in plain.starts()}
    assert found.states == len(values)
    assert list(found.survivors_by_round) == [
        sum(rounds > i for rounds in values.values()) for i in range(len(found.survivors_by_round))
    ]
    for (quarry, pursuers), rounds in values.items():
        told = table.rounds_survived(quarry, pursuers)
        assert min(told, ROUNDS) == rounds, (plain, quarry, pursuers)


@pytest.mark.parametrize("seed", range(20))
def test_the_best_placement_for_the_pursuers(seed: int, tmp_path: Path) -> None:
    plain, path = random_hunt(seed), tmp_path / "hunt.table"
    solve_to_file(plain.packed(), path, {"shape": [plain.n, plain.k, plain.may_share]})
    table = RoundsTable(path, shape_of)
    nodes = [Node(v) for v in range(plain.n)]
    legal = [p for p in product(nodes, repeat=plain.k) if plain.may_share or len(set(p)) == plain.k]
    values = {p: max((table.rounds_survived(x, p) for x in nodes if not plain.caught(x, p)), default=0) for p in legal}
    for placed in ((), (Node(0),)):
        rounds, places = table.worst_for_pursuers(placed)
        fitting = [p for p in legal if p[: len(placed)] == placed]
        assert places in fitting
        assert rounds == values[places] == min(values[p] for p in fitting)


@pytest.mark.parametrize("seed", range(40))
def test_one_start_equals_a_plain_recursion(seed: int) -> None:
    plain = random_hunt(seed)
    hunt, rng = plain.packed(), Random(seed)
    for quarry, pursuers in rng.sample(plain.starts(), min(12, len(plain.starts()))):
        found = solve_start(hunt, quarry, pursuers, pursuer_turns(hunt), ROUNDS)
        rounds = rounds_survived(plain, quarry, pursuers)
        assert found.survival_rounds == rounds, (plain, quarry, pursuers)
        assert found.forced_escape == (rounds == ROUNDS)
        assert found.policy_size == len(list(found.policy()))


TURNS = ({}, {"at_once": True}, {"any_order": True})


@pytest.mark.parametrize("seed", range(24))
def test_a_game_that_repeats_itself_has_the_answers_of_all_its_layers(seed: int, monkeypatch) -> None:
    plain = random_hunt(seed)
    hunt, rng = plain.packed(), Random(seed)
    turns, rounds = pursuer_turns(hunt, **TURNS[seed % 3]), 8 + seed
    quarry, pursuers = rng.choice(plain.starts())
    found = solve_start(hunt, quarry, pursuers, turns, rounds)
    assert found.tree.circle is not None
    monkeypatch.setattr(StartTree, "_digest", lambda tree: str(len(tree.layers)).encode())
    whole = solve_start(hunt, quarry, pursuers, turns, rounds)
    assert whole.tree.circle is None
    for name in ("forced_escape", "states_evaluated", "policy_size", "first_move", "survival_rounds"):
        assert getattr(found, name) == getattr(whole, name), name
    assert list(found.policy(with_survival=True)) == list(whole.policy(with_survival=True))


@pytest.mark.parametrize("seed", range(12))
def test_any_number_of_rounds_is_answered(seed: int) -> None:
    plain = random_hunt(seed)
    hunt = plain.packed()
    quarry, pursuers = Random(seed).choice(plain.starts())
    heard: list[tuple[int, int]] = []
    found = solve_start(
        hunt,
        quarry,
        pursuers,
        pursuer_turns(hunt),
        10**18,
        on_round=lambda number, states: heard.append((number, states)),
    )
    shorter = solve_start(hunt, quarry, pursuers, pursuer_turns(hunt), 1000)
    assert found.forced_escape == shorter.forced_escape
    assert found.survival_rounds == (10**18 if found.forced_escape else shorter.survival_rounds)
    assert len(heard) < 100
    assert heard[-1] == (10**18, found.states_evaluated)


def test_a_step_of_the_quarry_leads_both_ways() -> None:
    with pytest.raises(ValueError, match="one way only"):
        make_hunt([[1], [0]], [[1], []], [[0], [1]], n_pursuers=1)
    with pytest.raises(ValueError, match="on its own node"):
        make_hunt([[1], [0]], [[1], [0]], [[0], [0]], n_pursuers=1)
    with pytest.raises(ValueError, match="for 2 nodes, of the quarry for 1"):
        make_hunt([[1], [0]], [[1]], [[0], [1]], n_pursuers=1)


def test_numbers_of_placements() -> None:
    for number in range(4**3):
        assert placement_number(placement(number, 4, 3), 4) == number
    assert placement(6, 4, 3) == (0, 1, 2)


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    ring = [[(v - 1) % 50, (v + 1) % 50] for v in range(50)]
    hunt = make_hunt(ring, ring, [[v] for v in range(50)], n_pursuers=3)
    with pytest.raises(TooLarge, match="50 nodes with 3 pursuers needs about"):
        solve_hunt(hunt, max_memory=10_000)
    with pytest.raises(TooLarge, match="take fewer rounds or pursuers"):
        solve_start(hunt, Node(9), (Node(0), Node(1), Node(2)), pursuer_turns(hunt), 9, max_memory=10_000)
    assert table_bytes(50, 3) == 50**3 * 56
    small = make_hunt(ring, ring, [[v] for v in range(50)], n_pursuers=1)
    path = tmp_path / "ring.table"
    solve_to_file(small, path, {"shape": [50, 1, False]})
    assert RoundsTable(path, shape_of).rounds_survived(Node(9), (Node(0),)) == FOREVER
    with pytest.raises(BadTable, match="cut off or added to"):
        RoundsTable(path, lambda _: Shape(50, 2, False))
