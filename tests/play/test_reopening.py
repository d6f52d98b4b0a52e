"""Turns that are taken back: whoever makes the same moves again gets the same game."""

from random import Random

import pytest

from manhunt.agents.registry import make_agent
from manhunt.core.errors import IllegalAction, ManhuntError
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import kit_of, make_game
from manhunt.play.onlooker import Onlooker
from manhunt.play.referee import Referee
from manhunt.play.reopening import play_again

GAMES = ("pursuit", "scotland_yard", "fugitive", "shortest_path")


def begin(name: str, seat: Seat) -> Onlooker:
    game = make_game(name)
    config = game.make_config(**kit_of(name).small)
    return Onlooker(Referee(game, config, agents_of(name, seat), seed=5), seat, acting=True)


def agents_of(name: str, seat: Seat) -> dict[Seat, object]:
    return {other: make_agent("random", name, other) for other in PLAYERS if other is not seat}


def play(name: str, seat: Seat, regrets: Random | None) -> tuple[Onlooker, int] | None:
    """A game in which the seat moves by a rule of its own, and now and then tries something else first.

    None where such a try ends the game: nothing is taken back then.
    """
    onlooker, n_taken_back = begin(name, seat), 0
    onlooker.finish()
    while not onlooker.over:
        legal = onlooker.view.legal
        if regrets is not None and regrets.random() < 0.3:
            onlooker.submit(regrets.choice(legal))
            if not onlooker.over:
                onlooker.finish()
            if onlooker.over:
                return None
            onlooker.take_back(lambda: agents_of(name, seat))  # type: ignore[arg-type, return-value]
            n_taken_back += 1
            continue
        onlooker.submit(legal[len(onlooker.views) % len(legal)])
        onlooker.finish()
    return onlooker, n_taken_back


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seat", PLAYERS)
def test_the_same_moves_after_take_backs_are_the_same_game(name: str, seat: Seat) -> None:
    played = play(name, seat, None)
    assert played is not None
    straight = played[0]
    n_same = n_taken_back = 0
    for i in range(12):
        played = play(name, seat, Random(i))
        if played is None:
            continue
        again, n = played
        assert len(again.views) == len(again.events) == len(again.told) == len(again.referee.actions) + 1
        assert again.view == again.referee.view(seat)
        assert [event for told in again.told for event in told] == list(again.referee.events_for(seat))
        assert again.referee.record() == straight.referee.record()
        assert again.views == straight.views
        n_same += 1
        n_taken_back += n
    assert n_same > 2, "most games do not end with a try"
    assert n_taken_back > 2


def test_before_the_first_move_and_after_the_end_nothing_is_taken_back() -> None:
    onlooker = begin("pursuit", Seat.EVADER)
    with pytest.raises(IllegalAction, match="nothing to take back yet"):
        onlooker.check_take_back()
    while not onlooker.over:
        onlooker.submit(onlooker.view.legal[0])
        onlooker.finish()
    with pytest.raises(IllegalAction, match="the game is over"):
        onlooker.take_back(dict)


def test_a_game_that_is_played_again_is_the_same_and_goes_on_the_same_way_each_time() -> None:
    game = make_game("pursuit")
    config = game.make_config()
    agents = {seat: make_agent("random", "pursuit", seat) for seat in PLAYERS}
    first = Referee(game, config, agents, seed=3)
    for _ in range(7):
        first.step()
    records = []
    for _ in range(2):
        later = Referee(game, config, {seat: make_agent("random", "pursuit", seat) for seat in PLAYERS}, seed=3)
        play_again(later, first.record().actions)
        assert (later.state, later.record()) == (first.state, first.record() if later.names == first.names else None)
        later.reseed_agents("from ply 7")
        later.run()
        records.append(later.record())
    assert records[0] == records[1]


def test_a_bookmark_belongs_to_its_ply() -> None:
    onlooker = begin("pursuit", Seat.EVADER)
    mark = onlooker.referee.bookmark()
    onlooker.submit(onlooker.view.legal[0])
    with pytest.raises(ManhuntError, match="a bookmark of ply 0, but the game is at ply 1"):
        onlooker.referee.restore(mark)
