"""Agents that a program hands over itself: classes, objects and functions, here, in processes and on Ray."""

import functools
import json
import subprocess
import sys
import threading
from importlib import import_module
from importlib.util import find_spec

import pytest

from manhunt.adapters.pandas import games_frame
from manhunt.agents.random import RandomAgent
from manhunt.arena import load_ledger, make_plan, own_agents, run_arena, run_tournament
from manhunt.arena.schedule import TRAVELLING, plan_from_json
from manhunt.core.agent import Advice, Agent
from manhunt.core.errors import BadAgent, BadConfig, BadText
from manhunt.core.ids import Seat
from manhunt.play.record import load_record

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="RAY IS NOT INSTALLED: pip install 'manhunt[ray]'")
MODULE = """
from manhunt.core.agent import Advice, Agent

class Steady(Agent):
    def __init__(self, place: int = 0) -> None:
        self.place, self.n_seen = place, 0
    def act(self, view, limit, rng):
        self.n_seen += 1  # what it remembers of one game must not reach the next
        return Advice(view.legal[(self.place + self.n_seen) % len(view.legal)])
"""


class Numbered(Agent):
    def __init__(self, place: int = 0, *, model: object = None) -> None:
        self.place, self.model = place, model

    def act(self, view, limit, rng):
        return Advice(view.legal[self.place % len(view.legal)])


@pytest.fixture
def steady(tmp_path, monkeypatch):
    """A class in a module that workers can import, because this process's path goes with it."""
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "steady_agents.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path / "modules"))
    monkeypatch.delitem(sys.modules, "steady_agents", raising=False)
    yield import_module("steady_agents").Steady
    sys.modules.pop("steady_agents")


def wins(ledger) -> list[tuple[str, str, int]]:
    return [(cell.evader, cell.pursuers, cell.evader_wins) for cell in ledger.cells]


def test_classes_objects_functions_and_specs_meet_in_one_plan(tmp_path) -> None:
    evaders = [Numbered, Numbered(2), functools.partial(Numbered, place=3), "random"]
    plan = make_plan("pursuit", evaders, {"mine": lambda: Numbered(1)}, 2, seed=1)
    assert plan.evaders == ("Numbered", "Numbered:place=2", "Numbered:place=3", "random")
    assert plan.pursuers == ("mine",)
    ledger = run_tournament(plan, out=tmp_path, workers=0)
    assert ledger.n_finished == 8
    assert not ledger.faults
    record = load_record(sorted((tmp_path / "records").iterdir())[1])
    assert record.seats == {"evader": "Numbered:place=2", "pursuers": "mine"}
    assert wins(load_ledger(tmp_path)) == wins(ledger), "a report needs no agents"


def test_one_agent_needs_no_list_and_may_play_both_roles() -> None:
    agent = Numbered(1)
    ledger = run_arena("pursuit", agent, agent, 3, seed=1, workers=0, board="grid:3x4", n_detectives=1)
    assert (ledger.plan.evaders, ledger.plan.pursuers) == (("Numbered:place=1",), ("Numbered:place=1",))
    assert len(games_frame(ledger)) == 3


def test_each_game_gets_an_agent_of_its_own(steady) -> None:
    ledger = run_arena("pursuit", [steady, steady(1)], "random", 4, seed=2, workers=0)
    agent = steady(1)
    again = run_arena("pursuit", [steady, agent], "random", 4, seed=2, workers=0)
    assert list(ledger.results()) == list(again.results())
    assert agent.n_seen == 0


def test_processes_play_the_same_games(steady, tmp_path) -> None:
    plan = make_plan("pursuit", [steady, steady(1)], ["random", steady], 3, seed=2)
    for workers in (0, 2):
        run_tournament(plan, out=tmp_path / str(workers), workers=workers)
    assert (tmp_path / "0" / "results.jsonl").read_bytes() == (tmp_path / "2" / "results.jsonl").read_bytes()


@needs_ray
def test_ray_plays_the_same_games(steady) -> None:
    plan = make_plan("pursuit", [steady, steady(1)], [steady], 2, seed=2)
    assert wins(run_tournament(plan, ray="local")) == wins(run_tournament(plan, workers=0))


@pytest.mark.skipif(find_spec("cloudpickle") is None, reason="CLOUDPICKLE IS NOT INSTALLED: pip install 'manhunt[rl]'")
def test_a_class_of_a_script_goes_to_processes(tmp_path) -> None:
    script = tmp_path / "script.py"
    play = 'run_arena("pursuit", [Steady], Steady(1), 4, seed=1, workers=1)'
    text = f"from manhunt.arena import run_arena\nledger = {play}\nprint(ledger.n_finished, ledger.faults)\n"
    script.write_text(MODULE + text)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("4 []\n", "")


