"""The greedy agent: one step away from the nearest, one step towards the likeliest."""

from random import Random
from typing import Any

import pytest

from manhunt.agents.random import RandomAgent
from manhunt.agents.registry import make_agent
from manhunt.core.agent import Limit
from manhunt.core.errors import BadAgent
from manhunt.core.ids import Seat, Side
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.agents.greedy import ScotlandYardGreedyAgent
from manhunt.games.scotland_yard.rules.actions import Double, Piece, Ticket, Tickets
from manhunt.games.scotland_yard.rules.model import StartingPlayer, new_game
from manhunt.games.scotland_yard.rules.views import view
from manhunt.play.referee import Referee
from scotland_yard_games import board_of

LINE = board_of("1-2:T 2-3:T 3-4:T 4-5:T 5-6:T 6-7:TB 7-8:T 8-9:T 3-9:B")
NO_LIMIT = Limit()


def advise(state, seat, **options):
    agent = ScotlandYardGreedyAgent(**options)
    seen = view(state, seat)
    agent.start(seen)
    return agent.act(seen, NO_LIMIT, Random(1))


def line_game(mrx: str, red: str, tickets: Tickets, rounds=(False,) * 6):
    return new_game(
        LINE, rounds, StartingPlayer(Piece.MRX, tickets, mrx), [StartingPlayer(Piece.RED, Tickets(9, 9, 9), red)]
    )


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
    mrx, red = StartingPlayer(Piece.MRX, tickets, "1"), StartingPlayer(Piece.RED, Tickets(9, 9, 9), "8")
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
    mrx = StartingPlayer(Piece.MRX, Tickets(taxi=5), "4")
    both = [StartingPlayer(Piece.RED, Tickets(9, 9, 9), "1"), StartingPlayer(Piece.GREEN, Tickets(9, 9, 9), "8")]
    state = new_game(LINE, [True, False, False], mrx, both).advance("T5")
    agent = ScotlandYardGreedyAgent()
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
            game.round_of(play(game, config, make_agent(name, game.name), ScotlandYardGreedyAgent(), seed).state)
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


def test_it_can_be_asked_about_any_position() -> None:
    """Without having seen how it came about, as for hints."""
    game = make_game("scotland_yard")
    referee = Referee(game, game.make_config(), {Seat.EVADER: RandomAgent(), Seat.PURSUERS: RandomAgent()}, seed=5)
    for _ in range(25):
        referee.step()
    seat = referee.to_act
    assert ScotlandYardGreedyAgent().act(referee.view(seat), NO_LIMIT, Random(1)).action in referee.view(seat).legal


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
        make_agent(spec, "scotland_yard")
