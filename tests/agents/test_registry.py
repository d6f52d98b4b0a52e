"""Agents by name, by file, by entry point."""

from importlib.metadata import EntryPoint
from random import Random

import pytest

from manhunt.agents.random import RandomAgent
from manhunt.agents.registry import agent_names, list_agents, make_agent
from manhunt.agents.strategy import Strategy, TeamStrategy
from manhunt.cli.main import run
from manhunt.core.agent import Agent, Limit
from manhunt.core.errors import BadAgent, ManhuntError
from manhunt.core.ids import Seat
from manhunt.core.registry import game_names, kit_of, make_game
from manhunt.games.pursuit.agents.greedy import PursuitGreedyAgent
from manhunt.games.scotland_yard.agents.greedy import ScotlandYardGreedyAgent
from manhunt.games.shortest_path.agents.adversaries import GreedyAdversary
from manhunt.play.referee import play_game

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
    entries = {entry.name: entry for entry in list_agents()}
    assert tuple(entries) == agent_names()
    assert entries["random"].summary == "Any legal action, all equally likely."
    cut = [name for name, entry in entries.items() if not entry.summary.endswith(".")]
    assert not cut, "the first paragraph of the docstring is the summary: one or two sentences"


def test_a_built_in_agent() -> None:
    assert isinstance(make_agent("random", "pursuit", Seat.EVADER), RandomAgent)


def test_a_name_may_stand_for_another_agent_in_each_game() -> None:
    assert isinstance(make_agent("greedy", "pursuit", Seat.PURSUERS), PursuitGreedyAgent)
    assert isinstance(make_agent("greedy:style=hide", "scotland_yard"), ScotlandYardGreedyAgent)
    assert isinstance(make_agent("greedy", "shortest_path", Seat.PURSUERS), GreedyAdversary)
    with pytest.raises(
        BadAgent, match=r"greedy is a different one .*: make_agent\('greedy', 'pursuit'\); games: pursuit, "
    ):
        make_agent("greedy")
    with pytest.raises(BadAgent, match="agent greedy does not play chess; it plays pursuit, scotland_yard, shortest"):
        make_agent("greedy", "chess")
    with pytest.raises(BadAgent, match="agent greedy has no option 'style'; it has none"):
        make_agent("greedy:style=hide", "shortest_path")
    listed = [entry for entry in list_agents() if entry.name == "greedy"]
    assert [entry.games for entry in listed] == [("pursuit",), ("scotland_yard",), ("shortest_path",)]
    assert [bool(entry.options) for entry in listed] == [True, True, False]


def test_a_usual_agent_and_an_exception_for_one_game(monkeypatch) -> None:
    monkeypatch.setitem(kit_of("pursuit").agents, "random", ".agents.greedy:PursuitGreedyAgent")
    assert isinstance(make_agent("random"), RandomAgent)
    assert isinstance(make_agent("random", "shortest_path"), RandomAgent)
    assert isinstance(make_agent("random", "pursuit"), PursuitGreedyAgent)
    games = [set(entry.games) for entry in list_agents() if entry.name == "random"]
    assert games == [set(game_names()) - {"pursuit"}, {"pursuit"}]


def test_the_listing_of_a_game_shows_its_own_agent_of_a_name(capsys) -> None:
    assert run(["agents", "--game", "shortest_path"]) == 0
    out = capsys.readouterr().out
    assert out.count("greedy  ") == 1
    assert "greedy  The raise that makes the traveller's cheapest path most expensive" in out
    assert "temperature" not in out


def test_a_class_in_a_file_with_options(own) -> None:
    agent = make_agent(f"{own}:First:depth=7,fast=yes,share=0.25,tag=a b")
    assert isinstance(agent, Agent)
    assert (agent.depth, agent.fast, agent.share, agent.tag) == (7, True, 0.25, "a b")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("randon", "unknown agent 'randon'; did you mean random?"),
        ("random:depth=3", "agent random has no option 'depth'; it has none"),
        ("random:depth", "'depth' is not an option; write random:key=value"),
        ("OWN", "names a file but no class; write OWN:ClassName"),
        ("OWN:", "names a file but no class; write OWN:ClassName"),
        ("OWN:Frist", "unknown class 'Frist'; did you mean First? known: First, Half, Stubborn"),
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
    assert message.replace("OWN", own) in str(caught.value)
    assert "::" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_without_its_ending_is_suggested(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadAgent, match="'Hounds' is not an option; write yard:key=value"):
        make_agent("yard:Hounds")
    (tmp_path / "yard.py").write_text(OWN)
    with pytest.raises(BadAgent, match=r"'Hounds' is not an option; did you mean yard\.py:Hounds\?$"):
        make_agent("yard:Hounds")
    with pytest.raises(BadAgent, match=r"did you mean yard\.py:First:depth=7\?$"):
        make_agent("yard:First:depth=7")


