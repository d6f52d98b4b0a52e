"""Boards in files: what is written reads back, what is wrong is named with its line."""

from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given

from board_csv import save_board_csv
from coursework_text import coursework_text
from manhunt.boards.board import Board
from manhunt.boards.build import build_board
from manhunt.boards.catalog import load_board
from manhunt.boards.files import format_board_csv, load_board_file, parse_board_csv, parse_board_text
from manhunt.boards.graphs import from_networkx, to_networkx
from manhunt.core.errors import BadBoard, ManhuntError
from manhunt.core.ids import Transport
from manhunt.testing.strategies import boards


@given(boards())
def test_csv_reads_back(board: Board) -> None:
    again = parse_board_csv(format_board_csv(board), "again", "x.csv").finish()
    assert (again.labels, again.edges) == (board.labels, board.edges)


@given(boards())
def test_text_reads_back(board: Board) -> None:
    again = parse_board_text(coursework_text(board), "again", "x.txt").finish()
    assert (again.labels, again.edges) == (board.labels, board.edges)


@given(boards())
def test_networkx_reads_back(board: Board) -> None:
    graph = to_networkx(board)
    again = from_networkx(graph, board.name)
    assert (again.labels, again.edges, again.positions) == (board.labels, board.edges, board.positions)
    assert graph.is_multigraph() == any(kind is not Transport.PLAIN for kind in board.transports)


@pytest.mark.parametrize("name", ["london", "top-right-20", "planar:30:seed=2"])
def test_saved_files_read_back_with_positions(name: str, tmp_path: Path) -> None:
    board = load_board(name)
    save_board_csv(board, tmp_path / "b.csv")
    again = load_board_file(tmp_path / "b.csv")
    assert (again, again.positions) == (board, board.positions)
    (tmp_path / "c.txt").write_text(coursework_text(board))
    assert load_board_file(tmp_path / "c.txt") == board
    assert load_board_file(tmp_path / "c.txt").positions is None
    assert load_board_file(tmp_path / "c.txt", tmp_path / "b_positions.csv").positions == board.positions
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.csv", "b_positions.csv", "c.txt"]


def test_coursework_text_ignores_case_and_blank_lines(tmp_path: Path) -> None:
    file = tmp_path / "g.txt"
    file.write_text("3 3\n1\n2\n3\n\n1 2 TAXI\n2 1 bus\n3 2 Ferry\n\n")
    expected = build_board("g", [(1, 2, "taxi"), (1, 2, "bus"), (2, 3, "ferry")])
    assert load_board_file(file) == expected


