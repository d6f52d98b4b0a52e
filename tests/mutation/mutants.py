"""Small mistakes put into a source file, one at a time: `<` becomes `<=`, `and` becomes `or`, a call is left out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
    ast.Mod: ast.Add, ast.Pow: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
NOT_CODE = re.compile(r"(//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)", re.S)
SCRIPT_SWAPS = [
    (r"===", "!=="), (r"!==", "==="), (r"&&", "||"), (r"\|\|(?!=)", "&&"), (r"\?\?(?!=)", "&&"),
    (r"(?<=\s)<(?=\s)", "<="), (r"<=", "<"), (r"(?<=\s)>(?=\s)", ">="), (r"(?<![=])>=", ">"),
    (r"(?<=\s)\+(?=\s)", "-"), (r"(?<=\s)-(?=\s)", "+"), (r"(?<=\s)\*(?=\s)", "/"), (r"(?<=\s)/(?=\s)", "*"),
    (r"\+=", "-="), (r"!(?=[\w(])", ""), (r"\btrue\b", "false"), (r"\bfalse\b", "true"),
    (r"\bsome\b(?=\()", "every"), (r"\bmin\b(?=\()", "max"), (r"\bmax\b(?=\()", "min"),
    (r"(?<![\w.#])\d+(?![\w.])", None),
    (r"(?m)^ +(?:this|held|[a-z]\w*)(?:\??\.#?\w+)+(?:\([^\n]*\)| = [^\n]*);$", ";"),
]  # fmt: skip
"""What is written instead; None is the number after this one."""


@dataclass(frozen=True)
class Mutant:
    """One change: the text from `start` to `end` of a file is replaced."""

    path: Path
    line: int
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {' '.join(self.old.split())} -> {' '.join(self.new.split())}"

    def apply(self, text: str) -> str:
        assert text[self.start : self.end] == self.old
        return text[: self.start] + self.new + text[self.end :]


def mutants_of(path: Path, text: str) -> list[Mutant]:
    """All of them, in the order of the file."""
    made = _of_script(path, text) if path.suffix == ".js" else _of_python(path, text)
    return sorted({mutant for mutant in made if mutant.old != mutant.new}, key=lambda m: (m.start, m.end, m.new))


def _of_script(path: Path, text: str) -> Iterator[Mutant]:
    """Code outside comments and strings, found by patterns; imports are left alone."""
    blank = NOT_CODE.sub(lambda found: re.sub(r"[^\n]", "\x00", found[0]), text)
    blank = re.sub(r"(?m)^import .*$", lambda found: "\x00" * len(found[0]), blank)
    for pattern, new in SCRIPT_SWAPS:
        for found in re.finditer(pattern, blank):
            old = text[found.start() : found.end()]
            line = text.count("\n", 0, found.start()) + 1
            yield Mutant(path, line, found.start(), found.end(), old, str(int(old) + 1) if new is None else new)


class _Finder(ast.NodeVisitor):
    """Changed nodes of a module. Annotations, docstrings, decorators and what is for type checkers are left alone."""

    def __init__(self) -> None:
        self.found: list[tuple[ast.expr | ast.stmt, str]] = []

    def generic_visit(self, node: ast.AST) -> None:
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "type_params"):
                continue
            if name == "keywords" and isinstance(node, ast.ClassDef):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    self.visit(child)

    def add(self, node: ast.expr | ast.stmt, new: ast.AST | str) -> None:
        text = new if isinstance(new, str) else ast.unparse(new)
        self.found.append((node, text if isinstance(node, ast.stmt) else f"({text})"))

    def visit_If(self, node: ast.If) -> None:
        if ast.unparse(node.test) != "TYPE_CHECKING":
            self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """The words of an error are looked at by people; whether it comes is decided elsewhere."""

    def visit_Compare(self, node: ast.Compare) -> None:
        if len(node.ops) == 1 and type(node.ops[0]) in SWAPPED:
            self.add(node, ast.Compare(node.left, [SWAPPED[type(node.ops[0])]()], node.comparators))  # type: ignore[list-item]
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self.add(node, ast.BoolOp(SWAPPED[type(node.op)](), node.values))  # type: ignore[arg-type]
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in SWAPPED and not isinstance(node.left, ast.Constant | ast.JoinedStr):
            self.add(node, ast.BinOp(node.left, SWAPPED[type(node.op)](), node.right))  # type: ignore[arg-type]
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self.add(node, node.operand)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.add(node, ast.IfExp(node.test, node.orelse, node.body))
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name) and node.func.id in NAMES:
            self.add(node, ast.Call(ast.Name(NAMES[node.func.id]), node.args, node.keywords))
        self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg != "strict":  # a guard against our own mistakes
            self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.add(node, str(not node.value))
        elif isinstance(node.value, int | float):
            self.add(node, repr(node.value + 1))

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.add(node, "pass")
            self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if type(node.op) in SWAPPED:
            self.add(node, ast.AugAssign(node.target, SWAPPED[type(node.op)](), node.value))  # type: ignore[arg-type]
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if isinstance(node.targets[0], ast.Attribute | ast.Subscript):
            self.add(node, "pass")
        self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Words."""


def _of_python(path: Path, text: str) -> Iterator[Mutant]:
    finder = _Finder()
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            finder.visit(statement)
    lines = text.encode().splitlines(keepends=True)
    starts = [sum(map(len, lines[:i])) for i in range(len(lines))]
    data = text.encode()

    def place(line: int, column: int) -> int:
        return len(data[: starts[line - 1] + column].decode())

    for node, new in finder.found:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start, end = place(node.lineno, node.col_offset), place(node.end_lineno, node.end_col_offset)
        yield Mutant(path, node.lineno, start, end, text[start:end], new)
