"""The naive agents of Adversarial Shortest Path do what they say."""

from random import Random

import networkx as nx
import pytest
from hypothesis import given

from manhunt.agents.registry import make_agent
from manhunt.boards.build import build_board
from manhunt.boards.graphs import to_networkx
from manhunt.core.agent import Limit
from manhunt.core.errors import BadAgent
from manhunt.core.ids import Seat
from manhunt.core.outcome import Termination
from manhunt.games.shortest_path.agents.min_cut import target_side
from manhunt.games.shortest_path.rules import rules, views
from manhunt.games.shortest_path.rules.actions import OnEdge
from manhunt.games.shortest_path.rules.config import ShortestPathConfig, make_config
from manhunt.games.shortest_path.rules.costs import cheapest_ways, edge_index
from manhunt.games.shortest_path.rules.game import ShortestPathGame
from manhunt.games.shortest_path.rules.state import ShortestPathState
from manhunt.play.referee import play_game
from manhunt.testing import check_agent
from shortest_path_games import shortest_path_configs, shortest_path_histories

GAME = ShortestPathGame()
PLAYERS = ("random", "dijkstra", "committed")
ADVERSARIES = ("random", "last-edge", "min-cut", "greedy")


def choice(name: str, state: ShortestPathState):
    """What a fresh agent chooses, who was there from the beginning."""
    seat = rules.whose_turn(state)
    agent = make_agent(name, "shortest_path", seat)
    agent.start(views.view(rules.start(state.config), seat))
    return agent.act(views.view(state, seat), Limit(), Random(1)).action


def at_turn_of(seat: Seat, states: tuple[ShortestPathState, ...]) -> list[ShortestPathState]:
    return [state for state in states if rules.to_act(state) is seat]


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("adversary", ADVERSARIES)
def test_whole_games_of_all_pairs(player, adversary) -> None:
    for rule in ("sqrt", "double"):
        config = make_config(rule, board="contest:40:80:separation=6:cut=3:seed=7")
        agents = {Seat.EVADER: make_agent(player), Seat.PURSUERS: make_agent(adversary, "shortest_path")}
        outcome = play_game(GAME, config, agents, seed=1).outcome
        if player == "committed":
            assert outcome.termination is Termination.ARRIVAL
            assert outcome.cost >= 6
        else:
            assert outcome.termination in (Termination.ARRIVAL, Termination.FORFEIT)


def test_a_game_can_be_played_twice_with_the_same_agents() -> None:
    agents = {Seat.EVADER: make_agent("committed"), Seat.PURSUERS: make_agent("min-cut")}
    first = [play_game(GAME, make_config(board="contest:40:80:seed=1"), agents).actions]
    other = play_game(GAME, make_config(board="contest:30:60:seed=2"), agents)
    assert other.outcome.termination is Termination.ARRIVAL
    assert [play_game(GAME, make_config(board="contest:40:80:seed=1"), agents).actions] == first


@given(shortest_path_histories())
def test_dijkstra_steps_along_the_cheapest_way(history) -> None:
    for state in at_turn_of(Seat.EVADER, history[0])[-3:]:
        way = cheapest_ways(state.config, state.raises).from_node(state.quarry)
        assert choice("dijkstra", state) == OnEdge(way[0], way[1])


def test_dijkstra_can_circle_for_ever() -> None:
    """Whatever end of the graph he turns to is raised next, so that he turns round until he has no moves left."""
    config = make_config("double", board="contest:14:20:separation=4:cut=2:seed=1")
    agents = {Seat.EVADER: make_agent("dijkstra"), Seat.PURSUERS: make_agent("last-edge")}
    record = play_game(GAME, config, agents)
    assert record.outcome.termination is Termination.FORFEIT
    assert len(record.rounds) == config.move_limit
    assert "-" not in record.actions


