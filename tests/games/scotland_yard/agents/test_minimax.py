"""Minimax: routes by ticket, joint plans, replies, the search with and without pruning, both seats."""

import os
from collections import deque
from dataclasses import fields, replace
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from few_examples import at_most
from manhunt.agents.registry import make_agent
from manhunt.core.agent import Limit
from manhunt.core.errors import BadAgent
from manhunt.core.ids import Node, Seat, Side
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.agents.minimax import MinimaxAgent, PureMinimaxAgent, lead, position_of
from manhunt.games.scotland_yard.agents.minimax_search.config import RANGES, MinimaxSettings, PureMinimaxSettings
from manhunt.games.scotland_yard.agents.minimax_search.deepening import SearchBudget
from manhunt.games.scotland_yard.agents.minimax_search.plans import nearest_two
from manhunt.games.scotland_yard.agents.minimax_search.routes import (
    NO_WAY_HOPS,
    count_hops,
    hops_by_holding,
    pack_ways,
    scarcity_costs,
    weighted_hops,
)
from manhunt.games.scotland_yard.agents.minimax_search.search import PlanSearch, Position
from manhunt.games.scotland_yard.beliefs.weighted import WeightedBelief
from manhunt.games.scotland_yard.rules.actions import DETECTIVES, Double, Piece, Single, Ticket, Tickets
from manhunt.games.scotland_yard.rules.config import ScotlandYardOrder
from manhunt.games.scotland_yard.rules.model import StartingPlayer, new_game
from manhunt.games.scotland_yard.rules.rules import apply_action, fares, legal_actions
from manhunt.games.scotland_yard.rules.views import view
from manhunt.play.referee import Referee
from manhunt.testing import check_agent
from scotland_yard_games import board_of, random_board, random_new_game

pytestmark = pytest.mark.kernel
SLOW = os.environ.get("NUMBA_DISABLE_JIT") == "1"
GAME = make_game("scotland_yard")
LONDON = GAME.make_config("standard")
EVERYTHING = "pressure=1,entropy_drop=1,scarcity=0.25,dominance=speed,ordering=escape,certainty=share"
PLENTY = Tickets(9, 9, 9)
SOME = Tickets(4, 3, 3)
LINE = board_of("1-2:T 2-3:T 3-4:T 4-5:T 5-6:T 6-7:T 7-8:T 8-9:T")


def game_on(board, mrx, detectives, tickets=SOME, rounds=(False,) * 8):
    players = [StartingPlayer(piece, PLENTY, at) for piece, at in zip(DETECTIVES, detectives, strict=False)]
    return new_game(board, rounds, StartingPlayer(Piece.MRX, tickets, mrx), players)


# Routes


def plain_hops(board, start, counts):
    """Breadth first over (node, tickets left)."""
    best = {start: 0}
    queue, seen = deque([(start, tuple(counts), 0)]), {(start, tuple(counts))}
    while queue:
        node, left, hops = queue.popleft()
        for ticket, to in fares(board)[node]:
            if ticket < 3 and left[ticket]:
                rest = tuple(count - (kind == ticket) for kind, count in enumerate(left))
                if (to, rest) not in seen:
                    seen.add((to, rest))
                    best.setdefault(to, hops + 1)
                    queue.append((to, rest, hops + 1))
    return [best.get(node, NO_WAY_HOPS) for node in board.nodes()]


@given(seed=st.integers(0, 2**32), counts=st.tuples(*[st.integers(0, 3)] * 3))
def test_hops_with_counted_tickets_are_the_plain_search(seed, counts) -> None:
    board = random_board(Random(seed), 9)
    out = np.zeros(board.n_nodes, np.int8)
    held = sum(1 << kind for kind in range(3) if counts[kind])
    for start in board.nodes():
        count_hops(pack_ways(board), start, np.array(counts, np.int32), out)
        assert out.tolist() == plain_hops(board, start, counts)
        assert (hops_by_holding(board)[held, start] <= out).all()


