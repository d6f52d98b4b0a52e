"""Map files of others: many ways to write the same edges, and nothing that ends in a traceback."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.boards.board import Board
from manhunt.boards.build import build_board
from manhunt.boards.catalog import load_board
from manhunt.boards.files import format_board_csv, parse_board
from manhunt.boards.maps import load_map, parse_map
from manhunt.core.errors import BadBoard, BadText
from manhunt.core.ids import Transport
from manhunt.core.reading import DEEPEST

Edges = list[tuple[str, str, str]]
LONDON = load_board("london")
WORDS = {"taxi": "T", "bus": "B", "underground": "U", "ferry": "H"}
OTHER_WORDS = {"taxi": "Cab", "bus": "BUS", "underground": "metro", "ferry": "water"}


def edges_of(board: Board) -> Edges:
    return [(board.label(e.a), board.label(e.b), e.transport.name.lower()) for e in board.edges]


def by_kind(edges: Edges, label: str) -> dict[str, list[str]]:
    ends = {kind: [b for a, b, k in edges if a == label and k == kind] for kind in WORDS}
    return {kind: found for kind, found in ends.items() if found}


def adjacency(edges: Edges, both: bool = True) -> dict[str, dict[str, list[str]]]:
    doubled = [*edges, *((b, a, kind) for a, b, kind in edges)] if both else edges
    return {label: by_kind(doubled, label) for label in LONDON.labels}


def grouped(edges: Edges) -> str:
    lines = ["# NODE; TAXI END NODES; BUS END NODES; METRO END NODES; FERRY END NODES", "# for example 1; 2, 3; 4", ""]
    for label, kinds in adjacency(edges, both=False).items():
        groups = [", ".join(kinds.get(kind, [])) for kind in WORDS]
        while groups and not groups[-1]:
            groups.pop()
        lines.append("; ".join([label, *groups]))
    return "\n".join(lines)


def headed(edges: Edges) -> str:
    lines = []
    for kind in WORDS:
        lines.append(f"{kind.title()} Neighbours:")
        lines += [f"{label}: {', '.join(ends[kind])}" for label, ends in adjacency(edges).items() if kind in ends]
    return "\n".join(lines)


FORMATS: dict[str, Callable[[Edges], str]] = {
    "blanks": lambda edges: "".join(f"{a} {b} {kind}\n" for a, b, kind in edges),
    "tabs": lambda edges: "".join(f"{a}\t{b}\t{OTHER_WORDS[kind]}\n" for a, b, kind in edges),
    "commas with comments": lambda edges: (
        "# a map\n// of a town\n" + "".join(f"{a}, {b}, {OTHER_WORDS[kind]}   # {kind}\n\n" for a, b, kind in edges)
    ),
    "semicolons": lambda edges: "".join(f"{a};{b};{kind}\r\n" for a, b, kind in edges),
    "letters first": lambda edges: "".join(f"{WORDS[kind]} {a} {b}\n" for a, b, kind in edges),
    "other header": lambda edges: (
        "Id,From Station,To Station,Transport Type\n"
        + "".join(f"{i},{a},{b},{kind}\n" for i, (a, b, kind) in enumerate(edges))
    ),
    "both ways": lambda edges: "".join(f"{a} {b} {kind}\n{b} {a} {kind}\n" for a, b, kind in edges),
    "arrows": lambda edges: "".join(f"{a} -> {b} {kind}\n" for a, b, kind in edges),
    "counts": lambda edges: (
        f"{LONDON.n_nodes} {len(edges)}\n"
        + "".join(f"{label}\n" for label in LONDON.labels)
        + "".join(f"{a} {b} {OTHER_WORDS[kind]}\n" for a, b, kind in edges)
    ),
    "grouped adjacency": grouped,
    "adjacency under headings": headed,
    "JSON objects": lambda edges: json.dumps(
        [{"from_node_id": int(a), "to_node_id": int(b), "transport_mode": kind} for a, b, kind in edges]
    ),
    "JSON rows": lambda edges: json.dumps([[int(a), int(b), OTHER_WORDS[kind]] for a, b, kind in edges]),
    "JSON by kind": lambda edges: json.dumps({kind: [[a, b] for a, b, k in edges if k == kind] for kind in WORDS}),
    "JSON nodes": lambda edges: json.dumps(
        [
            {"number": int(label), "type": "Bus", "neighbours": kinds, "gui": {"x": 3, "y": 4}}
            for label, kinds in adjacency(edges).items()
        ]
    ),
    "JSON node to kinds": lambda edges: json.dumps(adjacency(edges)),
    "JSON node and links": lambda edges: json.dumps(
        {
            "nodes": [{"id": label} for label in LONDON.labels],
            "links": [{"source": a, "target": b, "kind": OTHER_WORDS[kind]} for a, b, kind in edges],
        }
    ),
}


@pytest.mark.parametrize("name", FORMATS)
def test_london_is_read_however_it_is_written(name: str, tmp_path) -> None:
    file = tmp_path / "london.txt"
    file.write_text(FORMATS[name](edges_of(LONDON)))
    board, findings = load_map(file)
    assert edges_of(board) == edges_of(LONDON)
    assert board.labels == LONDON.labels
    assert findings == []


@pytest.mark.parametrize(
    "text", ["1: 8, 9\n8: 1\n9: 1\n", "1 8 9\n8 1\n9 1\n", '{"1": [8, 9], "8": [1], "9": [1]}', "1 8\n1 9"]
)
def test_edges_without_a_kind_are_plain(text: str) -> None:
    board, findings = parse_map(text, "map", "map.txt")
    assert edges_of(board) == [("1", "8", "plain"), ("1", "9", "plain")]
    assert findings == []


@pytest.mark.parametrize(
    "word", ["taxi", "bus", "metro", "tube", "ship", "water", "boat", "black", "B", "T", "U", "H", "Ferry", "BUS"]
)
def test_synonyms_of_transports(word: str) -> None:
    (edge,) = parse_map(f"1 8 {word}", "map", "map.txt")[0].edges
    first = {"t": "TAXI", "b": "BUS", "m": "UNDERGROUND", "u": "UNDERGROUND"}.get(word[0].lower(), "FERRY")
    wanted = {"tube": "UNDERGROUND", "boat": "FERRY", "black": "FERRY"}.get(word, first)
    assert edge.transport is Transport[wanted]


def test_a_cell_may_name_several_transports() -> None:
    board, _ = parse_map("1,2,bus/underground\n2,3,taxi\n", "map", "map.csv")
    assert edges_of(board) == [("1", "2", "bus"), ("1", "2", "underground"), ("2", "3", "taxi")]


@pytest.mark.parametrize(
    ("text", "findings"),
    [
        ("1 2 bus\n1 2 bus\n", ["line 2: 1-2 (bus) is there twice; first in line 1"]),
        ("1 2\n2 3\n3 4\n2 1\n", ["line 4: 2-1 is there twice; first in line 1"]),
        ("1 2\n2 1\n2 3\n3 2\n3 1\n", ["line 5: 3-1 goes one way only; 1 to 3 is not there"]),
        ("1 2\n2 2\n", ["line 2: 2 is joined to itself; left out"]),
        ("1 2 bus\n2 3 bus\n2 4 broom\n", ["line 3: '2 4 broom' is left out: 'broom' is not a transport"]),
        ("2 9\n1\n2\n1 2\n", ["line 1: announces 2 nodes and 9 edges; there are 2 and 1"]),
        (
            '[{"from": 1, "to": 2}, {"from": 2, "to": 1}, {"from": 1, "to": 3}, {"from": 1, "to": 4}, 7.5]',
            ["entry 5: '7.5' is left out: it is not an edge", "entry 2: 2-1 is there twice; first in entry 1"],
        ),
    ],
)
def test_what_is_odd_is_a_finding_with_its_place(text: str, findings: list[str]) -> None:
    board, found = parse_map(text, "map", "map.txt")
    assert found == findings
    assert board.edges


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "map.txt holds no edges; expected rows such as '1 8 taxi'"),
        ("1\n2\n", "map.txt holds no edges"),
        ("[]", "map.txt holds no edges"),
        ("{", "map.txt: no JSON from character 2 on"),
        ("[" * 10_000, "map.txt: nested deeper than 64 levels"),
        ("a,b,kind\n1,2,x\n2,3,y\n3,4,bus\n", "map.txt is not a map: 2 of 3 rows are none; line 2: '1,2,x'"),
    ],
)
def test_what_is_no_map_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(BadBoard) as caught:
        parse_map(text, "map", "map.txt")
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


labels = st.text(
    st.characters(codec="ascii", categories=("L", "N"), include_characters="_.-#:;'\""), min_size=1, max_size=5
)
kinds = st.sampled_from(Transport)
edge_sets = st.sets(st.tuples(labels, labels, kinds).filter(lambda e: e[0] < e[1]), min_size=1, max_size=12)


@given(edges=edge_sets)
def test_parsing_after_formatting_is_identity(edges: set[tuple[str, str, Transport]]) -> None:
    board = build_board("map", edges)
    text = format_board_csv(board)
    assert parse_board(text, "map", "map.csv") == board
    assert parse_map(text, "map", "map.csv") == (board, None)


usual_labels = st.integers(0, 999).map(str)
usual_edges = st.sets(
    st.tuples(usual_labels, usual_labels, st.sampled_from(sorted(WORDS))).filter(lambda e: e[0] != e[1]), min_size=1
).filter(lambda edges: not any((b, a, kind) in edges for a, b, kind in edges))
ROW_FORMATS = (
    "blanks",
    "tabs",
    "commas with comments",
    "semicolons",
    "letters first",
    "other header",
    "arrows",
    "both ways",
)


@given(
    edges=usual_edges, name=st.sampled_from([*ROW_FORMATS, "both ways", "JSON objects", "JSON rows", "JSON by kind"])
)
def test_any_edges_are_read_however_they_are_written(edges: set[tuple[str, str, str]], name: str) -> None:
    board, findings = parse_map(FORMATS[name](sorted(edges)), "map", "map.txt")
    assert edges_of(board) == edges_of(build_board("map", edges))
    assert not findings


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.sampled_from(sorted(WORDS)),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(max_size=4)
            | st.sampled_from(["from", "to", "taxi", "edges", "nodes", "id", "type", "adj", "1", "2"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=DEEPEST,
)
scraps = st.sampled_from(
    ["1", "2", "taxi", "B", ",", ";", ":", " ", "\t", "\n", "#", "->", "a", "[", "{", '"', "\\", "é", "\0"]
)


@given(st.text() | st.lists(scraps, max_size=30).map("".join) | anything.map(json.dumps))
def test_any_text_is_a_board_or_one_line(text: str) -> None:
    for parse in (parse_map, parse_board):
        try:
            board = parse(text, "map", "map.txt")
        except (BadBoard, BadText) as error:
            assert "\n" not in str(error)
            assert len(str(error)) < 500
        else:
            assert board
