"""The page on the coursework names tests that exist."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "coursework.md"
RULE_TESTS = "tests/games/scotland_yard/rules"
GROUPS = ("creating", "players", "rounds", "moves of detectives", "single", "secret", "double", "travel log", "tickets")
ENDS = ("Mr X caught", "Mr X stuck", "the last round is over", "detectives stuck")


@cache
def functions_in(file: Path) -> frozenset[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def rows() -> list[tuple[str, Path, list[str]]]:
    """Group, file and tests of each row of the page's last table."""
    _, table = PAGE.read_text(encoding="utf-8").split("\n## Which tests hold which rules\n")
    out = []
    for line in table.split("\n## ")[0].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and "`" in line:
            file = cells[1].strip("`")
            out.append(
                (cells[0], ROOT / (file if "/" in file else f"{RULE_TESTS}/{file}"), re.findall(r"`(\w+)`", cells[2]))
            )
    return out


@pytest.mark.parametrize(("group", "file", "names"), rows(), ids=[group for group, _, _ in rows()])
def test_every_named_test_exists(group: str, file: Path, names: list[str]) -> None:
    assert names, group
    assert [name for name in names if name not in functions_in(file)] == []


@pytest.mark.parametrize("group", [*GROUPS, *ENDS, "model and observers"])
def test_every_group_of_rules_has_a_row(group: str) -> None:
    assert [each for each, _, _ in rows() if group in each]


def test_every_ending_and_move_of_the_rule_book_is_on_the_page() -> None:
    """Paragraphs 8 to 16: a new test of a rule is to be named on the page, too."""
    named = {name for _, _, names in rows() for name in names}
    files = [ROOT / RULE_TESTS / f"test_scotland_yard_{part}.py" for part in ("moves", "end")]
    paragraphs = {name for file in files for name in functions_in(file) if name.startswith("test_par_")}
    assert paragraphs - named == set()
