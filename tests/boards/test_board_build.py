"""Boards are checked when built, and every board has one canonical order."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.boards.board import Board
from manhunt.boards.build import build_board, natural_key
from manhunt.core.errors import BadBoard
from manhunt.core.ids import Transport
from manhunt.testing.strategies import boards


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ([], "board b is empty; it needs at least one node"),
        ([("1", "1", None)], "edge 1-1 joins a node to itself; an edge needs two different nodes"),
        ([("1", "", None)], "a node has an empty label; a label needs at least one character"),
        ([("1", "2", "bus"), ("2", "1", "Bus")], "edge 2-1 (bus) appears twice; give every edge once"),
        ([("1", "2", "tram")], "unknown transport 'tram'; known: taxi, bus, underground, ferry, plain"),
        ([("1", "9" * 41, None)], "label 999999999999... has 41 characters (max 40)"),
    ],
)
def test_bad_edges(edges: list[tuple[str, str, str | None]], message: str) -> None:
    with pytest.raises(BadBoard) as caught:
        build_board("b", edges)
    assert str(caught.value) == message


@pytest.mark.parametrize("label", ["a b", "a,b", " a", "a\n", "a\u00a0b", "\x00", "a\x1b[0m"])
def test_labels_that_would_break_files_or_messages(label: str) -> None:
    with pytest.raises(BadBoard, match="has a comma, white space or a control character") as caught:
        build_board("b", [("1", label, None)])
    assert "\n" not in str(caught.value)


def test_a_label_in_place_of_a_node_is_pointed_out() -> None:
    board = build_board("b", [("1", "2", None)])
    for ask in (board.neighbours, board.steps):
        with pytest.raises(BadBoard, match=r"'2' is not a node, .*; if it is a label, write board.node\('2'\)"):
            ask("2")  # type: ignore[arg-type]


def test_positions_are_for_known_nodes_finite_and_complete() -> None:
    edges = [("1", "2", None)]
    with pytest.raises(BadBoard, match="position for '3', which is not a node of b; nodes: 1, 2"):
        build_board("b", edges, (), {"3": (0, 0)})
    with pytest.raises(BadBoard, match="position of node 1 is .nan, 0.; both must be finite"):
        build_board("b", edges, (), {"1": (float("nan"), 0)})
    with pytest.raises(BadBoard, match="has positions, but none for 2; place all nodes or none"):
        build_board("b", edges, (), {"1": (0, 0)})


def test_same_pair_by_two_transports_is_two_edges() -> None:
    board = build_board("b", [(2, 1, "taxi"), (1, 2, Transport.BUS)])
    assert [edge.transport for edge in board.edges] == [Transport.TAXI, Transport.BUS]
    assert board.neighbours(board.node(1)) == (board.node(2),)


def test_nodes_are_numbered_in_natural_order() -> None:
    assert build_board("b", [], ["10", "9", "-3", "1"]).labels == ("-3", "1", "9", "10")
    assert build_board("b", [], ["b2", "b10", "a", "b1"]).labels == ("a", "b1", "b2", "b10")
    assert build_board("b", [], ["x", "10", "9"]).labels == ("9", "10", "x")


@given(boards(), st.randoms())
def test_order_of_input_does_not_matter(board: Board, random) -> None:
    edges = [(board.label(e.b), board.label(e.a), e.transport) for e in board.edges]
    labels = list(board.labels)
    random.shuffle(edges)
    random.shuffle(labels)
    again = build_board("again", edges, labels)
    assert again == board
    assert hash(again) == hash(board)
    assert (again.labels, again.edges) == (board.labels, board.edges)
    assert list(board.labels) == sorted(board.labels, key=natural_key)
    assert all(edge.a < edge.b for edge in board.edges)


@given(boards())
def test_csr_arrays_equal_neighbours_and_steps(board: Board) -> None:
    simple = board.simple_csr
    for node in board.nodes():
        assert tuple(simple.target[simple.indptr[node] : simple.indptr[node + 1]]) == board.neighbours(node)
        assert {to for to, _ in board.steps(node)} == set(board.neighbours(node))
        assert all(node in board.neighbours(to) for to in board.neighbours(node))
    assert sum(len(board.steps(node)) for node in board.nodes()) == 2 * len(board.edges)


@given(boards())
def test_copies_are_equal_and_their_arrays_read_only(board: Board) -> None:
    assert not board.simple_csr.target.flags.writeable
    for again in (pickle.loads(pickle.dumps(board)), copy.copy(board), copy.deepcopy(board)):
        assert again == board
        assert (again.name, again.positions) == (board.name, board.positions)
        for array in again.simple_csr:
            assert not array.flags.writeable
        assert np.array_equal(again.simple_csr.target, board.simple_csr.target)


def test_boards_with_other_edges_differ() -> None:
    taxi, bus = (build_board("b", [(1, 2, kind)]) for kind in ("taxi", "bus"))
    assert taxi != bus
    assert taxi != build_board("b", [(1, 2, "taxi")], [3])
    assert len({taxi, bus, build_board("other name", [(2, 1, "taxi")])}) == 2


def test_unknown_label_names_the_board() -> None:
    with pytest.raises(BadBoard, match="no node '7' on board b; nodes: 1, 2"):
        build_board("b", [(1, 2, None)]).node(7)
