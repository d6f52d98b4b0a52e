"""What things were worth: words, progress, the document, the command, and games that have nothing to ask about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from manhunt.analysis import progress, worth
from manhunt.analysis.findings import ValueEstimate
from manhunt.analysis.worth import VERSION, game_worth, worth_words
from manhunt.cli.main import run
from manhunt.play.record import Record
from random_games import SMALL, random_record

PAGE = Path(__file__).parents[2] / "docs/reference/analysis.md"
TOP = {"version", "game", "plies", "pairs", "how", "rows"}
ROW = {"ply", "round", "seat", "kind", "what", "without", "chance_with", "chance_without", "gain", "words"}
ESTIMATE = {"mean", "low", "high"}
FEW = 4


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A short game of the kind that has such things, which are valued by few pairs of games."""
    monkeypatch.setattr(worth, "USUAL_PAIRS", FEW)
    path = tmp_path / "game.txt"
    record().save(path)
    return path


def record() -> Record:
    return random_record("scotland_yard", 3, n_detectives=4, rounds=9, shown=(3, 9))


@pytest.mark.parametrize(
    ("gain", "words"),
    [
        ((-0.06, -0.09, -0.03), "The reveal in round 8 cost Mr X 6 points, ±3"),
        ((0.012, 0.002, 0.022), "The reveal in round 8 brought Mr X 1 point, ±1"),
        ((0.02, -0.01, 0.05), "The reveal in round 8 made no clear difference to Mr X (+2 points, ±3)"),
        ((-0.01, -0.05, 0.031), "The reveal in round 8 made no clear difference to Mr X (-1 point, ±5)"),
        ((0.0, -0.0, 0.0), "The reveal in round 8 made no clear difference to Mr X (0 points, ±0)"),
    ],
)
def test_a_gain_in_words(gain: tuple[float, float, float], words: str) -> None:
    assert worth_words("the reveal in round 8", "Mr X", ValueEstimate(*gain)) == words


def test_the_same_record_gives_the_same_document(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(json.dumps(worth.worth(text)))
    assert json.loads(json.dumps(worth.worth(text))) == found
    assert set(found) == TOP
    assert (found["version"], found["pairs"]) == (VERSION, FEW)
    assert found["rows"]
    for row in found["rows"]:
        assert set(row) == ROW
        for name in ("chance_with", "chance_without", "gain"):
            assert set(row[name]) == ESTIMATE
            assert row[name]["low"] <= row[name]["mean"] <= row[name]["high"]
        assert row["gain"]["mean"] == pytest.approx(row["chance_with"]["mean"] - row["chance_without"]["mean"])


def test_the_reference_names_every_key() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [key for key in sorted(TOP | ROW | ESTIMATE) if f"`{key}`" not in text] == []


def test_progress_counts_all_games_and_never_goes_back(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int, str]] = []
    monkeypatch.setattr(worth, "BATCH", 3)
    monkeypatch.setattr(progress, "LEAST_GAP_SECONDS", 0.0)
    progress.listen(lambda *words: told.append(words))
    try:
        found = worth.worth(file.read_text(encoding="utf-8"))
    finally:
        progress.listen(None)
    n = FEW * len(found["rows"])
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)
    assert (told[0][0], told[-1][0], {total for _, total, _ in told}) == (0, n, {n})
    assert {words for _, _, words in told} == {row["what"] for row in found["rows"]}


def test_in_python_it_is_a_table(file: Path) -> None:
    from manhunt import load_record

    found = load_record(file).worth(quick=True)
    assert repr(found).endswith(f"{len(found.rows)} rows of {found.pairs} pairs of games>")
    shown = found._repr_html_()
    assert shown.count("<tr>") == 1 + len(found.rows)
    assert found.rows[0].words in shown


def test_the_command_shows_a_row_for_each(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyse", str(file), "--worth"]) == 0
    out = capsys.readouterr().out
    found = worth.worth(file.read_text(encoding="utf-8"))
    assert f"from {FEW} pairs of games" in out
    assert all(row["words"] in out and row["without"] in out for row in found["rows"])
    assert run(["analyse", str(file), "--worth", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(found))


@pytest.mark.parametrize("name", sorted(set(SMALL) - {"scotland_yard"}))
def test_other_games_say_so_in_one_line(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.txt"
    other = random_record(name, 2, **SMALL[name])
    other.save(file)
    assert run(["analyse", str(file), "--worth"]) == 2
    printed = capsys.readouterr()
    title = other.replay().past.game.title
    assert (printed.out, printed.err) == ("", f"manhunt: worth is not available for {title}\n")


def test_it_has_no_page_of_its_own(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyse", str(file), "--worth", "--html", str(tmp_path / "x.html")]) == 2
    assert capsys.readouterr().err == "manhunt: --worth has no page: leave out --html\n"


def test_another_seed_plays_other_games() -> None:
    first, second = (game_worth(record(), pairs=FEW, seed=seed) for seed in (0, 1))
    assert [row.what for row in first.rows] == [row.what for row in second.rows]
    assert first.to_json() != second.to_json()
