"""The navigator pays no more than its first bound, whoever raises and however short the time is."""

from random import Random
from typing import Any

import pytest

from manhunt.agents.registry import make_agent
from manhunt.boards.build import build_board
from manhunt.core.agent import Advice, Agent, ClockFace, Limit
from manhunt.core.errors import BadAgent
from manhunt.core.ids import Node, Seat
from manhunt.core.outcome import Termination
from manhunt.games.shortest_path.agents.navigator import NavigatorAgent
from manhunt.games.shortest_path.rules import rules, views
from manhunt.games.shortest_path.rules.actions import EmptyMove, OnEdge
from manhunt.games.shortest_path.rules.config import Rule, ShortestPathConfig, make_config
from manhunt.games.shortest_path.rules.costs import cheapest_ways
from manhunt.games.shortest_path.rules.game import ShortestPathGame
from manhunt.games.shortest_path.solvers.exact import solve
from manhunt.games.shortest_path.solvers.upper import holds, upper_value
from manhunt.games.shortest_path.solvers.upper_plan import committed_value
from manhunt.play.clock import TimeControl
from manhunt.play.referee import Referee, play_game

GAME = ShortestPathGame()
CLOSE = 1e-6


class Spiteful(Agent):
    """Raises edges at the traveller's node, at the target, on his cheapest way, anywhere, or passes: by lot."""

    def act(self, view, limit, rng) -> Advice:
        board, config = view.config.board, view.config
        near = [OnEdge(view.quarry, to) for to in board.neighbours(view.quarry)]
        last = [OnEdge(node, config.target) for node in board.neighbours(config.target)]
        way = cheapest_ways(config, view.raises).from_node(view.quarry)
        on_way = [OnEdge(a, b) for a, b in zip(way, way[1:], strict=False)]
        anywhere = [OnEdge(edge.a, edge.b) for edge in board.edges]
        return Advice(rng.choice(rng.choice([near, last, last, on_way, on_way, anywhere, [EmptyMove()]])))


ADVERSARIES = {
    "random": lambda: make_agent("random"),
    "last-edge": lambda: make_agent("last-edge"),
    "min-cut": lambda: make_agent("min-cut"),
    "greedy": lambda: make_agent("greedy", "shortest_path"),
    "spiteful": Spiteful,
}
LIMITS = {
    "1 iteration": Limit(iterations=1),
    "20 iterations": Limit(iterations=20),
    "1,000 iterations": Limit(iterations=1_000),
    "a microsecond": Limit(seconds=1e-6),
    "50 ms": Limit(seconds=0.05),
    "50 ms a move": Limit(seconds=0.05, clock=ClockFace(cap_seconds=0.05)),
    "no limit": Limit(),
}


class Watched(NavigatorAgent):
    """Writes down where it was and what it was sure of."""

    def act(self, view, limit, rng) -> Advice:
        advice = super().act(view, limit, rng)
        self.seen = [*getattr(self, "seen", []), (view.quarry, advice.counters["upper"])]
        return advice

    def start(self, view) -> None:
        super().start(view)
        self.seen = []


def small_config(rng: Random) -> ShortestPathConfig:
    """A connected graph of 5 to 14 nodes and the two nodes that lie furthest apart."""
    n = rng.randint(5, 14)
    pairs = {(rng.randrange(node), node) for node in range(1, n)}
    samples = (sorted(rng.sample(range(n), 2)) for _ in range(rng.randint(0, n)))
    pairs |= {(a, b) for a, b in samples}
    board = build_board("small", [(a, b, None) for a, b in sorted(pairs)], range(n))
    ends = max(
        ((a, b) for a in board.nodes() for b in board.nodes() if a != b),
        key=lambda ends: cheapest_ways(ShortestPathConfig(board, *ends), (0,) * len(board.edges)).distance[ends[0]],
    )
    return ShortestPathConfig(board, Node(ends[0]), Node(ends[1]), rng.choice(list(Rule)))


