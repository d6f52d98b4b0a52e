"""Mutants change what runs: operators, numbers, conditions, statements; never words, comments or annotations."""

import ast
from pathlib import Path

import pytest
from mutants import mutants_of
from targets import PACKAGE, ROOT, TARGETS

PYTHON = '''"""Module."""

LIMIT = 3


def f(a: int, b: int = 2) -> int | None:
    """Words 1 + 1."""
    if not a and b < 3:
        print(f"{a + 1}")
    a += 1
    return max(a, b) if a is None else a - b
'''
SCRIPT = """// 1 === 2
import { x } from "./a.js";
export function f(a, b) {
  const words = "a === b" + `${a && b}`;
  this.seen = a;
  if (!a && b <= 3) return words;
  return a === b ? 1 : true;
}
"""


def changes(path: str, text: str) -> set[tuple[int, str, str]]:
    return {(mutant.line, mutant.old, mutant.new) for mutant in mutants_of(Path(path), text)}


def test_python() -> None:
    assert changes("a.py", PYTHON) == {
        (6, "2", "(3)"),
        (8, "not a and b < 3", "(not a or b < 3)"),
        (8, "not a", "(a)"),
        (8, "b < 3", "(b <= 3)"),
        (8, "3", "(4)"),
        (9, 'print(f"{a + 1}")', "pass"),
        (10, "a += 1", "a -= 1"),
        (10, "1", "(2)"),
        (11, "max(a, b) if a is None else a - b", "(a - b if a is None else max(a, b))"),
        (11, "max(a, b)", "(min(a, b))"),
        (11, "a is None", "(a is not None)"),
        (11, "a - b", "(a + b)"),
    }


def test_script() -> None:
    assert changes("a.js", SCRIPT) == {
        (4, "+", "-"),
        (5, "  this.seen = a;", ";"),
        (6, "!", ""),
        (6, "&&", "||"),
        (6, "<=", "<"),
        (6, "3", "4"),
        (7, "===", "!=="),
        (7, "1", "2"),
        (7, "true", "false"),
    }


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: f"{target.area}-{target.files[0]}")
def test_every_target_has_files_tests_and_mutants_that_parse(target) -> None:
    assert target.paths()
    assert all((ROOT / test).exists() for test in target.tests)
    for path in target.paths():
        text = (PACKAGE / path).read_text(encoding="utf-8")
        for mutant in mutants_of(path, text)[::9]:
            changed = mutant.apply(text)
            assert changed != text
            if path.suffix == ".py":
                ast.parse(changed)
