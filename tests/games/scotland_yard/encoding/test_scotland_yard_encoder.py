"""The encoder of Scotland Yard: one number for each move, and vectors that say what the planes promise."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.core.errors import BadConfig, IllegalAction
from manhunt.core.ids import Seat
from manhunt.core.registry import kit_of
from manhunt.games.scotland_yard.encoding.encoder import ScotlandYardEncoder
from manhunt.games.scotland_yard.rules.actions import DETECTIVES, Piece, Single, Ticket, Tickets
from manhunt.games.scotland_yard.rules.config import make_config
from manhunt.games.scotland_yard.rules.packed import decode
from manhunt.games.scotland_yard.rules.views import view
from scotland_yard_batches import board_configs
from scotland_yard_games import random_history

KIT = kit_of("scotland_yard")
LONDON = make_config()
SEATS = (Seat.EVADER, Seat.PURSUERS)


def test_london_has_a_number_for_every_move_and_no_more() -> None:
    encoder = KIT.encoder(LONDON)
    assert isinstance(encoder, ScotlandYardEncoder)
    moves = [decode(DETECTIVES, int(code)) for code in encoder.numbering.code]
    assert len(set(moves)) == len(moves) == encoder.n_actions == 474 + 5 * 275 + 4728
    assert [encoder.number_of(move) for move in moves] == list(range(len(moves)))


def test_planes_lie_side_by_side_and_are_described() -> None:
    encoder = KIT.encoder(LONDON)
    ends = [plane.start + plane.length for plane in encoder.planes]
    assert [plane.start for plane in encoder.planes] == [0, *ends[:-1]]
    assert ends[-1] == encoder.observation_size
    assert all(plane.meaning.endswith(".") and plane.length for plane in encoder.planes)


@given(board_configs(), st.integers(0, 2**32))
def test_legal_moves_have_different_numbers_that_lead_back(config, seed) -> None:
    encoder = ScotlandYardEncoder(config)
    states, _ = random_history(Random(seed), KIT.game.new(config, Random(seed)), 30)
    for state in states:
        for seat in SEATS:
            seen = view(state, seat)
            numbers = [encoder.number_of(action) for action in seen.legal]
            assert np.flatnonzero(encoder.mask(seen)).tolist() == sorted(numbers)
            assert [encoder.action_of(number, seen) for number in numbers] == list(seen.legal)
            vector = encoder.observe(seen)
            assert vector.dtype == np.float32
            assert 0 <= vector.min() <= vector.max() <= 1


def test_a_number_that_is_not_offered_is_refused() -> None:
    encoder, state = KIT.encoder(LONDON), KIT.game.new(LONDON, Random(1))
    for number in (-1, encoder.n_actions, encoder.n_actions - 1):
        with pytest.raises(IllegalAction, match=f"action {number} is not legal for the evader; legal: "):
            encoder.action_of(number, view(state, Seat.EVADER))


def test_pieces_that_are_never_dealt_have_no_numbers() -> None:
    encoder = KIT.encoder(make_config(n_detectives=2))
    with pytest.raises(BadConfig, match="blue has no numbers here; the pieces are red, green"):
        encoder.number_of(Single(Piece.BLUE, Ticket.TAXI, 3))


def test_the_vector_of_a_known_position() -> None:
    config = make_config(n_detectives=2, rounds=4, shown=(2,))
    setup = {"mrx": "104", "detectives": ["117", "94"]}
    state = KIT.game.start(config, setup).advance("T86").advance("R:T88").advance("G:B77").advance("B102")
    encoder, node = ScotlandYardEncoder(config), config.board.node
    vector = encoder.observe(view(state, Seat.PURSUERS))
    found = {plane.name: vector[plane.where] for plane in encoder.planes}
    assert found["seat"].tolist() == [0, 1]
    assert found["to_act"].tolist() == [0, 1]
    assert found["round"] == 0.5
    assert found["sighting_round"] == 0.5
    assert found["waiting"].tolist() == [1, 1]
    totals = Tickets(4 + 22, 3 + 16, 3 + 8, 5, 2)
    held = [(4, 3, 3, 5, 2), (10, 8, 4), (11, 7, 4)]
    shares = [count / total for row in held for count, total in zip(row, totals, strict=False)]
    assert found["tickets"].tolist() == np.array(shares, np.float32).tolist()
    assert found["log"].reshape(4, 4).tolist() == [[1, 0, 0, 0], [0, 1, 0, 0], [0] * 4, [0] * 4]
    assert found["reveals"].tolist() == [0, 0, 0, 0]
    assert not found["mrx"].any()
    assert np.flatnonzero(found["sighting"]).tolist() == [node(102)]
    places = found["detectives"].reshape(2, -1)
    assert [np.flatnonzero(row).tolist() for row in places] == [[node(88)], [node(77)]]
    own = encoder.observe(view(state, Seat.EVADER))
    assert np.flatnonzero(own[encoder.start["mrx"] :][: config.board.n_nodes]).tolist() == [node(102)]
