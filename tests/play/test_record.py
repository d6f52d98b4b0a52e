"""Records: text that a person can read and that plays again."""

import re
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.agents.registry import make_agent
from manhunt.core.errors import BadBoard, BadText, ManhuntError
from manhunt.core.ids import Seat
from manhunt.core.registry import game_names, make_game
from manhunt.play.record import Record, load_record, parse_record, replay
from manhunt.play.referee import Referee
from pursuit_games import pursuit_histories
from random_games import random_record

GAME = make_game("pursuit")


def finished(seed: int = 3, **options) -> Record:
    return random_record("pursuit", seed, **options)


@pytest.mark.parametrize("name", game_names())
def test_a_saved_game_loads_and_replays(name, tmp_path) -> None:
    record = random_record(name, 5)
    record.save(tmp_path / "game.txt")
    loaded = load_record(tmp_path / "game.txt")
    assert loaded == record
    assert make_game(name).outcome(replay(loaded).states[-1]) == record.outcome


@given(pursuit_histories())
def test_parse_after_format_is_the_identity(history) -> None:
    states, actions = history
    config = states[0].config
    label = config.board.label
    quarry = states[0].quarry
    setup = {} if quarry is None else {"mrx": label(quarry), "detectives": [label(d) for d in states[0].pursuers]}
    record = Record.of(GAME, config, setup, actions, outcome=GAME.outcome(states[-1]))
    again = parse_record(record.format())
    assert again == record
    assert replay(again).states == states


def test_a_board_outside_the_catalogue_travels_with_the_record() -> None:
    board = GAME.make_config(board="grid:3x3").board
    renamed = type(board)("my-roads", board.labels, board.edges, board.positions)
    record = finished(board=renamed)
    assert "edges" in record.config["board"]
    assert replay(parse_record(record.format())).config.board == board


def test_a_record_of_another_board_is_refused() -> None:
    record = finished()
    text = record.format().replace(GAME.make_config().board.hash, "0" * 64)
    with pytest.raises(BadBoard, match="board top-right-20 is not the expected one"):
        replay(parse_record(text))


def test_a_forfeited_game_replays() -> None:
    match = Referee(GAME, GAME.make_config(), {Seat.EVADER: make_agent("random")}, seed=1)
    match.step()
    match.forfeit(Seat.PURSUERS, "time", "slept")
    record = match.record()
    assert str(record.outcome) == "evader forfeit time"
    assert record.fault == "slept"
    assert parse_record(record.format()) == record
    assert len(replay(parse_record(record.format())).actions) == 1


def test_bounds_travel_with_a_record() -> None:
    bounds = {"lower": {"value": 1.5, "edges": [["a", "é"]]}, "upper": {"value": 2.0}}
    record = replace(finished(), bounds=bounds)
    assert parse_record(record.format()) == record
    assert "bounds" not in finished().format()
    for bad, message in (("[1]", "bounds are JSON objects"), ("{", "record, bounds: no JSON from character 2 on")):
        text = re.sub(r"^bounds: .*$", f"bounds: {bad}", record.format(), flags=re.MULTILINE)
        with pytest.raises(BadText, match=message):
            parse_record(text)


TEXT = finished().format()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("manhunt record 1", "manhunt record 9", "line 1: expected 'manhunt record 1'"),
        ("game: pursuit", "game: chess", "unknown game 'chess'"),
        ("game: pursuit\n", "", "the line 'game: ...' is missing"),
        ("seed: 3", "seed: three", "a header does not parse"),
        ("seed: 3", "seed: 3\ncolour: red", "unknown header 'colour'"),
        ("1. X", "2. X", "expected round 1., found 2."),
        ("1. X", "one X", "expected 'key: value' or 'N. moves'"),
        ("1. X:", "1. X:99 X:", "round 1, X:99: no node '99'"),
        ("1. X:", "1. d0:", "round 1, d0:"),
        ("outcome: ", "outcome: unfinished ", "a header does not parse"),
    ],
)
def test_a_damaged_record_says_where(old, new, message) -> None:
    assert old in TEXT
    with pytest.raises(ManhuntError, match=message.replace("(", r"\(").replace("...", r"\.\.\.")):
        replay(parse_record(TEXT.replace(old, new, 1)))


@pytest.mark.parametrize("key", ["game", "seed", "seats", "config", "setup", "outcome"])
def test_a_header_that_is_there_twice_is_refused_with_its_line(key) -> None:
    lines = finished().format().splitlines()
    again = next(line for line in lines if line.startswith(f"{key}: "))
    text = "\n".join([*lines, again])
    with pytest.raises(BadText, match=f"record line {len(lines) + 1}: the header '{key}:' is there twice"):
        parse_record(text)


def test_a_record_that_claims_another_end_is_refused() -> None:
    record = finished()
    other = "evader survival" if "capture" in str(record.outcome) else "pursuers capture"
    with pytest.raises(BadText, match="but the record says"):
        replay(parse_record(TEXT.replace(str(record.outcome), other)))


@given(st.integers(0, 10_000))
def test_random_damage_never_breaks_anything_but_the_record(seed) -> None:
    rng = Random(seed)
    letters = list(TEXT)
    for _ in range(rng.randint(1, 4)):
        letters[rng.randrange(len(letters))] = rng.choice("\n :.,{}[]0Xdé\x00")
    try:
        replay(parse_record("".join(letters)))
    except ManhuntError as error:
        assert "\n" not in str(error)


def test_a_missing_file_is_one_line(tmp_path) -> None:
    with pytest.raises(BadText, match="cannot read the record .*No such file"):
        load_record(tmp_path / "none.txt")
    with pytest.raises(BadText, match="is a folder; give the record of one game"):
        load_record(tmp_path)


def test_a_record_of_a_game_that_is_not_installed(tmp_path) -> None:
    text = finished().format().replace("game: pursuit\n", "game: persuit\n")
    (tmp_path / "game.txt").write_text(text)
    told = r"is of a game that is not installed: unknown game 'persuit'; did you mean pursuit\? known: [^\n]*$"
    with pytest.raises(BadText, match=f"game.txt {told}"):
        load_record(tmp_path / "game.txt")
    with pytest.raises(BadText, match=f"record {told}"):
        replay(parse_record(text))
