"""The candidates of Pursuit equal brute force over the rules, whatever the detectives see."""

from random import Random

import pytest
from hypothesis import given

from manhunt.core.errors import BadConfig
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.games.pursuit.beliefs.candidates import PursuitCandidates
from manhunt.games.pursuit.rules.config import Visibility
from manhunt.games.pursuit.rules.game import PursuitGame
from pursuit_games import pursuit_histories


def follow(belief, game, states, actions, seat=Seat.PURSUERS):
    """Yield after the opening and after every ply."""
    belief.start(game.view(states[0], seat))
    belief.observe(e.seen_by(seat) for e in game.opening_events(states[0]))
    yield states[0]
    for before, action, after in zip(states, actions, states[1:], strict=False):
        belief.observe(e.seen_by(seat) for e in game.events(before, action, after))
        yield after


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


def test_a_view_of_another_game_is_refused() -> None:
    yard = make_game("scotland_yard")
    with pytest.raises(BadConfig, match="for pursuit, not for scotland_yard"):
        PursuitCandidates().start(yard.view(yard.new(yard.make_config(), Random(1)), Seat.PURSUERS))
