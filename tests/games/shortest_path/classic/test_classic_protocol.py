"""Words on the wire: decoded however they are cut, refused where they are none."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.boards.build import build_board
from manhunt.games.shortest_path.classic.protocol import (
    MOST_BYTES,
    MOST_UPDATE_BYTES,
    BadClassicMessage,
    ClassicHello,
    Decoder,
    Role,
    encode,
    failure,
    layout,
    parse_hello,
    parse_move,
    refusal,
    update,
)
from manhunt.games.shortest_path.rules.config import make_config

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.lists(st.dictionaries(st.text(), VALUES, max_size=4), max_size=5)


def cut(data: bytes, places: list[int]) -> list[bytes]:
    ends = sorted({p % (len(data) + 1) for p in places} | {0, len(data)})
    return [data[a:b] for a, b in zip(ends, ends[1:], strict=False)]


@given(OBJECTS, st.booleans(), st.sampled_from(["", " ", "\n", "\r\n\t "]), st.lists(st.integers(0, 10_000)))
def test_par_7_objects_come_whole_however_the_packets_are_cut(objects, ascii_only, blanks, places) -> None:
    data = blanks.join(json.dumps(value, ensure_ascii=ascii_only) for value in objects)
    decoder = Decoder()
    found = [value for part in cut(data.encode("utf-8", "surrogatepass"), places) for value in decoder.feed(part)]
    assert found == objects
    assert not decoder.pending


@given(OBJECTS)
def test_par_7_one_byte_at_a_time(objects) -> None:
    decoder, found = Decoder(), []
    for byte in "".join(map(json.dumps, objects)).encode():
        found += decoder.feed(bytes([byte]))
    assert found == objects


@given(st.binary(max_size=300))
def test_par_12_random_bytes_are_objects_or_a_bad_message(data) -> None:
    try:
        assert all(isinstance(value, dict) for value in Decoder().feed(data))
    except BadClassicMessage as error:
        assert "\n" not in str(error)
        assert str(error).isprintable()


@pytest.mark.parametrize(
    "data",
    [b"[1]", b"5", b"\xff{}", b"{]", b"{'a': 1}", b'{"a": \xff}', b'{"a":' * 9000, b'{"n": 1' + b"0" * 9000 + b"}"],
    ids=lambda data: repr(data[:12]),
)
def test_par_12_garbage_is_a_bad_message(data) -> None:
    with pytest.raises(BadClassicMessage):
        list(Decoder(MOST_BYTES // 2).feed(data))


def test_par_12_deep_nesting_is_a_bad_message_too() -> None:
    with pytest.raises(BadClassicMessage):
        list(Decoder().feed(b'{"a":' + b"[" * 30_000 + b"]" * 30_000 + b"}"))


def test_par_12_objects_before_the_garbage_count() -> None:
    objects = Decoder().feed(b'{"a": 1} {"b": 2}\nrubbish')
    assert [next(objects), next(objects)] == [{"a": 1}, {"b": 2}]
    with pytest.raises(BadClassicMessage):
        next(objects)


def test_par_12_64_kib_are_enough_and_one_byte_more_is_too_long() -> None:
    fits = b'{"a": "' + b"x" * (MOST_BYTES - 9) + b'"}'
    assert len(fits) == MOST_BYTES
    assert len(list(Decoder().feed(fits))) == 1
    with pytest.raises(BadClassicMessage, match="longer than 65536 bytes"):
        list(Decoder().feed(fits[:7] + b"x" + fits[7:]))


def test_par_8_the_first_message() -> None:
    assert parse_hello({"name": "ann", "type": 0}) == ClassicHello("ann", Role.PLAYER)
    assert parse_hello({"name": "bob", "type": 1, "framing": "lines"}) == ClassicHello(
        "bob", Role.ADVERSARY, lines=True
    )
    assert parse_hello({"name": "eve", "type": 2}) == ClassicHello("eve", None, lines=True)
    assert parse_hello({"name": "eve", "type": 2, "game": 7}) == ClassicHello("eve", None, lines=True, game=7)
    assert parse_hello({"name": "a\n\ud800b" + "x" * 99, "type": 1}).name == "a??b" + "x" * 33 + "..."


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"name": "a"},
        {"type": 0},
        {"name": 5, "type": 0},
        {"name": "a", "type": 3},
        {"name": "a", "type": 2, "game": "1"},
        {"name": "a", "type": 2, "game": True},
        {"name": "a", "type": True},
        {"name": "a", "type": "0"},
        {"name": "a", "type": 0.0},
        {"name": "a", "type": None},
        {"name": "a", "type": 0, "framing": "pages"},
        {"name": "a", "type": [0]},
    ],
    ids=str,
)
def test_par_12_another_first_message_has_a_wrong_shape(message) -> None:
    with pytest.raises(BadClassicMessage) as caught:
        parse_hello(message)
    assert "\n" not in str(caught.value)


def test_par_10_moves_name_two_nodes() -> None:
    assert parse_move(Role.PLAYER, {"start_node": "1", "end_node": 2}) == ("1", "2")
    assert parse_move(Role.ADVERSARY, {"node_1": "a", "node_2": "b", "more": []}) == ("a", "b")


@pytest.mark.parametrize("value", [None, True, 1.5, [], {}, ["1"]], ids=str)
@pytest.mark.parametrize("role", Role)
def test_par_12_other_values_have_a_wrong_shape(role, value) -> None:
    keys = ("start_node", "end_node") if role is Role.PLAYER else ("node_1", "node_2")
    for message in ({keys[0]: value, keys[1]: "1"}, {keys[0]: "1", keys[1]: value}, {keys[0]: "1"}, {}):
        with pytest.raises(BadClassicMessage):
            parse_move(role, message)


def test_par_9_the_layout_has_strings_for_nodes() -> None:
    config = make_config(board="path:3", source=1, target=3)
    assert layout(config) == {"start_node": "1", "end_node": "3", "graph": {"1": ["2"], "2": ["1", "3"], "3": ["2"]}}


def test_par_10_updates() -> None:
    assert update(Role.PLAYER, ("1", "2"), "2", 1.0, done=True) == {
        "done": True, "edge": ["1", "2"], "error": False, "position": "2", "add_cost": 1.0,
    }  # fmt: skip
    assert "new_cost" in update(Role.ADVERSARY, ("1", "2"), "2", 1.0)
    failed = {"done": True, "edge": 0, "error": True, "position": "7", "new_cost": 0, "reason": "no"}
    assert failure(Role.ADVERSARY, "7", reason="no") == failed
    assert refusal("no")["error"] is True


@given(st.text(max_size=2000), st.text(max_size=2000), st.floats(0, 1e300))
def test_par_11_no_update_is_longer_than_1000_bytes(a, b, cost) -> None:
    longest = "\U0001f600" * 40
    data = encode(update(Role.ADVERSARY, (a, b), longest, cost))
    assert len(data) <= MOST_UPDATE_BYTES
    assert data.endswith(b"\n")
    assert json.loads(data)["position"] == longest


def test_par_11_the_longest_labels_fit() -> None:
    one, two = labels = ["\U0001f600" * 39 + sign for sign in '"\\']
    config = make_config(board=build_board("long", [(one, two, None)]), source=labels[0], target=labels[1])
    assert len(encode(update(Role.PLAYER, (labels[0], labels[1]), labels[1], 1.5))) <= MOST_UPDATE_BYTES
    assert json.loads(encode(layout(config)))["graph"][labels[0]] == [labels[1]]
