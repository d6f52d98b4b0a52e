"""Joint plans: the kernels' values equal sums over the nodes by the plain rules, and their plans can be carried out."""

from dataclasses import replace
from itertools import permutations
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from champion_positions import detective_turns, random_belief
from manhunt.core.arrays import Floats, Int32s
from manhunt.core.ids import Node
from manhunt.core.kernel_random import new_rng
from manhunt.games.scotland_yard.beliefs.models import shipped_soft
from manhunt.games.scotland_yard.champion import plan_kernels as kernels
from manhunt.games.scotland_yard.champion.detectives import TeamPlan, TeamSearch, _Head
from manhunt.games.scotland_yard.champion.feature_kernels import pack_champion_graph
from manhunt.games.scotland_yard.champion.features import feature_row
from manhunt.games.scotland_yard.champion.mixing import LEAST_LIKELY
from manhunt.games.scotland_yard.champion.move_kernels import new_champion_scratch, rated
from manhunt.games.scotland_yard.champion.nets import new_nets
from manhunt.games.scotland_yard.rules.actions import Single, Ticket
from manhunt.games.scotland_yard.rules.config import ScotlandYardOrder, make_config
from manhunt.games.scotland_yard.rules.packed import pack
from manhunt.games.scotland_yard.rules.rules import (
    CAPTURE,
    EXHAUSTED,
    STRANDED,
    SURVIVAL,
    apply_action,
    legal_actions,
    outcome,
)
from manhunt.games.scotland_yard.rules.state import ScotlandYardState
from manhunt.search.value_net import win_chances
from scotland_yard_games import History, scotland_yard_histories

pytestmark = pytest.mark.kernel
NETS = new_nets(4)
FADES = kernels.FADES


def drawn(history: History, rng: Random) -> ScotlandYardState:
    turns = detective_turns(history)
    assume(turns)
    return rng.choice(turns)


def plan_of(state: ScotlandYardState, belief: Floats, kind: str, seed: int) -> tuple[Int32s, Int32s]:
    graph, n = pack_champion_graph(state.config, shipped_soft()), len(state.pieces)
    places, tickets = np.zeros(n, np.int32), np.zeros(n, np.int32)
    if kind == "gather":
        kernels.gather(graph, pack(state), belief, new_rng(seed), places, tickets, FADES)
    elif kind == "chase":
        kernels.chase(graph, pack(state), belief, new_rng(seed), places, tickets)
    else:
        kernels.scatter(graph, pack(state), new_rng(seed), places, tickets)
    return places, tickets


def carried_out(state: ScotlandYardState, places: Int32s, tickets: Int32s, quarry: Node) -> ScotlandYardState:
    """The plan by the rules, with Mr X on a node; moves after a catch are not made."""
    after = replace(state, quarry=quarry)
    for piece, place, ticket in zip(state.pieces, places.tolist(), tickets.tolist(), strict=True):
        move = Single(piece, Ticket(ticket), Node(place)) if ticket >= 0 else None
        if move is not None and outcome(after) is None and after.waiting and move in legal_actions(after):
            after = apply_action(after, move)
    return after


def test_who_steps_onto_a_colleagues_node_moves_after_the_colleague() -> None:
    """Whatever the planner ranked last: another plan may have been made since."""
    config = make_config()
    search, here = TeamSearch(config, NETS), [10, 20, 30, 40, 50]
    plan = TeamPlan(np.array([20, 30, 60, 40, 10], np.int32), np.array([0, 0, 0, kernels.STAYS, 0], np.int32), 0.5)
    for ranking in permutations(range(5)):
        search.plans.scratch.order[:5] = ranking
        order = search.order(plan, here)
        assert sorted(order) == [0, 1, 2, 4]
        assert order.index(2) < order.index(1) < order.index(0) < order.index(4)


