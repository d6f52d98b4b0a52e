"""The greedy agent: one step away from the nearest, one step towards the likeliest."""

from random import Random
from typing import Any

import numpy as np
import pytest

from manhunt.agents.base import Limit
from manhunt.agents.greedy import GreedyAgent, pick
from manhunt.agents.random import RandomAgent
from manhunt.agents.registry import make_agent
from manhunt.boards.catalog import load_board
from manhunt.boards.distance import distances
from manhunt.errors import BadAgent
from manhunt.games.outcome import Termination
from manhunt.games.pursuit.config import Config as PursuitConfig
from manhunt.games.pursuit.config import Order, Visibility
from manhunt.games.pursuit.game import PursuitGame
from manhunt.games.registry import make_game
from manhunt.games.scotland_yard.actions import Double, Piece, Ticket, Tickets
from manhunt.games.scotland_yard.model import Player, new_game
from manhunt.games.scotland_yard.views import view
from manhunt.ids import Seat, Side
from manhunt.play.referee import Referee
from manhunt.testing.scotland_yard import board_of

LINE = board_of("1-2:T 2-3:T 3-4:T 4-5:T 5-6:T 6-7:TB 7-8:T 8-9:T 3-9:B")
NO_LIMIT = Limit()


def advise(state, seat, **options):
    agent = GreedyAgent(**options)
    seen = view(state, seat)
    agent.start(seen)
    return agent.act(seen, NO_LIMIT, Random(1))


def line_game(mrx: str, red: str, tickets: Tickets, rounds=(False,) * 6):
    return new_game(LINE, rounds, Player(Piece.MRX, tickets, mrx), [Player(Piece.RED, Tickets(9, 9, 9), red)])


def test_mrx_goes_away_from_the_nearest_detective() -> None:
    advice = advise(line_game("5", "2", Tickets(taxi=5)), Seat.EVADER)
    assert LINE.label(advice.action.to) == "6"
    assert advice.line == (advice.action,)
    assert 0 < advice.confidence <= 1
    assert advice.value > advise(line_game("4", "3", Tickets(taxi=5)), Seat.EVADER).value
    assert advice.counters["iterations"] == 1


def test_mrx_saves_double_moves_until_a_detective_is_next_to_him() -> None:
    tickets = Tickets(taxi=5, double=2)
    assert not isinstance(advise(line_game("5", "2", tickets), Seat.EVADER).action, Double)
    assert isinstance(advise(line_game("5", "4", tickets), Seat.EVADER).action, Double)


def test_mrx_saves_secret_tickets_until_he_was_shown_where_transports_meet() -> None:
    board = board_of("1-2:T 2-3:B 2-4:U 2-5:TB 6-7:T 7-8:T 5-6:T")
    tickets = Tickets(taxi=5, bus=5, underground=5, secret=2)
    mrx, red = Player(Piece.MRX, tickets, "1"), Player(Piece.RED, Tickets(9, 9, 9), "8")
    hidden = new_game(board, [False, False, False], mrx, [red]).advance("T2").advance("R:T7")
    shown = new_game(board, [True, False, False], mrx, [red]).advance("T2").advance("R:T7")
    assert advise(hidden, Seat.EVADER).action.ticket is not Ticket.SECRET
    assert advise(shown, Seat.EVADER).action.ticket is Ticket.SECRET


def test_detectives_go_towards_the_likeliest_node_and_catch() -> None:
    state = line_game("5", "2", Tickets(taxi=5), (True, False)).advance("T4")
    state = state.advance(advise(state, Seat.PURSUERS).action)
    assert state.place_of(Piece.RED) == "3"
    beside = line_game("5", "3", Tickets(taxi=5), (True, False)).advance("T4")
    assert beside.advance(advise(beside, Seat.PURSUERS).action).winner == {Piece.RED}


def test_detectives_do_not_clump() -> None:
    """Mr X was shown at 5; one detective on each side is better than two on one."""
    mrx = Player(Piece.MRX, Tickets(taxi=5), "4")
    both = [Player(Piece.RED, Tickets(9, 9, 9), "1"), Player(Piece.GREEN, Tickets(9, 9, 9), "8")]
    state = new_game(LINE, [True, False, False], mrx, both).advance("T5")
    agent = GreedyAgent()
    agent.start(view(state, Seat.PURSUERS))
    for _ in range(2):
        state = state.advance(agent.act(view(state, Seat.PURSUERS), NO_LIMIT, Random(1)).action)
    assert (state.place_of(Piece.RED), state.place_of(Piece.GREEN)) == ("2", "7")


def play(game, config, evader, pursuers, seed):
    referee = Referee(
        game, config, {Seat.EVADER: evader, Seat.PURSUERS: pursuers}, seed=seed, limit=Limit(iterations=50)
    )
    referee.run()
    assert referee.fault is None, referee.fault
    return referee


