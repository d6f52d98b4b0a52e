"""Scotfish by its report, computed by hand; its successor against a plain recursion."""

import os
from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.agents.registry import make_agent
from manhunt.boards.catalog import load_board
from manhunt.boards.distance import distances
from manhunt.core.agent import Limit
from manhunt.core.errors import BadAgent
from manhunt.core.ids import Node, Seat
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.agents.minimax_search.arrays import pack_ticket_graph
from manhunt.games.scotland_yard.agents.minimax_search.routes import pack_ways
from manhunt.games.scotland_yard.agents.scotfish import (
    ScotfishAgent,
    best_scored,
    by_kind,
    draw_by_kind,
    ferry_nodes,
    score_map,
)
from manhunt.games.scotland_yard.agents.scotfish_kernels import Chase, line_value, lower_paths, new_stack
from manhunt.games.scotland_yard.agents.scotfish_lookahead import ScotfishLookaheadAgent
from manhunt.games.scotland_yard.rules.actions import DETECTIVES, Double, Piece, Single, Ticket, Tickets
from manhunt.games.scotland_yard.rules.model import StartingPlayer, new_game
from manhunt.games.scotland_yard.rules.rules import legal_actions
from manhunt.games.scotland_yard.rules.views import view
from manhunt.play.referee import Referee
from manhunt.testing import check_agent
from scotland_yard_games import board_of, random_board

pytestmark = pytest.mark.kernel
SLOW = os.environ.get("NUMBA_DISABLE_JIT") == "1"
PLENTY = Tickets(9, 9, 9)
SOME = Tickets(4, 3, 3)
LINE = board_of("1-2:T 2-3:T 3-4:T 4-5:T 5-6:T")
LONDON = load_board("london")


def game_on(board, mrx, detectives, tickets=SOME, rounds=(False,) * 8):
    players = [StartingPlayer(piece, PLENTY, at) for piece, at in zip(DETECTIVES, detectives, strict=False)]
    return new_game(board, rounds, StartingPlayer(Piece.MRX, tickets, mrx), players)


def scores_on(board, mrx, detectives, tickets=SOME):
    scores = score_map(view(game_on(board, mrx, detectives, tickets), Seat.EVADER), 100, 2, 125)
    return dict(zip(board.labels, scores, strict=True))


def test_a_detective_lowers_his_node_its_neighbours_and_theirs() -> None:
    # His own node is adjacent to his one neighbour: 500 + 50.
    assert scores_on(LINE, "6", ["1"]) == {"1": -550, "2": -100, "3": -50, "4": 0, "5": 0, "6": 0}


def test_a_node_loses_once_for_every_neighbour_it_shares() -> None:
    # From 1: distance one are 2 and 3 (-100 each); adjacent to 2: 1, 3, 4; adjacent to 3: 1, 2, 4 (-50 each).
    board = board_of("1-2:T 1-3:T 2-3:T 2-4:T 3-4:T 4-5:T")
    assert scores_on(board, "5", ["1"]) == {"1": -600, "2": -150, "3": -150, "4": -100, "5": 0}


def test_parallel_transports_count_once() -> None:
    assert scores_on(board_of("1-2:TBU 2-3:TB 3-4:T"), "4", ["1"])["3"] == -50


def test_shadows_of_several_detectives_add_up() -> None:
    # 1 gives -100, -50 to 2, 3; 4 gives -500 - 2 * 50 to itself, -100 to 3, 5, -50 to 2, 6.
    assert scores_on(LINE, "6", ["1", "4"]) == {"1": -550, "2": -150, "3": -150, "4": -600, "5": -100, "6": -50}


FERRY_BOARD = board_of("1-2:T 2-3:T 3-4:F 4-5:T 3-6:T 1-6:T")


def test_ferries_shine_for_a_secret_ticket_but_not_where_mrx_stands() -> None:
    scores = scores_on(FERRY_BOARD, "5", ["1"], Tickets(4, 3, 3, secret=1))
    assert (scores["3"], scores["4"]) == (125 - 2 * 50, 125)  # two ways from 1 to 3: the 25 of the report
    assert scores_on(FERRY_BOARD, "4", ["1"], Tickets(4, 3, 3, secret=1))["4"] == 0
    assert scores_on(FERRY_BOARD, "5", ["1"])["4"] == 0
    assert scores_on(FERRY_BOARD, "4", ["1"])["4"] == -125


def test_a_ferry_node_two_moves_from_a_detective_scores_75_and_25_with_a_second_way_there() -> None:
    """The report has 25 for it, which its own numbers give with two ways, or one move away (docs: minimax.md)."""
    secret, ferry = Tickets(4, 3, 3, secret=1), LONDON.node("157")
    scores = {place: scores_on(LONDON, "1", [place], secret)["157"] for place in ("102", "127", "141", "194")}
    ways = {p: len({*LONDON.neighbours(LONDON.node(p))} & {*LONDON.neighbours(ferry)}) for p in scores}
    assert ways == {"102": 1, "127": 2, "141": 3, "194": 0}
    assert scores == {"102": 125 - 50, "127": 125 - 2 * 50, "141": 125 - 3 * 50, "194": 125 - 100}  # 194 is next to it


