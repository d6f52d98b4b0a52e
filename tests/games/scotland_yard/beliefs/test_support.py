"""Exact candidates for Scotland Yard against brute force over all hidden histories (paragraph 17)."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.boards.catalog import load_board
from manhunt.core.errors import BadConfig
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.beliefs.support import Support
from manhunt.games.scotland_yard.rules import rules
from manhunt.games.scotland_yard.rules.actions import DETECTIVES, Piece, Tickets
from manhunt.games.scotland_yard.rules.config import make_config
from manhunt.games.scotland_yard.rules.game import make_setup
from manhunt.games.scotland_yard.rules.model import StartingPlayer, new_game
from manhunt.games.scotland_yard.rules.views import events, opening_events, view
from scotland_yard_games import board_of, random_history, random_new_game, scotland_yard_histories

LONDON = load_board("london")
GAME = make_game("scotland_yard")


def told(before, action, after, seat=Seat.PURSUERS):
    return [event.seen_by(seat) for event in events(before, action, after)]


def followed(states, actions, seat=Seat.PURSUERS):
    """The candidates before the first ply and after each."""
    belief = Support()
    belief.start(view(states[0], seat))
    belief.observe(event.seen_by(seat) for event in opening_events(states[0]))
    sets = [belief.candidates]
    for before, action, after in zip(states, actions, states[1:], strict=False):
        belief.observe(told(before, action, after, seat))
        sets.append(belief.candidates)
    return sets


def same_opening(state, other):
    if rules.outcome(state) != rules.outcome(other):
        return False
    return [e.seen_by(Seat.PURSUERS) for e in opening_events(state)] == [
        e.seen_by(Seat.PURSUERS) for e in opening_events(other)
    ]


def all_worlds(states, actions):
    """By brute force, before the first ply and after each: all truths that give the detectives the same events."""
    start = states[0]
    worlds = [replace(start, quarry=node) for node in start.config.board.nodes()]
    worlds = [world for world in worlds if same_opening(start, world)]
    sets = [worlds]
    for before, action, after in zip(states, actions, states[1:], strict=False):
        seen = told(before, action, after)
        following = set()
        for world in worlds:
            for other in rules.legal_actions(world) if not action.piece else [action]:
                reached = rules.apply_action(world, other)
                if told(world, other, reached) == seen:
                    following.add(reached)
        worlds = list(following)
        sets.append(worlds)
    return sets


@given(scotland_yard_histories(max_nodes=7))
def test_par_17_candidates_equal_brute_force_over_all_hidden_histories(history) -> None:
    expected = [{world.quarry for world in worlds} for worlds in all_worlds(*history)]
    assert followed(*history) == expected


def test_par_17_brute_force_meets_doubles_secrets_blocked_nodes_and_near_strandings() -> None:
    """Many more games than Hypothesis plays, on boards rich in edges, with tickets scarce."""
    sharper = 0
    for seed in range(250):
        rng = Random(seed)
        text = " ".join(f"{a}-{b}:{rng.choice(['T', 'TB', 'B', 'U', 'F'])}" for a, b in _pairs(rng))
        start = random_new_game(rng, board_of(text), max_rounds=5, max_tickets=3)
        history = random_history(rng, start, 25)
        expected = [{world.quarry for world in worlds} for worlds in all_worlds(*history)]
        assert followed(*history) == expected, seed
        sharper += any(len(some) > 1 for some in expected)
    assert sharper > 100, "the games left something to guess"


def _pairs(rng):
    n = rng.randint(4, 7)
    pairs = [(a, b) for a in range(1, n + 1) for b in range(a + 1, n + 1)]
    return rng.sample(pairs, min(len(pairs), rng.randint(n, 2 * n)))


@given(scotland_yard_histories(max_nodes=7))
def test_par_17_a_detectives_view_is_equal_in_all_worlds(history) -> None:
    states, _ = history
    for state, worlds in zip(states, all_worlds(*history), strict=True):
        assert state in worlds
        for seat in (Seat.PURSUERS, Seat.SPECTATOR):
            assert {repr(view(world, seat)) for world in worlds} == {repr(view(state, seat))}


@given(scotland_yard_histories())
def test_spectators_and_mrx_himself_get_the_same_candidates(history) -> None:
    hunted = followed(*history)
    assert followed(history[0], history[1], Seat.SPECTATOR) == hunted
    assert followed(history[0], history[1], Seat.EVADER) == hunted


@pytest.mark.parametrize("preset", GAME.presets)
def test_par_17_on_london_the_truth_is_among_the_candidates_after_every_event(preset) -> None:
    for seed in range(8):
        config, rng = make_config(preset, n_detectives=1 + seed % 5), Random(seed)
        states, actions = random_history(rng, GAME.new(config, rng))
        belief = Support()
        belief.start(view(states[0], Seat.PURSUERS))
        for before, action, after in zip(states, actions, states[1:], strict=False):
            belief.observe(told(before, action, after))
            assert after.quarry in belief.candidates
            if rules.outcome(after) is None:
                places = {replace(after, quarry=node) for node in belief.candidates}
                assert {repr(view(world, Seat.PURSUERS)) for world in places} == {repr(view(after, Seat.PURSUERS))}


def game(board, mrx, *detectives, rounds=(False,) * 4):
    players = [StartingPlayer(p, t, at) for p, (at, t) in zip(DETECTIVES, detectives, strict=False)]
    return new_game(board, rounds, StartingPlayer(Piece.MRX, mrx[1], mrx[0]), players)


def after(start, *moves):
    states, actions = [start], []
    for text in moves:
        actions.append(GAME.parse_action(start.config, text))
        states.append(rules.apply_action(states[-1], actions[-1]))
    return set(start.config.board.text(sorted(followed(states, actions)[-1])).split())


def test_par_17_before_the_first_entry_the_presets_starts_less_the_detectives_nodes() -> None:
    config = make_config("ravensburger", n_detectives=2)
    state = GAME.start(config, make_setup(13, [26, 29], free=False))
    assert after(state) == set(config.mrx_starts) - {"26", "29"}


def test_par_17_before_the_first_entry_all_nodes_if_the_setup_was_free() -> None:
    state = GAME.start(make_config(n_detectives=2), make_setup(104, [26, 29], free=True))
    assert after(state) == set(LONDON.labels) - {"26", "29"}


def test_par_17_a_setup_outside_the_lists_is_free() -> None:
    state = GAME.start(make_config(n_detectives=1), {"mrx": "1", "detectives": ["26"]})
    assert state.free
    assert LONDON.node(1) in followed([state], [])[0]


CROSS = board_of("1-2:T 2-3:TB 3-4:B 4-5:F 5-6:T 6-7:T 7-8:T", "cross")


def test_par_17_a_ticket_is_followed_along_the_edges_it_fits() -> None:
    start = game(CROSS, (2, Tickets(2, 2, 2, 2, 2)), (7, Tickets(9)))
    assert after(start, "B3") == {"2", "3", "4"}
    assert after(start, "T1") == {"1", "2", "3", "5", "6"}, "7 is red's, and so is the way from 7 to 8"
    assert after(start, "S1") == {"1", "2", "3", "4", "5", "6"}


def test_par_17_both_steps_of_a_double_move_are_followed() -> None:
    start = game(CROSS, (2, Tickets(2, 2, 2, 2, 2)), (7, Tickets(9)))
    assert after(start, "2:B3,S4") == {"1", "2", "3", "4", "5"}
    shown = game(CROSS, (2, Tickets(2, 2, 2, 2, 2)), (7, Tickets(9)), rounds=(True, False))
    assert after(shown, "2:B3,S4") == {"2", "4"}


def test_par_17_a_shown_entry_leaves_one_node() -> None:
    start = game(CROSS, (2, Tickets(2)), (7, Tickets(9)), rounds=(True, False))
    assert after(start, "T3") == {"3"}


def test_par_17_a_node_that_a_detective_enters_is_dropped_if_the_game_goes_on() -> None:
    start = game(CROSS, (2, Tickets(2)), (7, Tickets(9)))
    assert after(start, "T1", "R:T6") == {"1", "2", "3", "5"} - {"5"}, "on 5 he would be stranded"
    with_secret = game(CROSS, (2, Tickets(2, secret=1)), (7, Tickets(9)))
    assert after(with_secret, "T1", "R:T6") == {"1", "2", "3", "5"}


def test_a_capture_leaves_the_truth() -> None:
    start = game(CROSS, (2, Tickets(2)), (4, Tickets(0, 9)))
    assert after(start, "T3", "R:B3") == {"3"}


def test_candidates_begun_in_the_middle_hold_the_truth() -> None:
    for seed in range(6):
        config, rng = make_config(n_detectives=3), Random(seed)
        states, actions = random_history(rng, GAME.new(config, rng))
        exact = followed(states, actions)
        for state, known in zip(states, exact, strict=True):
            belief = Support()
            belief.start(view(state, Seat.PURSUERS))
            assert known <= belief.candidates


def test_probabilities_and_samples() -> None:
    belief = Support()
    belief.start(view(GAME.start(make_config(n_detectives=1), make_setup(104, [26], free=False)), Seat.PURSUERS))
    assert set(belief.probabilities) == belief.candidates
    assert sum(belief.probabilities.values()) == pytest.approx(1)
    rng = Random(1)
    assert {belief.sample_candidate(rng) for _ in range(400)} == belief.candidates
    assert belief.sample_candidate(Random(5)) == belief.sample_candidate(Random(5))


@given(scotland_yard_histories(), st.integers(0, 100))
def test_a_sampled_world_cannot_be_told_from_the_truth(history, seed) -> None:
    states, actions = history
    belief = Support()
    belief.start(view(states[0], Seat.PURSUERS))
    for before, action, following in zip(states, actions, states[1:], strict=False):
        belief.observe(told(before, action, following))
    world = belief.sample(Random(seed))
    assert repr(view(world, Seat.PURSUERS)) == repr(view(states[-1], Seat.PURSUERS))
    assert world.quarry in belief.candidates


def test_events_that_say_nothing_change_nothing() -> None:
    belief = Support()
    belief.start(view(game(CROSS, (2, Tickets(2)), (7, Tickets(9))), Seat.PURSUERS))
    before = belief.candidates
    belief.observe([{"v": 7}, {"v": 8, "t": "end", "outcome": "evader forfeit"}])
    assert belief.candidates == before


def test_another_games_view_is_refused() -> None:
    other = make_game("pursuit")
    with pytest.raises(BadConfig, match="about scotland_yard, not about pursuit"):
        Support().start(other.view(other.new(other.make_config(), Random(1)), Seat.PURSUERS))


@given(st.integers(0, 2**32))
def test_the_number_of_candidates_can_only_be_one_after_a_shown_round(seed) -> None:
    rng = Random(seed)
    config = make_config(n_detectives=2, rounds=6, shown=[2, 5])
    states, actions = random_history(rng, GAME.new(config, rng))
    for state, action, known in zip(states[1:], actions, followed(states, actions)[1:], strict=True):
        if not action.piece and state.log[-1].node is not None:
            assert known == {state.quarry}


@given(scotland_yard_histories())
def test_started_late_it_begins_where_mrx_was_seen_last(history) -> None:
    """A view tells the log: no candidate is farther from the last sighting than the tickets since then lead."""
    for state in history[0]:
        seen = view(state, Seat.PURSUERS)
        sightings = [i for i, entry in enumerate(seen.log) if entry.node is not None]
        if not sightings or rules.outcome(state) is not None:
            continue
        walk = {seen.log[sightings[-1]].node}
        for entry in seen.log[sightings[-1] + 1 :]:
            walk = {
                to for node in walk for ticket, to in rules.fares(state.config.board)[node] if ticket == entry.ticket
            }
        belief = Support()
        belief.start(seen)
        assert state.quarry in belief.candidates
        assert belief.candidates <= walk


def test_started_right_after_a_sighting_it_knows_the_node() -> None:
    board = board_of("1-2:T 2-3:T 3-4:T 4-5:T 2-6:T 6-7:T 7-8:T")
    mrx, red = StartingPlayer(Piece.MRX, Tickets(taxi=5), "1"), StartingPlayer(Piece.RED, Tickets(9, 9, 9), "8")
    state = new_game(board, [True, False], mrx, [red]).advance("T2")
    belief = Support()
    belief.start(view(state, Seat.PURSUERS))
    assert {board.label(node) for node in belief.candidates} == {"2"}
    belief.start(view(state.advance("R:T7").advance("T3"), Seat.PURSUERS))
    assert {board.label(node) for node in belief.candidates} == {"1", "3", "6"}


@given(scotland_yard_histories())
def test_what_everybody_knows_is_followed_from_the_events(history) -> None:
    states, actions = history
    belief = Support()
    belief.start(view(states[0], Seat.PURSUERS))
    for before, action, after in zip(states, actions, states[1:], strict=False):
        belief.observe(told(before, action, after))
        seen, public = view(after, Seat.PURSUERS), belief.public
        assert tuple(public.pursuers) == seen.pursuers
        assert public.tickets == [seen.mrx_tickets, *(d.tickets for d in seen.detectives)]
        assert tuple(public.log) == tuple(seen.log)
        assert public.fits(seen)
        assert not public.fits(view(before, Seat.PURSUERS))


@given(scotland_yard_histories())
def test_started_late_it_knows_that_the_game_goes_on(history) -> None:
    """Mr X is on no detective's node, and where it is his turn he has a move."""
    for state in history[0]:
        if rules.outcome(state) is None:
            belief = Support()
            belief.start(view(state, Seat.PURSUERS))
            assert not belief.candidates & set(state.pursuers)
            if rules.to_act(state) is Seat.EVADER:
                stranded = {n for n in belief.candidates if not rules.legal_actions(replace(state, quarry=n))}
                assert not stranded
