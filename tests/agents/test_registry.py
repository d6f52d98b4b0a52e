"""Agents by name, by file, by entry point."""

import pytest

from manhunt.agents.base import Agent, Limit
from manhunt.agents.random import RandomAgent
from manhunt.agents.registry import agent_entries, agent_names, make_agent
from manhunt.errors import BadAgent, ManhuntError
from manhunt.ids import Seat

OWN = '''
from manhunt import Advice, Agent, Strategy

class First(Strategy):
    """Always the first move."""
    def __init__(self, depth: int = 3, fast: bool = False, share: float = 0.5, tag: str = ""):
        self.depth, self.fast, self.share, self.tag = depth, fast, share, tag
    def choose_move(self, board, view, seat, valid_moves):
        return valid_moves[0]

class Half(Agent):
    """Does not define act."""

class Stubborn(First):
    def __init__(self):
        raise RuntimeError("no")

number = 3
'''


@pytest.fixture
def own(tmp_path) -> str:
    path = tmp_path / "own.py"
    path.write_text(OWN)
    return str(path)


def test_built_in_agents_are_listed_with_their_options() -> None:
    entries = {entry.name: entry for entry in agent_entries()}
    assert tuple(entries) == agent_names()
    assert entries["random"].summary == "Any legal action, all alike."
    assert all(entry.summary for entry in entries.values())


def test_a_built_in_agent() -> None:
    assert isinstance(make_agent("random", "pursuit", Seat.EVADER), RandomAgent)


def test_a_class_in_a_file_with_options(own) -> None:
    agent = make_agent(f"{own}:First:depth=7,fast=yes,share=0.25,tag=a b")
    assert isinstance(agent, Agent)
    assert (agent.depth, agent.fast, agent.share, agent.tag) == (7, True, 0.25, "a b")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("randon", "unknown agent 'randon'; did you mean random?"),
        ("random:depth=3", "agent random has no option 'depth'; it has none"),
        ("random:depth", "'depth' is no option; write random:key=value"),
        ("OWN", "names a file but no class"),
        ("OWN:Frist", "unknown class 'Frist'; did you mean First?"),
        ("OWN:number", "is not an Agent or Strategy class"),
        ("OWN:Half", "does not define act"),
        ("OWN:Stubborn", "does not start: RuntimeError: no"),
        ("OWN:First:depth=deep", "option depth must be a whole number, not 'deep'"),
        ("OWN:First:fast=maybe", "option fast must be true or false"),
        ("OWN:First:size=3", "has no option 'size'; it has depth, fast, share, tag"),
        ("nowhere.py:First", "agent file nowhere.py does not exist"),
    ],
)
def test_a_bad_name_is_one_clear_line(own, spec, message) -> None:
    with pytest.raises(BadAgent) as caught:
        make_agent(spec.replace("OWN", own))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_does_not_import(tmp_path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("import nothing_of_this_name\n")
    with pytest.raises(BadAgent, match="does not import: ModuleNotFoundError"):
        make_agent(f"{path}:Any")


def test_an_entry_point_is_found(monkeypatch) -> None:
    class Point:
        name = "outsider"

        def load(self):
            return RandomAgent

    monkeypatch.setattr("manhunt.agents.registry.entry_points", lambda group: [Point()])
    assert "outsider" in agent_names()
    assert isinstance(make_agent("outsider"), RandomAgent)


@pytest.mark.parametrize("limit", [{"seconds": 0}, {"seconds": -1}, {"iterations": 0}])
def test_a_limit_of_nothing_is_refused(limit) -> None:
    with pytest.raises(ManhuntError, match="limit of"):
        Limit(**limit)