def test_greedy_detectives_beat_random_ones() -> None:
    game = make_game("scotland_yard")
    config = game.make_config()
    wins = {
        name: sum(
            play(game, config, RandomAgent(), make_agent(name, game.name), seed).outcome.winner is Side.PURSUERS
            for seed in range(12)
        )
        for name in ("greedy", "random")
    }
    assert wins["greedy"] >= 11
    assert wins["random"] <= 9


def test_greedy_mrx_beats_a_random_one() -> None:
    game = make_game("scotland_yard")
    config = game.make_config()
    rounds = {
        name: sum(
            game.round_of(play(game, config, make_agent(name, game.name), GreedyAgent(), seed).state)
            for seed in range(10)
        )
        for name in ("greedy", "greedy:style=hide", "random")
    }
    assert rounds["greedy"] > 1.3 * rounds["random"]
    assert rounds["greedy:style=hide"] > 1.3 * rounds["random"]


@pytest.mark.parametrize("spec", ["greedy", "greedy:temperature=0.5", "greedy:style=hide,model=soft"])
def test_one_seed_is_one_game(spec) -> None:
    game = make_game("scotland_yard")
    config = game.make_config(rounds=8)

    def actions(seed: int) -> list[Any]:
        return play(game, config, make_agent(spec, game.name), make_agent(spec, game.name), seed).actions

    first = actions(3)
    assert first == actions(3)
    assert first != actions(4)


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("visibility", Visibility)
def test_pursuit_is_played_in_all_its_kinds(order, visibility) -> None:
    game, grid = PursuitGame(), load_board("grid:4x4")
    config = PursuitConfig(grid, max_rounds=10, order=order, visibility=visibility, reveal_rounds=(1, 4, 7))
    ends = [play(game, config, GreedyAgent(), GreedyAgent(), seed).outcome.termination for seed in range(5)]
    assert set(ends) <= {Termination.CAPTURE, Termination.SURVIVAL, Termination.STRANDED}


def test_pursuit_by_the_textbook() -> None:
    """Two greedy detectives who place themselves catch a greedy quarry on a grid, one on a tree."""
    game = PursuitGame()
    config = game.make_config("cops-and-robbers", board="grid:4x4", max_rounds=30)
    assert play(game, config, GreedyAgent(), GreedyAgent(), 1).outcome.winner is Side.PURSUERS
    lone = game.make_config("cops-and-robbers", board="path:9", n_detectives=1, max_rounds=30)
    assert play(game, lone, GreedyAgent(), GreedyAgent(), 1).outcome.winner is Side.PURSUERS


def test_pursuit_quarry_keeps_the_largest_distance() -> None:
    game, grid = PursuitGame(), load_board("grid:5x5")
    config = PursuitConfig(grid, max_rounds=5)
    for seed in range(5):
        state = game.new(config, Random(seed))
        seen = game.view(state, Seat.EVADER)
        agent = GreedyAgent()
        agent.start(seen)
        hops = distances(grid)
        nearest = {move: min(hops[move.to, d] for d in seen.pursuers) for move in seen.legal}
        assert nearest[agent.act(seen, NO_LIMIT, Random(0)).action] == max(nearest.values())


def test_it_can_be_asked_about_any_position() -> None:
    """Without having seen how it came about, as for hints."""
    game = make_game("scotland_yard")
    referee = Referee(game, game.make_config(), {Seat.EVADER: RandomAgent(), Seat.PURSUERS: RandomAgent()}, seed=5)
    for _ in range(25):
        referee.step()
    seat = referee.to_act
    assert GreedyAgent().act(referee.view(seat), NO_LIMIT, Random(1)).action in referee.view(seat).legal


def test_pick() -> None:
    ratings = np.array([1.0, 3.0, 3.0])
    assert {pick(ratings, 0.0, Random(seed))[0] for seed in range(20)} == {1, 2}
    assert pick(ratings, 0.0, Random(1))[1] == 0.5
    counts = [pick(ratings, 2.0, Random(seed))[0] for seed in range(3000)].count(0)
    share = np.exp(-1) / (2 + np.exp(-1))
    assert abs(counts / 3000 - share) < 4 * np.sqrt(share * (1 - share) / 3000)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("greedy:model=sofd", "unknown model 'sofd'; did you mean soft"),
        ("greedy:temperature=-1", "temperature must be 0 or more"),
        ("greedy:style=fly", "style is one of run, hide"),
        ("greedy:speed=1", "has no option 'speed'"),
    ],
)
def test_bad_options_are_one_line(spec, words) -> None:
    with pytest.raises(BadAgent, match=words):
        make_agent(spec, "pursuit")
