"""The contest's game files, and graphs made for contests."""

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.boards.contest import Contest, contest_ends, make_contest
from manhunt.boards.graphs import to_networkx
from manhunt.cli.main import run
from manhunt.core.errors import BadBoard, BadText
from manhunt.games.shortest_path.rules.config import make_config
from manhunt.games.shortest_path.rules.game_file import format_game_file, load_game_file, parse_game_file
from shortest_path_games import shortest_path_configs

GOOD = "Starting node: 257\nEnding node: 161\nEdges:\n257 134\n134 155\n155 161\n"


def test_the_rule_book_s_form_is_read() -> None:
    file = parse_game_file(GOOD)
    assert (file.source, file.target) == ("257", "161")
    assert file.board.labels == ("134", "155", "161", "257")
    assert len(file.board.edges) == 3


@given(shortest_path_configs())
def test_parse_after_format_is_the_identity(config) -> None:
    label = config.board.label
    file = Contest(config.board, label(config.source), label(config.target))
    again = parse_game_file(format_game_file(file))
    assert (again.source, again.target) == (file.source, file.target)
    assert again.board.labels == tuple(
        label for label in file.board.labels if file.board.neighbours(file.board.node(label))
    )
    assert format_game_file(again) == format_game_file(file)


def test_blank_lines_other_cases_and_repeated_edges_are_harmless() -> None:
    text = "\n starting NODE:  a\n\nEnding node: b\nEdges:\n a   b \n\nb a\na b\n"
    assert len(parse_game_file(text).board.edges) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("Starting node: 257\n", ""), "game.txt line 1: expected 'Starting node:', found 'Ending node: 161'"),
        (("Ending node: 161\n", ""), "game.txt line 2: expected 'Ending node:', found 'Edges:'"),
        (("Edges:\n", ""), "game.txt line 3: expected 'Edges:', found '257 134'"),
        (("134 155", "134"), "game.txt line 5: an edge needs two names, found '134'"),
        (("134 155", "134 155 1"), "game.txt line 5: an edge needs two names, found '134 155 1'"),
        (("134 155", "134 134"), "game.txt line 5: edge 134-134 joins a node to itself"),
        (("134 155", "134 1,5"), "game.txt line 5: label '1,5' has a comma"),
        (("node: 257", "node: 9"), "game.txt line 1: the starting node 9 has no edges"),
        (("node: 161", "node: 9"), "game.txt line 2: the ending node 9 has no edges"),
        (("node: 161", "node: 257"), "game.txt line 2: the ending node is the starting node 257"),
        (("node: 161", "node:"), "game.txt line 2: 'Ending node:' needs one node's name, found ''"),
        (("134 155\n", ""), "game.txt line 2: there is no path from 257 to 161"),
        (("257 134\n134 155\n155 161\n", ""), "game.txt: no edges after 'Edges:'"),
        ((GOOD, "\n"), "game.txt, at its end: expected 'Starting node:', found ''"),
    ],
)
def test_a_bad_file_names_the_line(change, message) -> None:
    with pytest.raises(BadText) as caught:
        parse_game_file(GOOD.replace(*change), "game.txt")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_read_says_so(tmp_path) -> None:
    with pytest.raises(BadText, match="cannot read the game file .*none.txt: No such file"):
        load_game_file(tmp_path / "none.txt")
    (tmp_path / "raw.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadText, match="the game file .* is not a text file in UTF-8"):
        load_game_file(tmp_path / "raw.txt")


@given(st.integers(2, 6), st.integers(1, 4), st.integers(9, 40), st.integers(0, 99))
def test_a_contest_graph_has_its_separation_and_its_cut(separation, cut, more, seed) -> None:
    n = 2 + cut * (separation - 1) + more
    made = make_contest(n, n + cut * separation, separation, cut, seed)
    graph = to_networkx(made.board)
    assert nx.is_connected(graph)
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (n, n + cut * separation)
    assert nx.shortest_path_length(graph, made.source, made.target) == separation
    assert len(nx.minimum_edge_cut(graph, made.source, made.target)) == cut
    assert contest_ends(made.board) == (made.source, made.target)


def test_the_contest_s_size_can_be_made() -> None:
    made = make_contest(300, 1410, 8, 4, 7)
    assert (made.board.n_nodes, len(made.board.edges)) == (300, 1410)
    assert make_contest.__wrapped__(300, 1410, 8, 4, 7) == made
    assert make_contest(300, 1410, 8, 4, 8) != made


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ((10, 30, 6, 3), "10 nodes; this separation and cut take 17 to 1000"),
        ((60, 5000, 6, 3), "5000 edges; so many nodes in such layers take"),
        ((60, 20, 6, 3), "20 edges; so many nodes in such layers take"),
        ((60, 100, 1, 3), "the minimum separation is 2"),
        ((1001, 3000, 6, 3), "take 17 to 1000"),
    ],
)
def test_what_cannot_be_made_says_why(numbers, message) -> None:
    with pytest.raises(BadBoard, match=message):
        make_contest(*numbers, 0)


def test_the_command_writes_a_game_file_that_can_be_played(tmp_path, capsys) -> None:
    path = tmp_path / "game.txt"
    shape = ["--nodes", "30", "--degree", "4", "--separation", "4", "--cut", "2", "--seed", "3"]
    assert run(["boards", "generate", *shape, "--out", str(path), "--svg", str(tmp_path / "g.svg")]) == 0
    assert "30 nodes, 60 edges" in capsys.readouterr().out
    file = load_game_file(path)
    made = make_contest(30, 60, 4, 2, 3)
    assert file == Contest(file.board, made.source, made.target)
    assert file.board == made.board
    assert make_config(board=file.board, source=file.source, target=file.target).board.n_nodes == 30
    assert (tmp_path / "g.svg").read_text().startswith("<svg")
    assert run(["boards", "generate", *shape]) == 0
    assert capsys.readouterr().out == path.read_text()


@pytest.mark.parametrize(
    "wrong", [["--degree", "0"], ["--degree", "99"], ["--degree", "4", "--edges", "9"], ["--cut", "0"]]
)
def test_the_command_refuses_what_makes_no_sense(wrong, capsys) -> None:
    assert run(["boards", "generate", *wrong]) == 2
    assert capsys.readouterr().err.count("\n") == 1
