"""Commitments: the deal is fixed before the first move, hidden until the end, and checked afterwards."""

import hashlib
import json
from dataclasses import replace
from random import Random

import pytest

from manhunt.agents.registry import make_agent
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import game_names, kit_of, make_game
from manhunt.core.seeds import Secret, new_secret
from manhunt.play.fair_deal import DealCheck, commit, deal_words, verify_deal
from manhunt.play.record import Record, parse_record
from manhunt.play.referee import Referee, play_game
from manhunt.play.replay_page import replay_page

SECRET = Secret(bytes(range(32)))


def played(game: str = "pursuit", seed=SECRET, **options) -> Record:
    rules = make_game(game)
    config = rules.make_config(**(options or kit_of(game).small))
    return play_game(rules, config, {seat: make_agent("random", game, seat) for seat in PLAYERS}, seed=seed)


def test_the_scheme_is_four_lines_and_sha_256() -> None:
    text = 'manhunt deal 1\npursuit\nab12\n{"detectives":["5","10"],"mrx":"ü"}'
    setup = {"mrx": "ü", "detectives": ("5", "10")}
    assert commit("pursuit", setup, "ab12") == hashlib.sha256(text.encode()).hexdigest()
    assert commit("pursuit", json.loads(json.dumps(setup)), "ab12") == commit("pursuit", setup, "ab12")


@pytest.mark.parametrize("game", game_names())
def test_every_seat_hears_the_commitment_before_the_first_move_and_the_record_keeps_it(game: str) -> None:
    rules = make_game(game)
    referee = Referee(rules, rules.make_config(**kit_of(game).small), seed=SECRET)
    for seat in (*PLAYERS, Seat.SPECTATOR):
        heard = [event for event in referee.events_for(seat) if event.get("t") == "commitment"]
        assert [event["sha256"] for event in heard] == [referee.commitment]
    assert referee.actions == []
    record = played(game)
    again = parse_record(record.format())
    assert again == record
    assert verify_deal(again) is DealCheck.KEPT


def test_the_page_of_a_game_says_whether_the_deal_was_kept() -> None:
    record = played()
    assert f"Deal verified: the setup matches the commitment {record.commitment}" in replay_page(record)
    assert "Deal changed:" in replay_page(replace(record, nonce="00"))
    assert "Deal not checked:" in replay_page(played(seed=3))


def test_a_setup_that_was_changed_afterwards_is_found() -> None:
    record = played()
    moved = replace(record, setup={**record.setup, "mrx": "nowhere"})
    for bad in (moved, replace(record, nonce="00"), replace(record, game="fugitive")):
        assert verify_deal(bad) is DealCheck.BROKEN
        assert deal_words(bad).startswith("Deal changed:")
    assert verify_deal(replace(record, nonce=None)) is DealCheck.NONE


def test_games_of_a_number_promise_nothing_and_are_written_as_ever() -> None:
    record = played(seed=3)
    assert (record.commitment, record.nonce) == (None, None)
    assert verify_deal(record) is DealCheck.NONE
    assert "commitment" not in record.format()
    assert "\nseed: 3\n" in record.format()


def test_a_commitment_does_not_tell_the_deal() -> None:
    """The same setup twice: the hashes differ, and nobody has the nonce."""
    rules, made = make_game("pursuit"), set()
    config = rules.make_config()
    setup = rules.deal(config, Random(1))
    for _ in range(20):
        referee = Referee(rules, config, seed=new_secret(), setup=setup)
        heard = json.dumps([referee.events_for(seat) for seat in (*PLAYERS, Seat.SPECTATOR)])
        assert referee.nonce is not None
        assert referee.nonce not in heard
        made.add(referee.commitment)
    assert len(made) == 20


def test_the_record_of_a_secret_game_plays_it_again() -> None:
    record = played("fugitive", preset="mini", seed=new_secret())
    assert isinstance(record.seed, Secret)
    again = play_game(
        make_game("fugitive"),
        make_game("fugitive").config_from_json(record.config),
        {seat: make_agent("random", "fugitive", seat) for seat in PLAYERS},
        seed=record.seed,
    )
    assert again.format() == replace(record, seats=again.seats).format()
