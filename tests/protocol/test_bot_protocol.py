"""Messages, codec, session, schema: words alone, nothing runs."""

import json
from pathlib import Path
from random import Random

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.agents.bot import new_message, offer_of
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import game_names, make_game
from manhunt.protocol.codec import BadMessage, LineSplitter, LineTooLong, decode_bot, decode_manager, encode, shown
from manhunt.protocol.messages import (
    MOST_LINE_BYTES,
    MOST_TURN_BYTES,
    PROTOCOL,
    BotError,
    Go,
    Greeting,
    Hello,
    Info,
    ManagerBye,
    ManagerError,
    Move,
    New,
    Observe,
    Option,
    OptionType,
    Resign,
)
from manhunt.protocol.schema import protocol_schema
from manhunt.protocol.session import BadSpeech, Session, SessionPhase, Slip

ROOT = Path(__file__).parents[2]
SCHEMA = protocol_schema()
OF_BOT = jsonschema.Draft202012Validator({"$ref": "#/$defs/bot", "$defs": SCHEMA["$defs"]})
OF_MANAGER = jsonschema.Draft202012Validator({"$ref": "#/$defs/manager", "$defs": SCHEMA["$defs"]})


def test_the_schema_file_is_made_from_the_definitions() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    kept = json.loads((ROOT / "docs/reference/protocol.schema.json").read_text(encoding="utf-8"))
    assert kept == SCHEMA, "write it again: make golden"


@pytest.mark.parametrize("name", game_names())
def test_whole_games_fit_the_schema_and_come_back(name: str) -> None:
    game = make_game(name)
    rng = Random(3)
    state = game.new(game.make_config(), rng)
    said = [encode(Greeting(PROTOCOL, "manhunt")), encode(ManagerError("tut")), encode(ManagerBye())]
    said += [encode(new_message(game.view(state, seat), {"level": 3})) for seat in PLAYERS]
    for n in range(60):
        if game.outcome(state) is not None:
            break
        for seat in PLAYERS:
            view = game.view(state, seat)
            said.append(encode(Observe([], game.view_to_json(view))))
            said.append(encode(Go(n, rng.getrandbits(32), len(view.legal), offer_of(view).texts)))
        action = rng.choice(game.legal_actions(state))
        after = game.apply_action(state, action)
        told = [event.seen_by(Seat.PURSUERS) for event in game.events(state, action, after)]
        said.append(encode(Observe(told, None)))
        state = after
    assert len(said) > 8
    for line in said:
        OF_MANAGER.validate(json.loads(line))
        assert encode(decode_manager(line)) == line
        assert line.count(b"\n") == 1


GOOD = [
    Hello(PROTOCOL, "ann", "2", ["pursuit"], ["evader"], [Option("level", OptionType.INT, 3, 1, 9)]),
    Hello(PROTOCOL, "bob"),
    Info(0.5, 1.0, ["X:1", "X:2"], "hm", {"nodes": 12.0}),
    Info(),
    Move(3, "X:8"),
    Resign(),
    BotError("no"),
]


@pytest.mark.parametrize("message", GOOD, ids=str)
def test_what_a_bot_says_fits_the_schema_and_comes_back(message) -> None:
    line = encode(message)
    OF_BOT.validate(json.loads(line))
    assert decode_bot(line) == message


