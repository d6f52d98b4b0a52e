"""The resampler: whole states, drawn by the exact posterior, that the seat cannot tell from the true one."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from manhunt.core.errors import BadConfig
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.beliefs.support import Support
from manhunt.games.scotland_yard.beliefs.weighted import WeightedBelief
from manhunt.games.scotland_yard.rules.actions import Piece, Tickets
from manhunt.games.scotland_yard.rules.model import StartingPlayer, new_game
from manhunt.games.scotland_yard.rules.rules import apply_action, legal_actions, outcome
from manhunt.games.scotland_yard.rules.views import events, opening_events, view
from scotland_yard_games import board_of, random_history, scotland_yard_histories
from scotland_yard_plain_belief import PlainWeightedBelief

BOARD = board_of("1-2:TB 2-3:T 3-4:TU 4-5:T 5-1:T 2-5:B 3-5:TU 4-6:F 6-1:T 6-7:TB 7-3:T")
KINDS = (WeightedBelief, PlainWeightedBelief, Support)


def follow(belief, game, states, actions, seat=Seat.PURSUERS):
    """Yield after the opening and after every ply."""
    belief.start(game.view(states[0], seat))
    belief.observe(e.seen_by(seat) for e in game.opening_events(states[0]))
    yield states[0]
    for before, action, after in zip(states, actions, states[1:], strict=False):
        belief.observe(e.seen_by(seat) for e in game.events(before, action, after))
        yield after


@given(scotland_yard_histories(max_nodes=7, max_rounds=5), st.sampled_from(KINDS), st.integers(0, 2**32))
def test_samples_look_like_the_truth(history, kind, seed) -> None:
    """The seat's view is the same (so are the legal actions), and a seed gives one state."""
    belief = kind()
    for true in follow(belief, make_game("scotland_yard"), *history):
        world = belief.sample(Random(seed))
        assert world == belief.sample(Random(seed))
        assert world.quarry in belief.candidates
        if outcome(true) is None:
            assert view(world, Seat.PURSUERS) == view(true, Seat.PURSUERS)
            assert outcome(world) is None
        else:
            assert world == true


@given(scotland_yard_histories(max_nodes=7, max_rounds=5), st.integers(0, 2**32))
def test_mrx_sample_is_the_one_state_there_is(history, seed) -> None:
    belief = WeightedBelief()
    for true in follow(belief, make_game("scotland_yard"), history[0], history[1], Seat.EVADER):
        assert belief.sample(Random(seed)) == true


def brute_posterior(states, actions, model):
    """Sum over all hidden histories, of whole states."""
    worlds = [(s, 1.0) for s in starts(states[0])]
    for before, action, after in zip(states, actions, states[1:], strict=False):
        seen = [e.seen_by(Seat.PURSUERS) for e in events(before, action, after)]
        found = []
        for world, weight in worlds:
            options = (action,) if world.waiting else legal_actions(world)
            chances = (1.0,) if world.waiting else model.probabilities(world, options)
            for option, chance in zip(options, chances, strict=True):
                next_world = apply_action(world, option)
                if [e.seen_by(Seat.PURSUERS) for e in events(world, option, next_world)] == seen:
                    found.append((next_world, weight * float(chance)))
        worlds = found
    sums = {}
    for world, weight in worlds:
        sums[world] = sums.get(world, 0.0) + weight
    return {world: weight / sum(sums.values()) for world, weight in sums.items()}


def starts(state):
    from dataclasses import replace

    seen = [e.seen_by(Seat.PURSUERS) for e in opening_events(state)]
    every = [replace(state, quarry=n) for n in BOARD.nodes() if n not in state.pursuers]
    return [s for s in every if [e.seen_by(Seat.PURSUERS) for e in opening_events(s)] == seen]


@pytest.mark.parametrize("model", ["uniform", "category", "soft"])
def test_samples_pass_chi_square_against_the_exact_posterior(model) -> None:
    n_tested, n_samples = 0, 3000
    for seed in range(6):
        rng = Random(seed)
        mrx = StartingPlayer(Piece.MRX, Tickets(3, 2, 1, 2, 1), rng.choice("345"))
        start = new_game(BOARD, [False, False, True, False], mrx, [StartingPlayer(Piece.RED, Tickets(5, 3, 2), "1")])
        states, actions = random_history(rng, start, 5)
        belief = WeightedBelief(model)
        if outcome(states[-1]) is not None:
            continue
        list(follow(belief, make_game("scotland_yard"), states, actions))
        exact = brute_posterior(states, actions, belief.model)
        drawn = [belief.sample(rng) for _ in range(n_samples)]
        assert set(drawn) <= set(exact)
        if len(exact) > 1:
            often = [world for world, p in exact.items() if p * n_samples >= 5]
            counts = [drawn.count(world) for world in often]
            shares = [exact[world] for world in often]
            expected = [share / sum(shares) * sum(counts) for share in shares]
            if len(often) > 1:
                assert chisquare(counts, expected).pvalue > 1e-4
                n_tested += 1
    assert n_tested >= 2


def test_a_belief_of_another_game_is_refused() -> None:
    game = make_game("pursuit")
    other = game.view(game.new(game.make_config(), Random(1)), Seat.PURSUERS)
    with pytest.raises(BadConfig, match="is about scotland_yard, not about pursuit"):
        WeightedBelief().start(other)
