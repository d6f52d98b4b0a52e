"""The catalogue's boards are what they should be, and names that mean nothing say so."""

from collections import Counter

import networkx as nx
import pytest

from manhunt.boards.board import Board
from manhunt.boards.catalog import catalogue, generators, load_board
from manhunt.boards.distance import components
from manhunt.boards.graphs import to_networkx
from manhunt.core.errors import BadBoard
from manhunt.core.ids import Transport

NAMES = [entry.name for entry in catalogue()]
EXAMPLES = [generator.example for generator in generators()]


@pytest.mark.parametrize("name", NAMES + EXAMPLES)
def test_labels_round_trip(name: str) -> None:
    board = load_board(name)
    assert [board.node(board.label(node)) for node in board.nodes()] == list(board.nodes())
    assert list(board.labels) == [str(i + 1) for i in range(board.n_nodes)]


@pytest.mark.parametrize("name", NAMES + EXAMPLES)
def test_a_board_is_found_again_by_its_name(name: str) -> None:
    board = load_board(name)
    assert board.name == name
    assert load_board(name.upper()) is board


def test_london_counts() -> None:
    london = load_board("london")
    assert london.n_nodes == 199
    assert len(london.edges) == 467
    assert Counter(edge.transport for edge in london.edges) == {
        Transport.TAXI: 345,
        Transport.BUS: 99,
        Transport.UNDERGROUND: 20,
        Transport.FERRY: 3,
    }
    assert len({(edge.a, edge.b) for edge in london.edges}) == 436
    assert len(components(london)) == 1
    assert london.positions is not None


def test_london_edges_on_which_copies_disagree() -> None:
    london = load_board("london")

    def has(a: int, b: int, kind: Transport) -> bool:
        return (london.node(b), kind) in london.steps(london.node(a))

    assert [has(*pair, Transport.TAXI) for pair in ((13, 14), (58, 75), (99, 112), (159, 198))] == [
        False,
        True,
        True,
        True,
    ]
    assert not has(185, 199, Transport.BUS)
    assert all(has(*pair, Transport.FERRY) for pair in ((108, 115), (115, 157), (157, 194)))


def test_top_right_20() -> None:
    board = load_board("top-right-20")
    assert (board.n_nodes, len(board.edges), board.transports) == (20, 20, (Transport.PLAIN,))
    large, small = components(board)
    assert len(large) == 17
    assert board.text(small) == "6 7 17"
    assert load_board("top-right-simple-v1") is board
    assert board.positions is not None
    assert len(set(board.positions)) == 20


def test_top_right_20_is_joined_as_london_is() -> None:
    board, london = load_board("top-right-20"), load_board("london")
    for edge in board.edges:
        assert london.node(board.label(edge.b)) in london.neighbours(london.node(board.label(edge.a)))


@pytest.mark.parametrize(
    ("name", "graph"),
    [
        ("petersen", nx.petersen_graph()),
        ("dodecahedron", nx.dodecahedral_graph()),
        ("icosahedron", nx.icosahedral_graph()),
        ("heawood", nx.heawood_graph()),
        ("grid:4x3", nx.grid_2d_graph(4, 3)),
        ("torus:4x3", nx.grid_2d_graph(4, 3, periodic=True)),
        ("ring:7", nx.cycle_graph(7)),
        ("path:6", nx.path_graph(6)),
        ("path:1", nx.path_graph(1)),
        ("complete:5", nx.complete_graph(5)),
        ("grid:1x1", nx.path_graph(1)),
    ],
)
def test_textbook_graphs(name: str, graph: nx.Graph) -> None:
    assert nx.is_isomorphic(to_networkx(load_board(name)), graph)


@pytest.mark.parametrize("name", ["dodecahedron", "icosahedron", "planar:40:seed=7", "planar:9"])
def test_planar_boards_are_drawn_without_crossings(name: str) -> None:
    board = load_board(name)
    for one in board.edges:
        for other in board.edges:
            if len({one.a, one.b, other.a, other.b}) == 4:
                assert not _cross(board, (one.a, one.b), (other.a, other.b))


def _cross(board: Board, one: tuple[int, int], other: tuple[int, int]) -> bool:
    assert board.positions is not None
    (a, b), (c, d) = ((board.positions[i], board.positions[j]) for i, j in (one, other))

    def turn(p: tuple[float, float], q: tuple[float, float], r: tuple[float, float]) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("londn", "unknown board 'londn'; did you mean london? known: top-right-20, london"),
        ("", "unknown board ''; known: top-right-20, london"),
        ("grid:ten", "board 'grid:ten': cannot use 'ten'; expected grid:COLUMNSxROWS, e.g. grid:10x10"),
        ("grid", "board 'grid' has 0 sizes; expected grid:COLUMNSxROWS, e.g. grid:10x10"),
        ("grid:3", "board 'grid:3' has 1 sizes; expected grid:COLUMNSxROWS"),
        ("grid:0x4", "board grid:0x4 is too small; the minimum size is 1x1"),
        ("torus:2x4", "board torus:2x4 is too small; the minimum size is 3x3"),
        ("ring:2", "board ring:2 is too small; the minimum size is 3"),
        ("grid:1000x1000", "board grid:1000x1000 would have 1000000 nodes (max 10000)"),
        ("planar:9:sead=3", "board 'planar:9:sead=3': cannot use 'sead=3'; expected planar:N[:seed=S]"),
        ("planar:9:seed=-3", "board 'planar:9:seed=-3': cannot use 'seed=-3'; expected planar:N[:seed=S]"),
        ("random:5:11", "board random:5:11:seed=0 wants 11 edges; 5 connected nodes take 4 to 10"),
        ("no/such.csv", "cannot read no/such.csv: No such file or directory"),
    ],
)
def test_bad_names(name: str, message: str) -> None:
    with pytest.raises(BadBoard) as caught:
        load_board(name)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
