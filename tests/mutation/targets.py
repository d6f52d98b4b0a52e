"""What is mutated, and the tests that ought to notice. A target takes the mutants of all its files together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "manhunt"
GAMES = ("pursuit", "scotland_yard", "fugitive", "shortest_path")
QUICK = {"NUMBA_DISABLE_JIT": "1", "HYPOTHESIS_EXAMPLES": "10"}


@dataclass(frozen=True)
class Target:
    area: str
    files: tuple[str, ...]
    """Patterns below the package."""
    tests: tuple[str, ...]
    n: int
    """Mutants that are tried of all that there are."""
    environment: Mapping[str, str] = field(default_factory=lambda: QUICK)

    def paths(self) -> list[Path]:
        found = [path for pattern in self.files for path in sorted(PACKAGE.glob(pattern))]
        return [path.relative_to(PACKAGE) for path in found if path.name != "__init__.py"]


def _of_game(area: str, files: tuple[str, ...], n: int, *more: str) -> list[Target]:
    """One target for each game that has such files."""
    made = [
        Target(
            area,
            tuple(f"games/{game}/{file}" for file in files),
            (*more, f"tests/games/{game}/rules", "tests/golden"),
            n,
        )
        for game in GAMES
    ]
    return [target for target in made if target.paths()]


TARGETS = [
    *_of_game("rules", ("rules/rules.py", "rules/placing.py", "rules/costs.py"), 18),
    *_of_game("views", ("rules/views.py",), 10, "tests/core/test_view_json.py"),
    Target("beliefs", ("beliefs/*.py",), ("tests/beliefs", "tests/games/pursuit/beliefs"), 20),
    Target(
        "beliefs",
        ("games/scotland_yard/beliefs/support.py", "games/scotland_yard/beliefs/public.py"),
        ("tests/games/scotland_yard/beliefs/test_support.py",),
        15,
    ),
    Target("beliefs", ("games/pursuit/beliefs/*.py",), ("tests/games/pursuit/beliefs",), 5),
    Target(
        "beliefs",
        tuple(f"games/fugitive/beliefs/{name}.py" for name in ("notes", "evidence", "trails", "worlds", "seats")),
        ("tests/games/fugitive/beliefs",),
        20,
        {**QUICK, "FUGITIVE_POSITIONS": "100"},
    ),
    Target("referee", ("play/referee.py", "play/clock.py", "play/fault.py"), ("tests/play",), 30),
    Target("records", ("play/record.py", "play/hindsight.py"), ("tests/play", "tests/golden"), 15),
    Target("store", ("store/*.py",), ("tests/store/test_store.py", "tests/store/test_running.py"), 20),
    Target(
        "protocol",
        ("protocol/codec.py", "protocol/messages.py", "protocol/session.py"),
        ("tests/protocol", "tests/agents/test_bot_agent.py"),
        30,
    ),
    Target(
        "statistics",
        ("arena/stats.py", "arena/sequential.py", "arena/ratings.py"),
        tuple(f"tests/arena/test_{name}.py" for name in ("stats", "ratings")),
        40,
    ),
    Target("pages", ("web/js/wire.js", "web/js/seat_feed.js", "web/js/questions.js"), ("tests/web/js",), 50, {}),
    Target("pages", ("web/js/picking.js", "web/js/board_game.js"), ("tests/web/js",), 15, {}),
    Target("pages", ("games/fugitive/web/turn.js",), ("tests/games/fugitive/web",), 30, {}),
    Target("pages", ("games/scotland_yard/web/danger.js",), ("tests/games/scotland_yard/web",), 25, {}),
]