@pytest.mark.parametrize(
    "line",
    [
        b"{}", b"[]", b"null", b"1", b'"move"', b"{", b"{'t': 'move'}", b"\xff\xfe", b'{"t":"go","n":1}',
        b'{"t":"move"}', b'{"t":"move","n":"1","action":"x"}', b'{"t":"move","n":1.5,"action":"x"}',
        b'{"t":"move","n":true,"action":"x"}', b'{"t":"move","n":1,"action":8}', b'{"t":"move","n":1,"action":null}',
        b'{"t":"info","value":2}', b'{"t":"info","value":"1"}', b'{"t":"info","line":"X:1"}', b'{"t":"info","text":[]}',
        b'{"t":"hello"}', b'{"t":"hello","protocol":"1","name":"a"}', b'{"t":"hello","protocol":1,"name":""}',
        b'{"t":"hello","protocol":1,"name":"a","options":[{"name":"x","type":"knob","default":1}]}',
        b'{"t":"move","n":1,"action":"' + b"x" * 5000 + b'"}', b'{"t":["move"]}',
    ],
)  # fmt: skip
def test_what_is_refused_is_refused_by_schema_and_codec(line: bytes) -> None:
    with pytest.raises(BadMessage) as caught:
        decode_bot(line)
    assert "\n" not in str(caught.value)
    try:
        value = json.loads(line)
    except ValueError:
        return
    assert not OF_BOT.is_valid(value)


def test_unknown_keys_are_for_later_versions() -> None:
    assert decode_bot(b'{"t":"move","n":1,"action":"x","mood":"good"}') == Move(1, "x")
    assert decode_manager(b'{"t":"bye","until":"tomorrow"}') == ManagerBye()


def test_deep_nesting_is_no_crash() -> None:
    with pytest.raises(BadMessage, match="nested too deep"):
        decode_bot(b'{"t":"info","x":' + b"[" * 60_000)


@given(st.binary(max_size=300))
def test_random_bytes_are_a_message_or_refused(data: bytes) -> None:
    try:
        message = decode_bot(data)
    except BadMessage as error:
        assert str(error)
    else:
        OF_BOT.validate(json.loads(encode(message)))


@given(st.lists(st.binary(max_size=40).map(lambda b: b.replace(b"\n", b"").strip()), max_size=8), st.data())
def test_lines_are_the_same_however_they_are_cut(lines: list[bytes], data) -> None:
    stream = b"".join(line + b"\n" for line in lines) + b"rest"
    splitter, found, at = LineSplitter(), [], 0
    while at < len(stream):
        step = data.draw(st.integers(1, len(stream) - at))
        found += splitter.feed(stream[at : at + step])
        at += step
    assert found == [line for line in lines if line]
    assert splitter.pending == b"rest"


def test_a_line_without_end_is_given_up() -> None:
    splitter = LineSplitter()
    assert list(splitter.feed(b"x" * MOST_LINE_BYTES)) == []
    with pytest.raises(LineTooLong, match="more than 65536 bytes"):
        list(splitter.feed(b"x"))


HELLO = b'{"t":"hello","protocol":1,"name":"a"}'
MOVE = b'{"t":"move","n":%d,"action":"x"}'


def session(until: SessionPhase = SessionPhase.TURN) -> Session:
    talk = Session("test")
    talk.greet()
    if until is not SessionPhase.HELLO:
        talk.hear(HELLO)
    if until is SessionPhase.TURN:
        ask(talk, 1)
    return talk


def ask(talk: Session, n: int) -> None:
    talk.ask(Observe([], {}), Go(n, 0, 1, ["x"]))


def slip_of(talk: Session, line: bytes) -> Slip:
    with pytest.raises(BadSpeech) as caught:
        talk.hear(line)
    assert caught.value.detail
    return caught.value.slip


def test_a_move_answers_the_go_of_its_n() -> None:
    talk = session()
    assert talk.hear(b'{"t":"info","value":0.5}') == Info(0.5) == talk.info
    assert talk.hear(MOVE % 1) == Move(1, "x")
    assert talk.phase is SessionPhase.QUIET
    ask(talk, 2)
    assert talk.info is None
    assert slip_of(talk, MOVE % 7) is Slip.WRONG_N
    assert talk.hear(MOVE % 2) == Move(2, "x")


def test_a_move_that_comes_after_its_time_is_let_pass_once() -> None:
    talk = session()
    ask(talk, 2)
    assert talk.hear(MOVE % 1) is None
    assert slip_of(talk, MOVE % 1) is Slip.WRONG_N
    assert talk.hear(MOVE % 2) == Move(2, "x")


