"""`manhunt solve fugitive`: what it prints, and what it refuses."""

from __future__ import annotations

import json

import pytest

from manhunt.cli.main import run

SMALL = ["solve", "fugitive", "--deck", "five", "--set", "max_rounds=2"]


def test_json_has_value_bounds_and_sizes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*SMALL, "--iterations", "300", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["low"] <= found["value"] <= found["high"]
    assert found["exploitability"] == pytest.approx(found["high"] - found["low"])
    assert found["config"]["max_rounds"] == 2
    assert found["iterations"] <= 300
    assert found["infosets"]["fugitive"] > 0


def test_exact_solution_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*SMALL, "--exactly"]) == 0
    shown = capsys.readouterr().out
    assert "Fugitive wins    0.7500" in shown
    assert "Exploitability   0.000000" in shown
    assert "Marshal guesses  hardly ever before the escape" in shown  # its shares would be those of what never happens


def test_decks_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "fugitive", "--list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["five"]["last"] == 5


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--deck", "fife"], "did you mean five"),
        (["--set", "max_rounds"], "write KEY=VALUE"),
        (["--set", "rounds=3"], "unknown option of fugitive 'rounds'"),
        (["--set", "pass_bonus=true"], "pass_bonus"),
        (["--exactly", "--iterations", "3"], "leave them out"),
        (["--deck", "six", "--max-infosets", "100"], "more than 100 infosets"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "fugitive", *arguments]) == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert told.startswith("manhunt: ")
    assert words in told