def test_how_often_london_has_a_ferry_node_at_75_or_25() -> None:
    found: dict[int, Counter[float]] = {1: Counter(), 2: Counter()}
    hops = distances(LONDON)
    for place in LONDON.nodes():
        scores = scores_on(LONDON, "1", [LONDON.label(place)], Tickets(secret=1))
        for ferry in ferry_nodes(LONDON):
            away = int(hops[place, ferry])
            if away in found:
                found[away][scores[LONDON.label(ferry)]] += 1
    assert found[2] == {75: 69, 25: 11, -25: 1}
    assert found[1] == {25: 14, -25: 8, -75: 2}


def test_the_best_moves_are_judged_by_their_last_node() -> None:
    state = game_on(LINE, "3", ["1"], Tickets(taxi=4, secret=1, double=1))
    scores = score_map(view(state, Seat.EVADER), 100, 2, 125)
    best = best_scored(legal_actions(state), scores)
    # 4 and 5 are without shadow.
    assert {LINE.label(move.to) for move in best} == {"4", "5"}
    lists = by_kind(best, twice=True)
    taxi, secret, to = Ticket.TAXI, Ticket.SECRET, LINE.node
    both = Double(Piece.MRX, taxi, to("4"), secret, to("5"))
    assert lists["normal"] == [Single(Piece.MRX, taxi, to("4"))]
    assert both in lists["double"]
    assert both in lists["secret"]
    assert Double(Piece.MRX, taxi, to("4"), taxi, to("5")) in lists["double"]
    assert Single(Piece.MRX, secret, to("4")) in lists["secret"]
    assert len(lists["double"]) == 3  # taxi-taxi, taxi-secret, secret-taxi: there is one secret ticket
    assert len(lists["secret"]) == 3
    once = by_kind(best)
    assert once["double"] == lists["double"]
    assert once["secret"] == [Single(Piece.MRX, secret, to("4"))]


def drawn(lists, n=4000):
    rng = Random(5)
    return Counter(draw_by_kind(lists, rng)[0] for _ in range(n))


def test_kinds_are_drawn_by_80_10_10_and_absent_ones_not_at_all() -> None:
    normal = [Single(Piece.MRX, Ticket.TAXI, Node(i)) for i in range(2)]
    double = [Double(Piece.MRX, Ticket.TAXI, Node(1), Ticket.BUS, Node(2))]
    secret = [Single(Piece.MRX, Ticket.SECRET, Node(i)) for i in range(2)]
    counts = drawn({"normal": normal, "double": double, "secret": secret})
    assert [round(counts[m] / 4000, 1) for m in normal] == [0.4, 0.4]
    assert abs(counts[double[0]] / 4000 - 0.1) < 0.02
    assert abs(counts[secret[0]] / 4000 - 0.05) < 0.02
    counts = drawn({"double": double, "secret": secret})
    assert abs(counts[double[0]] / 4000 - 0.5) < 0.04
    counts = drawn({"normal": normal, "double": double})
    assert abs(counts[double[0]] / 4000 - 0.1 / 0.9) < 0.02


def test_the_chance_of_a_move_in_two_lists_is_the_sum() -> None:
    both = Double(Piece.MRX, Ticket.TAXI, Node(1), Ticket.SECRET, Node(2))
    normal = Single(Piece.MRX, Ticket.TAXI, Node(3))
    lists = by_kind([both, normal], twice=True)
    draws = [draw_by_kind(lists, Random(seed)) for seed in range(30)]
    assert {action: round(chance, 9) for action, chance in draws} == {both: 0.2, normal: 0.8}


def test_a_special_ticket_is_kept_also_where_only_a_double_move_reaches_the_best_node() -> None:
    # From 3 only a double move reaches the ferry node 5: 125 points, and 0 for the next best node.
    board = board_of("1-2:T 2-3:T 3-4:T 4-5:T 5-6:F")
    seen = view(game_on(board, "3", ["1"], Tickets(taxi=4, secret=1, double=2)), Seat.EVADER)
    kinds: dict[str, Counter[str]] = {}
    for first in ("kind", "score"):
        agent, rng = ScotfishAgent(first=first), Random(7)
        advice = [agent.act(seen, Limit(), rng) for _ in range(2000)]
        kinds[first] = Counter(kind for a in advice for kind in by_kind([a.action]))
        assert {board.label(a.action.to) for a in advice if isinstance(a.action, Double)} == {"5"}
    assert set(kinds["score"]) == {"double"}
    shares = {kind: n / 2000 for kind, n in kinds["kind"].items()}
    assert shares == pytest.approx({"normal": 0.8, "double": 0.1, "secret": 0.1}, abs=0.03)


