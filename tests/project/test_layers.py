"""Imports point down only: in the platform by its layers, in a game's folder by the table of its rooms."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import manhunt
from manhunt.core.registry import BUILT_IN, make_game

SRC = Path(manhunt.__file__).parent
LAYERS = (
    ("core",),
    ("boards",),
    ("beliefs", "search", "solvers", "protocol", "draw"),
    ("agents", "client"),
    ("play", "store"),
    ("analysis",),
    ("workers",),
    ("arena",),
    ("learning",),
    ("server",),
    ("testing",),
    ("cli",),
    ("adapters",),
    ("samples",),
    ("__main__",),
)
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
PLATFORM = frozenset(RANK) - {"__main__"}
MACHINERY = frozenset({"core", "boards", "beliefs", "search", "solvers"})
SHOWING = MACHINERY | {"protocol", "draw", "agents", "client", "play", "store", "analysis", "arena"}
ROOMS = frozenset({"rules", "encoding", "beliefs", "solvers", "agents", "champion", "show", "study", "classic"})
MAY_IMPORT: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "__init__": (frozenset({"core"}), ROOMS),  # by name, for type checkers: tests/project/test_api.py
    "rules": (frozenset({"core", "boards"}), frozenset()),
    "encoding": (frozenset({"core", "boards"}), frozenset({"rules"})),
    "beliefs": (MACHINERY, frozenset({"rules"})),
    "solvers": (MACHINERY, frozenset({"rules", "beliefs"})),
    "agents": (MACHINERY | {"agents", "client"}, frozenset({"rules", "beliefs", "solvers"})),
    "champion": (MACHINERY, frozenset({"rules", "beliefs", "agents"})),
    "show": (SHOWING | {"cli"}, frozenset({"rules", "beliefs", "solvers", "agents", "champion", "study", "classic"})),
    "lessons": (SHOWING, frozenset({"rules", "beliefs"})),
    "puzzles": (SHOWING, frozenset({"rules", "beliefs", "solvers", "agents", "show"})),
    "study": (SHOWING, frozenset({"rules", "beliefs", "solvers", "agents"})),
    "classic": (SHOWING | {"cli"}, frozenset({"rules", "beliefs", "solvers", "agents", "show"})),
}
"""By room of a game: the platform's packages and the game's other rooms that it may import."""
DOORS = {"client/classic.py": "manhunt.games.shortest_path.classic.client"}
"""Platform files that hand out what a game has, under a name that its users look for; they do nothing else."""
ASKED = {"play/record.py": ("manhunt.analysis.analysed_game.", "manhunt.analysis.worth.")}
"""Files whose values answer from a layer above their own when they are asked, and where from: `record.analyse()`."""
TYPES_OF_GAMES = {type(game).__module__ + "." + type(game).__name__ for game in map(make_game, BUILT_IN)}
"""What `games/typed.py` imports, for type checkers alone."""
FILES = sorted(p for p in SRC.rglob("*.py") if p != SRC / "__init__.py")

ON_REQUEST = {"_repr_svg_": "show", "guess_mask": "beliefs"}
"""Methods of values that answer from a room above their own when they are asked: how it looks, what can be known."""

Imports = Iterator[tuple[str, str]]


def imported(tree: ast.AST, method: str = "") -> Imports:
    """Modules imported below `tree`, and the method of `ON_REQUEST` that they are imported in."""
    for child in ast.iter_child_nodes(tree):
        inside = child.name if isinstance(child, ast.FunctionDef) and child.name in ON_REQUEST else method
        if isinstance(child, ast.Import):
            yield from ((alias.name, inside) for alias in child.names)
        elif isinstance(child, ast.ImportFrom) and child.module:
            assert child.level == 0, "imports are absolute"
            yield from ((f"{child.module}.{alias.name}", inside) for alias in child.names)
        yield from imported(child, inside)


def of_text(text: str) -> list[tuple[str, str]]:
    return list(imported(ast.parse(text)))


def trouble(file: Path, text: str) -> list[str]:
    """What a file of the package imports, but must not."""
    parts = file.relative_to(SRC).with_suffix("").parts
    found = []
    for module, method in of_text(text):
        there = module.split(".")[1:] if module.startswith("manhunt.") else []
        if not there or there[0] not in {*RANK, "games"}:
            continue  # another package, or a name of our own namespace
        if parts[0] == "games":
            allowed = _game_may(parts, there, method)
        else:
            allowed = there[0] == parts[0] or (there[0] != "games" and RANK[there[0]] < RANK[parts[0]])
            allowed = allowed or module.startswith(ASKED.get(file.relative_to(SRC).as_posix(), "none"))
            allowed = allowed or (method == "_repr_svg_" and there[0] == "draw")  # values show themselves in notebooks
        if not allowed:
            found.append(f"{'.'.join(parts)} must not import {module}")
    return found


def _game_may(parts: tuple[str, ...], there: list[str], method: str) -> bool:
    game, room = parts[1], parts[2]
    packages, rooms = MAY_IMPORT[room]
    if there[0] != "games":
        return there[0] in packages or (method == "_repr_svg_" and there[0] == "draw")
    if len(there) < 3 or there[1] != game:
        return False
    return there[2] == room or there[2] in rooms or there[2] == ON_REQUEST.get(method)


@pytest.mark.parametrize("file", FILES, ids=lambda p: str(p.relative_to(SRC)))
def test_imports_point_down(file: Path) -> None:
    if file == SRC / "games" / "typed.py":
        assert {
            module for module, _ in of_text(file.read_text(encoding="utf-8")) if "games" in module
        } == TYPES_OF_GAMES
        return
    if file == SRC / "games" / "__init__.py":
        assert not of_text(file.read_text(encoding="utf-8"))
        return
    text = file.read_text(encoding="utf-8")
    if (module := DOORS.get(file.relative_to(SRC).as_posix())) is not None:
        _, door, names = ast.parse(text).body
        assert isinstance(door, ast.ImportFrom)
        assert door.module == module
        assert isinstance(names, ast.Assign)
        return
    assert not trouble(file, text)


SHOWS = "class State:\n    def _repr_svg_(self):\n        from manhunt.games.pursuit.show.scene import scene\n"
BAD = {
    "core/game.py": "from manhunt.boards.board import Board",
    "boards/board.py": "def f():\n    from manhunt.draw.svg import draw_board",
    "search/trees.py": "from manhunt.solvers import tables",
    "server/app.py": "from manhunt.cli.main import run",
    "arena/match.py": "from manhunt.games.pursuit.rules.game import PursuitGame",
    "cli/watch.py": "import manhunt.games.fugitive",
    "server/api_games.py": "from manhunt.samples.classic_player import play",
    "samples/bot.py": "from manhunt.games.shortest_path.classic.client import Client",
    "draw/scene.py": "from manhunt.games import fugitive",
    "play/clock.py": "from manhunt import games",
    "play/record.py": "from manhunt.analysis.findings import Findings",
    "games/pursuit/rules/rules.py": "from manhunt.beliefs.filter import Filter",
    "games/pursuit/rules/state.py": "from manhunt.games.pursuit.show.scene import scene",
    "games/fugitive/rules/views.py": "def guess_mask(self):\n    from manhunt.games.fugitive.agents.l1 import L1",
    "games/pursuit/beliefs/candidates.py": "from manhunt.games.pursuit.agents.greedy import GreedyAgent",
    "games/pursuit/solvers/tables.py": "from manhunt.agents.registry import make_agent",
    "games/pursuit/agents/greedy.py": "from manhunt.play.referee import Referee",
    "games/pursuit/show/scene.py": "from manhunt.games.scotland_yard.rules.views import View",
    "games/fugitive/show/analysis.py": "from manhunt.server.app import make_app",
    "games/fugitive/study/study.py": "from manhunt.cli.screen import console",
    "games/pursuit/__init__.py": "from manhunt.boards.catalog import load_board",
}
GOOD = {
    "arena/match.py": "from manhunt.core.registry import kit_of",
    "boards/board.py": "class Board:\n    def _repr_svg_(self):\n        from manhunt.draw.svg import draw_board\n",
    "games/pursuit/rules/state.py": SHOWS,
    "play/record.py": "def analyse(self):\n    from manhunt.analysis.analysed_game import analyse_record\n",
    "games/pursuit/show/terminal.py": "from manhunt.cli.terminal.contract import Screen",
    "games/pursuit/agents/table.py": "from manhunt.games.pursuit.solvers.probe import probe",
}


@pytest.mark.parametrize("file", BAD)
def test_an_import_that_points_up_is_found(file: str) -> None:
    assert len(trouble(SRC / file, BAD[file])) == 1


@pytest.mark.parametrize("file", GOOD)
def test_an_import_that_points_down_passes(file: str) -> None:
    assert not trouble(SRC / file, GOOD[file])


def test_every_room_and_package_has_its_place() -> None:
    packages = {path.parent.name for path in SRC.glob("*/__init__.py")}
    assert packages <= PLATFORM | {"games"}
    games = {path.parent.name for path in (SRC / "games").glob("*/__init__.py")}
    assert games == set(BUILT_IN)
    for game in games:
        rooms = {path.relative_to(SRC / "games" / game).parts[0] for path in (SRC / "games" / game).rglob("*.py")}
        assert {room.removesuffix(".py") for room in rooms} <= set(MAY_IMPORT)


def test_only_one_decorator_compiles() -> None:
    using = [p for p in FILES if "numba" in {m.split(".")[0] for m, _ in of_text(p.read_text(encoding="utf-8"))}]
    assert [str(p.relative_to(SRC)) for p in using] == ["core/kernel_cache.py"]
