"""Boards as graphs of networkx and back: nothing is lost, and what cannot be a board is refused."""

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.adapters.networkx import from_networkx, to_networkx
from manhunt.boards.board import Board
from manhunt.boards.catalog import load_board
from manhunt.core.errors import BadBoard
from manhunt.testing.strategies import boards


def parts(board: Board) -> tuple[object, ...]:
    return board.name, board.labels, board.edges, board.positions


@given(boards())
def test_a_board_comes_back_as_it_was(board: Board) -> None:
    assert parts(from_networkx(to_networkx(board))) == parts(board)


@given(boards(), st.randoms(use_true_random=False))
def test_the_order_of_nodes_and_edges_does_not_matter(board: Board, random) -> None:
    graph = to_networkx(board)
    nodes, edges = list(graph.nodes(data=True)), list(graph.edges(keys=True, data=True))
    random.shuffle(nodes)
    random.shuffle(edges)
    mixed = nx.MultiGraph(name=board.name)
    mixed.add_nodes_from(nodes)
    mixed.add_edges_from((b, a, key, data) for a, b, key, data in edges)
    assert parts(from_networkx(mixed)) == parts(board)


@given(boards())
def test_the_graph_says_what_the_board_says(board: Board) -> None:
    graph = to_networkx(board)
    assert graph.is_multigraph()
    assert list(graph.nodes) == list(board.labels)
    assert [data["node"] for _, data in graph.nodes(data=True)] == list(board.nodes())
    assert graph.number_of_edges() == len(board.edges)
    for edge in board.edges:
        kind = edge.transport.name.lower()
        assert graph.edges[board.label(edge.a), board.label(edge.b), kind] == {"transport": kind}
    assert all(("pos" in data) == (board.positions is not None) for _, data in graph.nodes(data=True))


def test_london_keeps_its_stations_where_they_are() -> None:
    board = load_board("london")
    graph = to_networkx(board)
    assert graph.name == "london"
    assert graph.nodes["1"]["pos"] == board.positions[board.node("1")]
    graph.add_edge("1", "2", key="taxi", transport="taxi")
    assert len(board.edges) == 467, "a graph is a copy"


def test_a_graph_without_a_name_needs_none() -> None:
    assert from_networkx(nx.Graph([(1, 2)])).name == "graph"
    assert from_networkx(nx.path_graph(3), "path").name == "path"
    assert from_networkx(nx.grid_2d_graph(2, 2)).labels == ("0_0", "0_1", "1_0", "1_1")


@pytest.mark.parametrize(
    ("graph", "line"),
    [
        (nx.DiGraph([(1, 2)]), "is directed"),
        (nx.Graph([(1, 1)]), "joins a node to itself"),
        (nx.MultiGraph([(1, 2), (1, 2)]), "appears twice"),
        (nx.Graph([("a b", "c")]), "white space"),
        (nx.Graph(), "is empty"),
    ],
)
def test_what_is_no_board_is_refused(graph, line: str) -> None:
    with pytest.raises(BadBoard, match=line):
        from_networkx(graph)