def test_scotfish_spends_special_tickets_over_the_whole_game() -> None:
    """Over many decisions with all kinds to choose from, 80 % are normal, 10 % double and 10 % secret."""
    game = make_game("scotland_yard")
    counts: Counter[str] = Counter()
    for seed in range(8 if SLOW else 60):
        agents = {Seat.EVADER: ScotfishAgent(), Seat.PURSUERS: make_agent("random", "scotland_yard")}
        referee = Referee(game, game.make_config("standard"), agents, seed=seed)
        while not referee.over:
            before = referee.view(Seat.EVADER)
            action = referee.step()
            if action is not None and action.piece is Piece.MRX and len(by_kind(before.legal)) == 3:
                counts.update(list(by_kind([action])))
    shares = {kind: n / counts.total() for kind, n in counts.items()}
    assert shares == pytest.approx({"normal": 0.8, "double": 0.1, "secret": 0.1}, abs=0.05)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("scotfish:shadow=-1", "scotfish: shadow must be from 0 to 1e+06, not -1.0"),
        ("scotfish:factor=0", "scotfish: factor must be from 0.001"),
        ("scotfish:ferry=nan", "scotfish: ferry must be from 0"),
        ("scotfish:first=best", "scotfish: first is one of kind, score, not 'best'"),
        ("scotfish-lookahead:depth=99", "scotfish-lookahead: depth must be from 0 to 12, not 99"),
        ("scotfish-lookahead:iterations=0", "iterations must be 1 or more, not 0"),
        ("scotfish-lookahead:discount=2", "discount must be from 0 to 1, not 2.0"),
    ],
)
def test_options_out_of_range_are_one_clear_line(spec, message) -> None:
    with pytest.raises(BadAgent) as caught:
        make_agent(spec)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["scotfish", "scotfish-lookahead"])
def test_other_seats_and_games_are_refused(name) -> None:
    with pytest.raises(BadAgent, match="does not play the seat pursuers; it plays evader"):
        make_agent(name, "scotland_yard", Seat.PURSUERS)
    with pytest.raises(BadAgent, match="does not play pursuit"):
        make_agent(name, "pursuit", Seat.EVADER)
    pursuit = make_game("pursuit")
    other = pursuit.view(pursuit.new(pursuit.make_config(), Random(0)), Seat.EVADER)
    with pytest.raises(BadAgent, match="does not play pursuit"):
        make_agent(name).act(other, Limit(), Random(0))
    with pytest.raises(BadAgent, match="does not play the seat pursuers"):
        make_agent(name).act(view(game_on(LINE, "6", ["1"]), Seat.PURSUERS), Limit(), Random(0))


@pytest.mark.parametrize("name", ["scotfish", "scotfish-lookahead"])
def test_they_behave(name) -> None:
    check_agent(name, seat=Seat.EVADER, games=1, limit=Limit(iterations=60 if SLOW else 3000), max_plies=40)


# scotfish-lookahead


def test_the_ways_of_detectives_are_lowered_by_what_their_tickets_allow() -> None:
    board = board_of("1-2:T 2-3:T 3-4:T 1-4:U")
    graph, ways, places = pack_ticket_graph(board), pack_ways(board), np.array([0], np.int32)
    cases = [((3, 0, 0), [0, -100, -50, 0]), ((2, 0, 0), [0, 0, 0, 0]), ((3, 0, 1), [0, 0, 0, 0])]
    for tickets, expected in cases:
        scores, counts = np.zeros(4), np.array([tickets], np.int32)
        held = np.array([(tickets[0] > 0) | (tickets[2] > 0) << 2], np.int32)
        chase = Chase(scores, held, 1, 100.0, 2.0, 500.0, 0.9)
        lower_paths(graph, ways, chase, 3, places, counts, scores)
        assert scores.tolist() == expected