def test_hops_by_holding_are_those_of_tickets_that_never_run_out() -> None:
    board = LONDON.board
    out = np.zeros(board.n_nodes, np.int8)
    for start in range(0, board.n_nodes, 66 if SLOW else 20):
        for held in range(8):
            counts = [11 * (held & 1), 11 * (held >> 1 & 1), 4 * (held >> 2)]
            count_hops(pack_ways(board), start, np.array(counts, np.int32), out)
            free = hops_by_holding(board)[held, start]
            assert (free <= out).all()
            assert (free[free <= 4] == out[free <= 4]).all()


def plain_weighted(board, start, held, costs):
    """The cheapest ways by relaxing every move until nothing changes, rounded as the agent counts."""
    cheapest = {start: 0.0}
    one_move = {start: 0}
    for _ in board.nodes():
        for node, cost in list(cheapest.items()):
            for ticket, to in fares(board)[node]:
                if ticket < 3 and held >> ticket & 1:
                    cheapest[to] = min(cheapest.get(to, float("inf")), cost + costs[ticket])
                    if node == start:
                        one_move.setdefault(to, 1)
    far = {node: round(cost) for node, cost in cheapest.items()}
    return [one_move.get(node, far.get(node, NO_WAY_HOPS)) for node in board.nodes()]


@given(seed=st.integers(0, 2**32), scarcity=st.sampled_from([0.0, 0.25, 0.7, 3.0]))
def test_weighted_ways_are_the_plain_search_and_never_shorter_than_hops(seed, scarcity) -> None:
    board = random_board(Random(seed), 8)
    costs = scarcity_costs((11, 8, 4), scarcity)
    table = weighted_hops(board, costs)
    for held in range(8):
        for start in board.nodes():
            assert table[held, start].tolist() == plain_weighted(board, start, held, costs)
    assert (table >= hops_by_holding(board)).all()
    assert ((table == 1) == (hops_by_holding(board) == 1)).all()
    if scarcity == 0.0:
        assert (table == hops_by_holding(board)).all()


def test_a_scarce_ticket_makes_a_way_longer() -> None:
    assert scarcity_costs((11, 8, 4), 0.0) == (1.0, 1.0, 1.0)
    assert scarcity_costs((11, 8, 4), 1.0) == (1.0, 11 / 8, 11 / 4)
    assert scarcity_costs((0, 2, 0), 0.5) == (1.5, 1.0, 1.5)  # none counts like one


# Plans


def search_of(state, **options):
    config = MinimaxSettings(**options)
    belief = WeightedBelief("uniform")
    belief.start(view(state, Seat.PURSUERS))
    return PlanSearch(state.config, config), belief


def after_mrx(seed, max_nodes=8):
    """A random small game at the detectives' first turn, or None."""
    rng = Random(seed)
    state = random_new_game(rng, random_board(rng, max_nodes))
    legal = legal_actions(state)
    if not legal:
        return None
    state = apply_action(state, rng.choice(legal))
    return state if legal_actions(state) else None


@given(seed=st.integers(0, 2**32))
def test_every_plan_can_be_carried_out_in_its_order(seed) -> None:
    state = after_mrx(seed)
    if state is None:
        return
    search, belief = search_of(state)
    position = position_of(view(state, Seat.PURSUERS), belief)
    found = search.run(position, SearchBudget(1, float("inf")))
    for plan in found.plans:
        now = state
        for d in found.movers:
            if plan.tickets[d] < 0 or now.quarry in now.pursuers:
                continue
            move = Single(state.pieces[d], Ticket(plan.tickets[d]), Node(plan.places[d]))
            if state.config.order is ScotlandYardOrder.SEATED and move not in legal_actions(now):
                # Somebody before him, who was to stay because he was blocked, must move now: time for a new plan.
                freed = legal_actions(now)[0].piece
                assert plan.tickets[state.pieces.index(freed)] < 0
                break
            now = apply_action(now, move)
        else:
            assert now.pursuers == plan.places or now.quarry in now.pursuers
        caught = sum(belief.probabilities.get(Node(place), 0.0) for place in set(plan.places))
        assert plan.caught == pytest.approx(caught)
        assert 0 <= plan.value <= 1
    assert len({frozenset(plan.places) for plan in found.plans}) == len(found.plans)
    assert [plan.value for plan in found.plans] == sorted((plan.value for plan in found.plans), reverse=True)