def test_what_cannot_go_to_processes_is_refused_with_the_way_out(monkeypatch) -> None:
    class Local(Numbered):
        """Defined inside a function."""

    monkeypatch.setattr(own_agents, "_cloudpickle", lambda: None)
    plan = make_plan("pursuit", [Local], "random", 1)
    way = "put Local into a file that workers can import, or play in this process with workers=0"
    with pytest.raises(BadAgent, match=f"agent Local cannot go to other processes: Local is defined inside.*; {way}"):
        run_tournament(plan, workers=1)
    with pytest.raises(BadAgent, match="agent Local cannot go to other processes"):
        run_tournament(plan, ray="local")
    assert run_tournament(plan, workers=0).n_finished == 1


def test_an_object_that_cannot_be_pickled_or_copied_says_why(steady) -> None:
    held = steady()
    held.lock = threading.Lock()
    with pytest.raises(BadAgent, match="agent Steady cannot be copied for each game .*lock.*; give its class"):
        make_plan("pursuit", [held], "random", 1)


def test_a_class_that_needs_options_is_refused() -> None:
    class Needs(Numbered):
        def __init__(self, depth: int) -> None:
            super().__init__(depth)

    with pytest.raises(BadAgent, match="agent Needs does not start: .*'depth'.*give an object, made with its options"):
        make_plan("pursuit", [Needs], "random", 1)
    assert make_plan("pursuit", [Needs(3)], "random", 1).evaders == ("Needs",)


class Hunter(Numbered):
    seats = (Seat.PURSUERS,)


class Unfinished(Agent):
    pass


@pytest.mark.parametrize(
    ("evaders", "line"),
    [
        ([Numbered(1), Numbered(1)], "two different agents are called Numbered:place=1; name them"),
        ([Numbered, Numbered], "agent Numbered is named twice for Mr X; name your agents"),
        ({"random": Numbered}, "'random' already means another agent"),
        ({"a@1": Numbered}, "already means another agent"),
        ({"": Numbered}, "cannot be called ''"),
        ({"two\nlines": Numbered}, "cannot be called"),
        ({"a": "random"}, "'random' is a spec, which has its own name"),
        ([lambda: Numbered(1)], "a function without a name needs one"),
        ([7], "7 is not an agent"),
        ([int], "int is not an Agent or Strategy class"),
        ([Unfinished], "Unfinished does not define act"),
        ({"f": lambda: 7}, "agent f: the function gave int"),
        ([Hunter], "agent Hunter does not play the seat evader"),
        ([], "no agent for Mr X"),
    ],
)
def test_what_is_no_agent_is_one_line(evaders, line: str) -> None:
    with pytest.raises((BadAgent, BadConfig)) as error:
        make_plan("pursuit", evaders, "random", 1)
    assert line in str(error.value)
    assert "\n" not in str(error.value)


def test_a_folder_goes_on_with_the_same_agents_only(steady, tmp_path) -> None:
    def plan(place: int):
        return make_plan("pursuit", {"mine": steady(place)}, "random", 3, seed=1)

    run_tournament(plan(1), out=tmp_path / "out", workers=0, is_enough=lambda ledger: ledger.n_finished == 1)
    with pytest.raises(BadConfig, match="there agent mine has changed; choose another folder"):
        run_tournament(plan(2), out=tmp_path / "out", workers=0)
    assert run_tournament(plan(1), out=tmp_path / "out", workers=0).n_finished == 3


def test_folders_hold_no_pickles_and_none_is_read_from_them(steady, tmp_path) -> None:
    plan = make_plan("pursuit", [steady], "random", 1, seed=1)
    run_tournament(plan, out=tmp_path / "out", workers=0)
    kept = json.loads((tmp_path / "out" / "config.json").read_text())["plan"]
    assert TRAVELLING not in kept
    assert kept["files"] == {"Steady": plan.own[0].fingerprint}
    with pytest.raises(BadText, match="unknown key 'travelling'"):
        plan_from_json(json.loads(plan.to_text()))


def test_the_name_of_an_agent_of_ours_can_be_given_to_no_other() -> None:
    assert make_plan("pursuit", {"mine": RandomAgent}, "random", 1).evaders == ("mine",)
    assert make_plan("pursuit", [RandomAgent], "random", 1).evaders == ("RandomAgent",)
