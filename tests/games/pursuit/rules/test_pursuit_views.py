"""Who cannot see a difference must not be told one."""

from dataclasses import replace

import pytest
from hypothesis import given

from manhunt.core.errors import IllegalAction
from manhunt.core.ids import Seat
from manhunt.games.pursuit.rules.actions import PursuitMove
from manhunt.games.pursuit.rules.config import Visibility
from manhunt.games.pursuit.rules.game import PursuitGame
from pursuit_games import pursuit_histories

GAME = PursuitGame()
WATCHERS = (Seat.PURSUERS, Seat.SPECTATOR)


def told(states, actions, seat) -> list[dict]:
    """Everything a seat hears, as one list."""
    heard = [event.seen_by(seat) for event in GAME.opening_events(states[0])]
    for before, action, after in zip(states, actions, states[1:], strict=False):
        heard += [event.seen_by(seat) for event in GAME.events(before, action, after)]
    return heard


def twins(states, actions):
    """All histories with the same detectives' moves and another quarry, of the same length."""
    config = states[0].config
    others = [[GAME.start(config, setup)] for setup in _setups(states[0])]
    for action in actions:
        grown = []
        for history in others:
            for other in GAME.legal_actions(history[-1]):
                mine = getattr(action, "piece", 0) is None
                if (getattr(other, "piece", 0) is None) if mine else other == action:
                    grown.append([*history, GAME.apply_action(history[-1], other)])
        others = grown[:200]
    return others


def _setups(state):
    label = state.config.board.label
    if state.placing:
        return [{}]
    return [{"mrx": label(n), "detectives": [label(d) for d in state.pursuers]} for n in state.config.board.nodes()]


@given(pursuit_histories())
def test_worlds_that_sound_alike_look_alike(history) -> None:
    states, actions = history
    for seat in WATCHERS:
        heard = told(states, actions, seat)
        for other in twins(states, actions):
            moves = [_action_between(a, b) for a, b in zip(other, other[1:], strict=False)]
            if told(other, moves, seat) == heard and (GAME.outcome(other[-1]) == GAME.outcome(states[-1])):
                assert GAME.view(other[-1], seat) == GAME.view(states[-1], seat)


def _action_between(before, after):
    return next(a for a in GAME.legal_actions(before) if GAME.apply_action(before, a) == after)


@given(pursuit_histories())
def test_how_many_events_a_ply_makes_does_not_depend_on_secrets(history) -> None:
    states, actions = history
    expected = 1 if states[0].config.visibility is Visibility.ALWAYS else 2
    for before, action, after in zip(states, actions, states[1:], strict=False):
        assert len(GAME.events(before, action, after)) == expected


@given(pursuit_histories(Visibility.ALWAYS))
def test_in_the_open_game_everybody_sees_the_truth(history) -> None:
    states, _ = history
    for state in states:
        assert all(GAME.view(state, seat).quarry == state.quarry for seat in Seat)


@given(pursuit_histories())
def test_an_error_tells_the_detectives_nothing_new(history) -> None:
    """A detective's illegal move gets the same words wherever an unseen quarry is."""
    states, _ = history
    state = states[-1]
    config = state.config
    if state.quarry is None or GAME.outcome(state) is not None or GAME.view(state, Seat.PURSUERS).quarry is not None:
        return
    words = set()
    for node in config.board.nodes():
        other = replace(state, quarry=node)
        if GAME.outcome(other) is None and GAME.view(other, Seat.PURSUERS).quarry is None:
            with pytest.raises(IllegalAction) as caught:
                GAME.apply_action(other, PursuitMove(state.pursuers[0], 99))
            words.add(str(caught.value))
    assert len(words) == 1
