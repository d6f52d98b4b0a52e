"""The public names: what the packages of the library list in `__all__`, and what their sources say about them."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

import manhunt
from manhunt.core.registry import BUILT_IN

SRC = Path(manhunt.__file__).parent
PACKAGES = (
    "manhunt", "manhunt.core", "manhunt.boards", "manhunt.beliefs", "manhunt.solvers", "manhunt.play",
    "manhunt.arena", "manhunt.analysis", "manhunt.adapters", "manhunt.draw", "manhunt.search", "manhunt.testing",
    "manhunt.client", *(f"manhunt.games.{game}" for game in BUILT_IN),
)  # fmt: skip


@dataclass(frozen=True)
class PublicName:
    """A name, the package that shows it, and the module that it lives in."""

    package: str
    name: str
    home: str

    def __str__(self) -> str:
        return f"{self.package}.{self.name}"


def public_names(package: str) -> list[PublicName]:
    """All names of a package but its kit."""
    module = import_module(package)
    return [PublicName(package, name, module._HOME[name]) for name in module.__all__ if name != "KIT"]


@cache
def source_of(module: str) -> ast.Module:
    file = SRC.joinpath(*module.split(".")[1:])
    path = file / "__init__.py" if file.is_dir() else file.with_suffix(".py")
    return ast.parse(path.read_text(encoding="utf-8"))


def definition(name: PublicName) -> tuple[ast.stmt, str | None]:
    """Where a name is defined, with its docstring; that of a value is the string below it."""
    return _found(source_of(name.home).body, name.name)


def fields_of(name: PublicName) -> Iterator[tuple[str, str | None]]:
    """Annotated fields of a class, with their docstrings."""
    node, _ = definition(name)
    assert isinstance(node, ast.ClassDef)
    for each in node.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            yield each.target.id, _found(node.body, each.target.id)[1]


def members_of(name: PublicName) -> Iterator[tuple[str, str | None]]:
    """Public methods and properties of a class, with their docstrings; none for other names."""
    node, _ = definition(name)
    for each in node.body if isinstance(node, ast.ClassDef) else ():
        if isinstance(each, ast.FunctionDef) and not each.name.startswith("_"):
            yield each.name, ast.get_docstring(each)


def _found(body: list[ast.stmt], name: str) -> tuple[ast.stmt, str | None]:
    for node, following in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
            overloads = [n for n in body if isinstance(n, ast.FunctionDef) and n.name == name]
            last = overloads[-1] if overloads else node
            return last, ast.get_docstring(last)
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            said = (
                isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant) and following.value.value
            )
            return node, said if isinstance(said, str) else None
    raise AssertionError(f"{name} is not defined there")
