"""Distances against a plain search; generated boards keep their promises."""

from collections import deque

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.boards.board import Board
from manhunt.boards.build import build_board
from manhunt.boards.catalog import load_board
from manhunt.boards.distance import UNREACHABLE, components, diameter, distance_hops, distances, eccentricities
from manhunt.boards.generate import random_connected, random_planar
from manhunt.boards.layout import place
from manhunt.core.errors import BadBoard
from manhunt.testing.strategies import boards


def search(board: Board, start: int) -> list[int]:
    hops = [UNREACHABLE] * board.n_nodes
    hops[start] = 0
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for edge in board.edges:
            for here, there in ((edge.a, edge.b), (edge.b, edge.a)):
                if here == node and hops[there] == UNREACHABLE:
                    hops[there] = hops[node] + 1
                    queue.append(there)
    return hops


@given(boards())
def test_distances_equal_a_plain_search(board: Board) -> None:
    table = distances(board)
    assert table.tolist() == [search(board, node) for node in board.nodes()]
    assert table.dtype == np.int16
    assert not table.flags.writeable
    assert eccentricities(board).tolist() == [max(row) for row in table.tolist()]
    assert diameter(board) == table.max()


@given(boards())
def test_components_are_what_has_a_way(board: Board) -> None:
    parts = components(board)
    assert sorted(node for part in parts for node in part) == list(board.nodes())
    part_of = {node: i for i, part in enumerate(parts) for node in part}
    for a in board.nodes():
        for b in board.nodes():
            assert (distance_hops(board, a, b) is not None) == (part_of[a] == part_of[b])


def test_london_distances() -> None:
    london = load_board("london")
    assert diameter(london) == 10
    assert distances(london) is distances(london)
    assert distance_hops(london, london.node(1), london.node(46)) == 1


@given(st.integers(3, 40), st.integers(0, 10**6), st.floats(0, 1))
def test_random_planar_is_connected_and_repeatable(n: int, seed: int, dropped: float) -> None:
    board = random_planar(n, seed, dropped)
    assert board.n_nodes == n
    assert len(components(board)) == 1
    assert n - 1 <= len(board.edges) <= 3 * n - 6 or n == 3
    again = random_planar(n, seed, dropped)
    assert (again.edges, again.positions) == (board.edges, board.positions)


@given(st.integers(1, 30), st.integers(0, 10**6), st.data())
def test_random_connected_has_the_edges_asked_for(n: int, seed: int, data: st.DataObject) -> None:
    n_edges = data.draw(st.integers(n - 1, n * (n - 1) // 2))
    board = random_connected(n, n_edges, seed)
    assert (board.n_nodes, len(board.edges)) == (n, n_edges)
    assert len(components(board)) == 1
    assert random_connected(n, n_edges, seed) == board


def test_seeds_matter() -> None:
    assert len({random_planar(20, seed) for seed in range(5)}) == 5
    assert len({random_connected(12, 18, seed) for seed in range(5)}) == 5
    with pytest.raises(BadBoard, match="the seed must not be negative"):
        random_planar(9, -1)
    with pytest.raises(BadBoard, match="expected a share between 0 and 1"):
        random_planar(9, 1, dropped=1.5)


@given(boards())
def test_layout_gives_every_node_its_own_place(board: Board) -> None:
    bare = build_board("bare", [(board.label(e.a), board.label(e.b), e.transport) for e in board.edges], board.labels)
    places = place(bare)
    assert len(set(places)) == bare.n_nodes
    assert np.isfinite(places).all()
    if board.positions is not None:
        assert place(board) == board.positions


def test_layout_of_a_large_board_is_repeatable() -> None:
    from manhunt.boards.layout import _compute

    board = random_connected(300, 420, seed=1)
    first = place(board)
    _compute.cache_clear()
    assert place(board) == first
    assert len(set(first)) == 300