@pytest.mark.parametrize("kind", ["scatter", "gather", "chase"])
@given(history=scotland_yard_histories(), seed=st.integers(0, 2**32))
def test_plans_can_be_carried_out_in_any_order(kind: str, history: History, seed: int) -> None:
    rng = Random(seed)
    state = replace(drawn(history, rng), config=replace(history[0][0].config, order=ScotlandYardOrder.ANY))
    places, tickets = plan_of(state, random_belief(state, rng), kind, seed)
    moves = [
        Single(piece, Ticket(ticket), Node(place))
        for piece, place, ticket in zip(state.pieces, places.tolist(), tickets.tolist(), strict=True)
        if ticket >= 0
    ]
    assert {move.piece for move in moves} <= set(state.waiting)
    assert moves or all(tickets < 0)
    for order in list(permutations(moves))[:6]:
        at = state
        for move in order:
            if outcome(at) is not None:
                break
            assert move in legal_actions(at)
            at = apply_action(at, move)


@given(history=scotland_yard_histories(), seed=st.integers(0, 2**32))
def test_a_plan_is_worth_what_the_net_says_over_the_belief(history: History, seed: int) -> None:
    rng = Random(seed)
    state = drawn(history, rng)
    belief, informed = random_belief(state, rng), random_belief(state, rng)
    places, tickets = plan_of(state, belief, "scatter", seed)
    assume(all(tickets[i] >= 0 for i, piece in enumerate(state.pieces) if piece in state.waiting))
    struck = belief.copy()
    struck[places] = 0.0
    assume(struck.sum() > 0)
    struck /= struck.sum()
    expected = 0.0
    for node in np.flatnonzero(informed).tolist():
        after = carried_out(state, places, tickets, Node(node))
        end = outcome(after)
        if end in (SURVIVAL, EXHAUSTED):
            expected += informed[node]
        elif end not in (CAPTURE, STRANDED):
            expected += informed[node] * float(win_chances(NETS.after_detectives, feature_row(after, struck)[None])[0])
    graph, scratch = pack_champion_graph(state.config, shipped_soft()), new_champion_scratch(state.config)
    head = (graph, NETS.after_detectives, pack(state), belief, informed, 0.0)
    value = kernels.plan_value(*head, places, tickets, scratch)
    assert value == pytest.approx(expected, abs=1e-4)
    for d in range(len(places)):
        better = kernels.improve_one(*head, places, tickets, d, value, scratch)
        assert better <= value
        assert kernels.plan_value(*head, places, tickets, scratch) == pytest.approx(better, abs=1e-9)
        value = better


@given(history=scotland_yard_histories(), seed=st.integers(0, 2**32))
def test_answers_leave_mrx_his_best_single_move(history: History, seed: int) -> None:
    rng = Random(seed)
    turns = detective_turns(history)
    planned = [(state, *plan_of(state, np.zeros(0), "scatter", seed)) for state in rng.sample(turns, len(turns))]
    whole = [each for each in planned if (each[2] >= 0).sum() == len(each[0].waiting)]
    assume(whole)
    state, places, tickets = whole[0]
    belief = random_belief(state, rng)
    graph, scratch = pack_champion_graph(state.config, shipped_soft()), new_champion_scratch(state.config)
    nodes = np.flatnonzero(belief).astype(np.int32)
    expected = []
    for node in nodes.tolist():
        after = carried_out(state, places, tickets, Node(node))
        end = outcome(after)
        if end is not None:
            expected.append(1.0 if end in (SURVIVAL, EXHAUSTED) else 0.0)
            continue
        row, struck = pack(replace(state, quarry=Node(node))), belief.copy()
        kernels.carry_out(graph, row, struck, places, tickets, scratch)
        assert (row == pack(after)).all()
        n = rated(graph, NETS.after_mrx, row, struck, False, scratch)
        expected.append(float(scratch.moves.values[:n].max()))
    out, room = np.zeros(len(nodes)), (np.zeros(len(pack(state)), np.int32), np.zeros(len(belief)))
    kernels.answered(
        graph,
        NETS.after_mrx,
        pack(state),
        belief,
        places[None],
        tickets[None],
        np.ones(1),
        nodes,
        *room,
        scratch,
        out,
    )
    assert out.tolist() == pytest.approx(expected, abs=1e-9)

    head = _Head(graph, NETS.after_detectives, pack(state), belief, belief, LEAST_LIKELY)
    deep = TeamSearch(state.config, NETS)._deep_value(TeamPlan(places, tickets, 1.0), head)
    answered = sum(belief[node] * worth for node, worth in zip(nodes, expected, strict=True))
    assert deep == pytest.approx(answered, abs=1e-4)  # what is hardly believed is left out