def test_one_detective_has_all_his_moves_as_plans_the_more_plentiful_ticket_for_each_node() -> None:
    board = board_of("1-2:TB 1-3:T 1-4:U 2-5:T 3-6:T 4-7:T")
    red = StartingPlayer(Piece.RED, Tickets(2, 5, 1), "1")
    state = new_game(board, (False,) * 6, StartingPlayer(Piece.MRX, SOME, "5"), [red])
    state = apply_action(state, legal_actions(state)[0])
    search, belief = search_of(state)
    plans = search.plans(position_of(view(state, Seat.PURSUERS), belief), 16)
    assert {(board.label(Node(plan.places[0])), plan.tickets[0]) for plan in plans} == {("2", 1), ("3", 0), ("4", 2)}


def test_a_sure_catch_is_taken() -> None:
    state = game_on(LINE, "6", ["4", "1"], rounds=(True,) * 6)
    state = apply_action(state, Single(Piece.MRX, Ticket.TAXI, LINE.node("5")))
    agent = MinimaxAgent()
    agent.start(view(state, Seat.PURSUERS))
    advice = agent.act(view(state, Seat.PURSUERS), Limit(), Random(0))
    assert advice.action == Single(Piece.RED, Ticket.TAXI, LINE.node("5"))
    assert advice.value == -1


def test_detectives_close_in_from_both_sides() -> None:
    state = game_on(LINE, "6", ["1", "9"], rounds=(True,) * 8)
    state = apply_action(state, Single(Piece.MRX, Ticket.TAXI, LINE.node("5")))
    agent = MinimaxAgent()
    agent.start(view(state, Seat.PURSUERS))
    advice = agent.act(view(state, Seat.PURSUERS), Limit(), Random(0))
    assert {LINE.label(move.to) for move in advice.line} == {"2", "8"}


# Parts of the utility that are switched on


ALL_OFF = dict.fromkeys(
    ("cornered", "squeezed", "covered", "near", "centroid", "entropy", "tickets", "clump", "choke", "forecast"), 0.0
)


def scores_of(state, position, search):
    """Plans with the sum of features that their values come from."""
    future = search.future(position.n_logged)
    for plan in search.plans(position, search.config.beam):
        if plan.caught < 0.999 and future > 0.0:
            share = (plan.value - plan.caught) / (1 - plan.caught) / future
            yield plan, float(np.log(share / (1 - share)))


def plain_pressure(state, belief, plan):
    """By the rules: the price of the cheapest ticket to an exit where no detective can come at once."""
    board, mrx = state.config.board, view(state, Seat.PURSUERS).mrx_tickets
    reach = set(plan.places)
    for d, place in enumerate(plan.places):
        left = [count - (kind == plan.tickets[d]) for kind, count in enumerate(state.tickets[d + 1][:3])]
        reach |= {to for ticket, to in fares(board)[place] if ticket < 3 and left[ticket] > 0}
    total = free = 0.0
    for node, chance in belief.probabilities.items():
        if node not in plan.places:
            prices = [1 / (1 + mrx[t]) for t, to in fares(board)[node] if mrx[t] > 0 and to not in reach]
            total += chance * min(prices, default=1.0)
            free += chance
    return total / free


@given(seed=st.integers(0, 2**32))
def test_ticket_pressure_is_what_the_rules_say(seed) -> None:
    state = after_mrx(seed)
    if state is None:
        return
    search, belief = search_of(state, **ALL_OFF, pressure=1.0)
    for plan, score in scores_of(state, position_of(view(state, Seat.PURSUERS), belief), search):
        assert score == pytest.approx(plain_pressure(state, belief, plan), abs=1e-6)


def plain_entropy(chances):
    return -sum(p * np.log(p) for p in chances if p > 0)


