"""Where a key of a TOML file stands, so that what is wrong with it can be told with its line."""

from __future__ import annotations

import re

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"""^\s*("[^"]*"|'[^']*'|[A-Za-z0-9_.-]+)\s*=""")
_TRIPLE = re.compile(r"\"\"\"|'''")

Where = tuple[str | int, ...]
"""A key's way from the top: ("bot", 2, "command") is the command of the third [[bot]]."""


class Lines:
    """The lines of tables and keys; what is not found is told with its table's line, or the first."""

    def __init__(self, text: str) -> None:
        self._found: dict[Where, int] = {(): 1}
        counts: dict[str, int] = {}
        table: Where = ()
        inside: str | None = None
        for number, line in enumerate(text.splitlines(), 1):
            was_inside = inside is not None
            for mark in _TRIPLE.findall(line):
                inside = mark if inside is None else None if mark == inside else inside
            if was_inside:
                continue
            header, key = _HEADER.match(line), _KEY.match(line)
            if header:
                name = header[2].strip("\"'")
                table = tuple(name.split("."))
                if header[1] == "[[":
                    table = (name, counts.get(name, 0))
                    counts[name] = counts.get(name, 0) + 1
                self._found.setdefault(table, number)
            elif key:
                self._found.setdefault((*table, *key[1].strip("\"'").split(".")), number)

    def of(self, *where: str | int) -> int:
        for length in range(len(where), -1, -1):
            if where[:length] in self._found:
                return self._found[where[:length]]
        return 1
