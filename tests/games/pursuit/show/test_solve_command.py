"""`manhunt solve`: its forms, its answers, and one line for every mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from manhunt.cli.main import run
from manhunt.solvers import layers, retrograde, sorted_sweep

ONE = ["solve", "--mrx", "1", "--detectives", "5", "10", "--max-rounds", "4"]
ALL = ["solve", "--all-starts", "--n-detectives", "2"]


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run([*arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_one_start(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, *ONE)
    del found["seconds"]
    assert found == {
        "board": "top-right-20",
        "config": {"preset": "seed", "mrx_start": 1, "detective_starts": [5, 10], "max_rounds": 4},
        "forced_escape": True,
        "states_evaluated": 630,
        "policy_size": 113,
        "first_move": 8,
        "survival_rounds": 4,
    }


def test_one_start_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(ONE) == 0
    out = capsys.readouterr().out
    assert "Mr X escapes, whatever the detectives do: he survives all 4 rounds." in out
    assert "630" in out
    assert run(ONE[:-2]) == 0
    assert "Mr X can be caught: he survives 4 rounds at best." in capsys.readouterr().out


def test_policy_is_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run([*ONE, "--dump-policy", str(tmp_path / "p.json"), "--survival-depths"]) == 0
    data = json.loads((tmp_path / "p.json").read_text())
    assert len(data["policy"]) == len(data["survival_depths"]) == 113


def test_all_starts(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, *ALL)
    keys = "board preset rules n_detectives states survivors_by_round rounds_to_capture_all longest fixpoint"
    assert list(found) == [*keys.split(), "seconds", "peak_rss_mb"]
    assert found["states"] == 20 * 19 * 18
    assert found["fixpoint"] is True
    assert found["rounds_to_capture_all"] is None
    assert found["longest"]["rounds"] is None
    stopped = answer(capsys, *ALL, "--max-rounds", "3")
    assert stopped["fixpoint"] is False
    assert stopped["survivors_by_round"] == found["survivors_by_round"][:3]


def test_interchangeable_detectives(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = answer(capsys, *ALL, "--set", "order=at-once")
    assert found["rules"] == {"order": "at-once"}
    assert found["states"] == 20 * 19 * 18
    through_files = answer(capsys, *ALL, "--set", "order=at-once", "--folder", str(tmp_path / "rounds"))
    for key in ("survivors_by_round", "longest", "fixpoint"):
        assert through_files[key] == found[key]
    assert run([*ALL, "--set", "may_share=true", "--max-rounds", "1"]) == 0
    assert "2 detectives, seed may_share=true: 7,220 starts" in capsys.readouterr().out


def test_all_starts_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*ALL, "--board", "grid:3x3", "--preset", "cops-and-robbers"]) == 0
    assert "Mr X is caught from every start within" in capsys.readouterr().out
    assert run(ALL) == 0
    assert "starts escape for ever" in capsys.readouterr().out
    assert run([*ALL, "--max-rounds", "2"]) == 0
    assert "Stopped after 2 rounds" in capsys.readouterr().out


def test_table_and_probe(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    table = str(tmp_path / "t.table")
    assert run([*ALL, "--table", table]) == 0
    capsys.readouterr()
    found = answer(capsys, "solve", "--probe", table, "--mrx", "1", "--detectives", "5", "10")
    assert found["rounds"] == 4
    assert found["to_act"] == "mrx"
    assert max(found["moves"].values()) == 4
    assert run(["solve", "--probe", table, "--mrx", "6", "--detectives", "5", "10"]) == 0
    assert "for ever" in capsys.readouterr().out


def test_cop_number(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["solve", "--board", "ring:12", "--preset", "cops-and-robbers", "--cop-number"]
    found = answer(capsys, *options)
    assert (found["cop_number"], found["capture_time"]) == (2, 3)
    assert answer(capsys, *options, "--limit", "1")["cop_number"] is None
    assert run(options) == 0
    assert "cop number 2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--mrx", "1", "--detectives", "5", "--board", "londn"], "did you mean london"),
        (["--mrx", "99", "--detectives", "5"], "no node '99'"),
        (["--mrx", "1", "--detectives", "5", "77"], "no node '77'"),
        (["--mrx", "1", "--detectives", "5", "5"], "two detectives on node 5"),
        (["--mrx", "1", "--detectives"], "no detectives"),
        (["--mrx", "1"], "no detectives"),
        (["--detectives", "5"], "no place for Mr X"),
        (["--mrx", "1", "--detectives", "5", "--max-rounds", "-3"], "-3 is too small"),
        (["--mrx", "1", "--detectives", "5", "--max-rounds", "x"], "not a whole number"),
        (["--mrx", "1", "--detectives", "5", "--preset", "sed"], "unknown preset"),
        (["--mrx", "1", "--detectives", "5", "--table", "t"], "--table needs --all-starts"),
        (["--mrx", "1", "--detectives", "5", "--dump-policy", "nowhere/p.json"], "the folder nowhere does not exist"),
        (["--mrx", "1", "--detectives", "5", "--survival-depths"], "needs --dump-policy"),
        (["--all-starts"], "needs --n-detectives"),
        (["--all-starts", "--n-detectives", "2", "--mrx", "1"], "--all-starts and --mrx contradict"),
        (["--all-starts", "--n-detectives", "2", "--cop-number"], "--all-starts and --cop-number contradict"),
        (["--all-starts", "--n-detectives", "2", "--dump-policy", "p"], "--all-starts and --dump-policy contradict"),
        (["--all-starts", "--n-detectives", "5", "--board", "london", "--max-memory", "1"], "take fewer detectives"),
        (
            ["--all-starts", "--n-detectives", "4", "--board", "london", "--max-memory", "8"],
            "may_share=true needs 4.0 GB",
        ),
        (["--all-starts", "--n-detectives", "2", "--set", "order=any"], "or take order at-once"),
        (["--all-starts", "--n-detectives", "2", "--set", "ordr=any"], "did you mean order"),
        (["--all-starts", "--n-detectives", "2", "--set", "n_detectives=3"], "give --n-detectives instead"),
        (["--all-starts", "--n-detectives", "2", "--table", "t", "--folder", "f"], "--table and --folder contradict"),
        (["--all-starts", "--n-detectives", "1", "--folder", "f"], "needs two or more detectives"),
        (["--mrx", "1", "--detectives", "5", "--set", "order=any"], "--set needs --all-starts; for one start"),
        (["--all-starts", "--n-detectives", "2", "--max-memory", "none"], "not a number of gigabytes"),
        (["--cop-number", "--preset", "seed"], "--cop-number and --preset seed contradict"),
        (["--probe", "none.table", "--mrx", "1", "--detectives", "5"], "cannot read table"),
        (["--probe", "none.table"], "--probe asks about one state; give --mrx NODE and --detectives NODE ..."),
        (["--probe", "none.table", "--mrx", "1"], "--probe asks about one state; give --mrx NODE and --detectives"),
        (["--frobnicate"], "unrecognized arguments"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    assert run(["solve", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert words in captured.err
    assert captured.err.count("\n") == 1


def test_bad_files_are_one_line_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    edges, table = tmp_path / "edges.csv", tmp_path / "t.table"
    edges.write_text("a,b\n1,2\n2;3\n")
    assert run(["solve", "--board", str(edges), "--mrx", "1", "--detectives", "2"]) == 2
    assert "line 3" in capsys.readouterr().err
    assert run([*ALL, "--table", str(table)]) == 0
    capsys.readouterr()
    probe = ["solve", "--probe", str(table), "--mrx", "1", "--detectives", "5", "10"]
    for more, words in (
        (["--board", "london"], "is for board top-right-20, not for london"),
        (["--preset", "cops-and-robbers"], "is for other rules"),
    ):
        assert run([*probe, *more]) == 2
        err = capsys.readouterr().err
        assert words in err
        assert err.count("\n") == 1
    assert run(probe[:-1]) == 2
    assert "1 detectives given" in capsys.readouterr().err
    table.write_bytes(table.read_bytes()[:-7])
    assert run(probe) == 2
    assert "cut off" in capsys.readouterr().err


def test_interrupted_work_leaves_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(retrograde.OrderedSweep, "go_back", stop)
    assert run([*ALL, "--table", str(tmp_path / "t.table")]) == 130
    monkeypatch.setattr(sorted_sweep.SortedSweep, "go_back", stop)
    assert run([*ALL, "--set", "order=at-once"]) == 130
    monkeypatch.setattr(layers.StartTree, "policy", stop)
    assert run([*ONE, "--dump-policy", str(tmp_path / "p.json")]) == 130
    assert list(tmp_path.iterdir()) == []


def test_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        run(["solve", "--help"])
    assert end.value.code == 0
    assert "manhunt solve --mrx 1 --detectives 5 10 --max-rounds 4" in capsys.readouterr().out


def test_a_million_rounds_are_answered_at_the_fixpoint(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    one = ["solve", "--mrx", "1", "--detectives", "5", "10", "--json", "--max-rounds"]
    assert run([*one, "1000000"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["forced_escape"], found["survival_rounds"], found["first_move"]) == (False, 4, 8)
    assert run([*one, "1000000", "--dump-policy", str(tmp_path / "policy.json")]) == 2
    assert "entries is too large for a file (max 5,000,000), so take fewer rounds" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