@given(seed=st.integers(0, 2**32), before=st.none() | st.floats(0.0, 4.0))
def test_entropy_drop_is_from_the_belief_before_to_what_is_expected_after(seed, before) -> None:
    state = after_mrx(seed)
    if state is None:
        return
    search, belief = search_of(state, **ALL_OFF, entropy_drop=1.0)
    position = replace(position_of(view(state, Seat.PURSUERS), belief), entropy_before=before)
    past = plain_entropy(belief.probabilities.values()) if before is None else before
    for plan, score in scores_of(state, position, search):
        after = [chance for node, chance in belief.probabilities.items() if node not in plan.places]
        left = sum(after) * plain_entropy([chance / sum(after) for chance in after])
        assert score == pytest.approx((past - left) / np.log(state.config.board.n_nodes + 1), abs=1e-6)


def test_deeper_positions_remember_the_entropy_of_the_turn_before() -> None:
    _, position = london_position(2)
    search = PlanSearch(LONDON, MinimaxSettings(entropy_drop=1.0))
    after = search.after(position, search.plans(position, 1)[0])
    past = plain_entropy(position.belief)
    answers, _ = search.answers(after)
    assert [answer.entropy_before for _, answer in answers] == pytest.approx([past] * len(answers))
    assert PlanSearch(LONDON, MinimaxSettings()).entropy(position) is None


def plain_plans_by_speed(state, order):
    """All joint plans as sets of nodes, where no detective goes to what an earlier one could reach as fast.

    That one must have at least as many tickets of every kind. Who would have no move left may go anywhere.
    """
    board, start = state.config.board, state.pursuers
    tickets = [counts[:3] for counts in state.tickets[1:]]

    def reach(d, here):
        return {to for ticket, to in fares(board)[here] if ticket < 3 and tickets[d][ticket]}

    plans = {start}
    for i, d in enumerate(order):
        richer = [e for e in order[:i] if all(tickets[e][kind] >= tickets[d][kind] for kind in range(3))]
        outrun = {to for e in richer for to in {start[e]} | reach(e, start[e])}
        after = set()
        for now in plans:
            moves = reach(d, now[d]) - set(now)
            for to in (moves - outrun) or moves or {now[d]}:
                after.add((*now[:d], to, *now[d + 1 :]))
        plans = set({frozenset(now): now for now in after}.values())
        if len(plans) > 64:
            return None
    return {frozenset(now) for now in plans}


@given(seed=st.integers(0, 2**32))
def test_dominance_by_speed_leaves_a_node_to_the_colleague_who_gets_there_as_fast(seed) -> None:
    state = after_mrx(seed)
    if state is None or state.waiting != state.pieces:
        return
    search, belief = search_of(state, dominance="speed", beam=64, width=32)
    position = position_of(view(state, Seat.PURSUERS), belief)
    plans = search.plans(position, 64)
    plain = plain_plans_by_speed(state, search.scratch.order[: len(position.places)].tolist())
    if plain is not None:
        assert {frozenset(plan.places) for plan in plans} == plain


def test_dominance_by_speed_example() -> None:
    """Red and green stand beside 3: with as many tickets red, who is nearer to Mr X, goes there, and green does not."""
    board = board_of("1-3:T 2-3:T 3-4:T 4-5:T 2-6:T 1-4:T 5-7:T 5-8:T")
    state = game_on(board, "5", ["1", "2"], rounds=(True,) * 6)
    state = apply_action(state, Single(Piece.MRX, Ticket.TAXI, board.node("7")))
    ends = {}
    for dominance in ("none", "speed"):
        search, belief = search_of(state, dominance=dominance)
        plans = search.plans(position_of(view(state, Seat.PURSUERS), belief), 16)
        ends[dominance] = {board.label(Node(plan.places[1])) for plan in plans}
    assert ends == {"none": {"3", "6"}, "speed": {"6"}}


# Replies


