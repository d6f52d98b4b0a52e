"""`manhunt boards` from the outside: what it prints, writes and refuses."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from board_csv import save_board_csv
from coursework_text import coursework_text
from manhunt.boards.build import build_board
from manhunt.boards.catalog import catalogue, generators, load_board
from manhunt.boards.generate import grid
from manhunt.cli.main import run


def output(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    assert run(["boards", *(str(argument) for argument in arguments)]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def test_list_names_everything(capsys) -> None:
    text = output(capsys)
    assert all(entry.name in text for entry in catalogue())
    assert all(generator.form in text for generator in generators())


def test_list_as_json(capsys) -> None:
    listed = json.loads(output(capsys, "--json"))
    assert [board["name"] for board in listed["boards"]] == [entry.name for entry in catalogue()]
    assert "top-right-simple-v1" in listed["boards"][0]["aliases"]
    assert all(load_board(family["example"]).n_nodes > 1 for family in listed["generators"])


def test_show_prints_facts(capsys) -> None:
    text = output(capsys, "show", "london")
    rows = {" ".join(line.split()) for line in text.splitlines()}
    assert {
        "nodes 199",
        "edges 467 (taxi 345, bus 99, underground 20, ferry 3)",
        "joined pairs 436",
        "components 1",
        "diameter 10 hops",
    } <= rows


@pytest.mark.parametrize("order", [("show", "top-right-20", "--json"), ("--json", "show", "top-right-20")])
def test_show_as_json(capsys, order: tuple[str, ...]) -> None:
    facts = json.loads(output(capsys, *order))
    assert (facts["nodes"], facts["edges"], facts["transports"]) == (20, 20, {"plain": 20})
    assert facts["degree"] == {"least": 1, "mean": 2.0, "most": 3}
    assert [len(part) for part in facts["components"]] == [17, 3]
    assert facts["components"][1] == ["6", "7", "17"]
    assert facts["hash"] == load_board("top-right-20").hash


def test_show_writes_a_drawing(capsys, tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    output(capsys, "show", "petersen", "--svg", file)
    light = file.read_text()
    output(capsys, "show", "petersen", "--svg", file, "--dark")
    assert ElementTree.fromstring(light).tag.endswith("svg")
    assert file.read_text() != light
    assert [path.name for path in tmp_path.iterdir()] == ["board.svg"]


def test_check_london_itself(capsys, tmp_path: Path) -> None:
    (tmp_path / "graph.txt").write_text(coursework_text(load_board("london")))
    assert "the same edges as the catalogue's london" in output(capsys, "check", tmp_path / "graph.txt")


def test_check_names_missing_and_extra_edges(capsys, tmp_path: Path) -> None:
    london = load_board("london")
    edges = [(london.label(e.a), london.label(e.b), e.transport) for e in london.edges]
    changed = [edge for edge in edges if edge[:2] not in {("99", "112"), ("159", "198")}]
    save_board_csv(build_board("copy", [*changed, ("13", "14", "taxi"), ("185", "199", "bus")]), tmp_path / "copy.csv")
    text = output(capsys, "check", tmp_path / "copy.csv")
    assert text.splitlines()[-5:] == [
        "differs from the catalogue's london (2 extra, 2 missing):",
        "  extra: 13-14 taxi",
        "  missing: 99-112 taxi",
        "  missing: 159-198 taxi",
        "  extra: 185-199 bus",
    ]
    found = json.loads(output(capsys, "check", tmp_path / "copy.csv", "--json"))
    assert [(row["what"], row["edge"], row["kind"]) for row in found["differences"]] == [
        ("extra", "13-14", "taxi"),
        ("missing", "99-112", "taxi"),
        ("missing", "159-198", "taxi"),
        ("extra", "185-199", "bus"),
    ]
    assert found["findings"] == []


def test_check_names_edges_of_another_kind(capsys, tmp_path: Path) -> None:
    london = load_board("london")
    rows = [f"{london.label(e.a)} {london.label(e.b)} {e.transport.name}" for e in london.edges]
    (tmp_path / "map.txt").write_text("\n".join(rows).replace("108 115 FERRY", "108 115 bus"))
    text = output(capsys, "check", tmp_path / "map.txt", "--out", tmp_path / "map.csv")
    assert text.splitlines()[-2:] == [
        "differs from the catalogue's london (1 other kind):",
        "  other kind: 108-115 is bus, not ferry",
    ]
    assert len(load_board(str(tmp_path / "map.csv")).edges) == len(london.edges)
    assert (tmp_path / "map.csv").read_text().startswith("a,b,transport\n")


def test_check_prints_what_is_odd(capsys, tmp_path: Path) -> None:
    (tmp_path / "odd.csv").write_text("a,b\n1,2\n2,1\n2,3\n1,2\n3,3\n1,3\n")
    text = output(capsys, "check", tmp_path / "odd.csv")
    assert text.splitlines()[-5:-1] == [
        "3 findings:",
        "  line 5: 1-2 is there twice; first in line 2",
        "  line 6: 3 is joined to itself; left out",
        "  line 3: 2-1 is there twice; first in line 2",
    ]


def test_check_compares_a_plain_london_by_joined_pairs(capsys, tmp_path: Path) -> None:
    london = load_board("london")
    pairs = sorted({(london.label(e.a), london.label(e.b), None) for e in london.edges} - {("1", "8", None)})
    save_board_csv(build_board("pairs", pairs), tmp_path / "pairs.csv")
    found = json.loads(output(capsys, "check", tmp_path / "pairs.csv", "--json"))
    assert found["differences"] == [{"what": "missing", "edge": "1-8", "kind": None, "expected": None}]


def test_check_does_not_compare_other_boards(capsys, tmp_path: Path) -> None:
    save_board_csv(grid(20, 10), tmp_path / "grid.csv")
    assert "not compared with london" in output(capsys, "check", tmp_path / "grid.csv")
    found = json.loads(output(capsys, "check", tmp_path / "grid.csv", "--json"))
    assert (found["like_london"], found["differences"], found["nodes"]) == (False, None, 200)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "londn"], "unknown board 'londn'; did you mean london?"),
        (["show"], "the following arguments are required: NAME (see 'manhunt boards show --help')"),
        (["shw"], "argument show | check | generate: invalid choice: 'shw'"),
        (["show", "path:3", "--svg", "{tmp}"], "cannot write {tmp}: "),
        (["show", "path:3", "--svg", "{tmp}/no/x.svg"], "cannot write {tmp}/no/x.svg: No such file or directory"),
        (["check", "{tmp}"], "cannot read {tmp}: Is a directory"),
        (["check", "{tmp}/none.csv"], "cannot read {tmp}/none.csv: No such file or directory"),
        (["check", "{tmp}/bad.csv", "--out", "{tmp}"], "cannot write {tmp}: it is a folder"),
        (["show", "{tmp}/bad.csv"], "bad.csv line 3: edge 2-1 (plain) appears twice"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(capsys, tmp_path: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "bad.csv").write_text("a,b\n1,2\n2,1\n")
    assert run(["boards", *(argument.format(tmp=tmp_path) for argument in arguments)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"manhunt: {message.format(tmp=tmp_path)}")
    assert printed.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["bad.csv"]


@pytest.mark.parametrize("arguments", [["--help"], ["show", "--help"], ["check", "--help"]])
def test_help_has_an_example(capsys, arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as left:
        run(["boards", *arguments])
    assert left.value.code == 0
    assert "example" in capsys.readouterr().out
