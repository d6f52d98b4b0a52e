"""`manhunt equilibrium` and `manhunt exploit` on small games, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from manhunt.cli.main import run

BLIND = ["--board", "grid:2x3", "--set", "n_detectives=1", "--set", "max_rounds=3", "--set", "visibility=rounds"]
VALUE = 0.549317738791
OWN = """
from manhunt.core.agent import Advice, Agent

class Lowest(Agent):
    def act(self, view, limit, rng):
        return Advice(view.legal[0])
"""


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert run([*words, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_a_small_game_is_solved_in_both_ways(capsys) -> None:
    found, exact = (answer(capsys, "equilibrium", "pursuit", *BLIND, *more) for more in ([], ["--exactly"]))
    assert found["value"] == pytest.approx(VALUE, abs=1e-6)
    assert exact["value"] == pytest.approx(VALUE, abs=1e-9)
    assert found["iterations"] == 2000
    assert found["histories"] == 3498
    assert found["infosets"] == {"evader": 410, "pursuers": 6 + 14 + 34}, "blind: walks of 0, 1 and 2 steps"
    again = answer(capsys, "equilibrium", "pursuit", *BLIND)
    assert again["checksum"] == found["checksum"]


def test_it_says_who_wins_how_often(capsys) -> None:
    assert run(["equilibrium", "pursuit", *BLIND]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "Value 0.549318 (from 0.549318 to 0.549318): Mr X wins 77.47% of the games" in told


def test_the_tree_is_written_as_efg(capsys, tmp_path: Path) -> None:
    file = tmp_path / "game.efg"
    answer(capsys, "equilibrium", "pursuit", *BLIND, "--efg", str(file))
    assert file.read_text(encoding="utf-8").startswith('EFG 2 R "Pursuit: board grid:2x3')


@pytest.mark.parametrize("seat", ["mrx", "Mr X", "evader"])
def test_random_is_exploited(capsys, seat: str) -> None:
    found = answer(capsys, "exploit", "pursuit", "random", "--as", seat, *BLIND)
    assert found["value"] == pytest.approx(VALUE, abs=1e-5)
    assert found["gain"] == pytest.approx(found["value"] - found["against_best_response"])  # type: ignore[operator]
    assert found["gain"] > 0.05  # type: ignore[operator]
    assert (found["exact"], found["samples"], found["asked"]) == (True, 1, 410)


def test_an_agent_of_ones_own_is_exploited(capsys, tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(OWN)
    assert run(["exploit", "pursuit", f"{file}:Lowest", "--as", "detectives", *BLIND]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "plays the detectives" in told
    assert "of 54 infosets; exact" in told


def test_a_random_agent_is_sampled_and_the_answer_says_so(capsys) -> None:
    words = ["exploit", "pursuit", "greedy", "--as", "detectives", *BLIND, "--samples", "5"]
    found = answer(capsys, *words)
    assert (found["exact"], found["samples"]) == (False, 5)
    assert run(words) == 0
    assert "estimated from 5 answers each in" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["equilibrium", "pursuit"], "about 6e+17 histories, and at most 1,000,000 fit"),
        (["equilibrium", "scotland-yard"], "deals are too many to list"),
        (["equilibrium", "chess"], "unknown game 'chess'"),
        (["equilibrium", "pursuit", *BLIND, "--max-histories", "100"], "more than 100 histories"),
        (["exploit", "pursuit", "random", "--as", "nobody"], "unknown seat 'nobody'"),
        (["exploit", "pursuit", "nobody", "--as", "evader"], "unknown agent 'nobody'"),
        (["exploit", "pursuit", "random"], "the following arguments are required: --as"),
        (["exploit", "pursuit", "random", "--as", "mrx", *BLIND, "--samples", "0"], "0 is too small"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_bad_input_is_one_line(capsys, words: list[str], told: str) -> None:
    assert run(words) == 2
    error = capsys.readouterr().err
    assert told in error
    assert len(error.splitlines()) == 1
