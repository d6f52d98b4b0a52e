"""An arena whose limits count processor time: what counts, what is kept, and what is refused."""

import json
from dataclasses import replace

import pytest

from manhunt.arena import make_plan, run_tournament
from manhunt.arena.folder import load_plan
from manhunt.arena.schedule import plan_from_json
from manhunt.cli.main import run
from manhunt.core import thinking_time
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.errors import BadConfig
from manhunt.core.thinking_time import CLOCKS, PROCESSOR, WALL

DUEL = ("pursuit", ["random"], ["random"], 2)


class Sleepy(Agent):
    """Thinks until its time is up: each step is a little work and a long sleep, on clocks that stand still else."""

    moments: dict[str, float]
    steps: list[int]

    def act(self, view, limit, rng):
        deadline, n_steps = limit.deadline(), 0
        while thinking_time.now() < deadline:
            self.moments[WALL] += 10.25
            self.moments[PROCESSOR] += 0.25
            n_steps += 1
        self.steps.append(n_steps)
        return Advice(view.legal[0])


@pytest.fixture
def sleepy(monkeypatch) -> type[Sleepy]:
    Sleepy.moments, Sleepy.steps = {WALL: 0.0, PROCESSOR: 0.0}, []
    for name in (WALL, PROCESSOR):
        monkeypatch.setitem(CLOCKS, name, lambda name=name: Sleepy.moments[name])
    return Sleepy


@pytest.mark.parametrize(("clock", "n_steps", "seconds"), [(PROCESSOR, 4, 1.0), (WALL, 1, 10.25)])
def test_sleep_uses_up_wall_time_but_no_processor_time(sleepy, clock: str, n_steps: int, seconds: float) -> None:
    plan = make_plan("pursuit", [sleepy], ["random"], 1, seed=1, limit=Limit(seconds=1.0), clock=clock)
    ledger = run_tournament(plan, workers=0)
    assert set(sleepy.steps) == {n_steps}
    times = ledger.times(0)
    assert times is not None
    assert times.evader.longest == seconds, "thinking is measured by the same clock"
    assert times.pursuers.seconds == 0


def test_a_plan_keeps_its_clock_and_has_another_name() -> None:
    plan = make_plan(*DUEL, seed=1, clock=PROCESSOR)
    assert plan_from_json(json.loads(json.dumps(plan.to_json()))) == plan
    assert plan_from_json(json.loads(plan.to_text())) == plan
    assert plan.to_json()["clock"] == PROCESSOR
    assert plan.run_id != make_plan(*DUEL, seed=1).run_id


def test_a_folder_from_before_the_choice_goes_on(tmp_path) -> None:
    plan = make_plan(*DUEL, seed=1)
    run_tournament(plan, out=tmp_path, workers=0)
    assert "clock" not in json.loads((tmp_path / "config.json").read_text())["plan"]
    lines = (tmp_path / "results.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "results.jsonl").write_text(lines[0])
    assert load_plan(tmp_path).clock == WALL
    assert run_tournament(plan, out=tmp_path, workers=0).n_finished == 2
    assert (tmp_path / "results.jsonl").read_text().splitlines(keepends=True) == lines


@pytest.mark.parametrize(("first", "second"), [(WALL, PROCESSOR), (PROCESSOR, WALL)])
def test_a_folder_of_another_clock_is_refused(tmp_path, first: str, second: str) -> None:
    plan = make_plan(*DUEL, seed=1, clock=first)
    run_tournament(plan, out=tmp_path, workers=0)
    with pytest.raises(BadConfig, match=f"there clock is {first}, not {second};"):
        run_tournament(replace(plan, clock=second), out=tmp_path, workers=0)


def refusal(capsys, *arguments: str) -> str:
    assert run(["arena", "pursuit", "--games", "1", "--workers", "0", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    return printed.err


def test_bots_have_no_processor_time_that_we_know(capsys) -> None:
    line = refusal(capsys, "--mrx", "cmd:true", "--detectives", "random", "--clock", "processor")
    assert "agent cmd:true thinks in a process of its own" in line


def test_an_unknown_clock_is_refused(capsys) -> None:
    line = refusal(capsys, "--mrx", "random", "--detectives", "random", "--clock", "procesor")
    assert "unknown clock 'procesor'; did you mean processor?" in line
