"""Imports point down only."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import manhunt

SRC = Path(manhunt.__file__).parent
LAYERS = (
    ("ids", "errors"),
    ("files",),
    ("boards",),
    ("games",),
    ("beliefs", "protocol", "draw"),
    ("solvers", "client"),
    ("agents",),
    ("play", "store"),
    ("arena",),
    ("server",),
    ("testing",),
    ("cli", "adapters"),
    ("__main__",),
)
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
FILES = sorted(p for p in SRC.rglob("*.py") if p != SRC / "__init__.py")


def room_of(file: Path) -> str:
    return file.relative_to(SRC).parts[0].removesuffix(".py")


def imported(tree: ast.AST, showing: bool = False) -> Iterator[tuple[str, bool]]:
    """Modules imported below `tree`, and whether inside a `_repr_svg_` method."""
    for child in ast.iter_child_nodes(tree):
        inside = showing or (isinstance(child, ast.FunctionDef) and child.name == "_repr_svg_")
        if isinstance(child, ast.Import):
            yield from ((alias.name, inside) for alias in child.names)
        elif isinstance(child, ast.ImportFrom) and child.module:
            assert child.level == 0, "imports are absolute"
            yield child.module, inside
        yield from imported(child, inside)


@pytest.mark.parametrize("file", FILES, ids=lambda p: str(p.relative_to(SRC)))
def test_imports_point_down(file: Path) -> None:
    here = room_of(file)
    for module, showing in imported(ast.parse(file.read_text(encoding="utf-8"))):
        if not module.startswith("manhunt."):
            continue
        there = module.split(".")[1]
        if showing and there == "draw":
            continue  # values show themselves in notebooks
        assert there == here or RANK[there] < RANK[here], f"{here} must not import {there}"


def test_games_never_import_each_other() -> None:
    games = {p.parent.name for p in (SRC / "games").glob("*/game.py")}
    assert games
    for game in games:
        for file in (SRC / "games" / game).glob("*.py"):
            for module, _ in imported(ast.parse(file.read_text(encoding="utf-8"))):
                parts = module.split(".")
                assert parts[:2] != ["manhunt", "games"] or len(parts) < 3 or parts[2] not in games - {game}


def test_only_one_decorator_compiles() -> None:
    using = [p for p in FILES if "numba" in {m.split(".")[0] for m, _ in imported(ast.parse(p.read_text()))}]
    assert [str(p.relative_to(SRC)) for p in using] == ["games/jit.py"]