@given(seed=st.integers(0, 2**32))
def test_replies_are_what_the_tickets_allow(seed) -> None:
    state = after_mrx(seed)
    if state is None:
        return
    search, belief = search_of(state, hypotheses=64)
    position = position_of(view(state, Seat.PURSUERS), belief)
    plan = search.plans(position, 4)[0]
    after = search.after(position, plan)
    if after is None:
        assert plan.caught == pytest.approx(1)
        return
    answers, covered = search.answers(after)
    assert covered == pytest.approx(1)
    board, blocked = state.config.board, set(plan.places)
    here = np.flatnonzero(after.belief)
    held = [kind for kind in range(4) if after.mrx_counts[kind]]
    reached = {to for node in here for ticket, to in fares(board)[node] if ticket in held and to not in blocked}
    if not answers:
        assert not reached
        return
    assert sum(chance for chance, _ in answers) == pytest.approx(1)
    one_step = [p for _, p in answers if p.n_logged == min(after.n_logged + 1, state.config.n_rounds)]
    assert {int(node) for p in one_step for node in np.flatnonzero(p.belief)} >= reached
    for _, there in answers:
        assert there.belief.sum() == pytest.approx(1)
        assert not there.belief[list(plan.places)].any()
        assert (there.mrx_counts >= 0).all()


# The search