def test_every_slip_of_speech_has_its_name() -> None:
    assert slip_of(session(SessionPhase.HELLO), MOVE % 1) is Slip.NO_HELLO
    assert slip_of(session(SessionPhase.HELLO), b"hi") is Slip.MALFORMED
    assert slip_of(session(SessionPhase.HELLO), HELLO.replace(b"1", b"2", 1)) is Slip.PROTOCOL
    assert slip_of(session(), HELLO) is Slip.OUT_OF_TURN
    assert slip_of(session(SessionPhase.QUIET), MOVE % 1) is Slip.OUT_OF_TURN
    assert slip_of(session(SessionPhase.QUIET), b'{"t":"resign"}') is Slip.OUT_OF_TURN
    assert slip_of(session(), b'{"t":"error","what":"x"}') is Slip.REFUSED
    assert slip_of(session(), b'{"t":"bye"}') is Slip.CRASH
    assert slip_of(session(), b"move X:1") is Slip.MALFORMED


def test_thoughts_are_bounded() -> None:
    talk = session()
    line = json.dumps({"t": "info", "text": "x" * 4000}).encode()
    for _ in range(MOST_TURN_BYTES // (len(line) + 1)):
        talk.hear(line)
    assert slip_of(talk, line) is Slip.FLOOD
    ask(talk, 2)
    assert talk.hear(line) == Info(text="x" * 4000)


def test_leaving_may_be_answered() -> None:
    talk = session(SessionPhase.QUIET)
    talk.leave()
    assert talk.hear(b'{"t":"bye"}') is not None


def test_nothing_is_waited_for_after_the_end() -> None:
    talk = session()
    talk.end(Observe([], {}))
    assert talk.hear(MOVE % 1) is None
    assert slip_of(talk, MOVE % 1) is Slip.OUT_OF_TURN
    assert slip_of(talk, b'{"t":"resign"}') is Slip.OUT_OF_TURN


def test_thoughts_are_counted_with_their_newlines() -> None:
    line = json.dumps({"t": "info", "text": "x" * 20}).encode()
    talk = session()
    for _ in range(MOST_TURN_BYTES // (len(line) + 1)):
        talk.hear(line)
    assert slip_of(talk, line) is Slip.FLOOD


def test_long_lines_are_shown_by_their_beginning() -> None:
    assert shown(b"abc") == "'abc'"
    assert shown(b"a" * 80) == repr("a" * 80)
    assert shown(b"a" * 81) == repr("a" * 80) + "... (81 bytes)"


def test_a_line_may_be_as_long_as_the_limit_after_other_lines() -> None:
    splitter = LineSplitter(10)
    assert list(splitter.feed(b"123\n12345")) == [b"123"]
    assert list(splitter.feed(b"67890\n1234567890")) == [b"1234567890"]
    assert splitter.pending == b"1234567890"
    with pytest.raises(LineTooLong):
        list(splitter.feed(b"1"))


def test_a_line_that_comes_at_once_may_not_be_longer_than_the_limit_either() -> None:
    assert list(LineSplitter(10).feed(b"1234567890\n")) == [b"1234567890"]
    with pytest.raises(LineTooLong):
        list(LineSplitter(10).feed(b"12345678901\n"))


def test_a_new_game_forgets_what_the_last_one_missed_and_counted() -> None:
    line = json.dumps({"t": "info", "text": "x" * 4000}).encode()
    talk = session()
    ask(talk, 2)
    for _ in range(MOST_TURN_BYTES // (len(line) + 1)):
        talk.hear(line)
    talk.begin(New("pursuit", {}, "evader"))
    assert talk.hear(line) == Info(text="x" * 4000)
    assert slip_of(talk, MOVE % 1) is Slip.OUT_OF_TURN
