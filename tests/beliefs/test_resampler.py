"""The resampler: whole states, drawn by the exact posterior, that the seat cannot tell from the true one."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from manhunt.beliefs.pursuit import PursuitCandidates
from manhunt.beliefs.support import PackedSupport, Support
from manhunt.beliefs.weighted import PlainWeightedBelief, WeightedBelief
from manhunt.errors import BadConfig
from manhunt.games.pursuit.config import Visibility
from manhunt.games.pursuit.game import PursuitGame
from manhunt.games.registry import make_game
from manhunt.games.scotland_yard.actions import Piece, Tickets
from manhunt.games.scotland_yard.model import Player, new_game
from manhunt.games.scotland_yard.rules import apply_action, legal_actions, outcome
from manhunt.games.scotland_yard.views import events, opening_events, view
from manhunt.ids import Seat
from manhunt.testing.scotland_yard import board_of, random_history, scotland_yard_histories
from manhunt.testing.strategies import pursuit_histories

BOARD = board_of("1-2:TB 2-3:T 3-4:TU 4-5:T 5-1:T 2-5:B 3-5:TU 4-6:F 6-1:T 6-7:TB 7-3:T")
KINDS = (WeightedBelief, PlainWeightedBelief, Support, PackedSupport)


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
    for true in follow(belief, make_game("scotland_yard"), *history, seat=Seat.EVADER):
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
        mrx = Player(Piece.MRX, Tickets(3, 2, 1, 2, 1), rng.choice("345"))
        start = new_game(BOARD, [False, False, True, False], mrx, [Player(Piece.RED, Tickets(5, 3, 2), "1")])
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


@pytest.mark.parametrize("visibility", [Visibility.ROUNDS, Visibility.SIGHT, Visibility.ALWAYS])
def test_candidates_of_pursuit_equal_brute_force(visibility) -> None:
    @given(pursuit_histories(visibility))
    def check(history) -> None:
        states, actions = history
        game, belief, seat = PursuitGame(), PursuitCandidates(), Seat.PURSUERS
        if states[0].placing:
            worlds = {states[0]}
        else:
            seen = [e.seen_by(seat) for e in game.opening_events(states[0])]
            label = states[0].config.board.label
            labels = [label(n) for n in states[0].pursuers]
            every = {
                game.start(states[0].config, {"mrx": q, "detectives": labels})
                for q in map(label, states[0].config.board.nodes())
            }
            worlds = {
                w
                for w in every
                if [e.seen_by(seat) for e in game.opening_events(w)] == seen
                and game.view(w, seat) == game.view(states[0], seat)
            }
        for n, true in enumerate(follow(belief, game, states, actions)):
            if n:
                before, action = states[n - 1], actions[n - 1]
                seen = [e.seen_by(seat) for e in game.events(before, action, true)]
                worlds = {
                    after
                    for world in worlds
                    for option in game.legal_actions(world)
                    for after in [game.apply_action(world, option)]
                    if [e.seen_by(seat) for e in game.events(world, option, after)] == seen
                }
            assert belief.candidates == {w.quarry for w in worlds if w.quarry is not None}
            assert true.quarry is None or true.quarry in belief.candidates
            assert belief.sample(Random(n)) in worlds

    check()


def test_a_belief_of_another_game_is_refused() -> None:
    game = PursuitGame()
    other = game.view(game.new(game.make_config(), Random(1)), Seat.PURSUERS)
    with pytest.raises(BadConfig, match="is about scotland_yard, not about pursuit"):
        WeightedBelief().start(other)
    yard = make_game("scotland_yard")
    with pytest.raises(BadConfig, match="for pursuit, not for scotland_yard"):
        PursuitCandidates().start(yard.view(yard.new(yard.make_config(), Random(1)), Seat.PURSUERS))
