"""What type checkers make of the library: `make check` runs mypy on this file, pytest runs it as it is."""

from random import Random
from typing import assert_type

from manhunt import Board, Node, Seat, Strategy, make_agent, make_game, play_game
from manhunt.core.agent import Agent
from manhunt.core.game import AnyGame
from manhunt.games.fugitive import FugitiveGame, FugitiveView
from manhunt.games.pursuit import PursuitConfig, PursuitGame, PursuitMove, PursuitView
from manhunt.games.scotland_yard import ScotlandYardConfig, ScotlandYardGame, ScotlandYardView
from manhunt.games.shortest_path import ShortestPathGame
from manhunt.play import Record


class Still(Strategy):
    """Typed arguments, as docs/reference/strategies.md shows them."""

    def choose_move(
        self, board: Board, view: PursuitView, seat: Seat, valid_moves: tuple[PursuitMove, ...]
    ) -> PursuitMove:
        assert_type(view.pursuers, tuple[Node, ...])
        return valid_moves[0]


def test_a_literal_name_gives_the_type_of_the_game() -> None:
    assert_type(make_game("pursuit"), PursuitGame)
    assert_type(make_game("scotland_yard"), ScotlandYardGame)
    assert_type(make_game("fugitive"), FugitiveGame)
    assert_type(make_game("shortest_path"), ShortestPathGame)
    name = "".join(["pur", "suit"])
    assert_type(make_game(name), AnyGame)


def test_what_games_make_is_typed() -> None:
    game = make_game("scotland_yard")
    config = assert_type(game.make_config(n_detectives=2), ScotlandYardConfig)
    state = game.start(
        config, {"mrx": {"at": "104"}, "detectives": [{"piece": "red", "at": "13"}, {"piece": "green", "at": "26"}]}
    )
    assert_type(game.view(state, Seat.PURSUERS), ScotlandYardView)
    cards = make_game("fugitive")
    assert_type(cards.view(cards.new(cards.make_config("mini"), Random(1)), Seat.PURSUERS), FugitiveView)


def test_a_game_is_played_with_its_own_config() -> None:
    game = make_game("pursuit")
    config = assert_type(game.make_config(max_rounds=2), PursuitConfig)
    agents: dict[Seat, Agent] = {Seat.EVADER: Still(), Seat.PURSUERS: make_agent("random")}
    record = assert_type(play_game(game, config, agents, seed=1), Record)
    assert record.outcome is not None
