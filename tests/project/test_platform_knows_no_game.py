"""The platform names no game: everything about one game stands in its folder, and the platform asks its kit."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import manhunt
from manhunt.core.registry import BUILT_IN, kit_of

SRC = Path(manhunt.__file__).parent
SUFFIXES = {".py", ".js", ".css", ".html", ".json", ".svg"}
FILES = sorted(
    path
    for path in SRC.rglob("*")
    if path.suffix in SUFFIXES
    and path.relative_to(SRC).parts[0] not in ("games", "samples")  # samples are programs of those who play
    and "__pycache__" not in path.parts
)
WORDS = (
    "mr ?x", "mr_x", "mrx", "detectives?", "tickets?", "marshal", "hideouts?", "sprints?", "manhunt phase",
    "travell?ers?", "adversar(?:y|ial|ies)", "cops?", "robbers?", "thief", "scotland", "yard", "travel log",
)  # fmt: skip
"""Words of particular games, beside their names and titles. Kinds of edges (taxi, bus, ...) belong to boards."""
ALLOWED = {
    "core/registry.py": ('BUILT_IN = ("pursuit", "scotland_yard", "fugitive", "shortest_path")\n',),
    "client/classic.py": (
        "from manhunt.games.shortest_path.classic.client import ADVERSARY, PLAYER, Client\n",
        '__all__ = ["ADVERSARY", "PLAYER", "Client"]\n',
    ),
}
"""Lines that name games: the registry, and the door through which bots for the classic server come in."""


def names_of_games() -> Iterator[str]:
    for name in BUILT_IN:
        yield name.replace("_", "[ _-]?")
        yield re.escape(kit_of(name).title.lower())


FORBIDDEN = re.compile(rf"(?<![a-z])(?:{'|'.join([*names_of_games(), *WORDS])})(?![a-z])", re.I)


def without_examples(text: str) -> str:
    """The examples in docstrings, each up to the next empty line, play some game and so name it."""
    example = re.compile(r"^ *>>> .*\n(?: *\S.*\n)*?(?= *(?:\n|\"\"\"))", re.M)
    return example.sub(lambda found: "\n" * found[0].count("\n"), text)


def found_in(text: str) -> list[str]:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)  # camelCase hides no word
    return [
        f"line {number}: {match[0]}"
        for number, line in enumerate(spaced.splitlines(), 1)
        for match in FORBIDDEN.finditer(line)
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SRC)))
def test_no_platform_file_names_a_game(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for line in ALLOWED.get(path.relative_to(SRC).as_posix(), ()):
        assert line in text
        text = text.replace(line, "")
    assert not found_in(without_examples(text))


@pytest.mark.parametrize(
    "text", ["if game == 'pursuit'", "n_detectives", "ScotlandYardView", "showMrX()", ".marshal {", "shortest-path"]
)
def test_the_scan_finds(text: str) -> None:
    assert found_in(text)


@pytest.mark.parametrize("text", ["Seat.PURSUERS", "the evader's quarry", "copy", "taxi", "backyards"])
def test_the_scan_lets_pass(text: str) -> None:
    assert not found_in(text)


@pytest.mark.parametrize("after", ["    Pursuit()\n\n    Detectives.\n", '    """\n\n\nMRX = 1\n'])
def test_examples_in_docstrings_may_name_a_game_and_nothing_after_them(after: str) -> None:
    (found,) = found_in(without_examples('def of():\n    """Some words.\n\n    >>> make_game("pursuit")\n' + after))
    assert found.startswith("line 7" if "Pursuit()" in after else "line 8")
