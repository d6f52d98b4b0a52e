"""The rule book of Adversarial Shortest Path, paragraph by paragraph."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.agents.registry import make_agent
from manhunt.arena.match import _matrix_fault
from manhunt.boards.build import build_board
from manhunt.boards.catalog import load_board
from manhunt.boards.contest import contest_board
from manhunt.core.agent import Advice, Agent
from manhunt.core.errors import BadConfig, BadText, IllegalAction
from manhunt.core.ids import EVERYBODY, Seat, Side
from manhunt.core.outcome import Outcome, Termination, parse_outcome
from manhunt.games.shortest_path.rules import rules, views
from manhunt.games.shortest_path.rules.actions import EmptyMove, OnEdge
from manhunt.games.shortest_path.rules.config import Rule, ShortestPathConfig, make_config
from manhunt.games.shortest_path.rules.costs import MOST_COST, cheapest_ways, cost_of, factors, hops_to, raised_cost
from manhunt.games.shortest_path.rules.game import ShortestPathGame
from manhunt.games.shortest_path.rules.state import ShortestPathState
from manhunt.play.clock import TimeControl
from manhunt.play.referee import Referee
from manhunt.testing import check_game
from shortest_path_games import shortest_path_configs, shortest_path_histories

GAME = ShortestPathGame()


def sketch(text: str, source: str = "1", target: str = "5", **options) -> ShortestPathConfig:
    """`1-2 2-3` is a graph of two edges."""
    pairs = (word.split("-") for word in text.split())
    board = build_board("sketch", [(a, b, None) for a, b in pairs])
    return make_config(board=board, source=source, target=target, **options)


ALONE = build_board("alone", [("1", "2", None)], ["3"])
LADDER = sketch("1-2 2-3 3-4 4-5")


def played(config: ShortestPathConfig, moves: str) -> ShortestPathState:
    state = GAME.start(config, {})
    for text in moves.split():
        state = GAME.apply_action(state, GAME.parse_action(config, text))
    return state


def test_par_1_at_most_1000_nodes_and_source_and_target_connected() -> None:
    assert make_config(board=contest_board(1000, 10_000, 12, 6, 1)).board.n_nodes == 1000
    with pytest.raises(BadConfig, match="too large: 1024 nodes and .* \\(max 1000 nodes and 10000 edges"):
        make_config(board="grid:32x32", source="1", target="2")
    with pytest.raises(BadConfig, match="no path from 1 to 5 on board sketch; source and target must be connected"):
        sketch("1-2 3-4 4-5")
    assert sketch("1-2 2-5 3-4").move_limit == 10  # other parts may be cut off


def test_par_1_every_edge_costs_1_at_the_start() -> None:
    state = rules.start(LADDER)
    assert [cost_of(LADDER, state.raises, edge) for edge in range(4)] == [1.0] * 4
    assert state.quarry == LADDER.source


def test_par_2_the_traveller_moves_first_and_they_take_turns() -> None:
    assert GAME.to_act(played(LADDER, "")) is Seat.EVADER
    assert GAME.to_act(played(LADDER, "1-2")) is Seat.PURSUERS
    assert GAME.to_act(played(LADDER, "1-2 3-4")) is Seat.EVADER


def test_par_2_the_traveller_pays_the_present_cost() -> None:
    state = played(LADDER, "1-2 2-3 2-3 - 3-2")
    assert state.total == 1 + 2 * (1 + math.sqrt(3))


def test_par_2_the_factor_takes_the_farther_end_in_hops_and_stays_for_the_game() -> None:
    assert factors(LADDER) == (1 + math.sqrt(4), 1 + math.sqrt(3), 1 + math.sqrt(2), 2.0)
    after = played(LADDER, "1-2 2-3 2-1 2-3")
    assert cost_of(LADDER, after.raises, 1) == (1 + math.sqrt(3)) ** 2  # also one raised before; hops, never costs


def test_par_2_an_edge_at_the_target_is_doubled_or_more() -> None:
    config = sketch("1-2 2-5 1-5")
    edges = {
        (config.board.label(e.a), config.board.label(e.b)): f
        for e, f in zip(config.board.edges, factors(config), strict=True)
    }
    assert edges["1", "5"] == edges["2", "5"] == 2.0
    assert all(factor >= 2 for factor in edges.values())


def test_par_2_any_edge_may_be_raised_either_way_round() -> None:
    assert played(LADDER, "1-2 4-5") == played(LADDER, "1-2 5-4")
    assert [GAME.format_action(LADDER, a) for a in GAME.legal_actions(played(LADDER, "1-2"))] == [
        "1-2", "2-3", "3-4", "4-5", "-",
    ]  # fmt: skip


def test_par_2_an_edge_cut_off_from_the_target_stays_as_it_is() -> None:
    config = sketch("1-2 2-5 3-4")
    assert cost_of(config, played(config, "1-2 3-4").raises, 2) == 1.0


@given(shortest_path_configs())
def test_par_2_hops_are_those_of_a_search_by_hand(config) -> None:
    board, hops = config.board, hops_to(config.board, config.target)
    for node in board.nodes():
        near = [hops[to] for to in board.neighbours(node) if hops[to] is not None]
        if node == config.target:
            assert hops[node] == 0
        else:
            assert hops[node] == (min(near) + 1 if near else None)


def test_par_3_the_game_ends_on_the_target_with_the_total() -> None:
    state = played(LADDER, "1-2 4-5 2-3 4-5 3-4 - 4-5")
    assert GAME.outcome(state) == Outcome(Side.EVADER, Termination.ARRIVAL, 7.0)
    assert GAME.legal_actions(state) == ()
    with pytest.raises(IllegalAction, match="the game is over"):
        GAME.apply_action(state, EmptyMove())


@pytest.mark.parametrize(("moves", "why"), [("1-5", "no such edge"), ("3-2", "does not start at 1")])
def test_par_4_a_bad_move_of_the_traveller_is_refused_by_the_rules(moves, why) -> None:
    with pytest.raises(IllegalAction, match=why):
        played(LADDER, moves)


def test_par_4_a_raise_of_no_edge_is_refused_by_the_rules() -> None:
    with pytest.raises(IllegalAction, match="the adversary cannot raise 1-5 .*no such edge"):
        played(LADDER, "1-2 1-5")


@pytest.mark.parametrize(
    "action", [None, "1-2", 3, OnEdge(0, 99), OnEdge(-1, 0), OnEdge("1", "2"), OnEdge([0], 1), OnEdge(None, None)]
)
def test_par_4_what_is_no_action_at_all_is_refused_in_one_line(action) -> None:
    for state in (played(LADDER, ""), played(LADDER, "1-2")):
        with pytest.raises(IllegalAction, match="is not an action; give OnEdge") as caught:
            GAME.apply_action(state, action)
        assert "\n" not in str(caught.value)


class Scripted(Agent):
    def __init__(self, *actions) -> None:
        self.actions = list(actions)

    def act(self, view, limit, rng) -> Advice:
        return Advice(self.actions.pop(0))


def test_par_4_the_referee_makes_a_bad_move_a_pass_and_records_it() -> None:
    n = LADDER.board.node
    player = Scripted(OnEdge(n("3"), n("2")), OnEdge(n("1"), n("2")))
    adversary = Scripted(OnEdge(n("1"), n("5")), EmptyMove())
    referee = Referee(GAME, LADDER, {Seat.EVADER: player, Seat.PURSUERS: adversary})
    for _ in range(3):
        referee.step()
    assert referee.record().actions == ("-", "-", "1-2")
    told = [event for event in referee.events_for(Seat.SPECTATOR) if event.get("t") == "pass by rule"]
    assert [event["seat"] for event in told] == ["evader", "pursuers"]
    assert (referee.state.total, referee.state.round) == (1.0, 2)


def test_par_4_an_empty_move_costs_nothing_and_counts() -> None:
    state = played(LADDER, "- -")
    assert (state.total, state.quarry, state.ply) == (0.0, LADDER.source, 2)
    assert rules.moves_left(state, Seat.EVADER) == rules.moves_left(state, Seat.PURSUERS) == 2 * 5 - 1


def test_par_5_each_side_has_two_moves_a_node_and_the_traveller_runs_out_first() -> None:
    config = sketch("1-2 2-5")
    before = played(config, "- " * 11)
    assert GAME.outcome(before) is None
    end = GAME.apply_action(before, EmptyMove())
    assert GAME.outcome(end) == Outcome(Side.PURSUERS, Termination.FORFEIT)
    assert GAME.outcome(end).cost is None  # no arrival counts as an infinite cost


def test_par_5_arriving_with_the_last_move_counts() -> None:
    config = sketch("1-2 2-5")
    end = played(config, "- - " * 4 + "1-2 - 2-5")
    assert GAME.outcome(end).termination is Termination.ARRIVAL


def test_par_5_who_exceeds_the_clock_forfeits() -> None:
    class Slow(Scripted):
        def act(self, view, limit, rng):
            referee.clock.timer = lambda: 121.0
            return super().act(view, limit, rng)

    control = TimeControl(bank_seconds=LADDER.thinking_seconds)
    referee = Referee(GAME, LADDER, {Seat.EVADER: Slow(EmptyMove())}, time_control=control)
    referee.clock.timer = lambda: 0.0
    assert referee.step() is None
    assert referee.outcome == Outcome(Side.PURSUERS, Termination.FORFEIT)


def test_par_6_the_rule_double_doubles_every_edge() -> None:
    config = sketch("1-2 2-3 3-4 4-5", rule="double")
    assert factors(config) == (2.0,) * 4
    assert make_config("double").rule is Rule.DOUBLE
    with pytest.raises(BadConfig, match="unknown cost rule 'cubic'; known: sqrt, double"):
        sketch("1-5", rule="cubic")
    with pytest.raises(BadConfig, match="rule sqrt contradicts the preset double"):
        make_config("double", rule="sqrt")


@given(shortest_path_configs(), st.integers(0, 1000))
def test_any_game_keeps_the_contract(config, seed) -> None:
    check_game(GAME, config, seed=seed)


@given(shortest_path_histories())
def test_everybody_sees_everything(history) -> None:
    state = history[0][-1]
    for seat in EVERYBODY:
        assert views.view(state, seat).state == state


@given(shortest_path_histories())
def test_costs_never_fall_and_the_total_is_the_sum_of_what_was_told(history) -> None:
    states, actions = history
    told = [e for b, a, c in zip(states, actions, states[1:], strict=False) for e in GAME.events(b, a, c)]
    paid = [event.body["cost"] for event in told if event.kind == "moved"]
    assert states[-1].total == sum(paid)
    for before, after in zip(states, states[1:], strict=False):
        assert all(n <= m for n, m in zip(before.raises, after.raises, strict=True))


def test_costs_stop_growing_before_they_overflow() -> None:
    assert raised_cost(33.0, 5000) == MOST_COST
    assert raised_cost(2.0, 900) == 2.0**900
    config = sketch("1-2 2-5", rule="double")
    state = ShortestPathState(config, config.board.node("2"), (0, 10_000), MOST_COST, 3 * 2)
    assert rules.apply_action(state, OnEdge(config.board.node("2"), config.target)).total == MOST_COST
    assert cheapest_ways(config, (10_000, 10_000)).from_node(config.source) == tuple(
        map(config.board.node, ("1", "2", "5"))
    )


@pytest.mark.parametrize("cost", [1.0, 2.414213562373095, 1e300, 12345678.9])
def test_a_cost_survives_the_text_of_an_outcome(cost) -> None:
    outcome = Outcome(Side.EVADER, Termination.ARRIVAL, cost)
    assert parse_outcome(str(outcome)) == outcome


def test_labels_with_dashes_are_told_apart_by_the_edges() -> None:
    config = sketch_pairs([("a", "b-c"), ("b-c", "d"), ("a-b", "x"), ("x", "d")], "a", "d")
    move = GAME.parse_action(config, "a-b-c")
    assert move == OnEdge(config.board.node("a"), config.board.node("b-c"))
    assert GAME.format_action(config, move) == "a-b-c"


def sketch_pairs(pairs, source: str, target: str) -> ShortestPathConfig:
    board = build_board("dashes", [(a, b, None) for a, b in pairs])
    return make_config(board=board, source=source, target=target)


def test_a_board_on_which_a_move_could_be_two_is_refused() -> None:
    with pytest.raises(BadConfig, match="on board dashes the move a-b-c could be .* or .*; rename a node"):
        sketch_pairs([("a", "b-c"), ("a-b", "c"), ("c", "a")], "a", "c")


@pytest.mark.parametrize(
    ("text", "message"),
    [("7", "'7' is not a move; write two nodes as in 1-2"), ("1-99", "names no two nodes of board sketch")],
)
def test_what_is_no_move_says_so(text, message) -> None:
    with pytest.raises(BadText, match=message):
        GAME.parse_action(LADDER, text)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"board": "grid:3x3"}, "no source; give the label of a node of board grid:3x3"),
        ({"board": "grid:3x3", "source": "1"}, "no target"),
        ({"board": "grid:3x3", "source": "1", "target": "1"}, "source and target are both 1"),
        ({"board": "top-right-20", "source": "6", "target": "1"}, "no path from 6 to 1 on board top-right-20"),
        ({"board": ALONE, "source": "3", "target": "1"}, "the source 3 has no edges"),
        ({"board": ALONE, "source": "1", "target": "3"}, "the target 3 has no edges"),
        ({"speed": 3}, "unknown option of shortest_path 'speed'"),
        ({"thinking_seconds": -1}, "thinking_seconds is -1.0; it must be a number above 0"),
        ({"thinking_seconds": "long"}, "thinking_seconds must be a number, not 'long'"),
        ({"preset": "cubic"}, "unknown preset 'cubic'"),
    ],
)
def test_a_bad_config_is_one_line(options, message) -> None:
    with pytest.raises(BadConfig, match=message) as caught:
        make_config(**options)
    assert "\n" not in str(caught.value)


def test_a_board_with_transports_is_played_with_plain_edges() -> None:
    config = make_config(board="london", source="1", target="199")
    assert len(config.board.edges) == 436
    assert GAME.config_from_json(GAME.config_to_json(config)) == config
    assert load_board("london") != config.board


def test_par_4_and_5_bad_moves_to_the_end_are_passes_and_no_forfeit_of_the_arena(tmp_path) -> None:
    (tmp_path / "lost.py").write_text(
        "from manhunt.core.agent import Advice, Agent\n"
        "from manhunt.games.shortest_path.rules.actions import OnEdge\n"
        "class Lost(Agent):\n"
        "    def act(self, view, limit, rng):\n"
        "        return Advice(OnEdge(view.config.target, view.config.target))\n"
    )
    config = sketch("1-2 2-5")
    agents = {Seat.EVADER: make_agent(f"{tmp_path}/lost.py:Lost"), Seat.PURSUERS: Scripted(*[EmptyMove()] * 6)}
    referee = Referee(GAME, config, agents)
    assert referee.run() == Outcome(Side.PURSUERS, Termination.FORFEIT)
    fault = _matrix_fault(referee.faults[-1])
    assert (fault.seat, fault.why) == (None, "pass by rule")