@pytest.mark.parametrize("own_rng", [False, True])
def test_a_strategy_has_the_chance_of_its_seat(own_rng: bool) -> None:
    class Chancy(Strategy):
        def __init__(self) -> None:
            if own_rng:
                self.rng = mine

        def choose_move(self, board, view, seat, valid_moves):
            seen.append(self.rng)
            return self.rng.choice(valid_moves)

    mine, seen = Random(3), []
    game = make_game("pursuit")
    config = game.make_config(board="grid:3x3", n_detectives=2, max_rounds=3)
    agents = {Seat.EVADER: Chancy(), Seat.PURSUERS: TeamStrategy([Chancy(), Chancy()])}
    records = [play_game(game, config, agents, seed=seed) for seed in (1, 1, 2)]
    assert all((rng is mine) is own_rng for rng in seen)
    if not own_rng:
        assert records[0].actions == records[1].actions
        assert len({id(rng) for rng in seen}) == 6, "one for each seat and game"


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


def test_a_file_without_an_agent_says_so(tmp_path) -> None:
    path = tmp_path / "empty.py"
    path.write_text("from manhunt import Agent, Strategy\n")
    with pytest.raises(BadAgent, match=r"empty\.py: no class 'Mine', nor any other agent"):
        make_agent(f"{path}:Mine")


class Raises:
    """A class whose options cannot be asked for."""

    name = "odd-options"

    def load(self):
        class Odd(RandomAgent):
            def __init__(self, depth: "NoSuchName" = 3) -> None: ...  # type: ignore[name-defined] # noqa: F821

        return Odd


class NoModule:
    name = "no-module"

    def load(self):
        raise ModuleNotFoundError("No module named\n'gone'")


class Leaves:
    name = "leaves"

    def load(self):
        raise SystemExit(3)


class NoClass:
    name = "no-class"

    def load(self):
        return 7


def test_a_broken_entry_point_is_listed_with_its_error(monkeypatch, capsys) -> None:
    points = [Raises(), NoModule(), Leaves(), NoClass()]
    monkeypatch.setattr("manhunt.agents.registry.entry_points", lambda group: points)
    entries = {entry.name: entry for entry in list_agents()}
    assert entries["random"].seats
    assert entries["no-module"].summary.startswith(
        "agent no-module does not load: ModuleNotFoundError: No module named 'gone' (test_registry.py line "
    )
    assert entries["leaves"].summary.startswith("agent leaves does not load: SystemExit: 3 (")
    assert entries["no-class"].summary.startswith("no-class is not an Agent or Strategy class; derive it from ")
    assert "cannot be listed: NameError" in entries["odd-options"].summary
    assert not any(entries[point.name].seats for point in points)  # type: ignore[attr-defined]
    with pytest.raises(BadAgent, match="agent no-module does not load"):
        make_agent("no-module")
    assert run(["agents", "--game", "pursuit"]) == 0
    printed = capsys.readouterr().out
    assert "random  Any legal action" in printed
    assert "leaves  agent leaves does not load" in printed


@pytest.mark.parametrize("limit", [{"seconds": 0}, {"seconds": -1}, {"iterations": 0}])
def test_a_limit_of_nothing_is_refused(limit) -> None:
    with pytest.raises(ManhuntError, match="limit of"):
        Limit(**limit)


def test_a_game_that_does_not_load_takes_no_agent_away(monkeypatch) -> None:
    broken = EntryPoint("broken", "no_such_package:KIT", "manhunt.games")
    monkeypatch.setattr("manhunt.core.registry._outside", lambda: {"broken": broken})
    assert "broken" in game_names()
    assert isinstance(make_agent("greedy", "pursuit", Seat.PURSUERS), PursuitGreedyAgent)
    with pytest.raises(ManhuntError, match="game broken does not load: ModuleNotFoundError"):
        kit_of("broken")
