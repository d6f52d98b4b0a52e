"""Files that cannot be meant, given to every command that reads one: one line, exit code 2, no traceback."""

from collections.abc import Callable
from pathlib import Path

import pytest

from manhunt.arena.schedule import make_plan
from manhunt.arena.tournament import run_tournament
from manhunt.cli.main import run

DEEP = "[" * 100_000
RECORD = "manhunt record 1\ngame: {game}\nseed: 1\nseats: {{}}\nconfig: {deep}\nsetup: {{}}\noutcome: unfinished\n"


def deep_record(game: str) -> Callable[[Path], None]:
    def make(file: Path) -> None:
        file.write_text(RECORD.format(game=game, deep=DEEP))

    return make


def deep_json(file: Path) -> None:
    file.write_text(DEEP)


def deep_toml(file: Path) -> None:
    file.write_text(f"name = {DEEP}")


def zeros(file: Path) -> None:
    file.symlink_to("/dev/zero")


def spoiled_arena(name: str, make: Callable[[Path], None]) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        run_tournament(make_plan("pursuit", ["random"], ["random"], 2), out=folder, workers=0)
        (folder / name).unlink(missing_ok=True)
        make(folder / name)

    return spoil


def deep_line(file: Path) -> None:
    file.write_text(DEEP + "\n")


RANDOM = ("--evader", "random", "--pursuers", "random")
WATCH = ["watch", "pursuit", "--no-viz"]
CASES = [
    ([*WATCH, "--policy-file", "{file}"], "x.json", deep_json),
    ([*WATCH, "--policy-file", "{file}"], "x.json", zeros),
    (["analyse", "{file}"], "x.txt", deep_record("shortest_path")),
    (["analyse", "{file}"], "x.txt", zeros),
    (["tournament", "run", "{file}"], "x.toml", deep_toml),
    (["tournament", "run", "{file}"], "x.toml", zeros),
    (["arena", "report", "{file}"], "x", spoiled_arena("config.json", deep_json)),
    (["arena", "report", "{file}"], "x", spoiled_arena("config.json", zeros)),
    (["arena", "report", "{file}"], "x", spoiled_arena("results.jsonl", deep_line)),
    (["arena", "report", "{file}"], "x", spoiled_arena("bounds.json", deep_json)),
    (["beliefs", "fit", "{file}", "--out", "{file}.json"], "x.txt", deep_record("scotland_yard")),
    (["beliefs", "score", "{file}"], "x.txt", deep_record("scotland_yard")),
    (["beliefs", "score", "{file}"], "x.txt", zeros),
    (["beliefs", "score", "{file}", "--model", "{file}"], "x.json", deep_json),
    (["boards", "check", "{file}"], "x.csv", zeros),
    (["boards", "check", "{file}"], "x.gml", zeros),
    (["boards", "show", "{file}"], "x.csv", zeros),
    (["watch", "shortest-path", "--no-viz", "--game-file", "{file}"], "x.txt", zeros),
    (["solve", "--probe", "{file}", "--mrx", "1", "--detectives", "5"], "x.table", zeros),
    (["arena", "pursuit", *RANDOM, "--set", f"max_rounds={DEEP[:50_000]}"], "x", lambda file: None),
]


@pytest.mark.parametrize(("arguments", "name", "make"), CASES)
def test_a_file_that_cannot_be_meant_is_one_line(arguments, name, make, tmp_path, capsys) -> None:
    file = tmp_path / name
    make(file)
    try:
        code = run([argument.replace("{file}", str(file)) for argument in arguments])
    except SystemExit as left:  # argparse
        code = int(left.code or 0)
    said = capsys.readouterr().err
    assert code == 2
    assert said.startswith("manhunt")
    assert said.count("\n") == 1
    assert len(said) < 400
    assert any(word in said for word in ("nested deeper than 64 levels", "too large: more than", "is not a table"))