def check_game(config: ShortestPathConfig, adversary: Agent, limit: Limit, seed: int) -> tuple[float, float]:
    agent = Watched()
    agents = {Seat.EVADER: agent, Seat.PURSUERS: adversary}
    outcome = play_game(GAME, config, agents, limit=limit, seed=seed).outcome
    assert outcome.termination is Termination.ARRIVAL
    nodes, sure = zip(*agent.seen, strict=True)
    assert len(set(nodes)) == len(nodes), "it circled"
    assert all(later <= earlier + CLOSE for earlier, later in zip(sure, sure[1:], strict=False))
    assert agent.first_bound == pytest.approx(sure[0])
    assert outcome.cost <= sure[-1] + CLOSE
    assert agent.certificate is not None
    assert agent.first_bound is not None
    assert outcome.cost is not None
    assert holds(rules.start(config), agent.certificate)
    way: Any = make_agent("committed")
    way.start(views.view(rules.start(config), Seat.EVADER))
    assert agent.first_bound <= committed_value(rules.start(config), way.plan) + CLOSE
    return outcome.cost, agent.first_bound


@pytest.mark.parametrize("name", ADVERSARIES)
@pytest.mark.parametrize("limit", LIMITS)
def test_it_never_pays_more_than_its_first_bound(name, limit) -> None:
    rng = Random(f"{name} {limit}")
    for seed in range(12):
        check_game(small_config(rng), ADVERSARIES[name](), LIMITS[limit], seed)


@pytest.mark.parametrize("rule", ["sqrt", "double"])
def test_contest_graphs_and_a_clock_that_runs_out(rule) -> None:
    better = 0
    for seed in range(4):
        config = make_config(rule, board=f"contest:60:130:separation=6:cut=3:seed={seed}")
        for name, make in ADVERSARIES.items():
            limit = list(LIMITS.values())[(seed + len(name)) % len(LIMITS)]
            cost, bound = check_game(config, make(), limit, seed)
            better += cost < bound - CLOSE
    assert better, "no adversary ever fell short of the bound: the bound cannot be that sharp"


def test_with_time_its_first_bound_is_the_value() -> None:
    rng = Random(5)
    for seed in range(15):
        config = small_config(rng)
        value = solve(rules.start(config)).value
        cost, bound = check_game(config, Spiteful(), Limit(iterations=2_000), seed)
        assert bound == pytest.approx(value)
        assert cost <= value + CLOSE


def test_its_worst_case_is_mostly_below_that_of_the_committed_path() -> None:
    lower = 0
    for seed in range(10):
        config = make_config("sqrt" if seed % 2 else "double", board=f"contest:60:140:separation=5:cut=3:seed={seed}")
        state, agent = rules.start(config), NavigatorAgent()
        agent.start(views.view(state, Seat.EVADER))
        agent.act(views.view(state, Seat.EVADER), Limit(iterations=300), Random(1))
        path = cheapest_ways(config, state.raises).from_node(config.source)
        assert agent.first_bound <= committed_value(state, path) + CLOSE
        lower += agent.first_bound < committed_value(state, path) - CLOSE
        assert upper_value(state, agent.certificate.arcs) <= agent.certificate.value + CLOSE
    assert lower >= 8


def test_a_weak_adversary_makes_the_bound_fall() -> None:
    config = make_config(board="contest:60:130:separation=6:cut=3:seed=1")
    agent = Watched()
    play_game(GAME, config, {Seat.EVADER: agent, Seat.PURSUERS: make_agent("random")}, seed=1)
    assert agent.seen[-1][1] < agent.seen[0][1] - 1


def test_two_games_one_after_the_other_are_the_same() -> None:
    config = make_config(board="contest:40:80:seed=1")
    agents = {Seat.EVADER: NavigatorAgent(), Seat.PURSUERS: make_agent("greedy", "shortest_path")}
    first = play_game(GAME, config, agents, limit=Limit(iterations=50)).actions
    assert play_game(GAME, config, agents, limit=Limit(iterations=50)).actions == first


def test_a_long_path_is_walked_within_a_small_bank() -> None:
    n = 120
    board = build_board("path", [(i, i + 1, None) for i in range(n)])
    config = ShortestPathConfig(board, board.node("0"), board.node(str(n)), Rule.DOUBLE)
    agents = {Seat.EVADER: NavigatorAgent(), Seat.PURSUERS: make_agent("last-edge")}
    referee = Referee(GAME, config, agents, time_control=TimeControl(bank_seconds=60.0))
    referee.run()
    assert referee.record().outcome.termination is Termination.ARRIVAL


def test_it_needs_some_time() -> None:
    with pytest.raises(BadAgent, match="more than 0"):
        NavigatorAgent(seconds=0)
