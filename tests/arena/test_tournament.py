"""Tournaments: paired starts, folders that survive interruptions, workers that die."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from manhunt.arena.folder import Folder, load_ledger, load_plan
from manhunt.arena.ledger import Ledger
from manhunt.arena.result import parse_result
from manhunt.arena.schedule import KERNEL, REFEREE, Plan, make_plan, plan_from_json
from manhunt.arena.sequential import Comparison, Sprt, Verdict
from manhunt.arena.summary import summary_of
from manhunt.arena.tournament import run_tournament
from manhunt.cli.main import run
from manhunt.core.agent import Limit
from manhunt.core.errors import BadAgent, BadConfig, BadText
from manhunt.core.ids import Seat, Side
from manhunt.play.record import load_record, replay

DUEL = ("pursuit", ["random", "greedy"], ["random", "greedy"])


def files_of(folder: Path) -> dict[str, bytes]:
    """Everything in a folder that must not depend on how the run went."""
    wanted = [folder / "results.jsonl", folder / "matrix.json", *sorted((folder / "records").glob("*.txt"))]
    return {str(file.relative_to(folder)): file.read_bytes() for file in wanted}


def test_every_cell_plays_the_same_starts_with_the_same_seeds(tmp_path) -> None:
    plan = make_plan(*DUEL, 5, seed=3)
    run_tournament(plan, out=tmp_path, workers=0)
    records = [load_record(file) for file in sorted((tmp_path / "records").glob("*.txt"))]
    assert len(records) == 20
    for game in range(5):
        same = records[4 * game : 4 * game + 4]
        assert len({json.dumps(record.setup) for record in same}) == 1
        assert {record.seed for record in same} == {plan.match(4 * game).seed}
        assert [(r.seats["evader"], r.seats["pursuers"]) for r in same] == plan.cells
    assert len({json.dumps(record.setup) for record in records}) > 1


def test_records_are_the_results(tmp_path) -> None:
    plan = make_plan("scotland_yard", ["random"], ["random"], 3)
    run_tournament(plan, out=tmp_path, workers=0)
    lines = (tmp_path / "results.jsonl").read_text().splitlines()
    for line, file in zip(lines, sorted((tmp_path / "records").glob("*.txt")), strict=True):
        result, played = parse_result(line, "line"), replay(load_record(file))
        assert result.outcome == load_record(file).outcome
        assert result.plies == len(played.actions)
        assert result.rounds == played.game.round_of(played.states[-1])


def test_the_number_of_workers_does_not_matter(tmp_path) -> None:
    plan = make_plan(*DUEL, 6, seed=1)
    for workers in (0, 1, 2):
        run_tournament(plan, out=tmp_path / str(workers), workers=workers)
    assert files_of(tmp_path / "0") == files_of(tmp_path / "1") == files_of(tmp_path / "2")


def test_a_torn_line_is_dropped_and_played_again(tmp_path) -> None:
    plan = make_plan(*DUEL, 4, seed=0)
    run_tournament(plan, out=tmp_path / "whole", workers=0)
    run_tournament(plan, out=tmp_path / "torn", workers=0)
    results = tmp_path / "torn" / "results.jsonl"
    lines = results.read_bytes().splitlines(keepends=True)
    results.write_bytes(b"".join([lines[7], *lines[:5]]) + lines[9][:30])
    (tmp_path / "torn" / "matrix.json").unlink()
    assert load_ledger(tmp_path / "torn").n_finished == 6
    run_tournament(plan, out=tmp_path / "torn", workers=0)
    assert files_of(tmp_path / "torn") == files_of(tmp_path / "whole")


def test_a_finished_folder_is_not_played_again(tmp_path, monkeypatch) -> None:
    plan = make_plan(*DUEL, 2)
    first = run_tournament(plan, out=tmp_path, workers=0)
    before = files_of(tmp_path)
    monkeypatch.setattr("manhunt.arena.tournament.make_players", None)
    assert summary_of(run_tournament(plan, out=tmp_path, workers=0)) == summary_of(first)
    assert files_of(tmp_path) == before


OTHERS = {
    "seed is 0, not 1": {"seed": 1},
    "n_games is 2, not 3": {"n_games": 3},
    "limit is none, not 5 iterations": {"limit": Limit(iterations=5)},
    "max_rounds is 15, not 9": {"options": {"max_rounds": 9}},
    "board is top-right-20 \\(b632b265\\), not": {"options": {"board": "grid:4x4"}},
    "evaders is random, not random greedy": {"evaders": ["random", "greedy"]},
}


@pytest.mark.parametrize("told", OTHERS)
def test_a_folder_of_another_configuration_is_refused(tmp_path, told: str) -> None:
    usual = {"game": "pursuit", "evaders": ["random"], "pursuers": ["random"], "n_games": 2, "seed": 0}
    run_tournament(make_plan(**usual), out=tmp_path, workers=0)
    before = files_of(tmp_path)
    with pytest.raises(BadConfig, match=f"holds another tournament: there {told}"):
        run_tournament(make_plan(**{**usual, **OTHERS[told]}), out=tmp_path, workers=0)  # type: ignore[dict-item]
    assert files_of(tmp_path) == before


def test_a_changed_agent_file_is_another_configuration(tmp_path, agents) -> None:
    out = tmp_path / "out"
    run_tournament(make_plan("pursuit", [f"{agents}:Slow"], ["random"], 1), out=out, workers=0)
    agents.write_text(agents.read_text() + "\n# changed\n")
    with pytest.raises(BadConfig, match="an agent's file has changed"):
        run_tournament(make_plan("pursuit", [f"{agents}:Slow"], ["random"], 1), out=out, workers=0)


def test_folders_that_are_something_else(tmp_path) -> None:
    plan = make_plan("pursuit", ["random"], ["random"], 1)
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(BadConfig, match="is not empty and holds no tournament"):
        run_tournament(plan, out=tmp_path, workers=0)
    with pytest.raises(BadConfig, match="holds no tournament"):
        load_plan(tmp_path)
    run_tournament(plan, out=tmp_path / "mine", workers=0)
    config = tmp_path / "mine" / "config.json"
    config.write_text(config.read_text().replace('"format"', '"fromat"'))
    with pytest.raises(BadText, match=r"config\.json is not a tournament's config: 'format' is missing"):
        load_plan(tmp_path / "mine")


SPOILED = {
    '{"n": 0}': "'outcome' is missing",
    "{'n': 0}": "no JSON from character 2 on",
    "": "no JSON from character 1 on",
    "[1, 2]": "a value has the wrong type",
    '{"n": "a", "outcome": null, "rounds": 1, "plies": 1}': "'n' must be a whole number, not 'a'",
    '{"n": 0, "outcome": "evader", "rounds": 1, "plies": 1}': "'evader' is not an outcome, such as 'evader survival'",
    '{"n": 0, "outcome": "thief survival", "rounds": 1, "plies": 1}': "'thief survival' is not an outcome",
    '{"n": 0, "outcome": 7, "rounds": 1, "plies": 1}': "a value has the wrong type",
}


@pytest.mark.parametrize("line", SPOILED)
def test_a_spoiled_result_is_told_in_words_with_file_and_line(tmp_path, line: str, capsys) -> None:
    run_tournament(make_plan("pursuit", ["random"], ["random"], 2), out=tmp_path / "mine", workers=0)
    file = tmp_path / "mine" / "results.jsonl"
    file.write_text(file.read_text().splitlines()[0] + f"\n{line}\n")
    assert run(["arena", "report", str(tmp_path / "mine")]) == 2
    told = capsys.readouterr().err
    assert f"{file} line 2 is not a result: {SPOILED[line]}" in told
    assert "Error" not in told


def test_one_run_at_a_time(tmp_path) -> None:
    plan = make_plan("pursuit", ["random"], ["random"], 1)
    with Folder(tmp_path, plan), pytest.raises(BadConfig, match="another run is writing into"):
        Folder(tmp_path, plan)
    Folder(tmp_path, plan).close()


def test_a_worker_that_dies_costs_one_game_which_is_played_again(tmp_path, agents) -> None:
    spec = f"{agents}:DiesOnce:mark={tmp_path / 'mark'}"
    plan = make_plan("pursuit", ["random"], [spec], 6, seed=2)
    told: list[str] = []
    run_tournament(plan, out=tmp_path / "died", workers=2, warn=told.append)
    assert len(told) == 1
    assert "a worker died (SIGKILL) in game" in told[0]
    run_tournament(plan, out=tmp_path / "calm", workers=0)
    assert files_of(tmp_path / "died") == files_of(tmp_path / "calm")


def test_a_game_that_kills_three_workers_is_given_up(agents) -> None:
    plan = make_plan("pursuit", [f"{agents}:Deadly"], ["random"], 1)
    told: list[str] = []
    ledger = run_tournament(plan, workers=1, warn=told.append)
    assert [line.split(":")[0] for line in told][-1] == f"giving up {plan.match(0)}".split(":")[0]
    assert len(told) == 3
    assert ledger.n_finished == 1
    assert (ledger.cells[0].n_games, ledger.cells[0].lost) == (0, 1)
    assert ledger.faults[0][1].why == "worker died"


def test_a_crash_is_a_forfeit_that_is_counted(tmp_path, agents, capsys) -> None:
    plan = make_plan("pursuit", ["random"], [f"{agents}:Crashes"], 2)
    ledger = run_tournament(plan, out=tmp_path / "out", workers=0)
    cell = ledger.cells[0]
    assert (cell.evader_wins, cell.faults[Seat.PURSUERS], cell.endings) == (2, 2, {"forfeit": 2})
    line = json.loads((tmp_path / "out" / "results.jsonl").read_text().splitlines()[0])
    assert line["fault"]["why"] == "crash"
    assert "0x>" in line["fault"]["detail"], "an address would differ from run to run"
    assert capsys.readouterr().out == ""


def run_command(*arguments: str | Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "manhunt", "arena", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)


def wait_for_lines(file: Path, n: int) -> None:
    end = time.monotonic() + 300
    while not file.exists() or file.read_bytes().count(b"\n") < n:
        assert time.monotonic() < end, f"{file} never had {n} lines"
        time.sleep(0.02)


def children_of(pid: int) -> list[int]:
    return [int(child) for file in Path(f"/proc/{pid}/task").glob("*/children") for child in file.read_text().split()]


def wait_until_gone(pids: list[int]) -> None:
    """Ended, or only waiting for somebody to hear of it."""
    states = [Path(f"/proc/{pid}/stat") for pid in pids]
    for _ in range(1200):
        left = [text for state in states if (text := _read(state)) and text.rpartition(")")[2].split()[0] not in "ZX"]
        if not left:
            return
        time.sleep(0.1)
    raise AssertionError(f"these processes go on: {left}")


def _read(file: Path) -> str:
    try:
        return file.read_text()
    except OSError:
        return ""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for workers in /proc")
def test_a_killed_run_goes_on_and_ends_byte_equal(tmp_path, agents) -> None:
    gate, results = tmp_path / "gate", tmp_path / "killed" / "results.jsonl"
    spec = f"{agents}:Gated:results={results},gate={gate}"
    gate.write_text("1000")
    plan = make_plan("pursuit", ["random", spec], ["random"], 12, seed=4)
    arguments = ("pursuit", "--mrx", "random", spec, "--detectives", "random", "--games", "12", "--seed", "4")
    for wanted in (3, 10):
        gate.write_text(str(wanted))
        run = run_command(*arguments, "--workers", "2", "--out", tmp_path / "killed")
        wait_for_lines(results, wanted)
        workers = children_of(run.pid)
        os.kill(run.pid, signal.SIGKILL)
        run.communicate()
        assert len(workers) >= 2
        assert load_ledger(tmp_path / "killed").n_finished < plan.n_matches
    gate.write_text("1000")
    run = run_command(*arguments, "--workers", "1", "--out", tmp_path / "killed")
    error = run.communicate()[1]
    assert run.returncode == 0, error
    run_tournament(plan, out=tmp_path / "calm", workers=0)
    assert files_of(tmp_path / "killed") == files_of(tmp_path / "calm")
    wait_until_gone(workers)  # they end with their run


def test_ctrl_c_ends_with_130_and_keeps_what_is_finished(tmp_path, agents) -> None:
    gate, results = tmp_path / "gate", tmp_path / "out" / "results.jsonl"
    gate.write_text("2")
    spec = f"{agents}:Gated:results={results},gate={gate}"
    arguments = ("pursuit", "--mrx", spec, "--detectives", "random", "--games", "40")
    run = run_command(*arguments, "--workers", "2", "--out", tmp_path / "out")
    wait_for_lines(results, 2)
    os.killpg(run.pid, signal.SIGINT)  # as a terminal does: the whole group
    error = run.communicate(timeout=300)[1]
    assert run.returncode == 130
    assert error == b"manhunt: interrupted\n"
    assert 2 <= load_ledger(tmp_path / "out").n_finished < 40


def test_plans_round_trip_and_have_an_identity() -> None:
    plan = make_plan(*DUEL, 7, seed=2, limit=Limit(iterations=9))
    again = plan_from_json(json.loads(plan.to_text()))
    assert again == plan
    assert again.run_id == plan.run_id != make_plan(*DUEL, 8, seed=2, limit=Limit(iterations=9)).run_id


def test_schedule_covers_every_cell_once_a_game() -> None:
    plan = make_plan("pursuit", ["random", "greedy"], ["random", "greedy", "greedy:temperature=1"], 4, seed=0)
    matches = [plan.match(number) for number in range(plan.n_matches)]
    assert len({(m.game, m.evader, m.pursuers) for m in matches}) == 24
    assert len({m.seed for m in matches}) == 4


BAD = {
    "unknown agent 'randm'; did you mean random": {"evaders": ["randm"]},
    "Mr X: agent random has no option 'depth'": {"evaders": ["random:depth=3"]},
    "detectives: agent file nowhere.py does not exist": {"pursuers": ["nowhere.py:Bot"]},
    "is named twice for Mr X": {"evaders": ["random", "random"]},
    "no agent for detectives": {"pursuers": []},
    "0 games; a tournament needs at least 1": {"n_games": 0},
    "both seconds and iterations given": {"limit": Limit(1.0, 5)},
    "unknown game 'persuit'; did you mean pursuit": {"game": "persuit"},
    "unknown option of pursuit": {"options": {"colour": "red"}},
    "unknown anchor 'greedy@9'": {"evaders": ["greedy@9"]},
}


@pytest.mark.parametrize("told", BAD)
def test_bad_plans_are_one_line(told: str) -> None:
    usual = {"game": "pursuit", "evaders": ["random"], "pursuers": ["random"], "n_games": 2, "seed": 0}
    with pytest.raises((BadAgent, BadConfig), match=told) as caught:
        make_plan(**{**usual, **BAD[told]})  # type: ignore[dict-item]
    assert "\n" not in str(caught.value)


def test_an_agent_that_cannot_sit_there(agents) -> None:
    with pytest.raises(BadAgent, match="Mr X: agent Hunter does not play the seat evader; it plays pursuers"):
        make_plan("pursuit", [f"{agents}:Hunter"], ["random"], 1)


def random_yard(n_games: int, **options: object) -> Plan:
    return make_plan("scotland_yard", ["random"], ["random"], n_games, **options)  # type: ignore[arg-type]


def test_compiled_games_are_reproducible_and_say_so(tmp_path) -> None:
    plan = random_yard(5000, records=False, seed=0)
    assert plan.path == KERNEL
    assert "own generator" in plan.to_json()["seeds"]
    run_tournament(plan, out=tmp_path / "a", workers=0)
    run_tournament(plan, out=tmp_path / "b", workers=2)
    assert files_of(tmp_path / "a") == files_of(tmp_path / "b")
    fewer = run_tournament(random_yard(100, records=False, seed=0), workers=0)
    assert fewer.winners(0) == load_ledger(tmp_path / "a").winners(0)[:100]


def test_compiled_games_are_as_the_referees() -> None:
    slow = run_tournament(random_yard(150), workers=0).cells[0]
    fast = run_tournament(random_yard(20_000, records=False), workers=0).cells[0]
    assert slow.evader_rate is not None
    assert fast.evader_rate is not None
    assert slow.evader_rate.low <= fast.evader_rate.value <= slow.evader_rate.high
    assert slow.mean_rounds == pytest.approx(fast.mean_rounds, abs=1.5)


def test_only_random_play_from_start_places_is_compiled() -> None:
    assert random_yard(1).path == REFEREE
    anywhere = {"mrx_starts": [], "detective_starts": []}
    assert random_yard(1, records=False, options=anywhere).path == REFEREE
    assert make_plan("scotland_yard", ["greedy"], ["random"], 1, records=False).path == REFEREE
    assert make_plan("pursuit", ["random"], ["random"], 1, records=False).path == REFEREE


def book(ledger: Ledger, number: int, winner: Side) -> None:
    outcome = f"{winner.value} capture"
    line = f'{{"n": {number}, "outcome": "{outcome}", "rounds": 1, "plies": 1}}'
    ledger.book_result(parse_result(line, "test"))


def test_the_comparison_weighs_pairs_in_order_whoever_finishes_first() -> None:
    plan = make_plan("pursuit", ["random", "greedy"], ["random"], 40)
    verdicts = []
    for order in (range(80), reversed(range(80))):
        ledger, comparison = Ledger(plan), Comparison(plan, Seat.EVADER, Sprt(0, 200))
        for number in order:
            new = number % 2 == 1
            book(ledger, number, Side.EVADER if new else Side.PURSUERS)
            if comparison.is_decided(ledger):
                break
        verdicts.append((comparison.verdict, comparison.counts))
    assert verdicts[0] == verdicts[1]
    assert verdicts[0][0] is Verdict.H1
    assert verdicts[0][1].second_only == verdicts[0][1].n < 40


def test_the_comparison_takes_the_side_of_its_seat() -> None:
    plan = make_plan("pursuit", ["random"], ["random", "greedy"], 40)
    ledger, comparison = Ledger(plan), Comparison(plan, Seat.PURSUERS, Sprt(0, 200))
    for number in range(80):
        book(ledger, number, Side.EVADER if number % 2 == 0 else Side.PURSUERS)
    assert comparison.is_decided(ledger)
    assert comparison.verdict is Verdict.H1
    assert comparison.to_json()["new"] == "greedy"
