"""Games that count a cost: its mean in the matrix and the reports; the certified bounds beside it."""

import json
import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as reference

from manhunt.arena.folder import load_ledger, save_bounds
from manhunt.arena.ledger import Ledger
from manhunt.arena.markdown import markdown_of
from manhunt.arena.page import page_of
from manhunt.arena.result import Played, Result
from manhunt.arena.schedule import make_plan
from manhunt.arena.stats import mean_of
from manhunt.arena.summary import summary_of
from manhunt.arena.tournament import run_tournament
from manhunt.cli.main import run
from manhunt.core.errors import BadText
from manhunt.core.ids import Side
from manhunt.core.outcome import Outcome, Termination

BOARD = "contest:12:20:separation=3:cut=2:seed=1"
LOST = Outcome(Side.PURSUERS, Termination.FORFEIT)
BOUNDS = {"lower": {"value": 4.00012, "edges": [], "horizon": 0}, "upper": {"value": 5.5, "arcs": []}}


def arrival(cost: float) -> Outcome:
    return Outcome(Side.EVADER, Termination.ARRIVAL, cost)


def booked(*outcomes: Outcome) -> Ledger:
    options = {"board": BOARD}
    ledger = Ledger(make_plan("shortest_path", ["committed"], ["greedy"], len(outcomes), options=options))
    for i, outcome in enumerate(outcomes):
        ledger.book(Played(Result(i, outcome, 4, 7)))
    return ledger


@given(st.lists(st.floats(1, 1e6), min_size=2, max_size=30), st.integers(0, 99))
def test_the_mean_has_students_interval_in_any_order(values, seed) -> None:
    mean = mean_of({value: values.count(value) for value in values})
    shuffled = Random(seed).sample(values, len(values))
    assert mean == mean_of({value: shuffled.count(value) for value in shuffled})
    assert mean.value == pytest.approx(sum(values) / len(values))
    spread = reference.sem(values)
    if spread > 1e-9 * mean.value:
        low, high = reference.t.interval(0.95, len(values) - 1, mean.value, spread)
        assert mean == pytest.approx((mean.value, low, high))


def test_one_value_is_its_own_interval_and_none_has_no_mean() -> None:
    assert mean_of({3.5: 1}) == (3.5, 3.5, 3.5)
    assert mean_of({}) is None


def test_costs_and_arrivals_of_a_cell() -> None:
    cell = booked(arrival(4.0), arrival(6.0), LOST, arrival(8.0)).cells[0]
    assert cell.mean_cost.value == 6.0
    assert 0 <= cell.mean_cost.low < 6.0 < cell.mean_cost.high
    assert cell.arrival_rate.value == 0.75
    nobody = booked(LOST, LOST).cells[0]
    assert nobody.mean_cost is None
    assert nobody.arrival_rate.value == 0.0


def test_reports_tell_cost_arrivals_and_bounds() -> None:
    ledger = booked(arrival(4.0), arrival(6.0), LOST)
    summary = summary_of(ledger)["cells"][0]
    assert summary["mean_cost"]["value"] == 5.0
    assert summary["arrival_rate"]["value"] == pytest.approx(2 / 3, abs=1e-6)
    assert "| committed | **5** (0 to 17.706), 66.7 % arrive |" in markdown_of(ledger)
    assert "certified" not in markdown_of(ledger) + page_of(ledger)
    ledger.bounds = BOUNDS
    for text in (markdown_of(ledger), page_of(ledger)):
        assert "Best play costs 4.0001 to 5.5 (certified)." in text
    assert "<b>5</b><span>0 to 17.706</span><span>66.7 % arrive</span>" in page_of(ledger)
    assert "| committed | **7**, all arrive |" in markdown_of(booked(arrival(7.0), arrival(7.0)))
    assert "| committed | never arrives |" in markdown_of(booked(LOST))
    assert "never arrives" in page_of(booked(LOST))


def test_other_games_have_no_costs() -> None:
    ledger = run_tournament(make_plan("pursuit", ["random"], ["random"], 3), workers=0)
    assert "mean_cost" not in summary_of(ledger)["cells"][0]
    assert "cost" not in markdown_of(ledger)


def test_the_matrix_on_the_screen_and_bounds_in_the_folder(tmp_path, capsys) -> None:
    line = ["arena", "shortest_path", "--traveller", "dijkstra", "committed", "--adversary", "last-edge"]
    line += ["--games", "2", "--board", BOARD, "--workers", "0", "--out", str(tmp_path / "duel")]
    assert run(line) == 0
    shown = capsys.readouterr().out
    assert "what the traveller pays on average in games that end with an arrival" in shown
    assert "all arrive" in shown
    assert "certified" not in shown
    assert run([*line, "--bounds", "0.3"]) == 0
    told = re.search(r"Best play costs .* \(certified\)", capsys.readouterr().out)
    assert told
    assert load_ledger(tmp_path / "duel").bounds is not None
    assert run(["arena", "report", str(tmp_path / "duel")]) == 0
    assert told[0] in capsys.readouterr().out
    assert run(["arena", "report", str(tmp_path / "duel"), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["bounds"]["lower"]["value"] <= report["bounds"]["upper"]["value"]
    assert report["cells"][0]["mean_cost"]["value"] >= 3
    assert "bounds" not in json.loads((tmp_path / "duel" / "matrix.json").read_text())


def test_spoiled_bounds_of_a_folder_are_told(tmp_path) -> None:
    plan = make_plan("shortest_path", ["committed"], ["random"], 1, options={"board": BOARD})
    run_tournament(plan, out=tmp_path / "out", workers=0)
    for bad in ({"lower": {"value": 1}}, {"lower": {"value": "1"}, "upper": {"value": 2}}):
        save_bounds(tmp_path / "out", bad)
        with pytest.raises(BadText, match=r"bounds\.json holds no bounds"):
            load_ledger(tmp_path / "out")


def test_bounds_of_another_game_are_refused(capsys) -> None:
    assert run(["arena", "pursuit", "--mrx", "random", "--detectives", "random", "--bounds", "1"]) == 2
    assert "pursuit has no certified bounds; games that have them: shortest_path" in capsys.readouterr().err
