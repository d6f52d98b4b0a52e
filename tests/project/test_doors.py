"""The package's few doors: its namespace and the command."""

import subprocess
import sys
import tomllib
from pathlib import Path

import manhunt
from manhunt.cli.main import COMMANDS, run


def test_every_public_name_loads() -> None:
    assert all(getattr(manhunt, name) is not None for name in manhunt.__all__)
    assert set(dir(manhunt)) == {*manhunt.__all__, "__version__"}
    assert manhunt.__all__ == sorted(manhunt.__all__, key=lambda n: (n[0].islower(), n))


def test_namespace_is_pinned() -> None:
    assert set(manhunt.__all__) == {
        "Advice", "Agent", "Board", "Limit", "Node", "Referee", "Seat", "Side", "Strategy", "TeamStrategy", "Transport",
        "load_board", "load_record", "make_agent", "make_game", "play_game",
    }  # fmt: skip


def test_help_is_cheap() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "manhunt", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert all(f" {name}\n" in done.stdout or f"  {name} " in done.stdout for name in COMMANDS)
    for heavy in ("numba", "numpy", "matplotlib", "starlette", "fastapi", "rich", "networkx", "scipy"):
        assert f"| {heavy}" not in done.stderr.replace("|   ", "| "), heavy


def test_version(capsys) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"manhunt {manhunt.__version__}\n"


def test_unknown_command_is_one_line(capsys) -> None:
    assert run(["wach"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert "did you mean watch?" in printed.err


def test_unknown_option_is_one_line(capsys) -> None:
    assert run(["--colour"]) == 2
    assert capsys.readouterr().err == "manhunt: unrecognized arguments: --colour (see 'manhunt --help')\n"


def test_the_licence_is_mit() -> None:
    root = Path(__file__).parents[2]
    assert (root / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")
    assert tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["license"] == "MIT"
