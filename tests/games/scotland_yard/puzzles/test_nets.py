"""Whether Mr X is surely caught in one turn: the matching against all orders in which the detectives may go."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from manhunt.boards.build import build_board
from manhunt.core.ids import Node, Transport
from manhunt.games.scotland_yard.puzzles.nets import ends_by_look, n_covered, open_looks
from manhunt.games.scotland_yard.puzzles.trap import _laid_out, values_of
from manhunt.games.scotland_yard.rules import rules
from manhunt.games.scotland_yard.rules.actions import Double, Tickets
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig, make_config
from manhunt.games.scotland_yard.rules.game import ScotlandYardGame, make_setup
from scotland_yard_surely_caught import by_brute_force


def small_config() -> ScotlandYardConfig:
    """Nine stations in a ring, with two chords and a bus across: small enough for all ways of two detectives."""
    taxis = [(str(i), str(i % 9 + 1), Transport.TAXI) for i in range(1, 10)]
    chords = [("1", "4", Transport.TAXI), ("6", "9", Transport.TAXI), ("2", "7", Transport.BUS)]
    return make_config(
        "standard",
        board=build_board("ring-9", [*taxis, *chords]),
        n_detectives=2,
        rounds=4,
        shown=(1,),
        mrx_tickets=Tickets(2, 1, 0, 1, 0),
        detective_tickets=Tickets(3, 1, 0),
    )


def test_the_matching_is_what_all_ways_of_the_detectives_say() -> None:
    config, rng, seen = small_config(), Random(11), {True: 0, False: 0}
    for _ in range(60):
        mrx, *detectives = rng.sample(config.board.labels, 3)
        state = ScotlandYardGame().start(config, make_setup(mrx, detectives))
        while rules.outcome(state) is None and (len(state.log) < 1 or len(state.waiting) > 1):
            state = rules.apply_action(state, rng.choice(rules.legal_actions(state)))
        if rules.outcome(state) is not None:
            continue
        for move in rules.detective_moves(state):
            after = rules.detective_moved(state, move)
            if move.to != state.quarry and rules.outcome(after) != rules.EXHAUSTED:
                caught = not open_looks([after])
                assert caught == by_brute_force(after), (after, move)
                seen[caught] += 1
    assert min(seen.values()) >= 5


def test_values_count_what_is_left_open() -> None:
    config, rng = make_config("standard", mrx_tickets=Tickets(4, 3, 2, 0, 0), shown=(1, 6)), Random(5)
    laid = None
    while laid is None or not laid[1].state.waiting:
        laid = _laid_out(config, rng)
    position = laid[1]
    for text, value in values_of(position).items():
        after = position.play(text).state
        if after.quarry in after.pursuers:
            assert value == 0
            continue
        ends = ends_by_look([after])
        assert value == sum(len(nodes) - n_covered(after, nodes) for nodes in ends.values())


def test_detectives_need_a_ticket_and_each_covers_one_place() -> None:
    config, rng = make_config("standard"), Random(1)
    laid = None
    while laid is None:
        laid = _laid_out(config, rng)
    state = laid[1].state
    reached = {to for ticket, to in rules.fares(config.board)[state.pursuers[0]] if ticket != 3}
    alone = replace(state, pieces=state.pieces[:1], pursuers=state.pursuers[:1], tickets=state.tickets[:2])
    assert n_covered(alone, reached) == 1
    poor = replace(alone, tickets=(alone.tickets[0], Tickets()))
    assert n_covered(poor, reached) == 0
    assert n_covered(alone, [Node(node) for node in config.board.nodes() if node not in reached]) == 0


def test_double_moves_are_looked_at_too() -> None:
    config = make_config("standard", mrx_tickets=Tickets(4, 3, 2, 2, 1), shown=(1, 6))
    rng = Random(2)
    laid = None
    while laid is None:
        laid = _laid_out(config, rng)
    state = replace(laid[1].state, waiting=())
    looks = ends_by_look([state])
    assert any(isinstance(action, Double) for action in rules.legal_actions(state))
    assert {len(look) for look in looks} == {1, 2}