class PlainSearch(PlanSearch):
    """Without table, windows and cuts."""

    def position_value(self, position, depth, alpha, beta):
        plans = self.plans(position, max(self.config.width // 2, 1) + 1)
        if depth == 1:
            return plans[0].value
        inner = plans[: max(self.config.width // 2, 1)]
        return max(self.plan_value(position, plan, depth, 0.0) for plan in inner)

    def reply_value(self, answers, depth, alpha):
        values = [self.position_value(position, depth, 0.0, 1.0) for _, position in answers]
        expected = sum(chance * value for (chance, _), value in zip(answers, values, strict=True))
        return self.config.adversity * min(values) + (1 - self.config.adversity) * expected


def london_position(seed, n_plies=9):
    rng = Random(seed)
    state = GAME.new(LONDON, rng)
    belief = WeightedBelief("category")
    belief.start(GAME.view(state, Seat.PURSUERS))
    while n_plies or state.waiting != state.pieces:
        action = rng.choice(legal_actions(state))
        after = apply_action(state, action)
        belief.observe(event.seen_by(Seat.PURSUERS) for event in GAME.events(state, action, after))
        state = after
        n_plies = max(n_plies - 1, 0)
    return state, position_of(GAME.view(state, Seat.PURSUERS), belief)


@given(seed=st.integers(0, 2**32))
def test_replies_by_escape_potential_are_the_same_replies_the_safest_first(seed) -> None:
    state = after_mrx(seed)
    if state is None:
        return
    search, belief = search_of(state)
    other, _ = search_of(state, ordering="escape")
    position = position_of(view(state, Seat.PURSUERS), belief)
    after = search.after(position, search.plans(position, 1)[0])
    if after is None:
        return
    turn = search.turn(after, 1)
    safe = [search.scratch.safety[nearest_two(search.graph, turn, node)] for node in state.config.board.nodes()]
    assert search.safety(after) == pytest.approx(safe)
    ordered = [position.belief @ safe for _, position in other.answers(after)[0]]
    assert ordered == sorted(ordered, reverse=True)
    assert sorted(chance for chance, _ in search.answers(after)[0]) == sorted(
        chance for chance, _ in other.answers(after)[0]
    )


@pytest.mark.parametrize(
    ("adversity", "options"),
    [
        (0.0, {}),
        (0.3, {}),
        (1.0, {}),
        (1.0, {"ordering": "escape"}),
        (0.3, {"ordering": "escape", "pressure": 1.0, "entropy_drop": 1.0, "scarcity": 0.25, "dominance": "speed"}),
    ],
)
def test_pruning_changes_no_value(adversity, options) -> None:
    config = MinimaxSettings(adversity=adversity, width=4, horizon=3, hypotheses=4, **options)
    for seed in range(1 if SLOW else 6):
        _, position = london_position(seed)
        fast, plain = PlanSearch(LONDON, config), PlainSearch(LONDON, config)
        for search in (fast, plain):
            search.budget = SearchBudget(10**9, float("inf"))
        plans = fast.plans(position, 4)
        for depth in (2,) if SLOW else (2, 3):
            best = max(plain.plan_value(position, plan, depth, 0.0) for plan in plans)
            assert max(fast.plan_value(position, plan, depth, 0.0) for plan in plans) == pytest.approx(best)
            # With the window of a running maximum a losing plan may come back as a bound, the winner never.
            running = 0.0
            for plan in plans:
                running = max(running, fast.plan_value(position, plan, depth, running))
            assert running == pytest.approx(best)


def test_the_horizon_is_shorter_with_few_tickets_and_before_a_shown_round() -> None:
    search = PlanSearch(LONDON, MinimaxSettings(horizon=3))
    _, position = london_position(0)

    def horizon(n_logged, tickets):
        counts = np.full((5, 3), tickets, np.int32)
        return search.horizon(
            Position(position.belief, position.places, counts, position.mrx_counts, n_logged, position.waiting)
        )

    assert [horizon(n_logged, 3) for n_logged in (1, 2, 3, 23, 24)] == [3, 2, 3, 2, 1]
    assert horizon(1, 1) == 2
    assert horizon(2, 1) == 1


def test_more_iterations_look_deeper_and_never_beyond_the_limit() -> None:
    _, position = london_position(3)
    depths = []
    for n in (1, 40, 100 if SLOW else 2000):
        found = PlanSearch(LONDON, MinimaxSettings()).run(position, SearchBudget(n, float("inf")))
        assert found.counters["iterations"] <= n
        depths.append(found.depth)
    assert depths[0] == 1
    assert depths == sorted(depths)
    assert depths[-1] >= (2 if SLOW else 3)


def test_the_table_lives_for_one_turn() -> None:
    search, (_, first), (_, second) = PlanSearch(LONDON, MinimaxSettings()), london_position(3), london_position(4)
    budget = 20 if SLOW else 200
    counters = [
        search.run(position, SearchBudget(budget, float("inf"))).counters for position in (first, second, first)
    ]
    assert counters[2] == counters[0]
    fresh = PlanSearch(LONDON, MinimaxSettings()).run(second, SearchBudget(budget, float("inf")))
    assert fresh.counters == counters[1]


def test_a_deadline_that_is_over_still_gives_a_plan() -> None:
    _, position = london_position(3)
    found = PlanSearch(LONDON, MinimaxSettings()).run(position, SearchBudget(10**9, 0.0))
    assert found.depth == 1
    assert found.plans


# The agent


def played(mrx, detectives, seed, limit=None, config=LONDON):
    agents = {Seat.EVADER: make_agent(mrx, "scotland_yard"), Seat.PURSUERS: make_agent(detectives, "scotland_yard")}
    return Referee(GAME, config, agents, seed=seed, limit=limit)


@pytest.mark.parametrize("preset", ["standard", "ravensburger"])
def test_a_plan_is_made_once_a_turn_and_carried_out_piece_by_piece(preset) -> None:
    config = GAME.make_config(preset)
    referee = played("random", "minimax:horizon=1", 4, config=config)
    lines, thought = [], []
    while not referee.over and referee.state.round < 4:
        seat, round_ = referee.to_act, referee.state.round
        action = referee.step()
        if seat is Seat.PURSUERS:
            assert action in referee.advice.line
            lines.append((round_, referee.advice.line))
            thought.append(referee.advice.counters["iterations"])
    assert referee.fault is None
    for (round_, line), (next_round, next_line) in pairwise(lines):
        assert round_ != next_round or line == next_line
    assert sorted(set(thought)) == [0, 1]


def test_a_new_plan_is_made_when_somebody_else_moved_a_piece() -> None:
    state, _ = london_position(1)
    agent = MinimaxAgent(MinimaxSettings(horizon=1))
    agent.start(GAME.view(state, Seat.PURSUERS))
    first = agent.act(GAME.view(state, Seat.PURSUERS), Limit(), Random(0))
    other = next(move for move in legal_actions(state) if move.piece is not first.action.piece)
    after = apply_action(state, other)
    agent.observe([event.seen_by(Seat.PURSUERS) for event in GAME.events(state, other, after)])
    advice = agent.act(GAME.view(after, Seat.PURSUERS), Limit(), Random(0))
    assert advice.action in legal_actions(after)
    assert advice.counters["iterations"] == 1


def test_pure_minimax_is_adversity_1_and_nothing_else() -> None:
    agent: Any = make_agent("minimax-pure:horizon=2")
    assert agent.config.adversity == 1.0
    assert {f.name: getattr(agent.config, f.name) for f in fields(MinimaxSettings)} == {
        f.name: getattr(MinimaxSettings(adversity=1.0, horizon=2), f.name) for f in fields(MinimaxSettings)
    }
    assert PureMinimaxAgent().config == PureMinimaxSettings()
    with pytest.raises(BadAgent, match="agent minimax-pure has no option 'adversity'"):
        make_agent("minimax-pure:adversity=0.5")
    for seed in range(2):
        games = [played("greedy", spec, seed, Limit(iterations=30)) for spec in ("minimax-pure", "minimax:adversity=1")]
        assert games[0].run() == games[1].run()
        assert games[0].actions == games[1].actions


def test_advice_has_the_next_best_plans_with_their_values() -> None:
    state, _ = london_position(3)
    agent = MinimaxAgent()
    agent.start(GAME.view(state, Seat.PURSUERS))
    advice = agent.act(GAME.view(state, Seat.PURSUERS), Limit(), Random(0))
    assert advice.value is not None
    rated = [advice.value, *(other.value for other in advice.alternatives)]
    assert len(rated) == 4
    assert rated == sorted(rated)  # the evader's, so that the best for the detectives is the lowest
    assert advice.confidence == pytest.approx((rated[1] - rated[0]) / 2)
    lines = [advice.line, *(other.line for other in advice.alternatives)]
    assert len({frozenset(move.to for move in line) for line in lines}) == 4
    for line in lines:
        now = state
        for move in line:
            now = apply_action(now, move)


def test_mrx_has_alternatives_too() -> None:
    advice = mrx_advice(game_on(LINE, "4", ["2"], Tickets(taxi=9, secret=2)))
    assert len(advice.alternatives) == 3
    assert all(other.line != advice.line and other.value <= advice.value for other in advice.alternatives)


@pytest.mark.parametrize(
    ("values", "gap", "share"), [([0.5], 1.0, 1.0), ([0.5, 0.4, 0.1], 0.1, 0.25), ([0.5, 0.5], 0.0, 0.0)]
)
def test_confidence_is_the_utility_gap_or_its_share(values, gap, share) -> None:
    assert lead(values, "gap") == pytest.approx(gap)
    assert lead(values, "share") == pytest.approx(share)


@pytest.mark.parametrize("seat", [Seat.EVADER, Seat.PURSUERS])
@pytest.mark.parametrize("spec", ["minimax", f"minimax-pure:{EVERYTHING}"])
def test_it_cannot_tell_worlds_apart_and_behaves(seat, spec) -> None:
    check_agent(spec, seat=seat, games=1, positions=3, worlds=2, limit=Limit(iterations=2 if SLOW else 20))


@given(seed=st.integers(0, 2**32))
@at_most(10 if SLOW else 30)
def test_it_plays_any_small_game_to_its_end(seed) -> None:
    rng = Random(seed)
    state = random_new_game(rng, random_board(rng, 8), max_rounds=5)
    agents = {}
    for player in (Seat.EVADER, Seat.PURSUERS):
        agents[player] = MinimaxAgent(MinimaxSettings(iterations=20))
        agents[player].start(view(state, player))
    while legal := legal_actions(state):
        seat = GAME.to_act(state)
        assert seat is not None
        advice = agents[seat].act(view(state, seat), Limit(), Random(0))
        assert advice.action in legal
        assert -1 <= advice.value <= 1
        assert 0 <= advice.confidence <= 1
        after = apply_action(state, advice.action)
        for listener, agent in agents.items():
            agent.observe([event.seen_by(listener) for event in GAME.events(state, advice.action, after)])
        state = after


def mrx_advice(state):
    agent = MinimaxAgent()
    agent.start(view(state, Seat.EVADER))
    return agent.act(view(state, Seat.EVADER), Limit(), Random(0))


def test_mrx_makes_a_double_move_when_nothing_else_saves_him() -> None:
    """Everybody sees him; beside 4 and 6 a detective waits, and only two steps bring him back between them."""
    tickets = Tickets(taxi=4, double=1)
    trapped = mrx_advice(game_on(LINE, "5", ["3", "7"], tickets, rounds=(True,) * 8))
    assert isinstance(trapped.action, Double)
    assert LINE.label(trapped.action.to) == "5"
    assert isinstance(mrx_advice(game_on(LINE, "5", ["2"], tickets, rounds=(True,) * 8)).action, Single)


def test_mrx_goes_away_from_a_detective() -> None:
    advice = mrx_advice(game_on(LINE, "4", ["2"], Tickets(taxi=9)))
    assert LINE.label(advice.action.to) == "5"
    assert advice.value > mrx_advice(game_on(LINE, "4", ["3", "6"], Tickets(taxi=9))).value


def test_options_are_those_of_the_config() -> None:
    agent: Any = make_agent("minimax:near=2.5,hypotheses=5,horizon=2")
    assert (agent.config.near, agent.config.hypotheses, agent.config.horizon) == (2.5, 5, 2)
    agent = make_agent("minimax")
    assert agent.config == MinimaxSettings()
    assert MinimaxSettings().hypotheses == 8
    assert set(RANGES) <= set(MinimaxSettings.__dataclass_fields__)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("minimax:near=-1", "minimax: near must be from 0 to 100, not -1.0"),
        ("minimax:clump=nan", "minimax: clump must be from 0 to 100, not nan"),
        ("minimax:horizon=0", "minimax: horizon must be from 1 to 6, not 0"),
        ("minimax:hypotheses=65", "minimax: hypotheses must be from 1 to 64, not 65"),
        ("minimax:adversity=1.5", "minimax: adversity must be from 0 to 1, not 1.5"),
        ("minimax:iterations=0", "minimax: iterations must be 1 or more, not 0"),
        ("minimax:seconds=0", "minimax: seconds must be more than 0, not 0.0"),
        ("minimax:ordering=fast", "minimax: unknown ordering 'fast'; known: chance, escape"),
        ("minimax:dominance=", "minimax: unknown dominance ''; known: cover, speed, none"),
        ("minimax:certainty=no", "minimax: unknown certainty 'no'; known: gap, share"),
        ("minimax:model=psychic", "minimax: unknown model 'psychic'"),
        ("minimax:weight=3", "agent minimax has no option 'weight'"),
    ],
)
def test_options_out_of_range_are_one_clear_line(spec, message) -> None:
    with pytest.raises(BadAgent) as caught:
        make_agent(spec)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_other_games_and_seats_are_refused() -> None:
    with pytest.raises(BadAgent, match="does not play pursuit"):
        make_agent("minimax", "pursuit", Seat.EVADER)
    pursuit = make_game("pursuit")
    other = pursuit.view(pursuit.new(pursuit.make_config(), Random(0)), Seat.EVADER)
    with pytest.raises(BadAgent, match="does not play pursuit; it plays scotland_yard"):
        MinimaxAgent().act(other, Limit(), Random(0))
    watching = view(game_on(LINE, "6", ["1"]), Seat.SPECTATOR)
    with pytest.raises(BadAgent, match="does not play the seat spectator"):
        MinimaxAgent().act(watching, Limit(), Random(0))


@pytest.mark.skipif(SLOW, reason="whole games take long without compilation")
def test_detectives_catch_a_hiding_mrx_sooner_than_greedy_ones_do() -> None:
    rounds, wins = {}, {}
    for detectives in ("greedy", "minimax:horizon=1"):
        games = [played("greedy:style=hide", detectives, seed) for seed in range(16)]
        wins[detectives] = sum(game.run().winner is Side.PURSUERS for game in games)
        rounds[detectives] = sum(game.state.round for game in games)
    assert wins["minimax:horizon=1"] > wins["greedy"]
    assert rounds["minimax:horizon=1"] < rounds["greedy"]
