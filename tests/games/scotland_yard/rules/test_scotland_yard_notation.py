"""Scotland Yard: moves and positions as text, records."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.boards.catalog import load_board
from manhunt.core.errors import BadText
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.rules import rules
from manhunt.games.scotland_yard.rules.actions import Double, Piece, Single, Ticket, Tickets
from manhunt.games.scotland_yard.rules.config import make_config
from manhunt.games.scotland_yard.rules.game import make_setup
from manhunt.games.scotland_yard.rules.notation import format_action, format_position, parse_action
from manhunt.games.scotland_yard.rules.views import view
from manhunt.play.record import Record, load_record, replay
from scotland_yard_games import random_history, scotland_yard_histories
from scotland_yard_positions import parse_position, setup_of

LONDON = load_board("london")
GAME = make_game("scotland_yard")
CONFIG = make_config(n_detectives=1)


def at(label):
    return LONDON.node(label)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("T46", Single(Piece.MRX, Ticket.TAXI, at(46))),
        ("B58", Single(Piece.MRX, Ticket.BUS, at(58))),
        ("U13", Single(Piece.MRX, Ticket.UNDERGROUND, at(13))),
        ("S115", Single(Piece.MRX, Ticket.SECRET, at(115))),
        ("2:T46,B58", Double(Piece.MRX, Ticket.TAXI, at(46), Ticket.BUS, at(58))),
        ("R:T46", Single(Piece.RED, Ticket.TAXI, at(46))),
        ("G:B1", Single(Piece.GREEN, Ticket.BUS, at(1))),
        ("B:B1", Single(Piece.BLUE, Ticket.BUS, at(1))),
        ("W:U1", Single(Piece.WHITE, Ticket.UNDERGROUND, at(1))),
        ("Y:T199", Single(Piece.YELLOW, Ticket.TAXI, at(199))),
    ],
)
def test_moves_as_text(text, action) -> None:
    assert format_action(CONFIG, action) == text
    assert parse_action(CONFIG, text) == action
    assert parse_action(CONFIG, text.lower()) == action


@pytest.mark.parametrize(
    "text", ["", "T", "46", "X46", "D46", "T200", "2:T46", "2:T46,", "R:46", "R:", "P:T46", "T4 6"]
)
def test_what_is_no_move_says_how_to_write_one(text) -> None:
    with pytest.raises(BadText, match="write T46 for Mr X|no node") as caught:
        parse_action(CONFIG, text)
    assert "\n" not in str(caught.value)


@given(scotland_yard_histories())
def test_every_legal_move_parses_back(history) -> None:
    for state in history[0]:
        for action in rules.legal_actions(state):
            assert parse_action(state.config, format_action(state.config, action)) == action


def test_a_position_in_one_line() -> None:
    state = GAME.start(CONFIG, make_setup(104, [117], free=False))
    assert format_position(state, reveal=True) == "turn=X X@104=4,3,3,5,2 R@117=11,8,4 log=- drawn"
    state = state.advance("S86").advance("R:T116").advance("2:B52,T40")
    assert format_position(state, reveal=True) == "turn=R X@40=4,2,3,4,1 R@116=10,8,4 log=S,B,T40 drawn"
    assert format_position(state, reveal=False) == "turn=R X=4,2,3,4,1 R@116=10,8,4 log=S,B,T40 drawn"


@given(scotland_yard_histories())
def test_every_position_parses_back(history) -> None:
    state = history[0][-1]
    assert parse_position(state.config, format_position(state, reveal=True)) == state
    public = format_position(state, reveal=False)
    assert parse_position(state.config, public, state.quarry) == state
    with pytest.raises(BadText, match="the place of Mr X is not in it"):
        parse_position(state.config, public)


@given(scotland_yard_histories(), st.integers(0, 7))
def test_the_public_line_does_not_depend_on_the_secret(history, place) -> None:
    state = history[0][-1]
    public = format_position(state, reveal=False)
    other = parse_position(state.config, public, place % state.config.board.n_nodes)
    assert format_position(other, reveal=False) == public


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is no position"),
        ("turn=X X@104=4,3,3,5,2 log=-", "is no position"),
        ("turn=X R@117=11,8,4 X@104=4,3,3,5,2 log=-", "where Mr X's tickets are expected"),
        ("turn=X X@104=4,3,3,5 R@117=11,8,4 log=-", "'X@104=4,3,3,5' is no piece"),
        ("turn=X X@104=4,3,3,5,-2 R@117=11,8,4 log=-", "is no piece"),
        ("turn=X X@104=4,3,3,5,2 R@300=11,8,4 log=-", "no node '300'"),
        ("turn=X X@104=4,3,3,5,2 R=11,8,4 log=-", "every detective needs a node"),
        ("turn=X X@104=4,3,3,5,2 R@1=1,1,1 G@2=1,1,1 log=-", "2 detectives, but the config has 1"),
        ("turn=G X@104=4,3,3,5,2 R@117=11,8,4 log=-", "turn=G must be X or some of R"),
        ("turn=R X@104=4,3,3,5,2 R@117=11,8,4 log=-", "position: turn=R with an empty log; Mr X moves first"),
        ("turn=X X@104=4,3,3,5,2 R@117=11,8,4 log=T,T,T300", "position: log entry 'T300' of round 3: no node '300'"),
        ("turn=X X@104=4,3,3,5,2 R@117=11,8,4 log=T,T,T", "'T' does not fit round 3, which is shown"),
        ("turn=X X@104=4,3,3,5,2 R@117=11,8,4 log=T5", "'T5' does not fit round 1, which is hidden"),
        ("turn=X X@104=4,3,3,5,2 R@117=11,8,4 log=" + ",".join("T" * 25), "25 entries, but there are 24 rounds"),
    ],
)
def test_bad_positions_say_which_part(text, message) -> None:
    with pytest.raises(BadText, match=message):
        parse_position(CONFIG, text)


def test_a_position_can_be_played_on() -> None:
    state = parse_position(CONFIG, "turn=R X@67=4,2,3,4,1 R@116=10,8,4 log=S,B,T67")
    assert state.tickets_of(Piece.RED) == Tickets(10, 8, 4)
    assert state.advance("R:T104").round == 3


def test_format_view_shows_mrx_to_himself_alone() -> None:
    state = GAME.start(CONFIG, make_setup(104, [117]))
    assert "X@104=" in GAME.format_view(view(state, Seat.EVADER))
    for seat in (Seat.PURSUERS, Seat.SPECTATOR):
        assert "104" not in GAME.format_view(view(state, seat))


def test_describe_action() -> None:
    state = GAME.start(CONFIG, make_setup(104, [117]))
    described = GAME.describe_action(state, parse_action(CONFIG, "2:T86,B52"))
    assert described == "Mr X goes by taxi to 86, then by bus to 52 (double move)"


@pytest.mark.parametrize("preset", GAME.presets)
def test_records_replay(preset, tmp_path: Path) -> None:
    config, rng = make_config(preset, n_detectives=3), Random(5)
    setup = GAME.deal(config, rng)
    states, actions = random_history(rng, GAME.start(config, setup))
    record = Record.of(GAME, config, setup, actions, seed=5, outcome=rules.outcome(states[-1]))
    record.save(tmp_path / "game.txt")
    loaded = load_record(tmp_path / "game.txt")
    assert loaded == record
    assert loaded.config["board"]["hash"] == LONDON.hash
    assert replay(loaded).states == states
    wrong = Record.of(GAME, config, setup, actions, seed=5, outcome=None)
    with pytest.raises(BadText, match="the record says unfinished"):
        replay(wrong)


@given(scotland_yard_histories())
def test_records_of_free_games_replay(history) -> None:
    states, actions = history
    config = states[0].config
    record = Record.of(GAME, config, setup_of(states[0]), actions, outcome=rules.outcome(states[-1]))
    assert replay(record).states == states