def plain_line_value(board, graph, chase, quarry, places, depth):
    """The same as `line_value`, by recursion."""

    def score(node, places):
        out = chase.scores[node]
        for held, place in zip(chase.held, places, strict=True):
            hops = int(graph.hops[held, place, node])
            if hops == 0:
                out -= chase.caught
            elif hops <= 5:
                out -= chase.shadow / chase.factor ** (hops - 1)
        return out

    def run(places, goal):
        out = list(places)
        for d, held in enumerate(chase.held):
            steps = graph.fares[graph.indptr[held, out[d]] : graph.indptr[held, out[d] + 1]] >> 8
            free = [int(to) for to in steps if to not in out]
            if free:
                out[d] = min(free, key=lambda to: int(graph.hops[held, to, goal]))
            if out[d] == goal:
                return None
        return out

    gain = score(quarry, places)
    after = run(places, quarry)
    if after is None:
        return gain - chase.caught * (1 + depth), []
    if depth == 0:
        return gain, []
    fares = graph.fares[graph.indptr[chase.mrx_held, quarry] : graph.indptr[chase.mrx_held, quarry + 1]] >> 8
    best, line = None, []
    for to in dict.fromkeys(int(f) for f in fares):
        if to in after:
            continue
        value, rest = plain_line_value(board, graph, chase, to, after, depth - 1)
        if best is None or value > best:
            best, line = value, [to, *rest]
    if best is None:
        return gain - chase.discount * chase.caught * depth, []
    return gain + chase.discount * best, line


@given(seed=st.integers(0, 2**32))
def test_line_value_is_the_plain_recursion(seed) -> None:
    rng = Random(seed)
    board = random_board(rng, 9)
    graph, n = pack_ticket_graph(board), rng.randint(1, min(3, board.n_nodes - 1))
    quarry, *places = rng.sample(range(board.n_nodes), n + 1)
    held = np.array([rng.randrange(1, 8) for _ in range(n)], np.int32)
    scores = np.array([rng.choice([0.0, 125.0]) for _ in board.nodes()])
    chase = Chase(scores, held, rng.randrange(1, 16), 100.0, 2.0, 500.0, 0.9)
    stack = new_stack(n)
    for depth in range(2 if SLOW else 4):
        value, nodes = line_value(graph, chase, quarry, np.array(places, np.int32), depth, 10**6, stack)
        expected, line = plain_line_value(board, graph, chase, quarry, places, depth)
        assert value == pytest.approx(expected)
        assert [node for node in stack.line[0].tolist() if node >= 0] == line
        if nodes > 1:
            again = line_value(graph, chase, quarry, np.array(places, np.int32), depth, nodes - 1, stack)
            assert again == (-np.inf, nodes - 1)


def test_lookahead_does_not_run_into_a_dead_end() -> None:
    # From 3 the way to 4 ends there; to 5 it goes on. Scores alone do not tell the two apart.
    board = board_of("1-2:T 2-3:T 3-4:T 3-5:T 5-6:T 6-7:T 7-8:T")
    seen = view(game_on(board, "3", ["1"], Tickets(taxi=9)), Seat.EVADER)
    advice = ScotfishLookaheadAgent().act(seen, Limit(), Random(0))
    assert board.label(advice.action.to) == "5"
    assert [board.label(move.to) for move in advice.line[:4]] == ["5", "6", "7", "8"]
    assert -1 <= advice.value <= 1
    assert 0 < advice.confidence <= 1
    plain = {ScotfishAgent().act(seen, Limit(), Random(seed)).action.to for seed in range(20)}
    assert plain == {board.node("4"), board.node("5")}


def test_lookahead_searches_no_deeper_than_its_limit_allows() -> None:
    game = make_game("scotland_yard")
    seen = game.view(game.new(game.make_config(), Random(1)), Seat.EVADER)
    depths = [
        ScotfishLookaheadAgent().act(seen, Limit(iterations=n), Random(0)).counters["depth"] for n in (1, 400, 20_000)
    ]
    assert depths[0] == 0
    assert depths == sorted(depths)
    assert depths[-1] > depths[1] or SLOW


@pytest.mark.skipif(SLOW, reason="whole games take long without compilation")
def test_lookahead_lasts_longer_than_scotfish() -> None:
    game = make_game("scotland_yard")
    config = game.make_config("standard")
    lasted = {"scotfish": 0, "scotfish-lookahead:depth=3": 0}
    for name in lasted:
        for seed in range(12):
            agents = {Seat.EVADER: make_agent(name), Seat.PURSUERS: make_agent("greedy", "scotland_yard")}
            referee = Referee(game, config, agents, seed=seed)
            referee.run()
            lasted[name] += referee.state.round
    assert lasted["scotfish-lookahead:depth=3"] > lasted["scotfish"]


def test_the_usual_numbers_are_those_of_the_report() -> None:
    usual = ScotfishAgent()
    assert (usual.shadow, usual.factor, usual.ferry) == (100, 2, 125)


@pytest.mark.parametrize(("mrx", "detectives", "to"), [("3", ["1"], "4"), ("4", ["6"], "3"), ("3", ["1", "6"], "4")])
def test_scotfish_runs_from_a_detective_who_comes_near(mrx, detectives, to) -> None:
    position = view(game_on(LINE, mrx, detectives, Tickets(taxi=4)), Seat.EVADER)
    went = {ScotfishAgent().act(position, Limit(), Random(seed)).action.to for seed in range(20)}
    assert {LINE.label(node) for node in went} == {to}