def test_csv_from_a_spreadsheet(tmp_path: Path) -> None:
    file = tmp_path / "g.csv"
    file.write_bytes('\ufeffA,B,Transport\r\n"1", 2 ,Taxi\r\n7,,\r\n'.encode())
    assert load_board_file(file) == build_board("g", [(1, 2, "taxi")], [7])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f.csv line 1: header ''; expected a,b or a,b,transport"),
        ("1,2\n", "f.csv line 1: header '1,2'; expected a,b or a,b,transport"),
        ("a,b\n1,2\n\n3\n", "f.csv line 4: '3' has 1 cells; expected a,b"),
        ("a,b\n1,2,bus\n", "f.csv line 2: '1,2,bus' has 3 cells; expected a,b"),
        (
            "a,b,transport\n1,2,tram\n",
            "f.csv line 2: unknown transport 'tram'; known: taxi, bus, underground, ferry, plain",
        ),
        ("a,b,transport\n1,,bus\n", "f.csv line 2: a node has an empty label; a label needs at least one character"),
        ("a,b\n1,2\n2,1\n", "f.csv line 3: edge 2-1 (plain) appears twice; give every edge once"),
        ("a,b\n1,1\n", "f.csv line 2: edge 1-1 joins a node to itself; an edge needs two different nodes"),
        ("a,b\n", "f.csv: board f is empty; it needs at least one node"),
        ('a,b\n"1,2\n', "f.csv line 2: not CSV (unexpected end of data); expected a,b or a,b,transport"),
        ("2 1\n1\n2\n", "f.csv line 3: ends with 2 nodes and 0 edges; the first line announces 2 and 1"),
        ("2 1\n1\n1 2 Taxi\n", "f.csv line 3: '1 2 Taxi': expected one of the 2 node labels, alone on its line"),
        ("2 1\n1\n1\n", "f.csv line 3: node 1 appears twice; give every label once"),
        ("2 1\n1\n2\n1 3 Taxi\n", "f.csv line 4: '1 3 Taxi': '3' is not among the node labels above"),
        ("2 1\n1\n2\n1 2 by Taxi\n", "f.csv line 4: '1 2 by Taxi': expected an edge such as '1 8 Taxi'"),
        ("2 1\n1\n2\n1 2\n2 1\n", "f.csv line 5: '2 1' comes after the 1 edges that the first line announces"),
        ("0 0\n", "f.csv: board f is empty; it needs at least one node"),
    ],
)
def test_errors_name_file_and_line(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "f.csv"
    file.write_text(text)
    with pytest.raises(BadBoard) as caught:
        load_board_file(file)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("node,x\n", "p.csv line 1: header 'node,x'; expected node,x,y"),
        ("node,x,y\n1,0,zero\n", "p.csv line 2: '1,0,zero': expected node,x,y with numbers x and y"),
        ("node,x,y\n1,0,0,0\n", "p.csv line 2: '1,0,0,0': expected node,x,y with numbers x and y"),
        ("node,x,y\n1,0,0\n3,1,1\n", "p.csv line 3: position for '3', which is not a node of f; nodes: 1, 2"),
        ("node,x,y\n1,0,0\n", "f.csv: board f has positions, but none for 2; place all nodes or none"),
    ],
)
def test_errors_in_positions(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_text("a,b\n1,2\n")
    (tmp_path / "p.csv").write_text(text)
    with pytest.raises(BadBoard) as caught:
        load_board_file(tmp_path / "f.csv", tmp_path / "p.csv")
    assert str(caught.value) == message


def test_files_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    (tmp_path / "image.csv").write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(BadBoard, match="image.csv is not a text file in UTF-8"):
        load_board_file(tmp_path / "image.csv")
    for path in (tmp_path, tmp_path / "none.csv", tmp_path / "none.graphml"):
        with pytest.raises(BadBoard, match="^cannot read ") as caught:
            load_board_file(path)
        assert "\n" not in str(caught.value)
    with pytest.raises(ManhuntError, match="^cannot write "):
        save_board_csv(load_board("path:3"), tmp_path / "no" / "such.csv")


@pytest.mark.parametrize(("suffix", "write"), [("graphml", nx.write_graphml), ("gml", nx.write_gml)])
def test_graph_files(suffix: str, write, tmp_path: Path) -> None:
    board = build_board("g", [(1, 2, "taxi"), (1, 2, "bus"), (2, "x", "ferry")])
    write(to_networkx(board), tmp_path / f"g.{suffix}")
    assert load_board_file(tmp_path / f"g.{suffix}") == board


def test_graph6(tmp_path: Path) -> None:
    nx.write_graph6(nx.path_graph(4), tmp_path / "p.g6")
    assert load_board_file(tmp_path / "p.g6") == build_board("p", [(0, 1, None), (1, 2, None), (2, 3, None)])
    (tmp_path / "bad.g6").write_text("\x01\x02\n")
    (tmp_path / "bad.graphml").write_text("<graphml")
    (tmp_path / "bad.gml").write_text("graph [ nonsense")
    for name in ("bad.g6", "bad.graphml", "bad.gml"):
        with pytest.raises(BadBoard, match=f"^{name} is not readable as ") as caught:
            load_board_file(tmp_path / name)
        assert "\n" not in str(caught.value)


def test_networkx_graphs_that_are_no_boards() -> None:
    with pytest.raises(BadBoard, match="graph d is directed; boards are undirected"):
        from_networkx(nx.DiGraph([(1, 2)]), "d")
    with pytest.raises(BadBoard, match="two nodes that print as '1'"):
        from_networkx(nx.Graph([(1, "1")]), "g")
    with pytest.raises(BadBoard, match="board e is empty"):
        from_networkx(nx.Graph(), "e")
    with pytest.raises(BadBoard, match="joins a node to itself"):
        from_networkx(nx.Graph([(1, 1)]), "s")


def test_networkx_tuples_become_labels() -> None:
    board = from_networkx(nx.grid_2d_graph(2, 2), "g")
    assert board.labels == ("0_0", "0_1", "1_0", "1_1")
    assert len(board.edges) == 4