@given(shortest_path_configs())
def test_committed_arrives_in_as_many_moves_as_there_are_hops(config) -> None:
    agents = {Seat.EVADER: make_agent("committed"), Seat.PURSUERS: make_agent("greedy", "shortest_path")}
    record = play_game(GAME, config, agents)
    assert record.outcome.termination is Termination.ARRIVAL
    assert len(record.rounds) == cheapest_ways(config, (0,) * len(config.board.edges)).distance[config.source]


@given(shortest_path_histories())
def test_last_edge_raises_the_last_edge_of_the_cheapest_way(history) -> None:
    for state in at_turn_of(Seat.PURSUERS, history[0])[-3:]:
        way = cheapest_ways(state.config, state.raises).from_node(state.quarry)
        assert edge_number(state.config, choice("last-edge", state)) == edge_index(state.config.board)[way[-2], way[-1]]


@given(shortest_path_histories(max_nodes=6))
def test_greedy_is_the_best_of_all_raises(history) -> None:
    for state in at_turn_of(Seat.PURSUERS, history[0])[-2:]:
        worth = {}
        for action in rules.legal_actions(state)[:-1]:
            after = rules.apply_action(state, action)
            worth[action] = cheapest_ways(state.config, after.raises).distance[state.quarry]
        chosen = rules.apply_action(state, choice("greedy", state))
        assert cheapest_ways(state.config, chosen.raises).distance[state.quarry] == max(worth.values())


@given(shortest_path_configs())
def test_the_cut_is_a_smallest_one(config) -> None:
    inside = target_side(config.board, config.source, config.target)
    board = config.board
    assert config.target in inside
    assert config.source not in inside
    crossing = [(a, b) for a in inside for b in board.neighbours(a) if b not in inside]
    graph, ends = to_networkx(board), (board.label(config.source), board.label(config.target))
    assert len(crossing) == len(nx.minimum_edge_cut(graph, *ends))


@pytest.mark.parametrize(
    ("pairs", "steps", "raised"),
    [
        (["s-a", "s-b", "a-c", "b-c", "c-d", "c-e", "d-t", "e-t"], ["s-a", "a-s", "s-a"], ["d-t", "e-t", "d-t"]),
        (["s-m", "m-n", "n-a", "n-b", "a-t", "b-t"], ["s-m", "m-n", "n-a", "a-n"], ["m-n", "a-t", "b-t", "a-t"]),
    ],
    ids=["in turn", "the next cut once this one is passed"],
)
def test_min_cut_takes_its_edges_in_turn(pairs, steps, raised) -> None:
    board = build_board("cuts", [(*pair.split("-"), None) for pair in pairs])
    config = make_config(board=board, source="s", target="t")
    agent, state, found = make_agent("min-cut"), rules.start(config), []
    agent.start(views.view(state, Seat.PURSUERS))
    for step in steps:
        state = rules.apply_action(state, GAME.parse_action(config, step))
        action = agent.act(views.view(state, Seat.PURSUERS), Limit(), Random(0)).action
        found.append(GAME.format_action(config, action))
        state = rules.apply_action(state, action)
    assert found == raised


@pytest.mark.parametrize(("name", "seat"), [("dijkstra", Seat.PURSUERS), ("last-edge", Seat.EVADER)])
def test_a_wrong_seat_is_refused(name, seat) -> None:
    with pytest.raises(BadAgent, match="does not play the seat"):
        make_agent(name, "shortest_path", seat)


def test_a_stranger_s_game_is_refused() -> None:
    with pytest.raises(BadAgent, match="does not play pursuit; it plays shortest_path"):
        make_agent("dijkstra", "pursuit", Seat.EVADER)


def edge_number(config: ShortestPathConfig, action: OnEdge) -> int:
    return edge_index(config.board)[action.start, action.to]


@pytest.mark.parametrize(
    ("name", "seat"),
    [*((name, Seat.EVADER) for name in PLAYERS), *((name, Seat.PURSUERS) for name in ADVERSARIES)],
)
def test_the_kit_finds_no_fault(name, seat) -> None:
    check_agent(name, "shortest_path", make_config(board="contest:14:20:separation=4:cut=2:seed=3"), seat, games=2)
