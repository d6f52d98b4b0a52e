"""What played moves were worth by the nets: for every legal move, and from what the seat knows alone."""

from random import Random

import pytest

from manhunt.core.ids import Seat
from manhunt.games.scotland_yard.champion.judge import ChampionJudge, encode_mrx
from manhunt.games.scotland_yard.champion.nets import new_nets
from manhunt.games.scotland_yard.champion.selfplay import Choice, SelfPlay, Team
from manhunt.games.scotland_yard.rules.actions import Double
from manhunt.games.scotland_yard.rules.config import make_config
from manhunt.games.scotland_yard.rules.game import ScotlandYardGame, make_setup
from manhunt.games.scotland_yard.rules.packed import decode

GAME, NETS = ScotlandYardGame(), new_nets(3)
SMALL = make_config(n_detectives=2, rounds=4, shown=(2,))


@pytest.mark.parametrize("seat", [Seat.EVADER, Seat.PURSUERS])
def test_every_legal_move_of_a_game_has_a_chance(seat: Seat) -> None:
    rng, state = Random(4), GAME.start(SMALL, GAME.deal(SMALL, Random(4)))
    judge = ChampionJudge(GAME.view(state, seat), NETS, 10)
    judge.observe(event.seen_by(seat) for event in GAME.opening_events(state))
    while GAME.outcome(state) is None:
        view = GAME.view(state, seat)
        for action in view.legal:
            assert 0.0 <= judge.chance(view, action) <= 1.0
        action = rng.choice(GAME.legal_actions(state))
        after = GAME.apply_action(state, action)
        judge.observe(event.seen_by(seat) for event in GAME.events(state, action, after))
        state = after


def test_a_catch_that_is_certain_leaves_no_chance() -> None:
    config = make_config(n_detectives=1, rounds=4, shown=(1,))
    state = GAME.start(config, make_setup("45", ["58"]))
    judge = ChampionJudge(GAME.view(state, Seat.PURSUERS), NETS, 10)
    after = GAME.apply_action(state, GAME.parse_action(config, "T46"))
    judge.observe(event.seen_by(Seat.PURSUERS) for event in GAME.opening_events(state))
    events = GAME.events(state, GAME.parse_action(config, "T46"), after)
    judge.observe(event.seen_by(Seat.PURSUERS) for event in events)
    view = GAME.view(after, Seat.PURSUERS)
    assert judge.chance(view, GAME.parse_action(config, "R:B46")) == 0.0
    assert judge.chance(view, GAME.parse_action(config, "R:T75")) > 0.0


def test_moves_of_mr_x_are_written_as_the_kernels_read_them() -> None:
    state = GAME.start(SMALL, GAME.deal(SMALL, Random(1)))
    legal = GAME.legal_actions(state)
    assert any(isinstance(action, Double) for action in legal)
    assert all(decode((), encode_mrx(action)) == action for action in legal)


def test_training_games_can_begin_from_a_setup() -> None:
    player, team = SelfPlay(SMALL), Team("beam")
    setups = [make_setup(mrx, ["26", "29"], free=False) for mrx in ("35", "45")]
    games = [player.play(NETS.choice, team, Choice(0.0, 0.0), 7, setup) for setup in (*setups, setups[0])]
    assert (games[0].before == games[2].before).all()
    assert games[0].before.shape != games[1].before.shape or (games[0].before != games[1].before).any()
