"""Nonsense of every kind: no answer is a server's error, and the server is still there afterwards."""

import json
import os
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import FailedHealthCheck, Unsatisfiable
from websockets.exceptions import ConnectionClosed

from sites import Site, running_site

AS_JSON = {"Content-Type": "application/json"}
N_EXAMPLES = int(os.environ.get("MANHUNT_FUZZ_EXAMPLES", "4"))
SLOW_OR_LARGE = [check for check in HealthCheck if check is not HealthCheck.filter_too_much]
"""Fifty tries without a request of a kind are enough to know that there is none, instead of a thousand."""
QUIET = (HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.filter_too_much)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server of its own: after all this nonsense its lists are long and strange."""
    with running_site(tmp_path_factory.mktemp("site") / "games.db") as running:
        yield running


def test_no_request_is_a_servers_error(site: Site) -> None:
    """Schemathesis makes requests from the OpenAPI document, proper ones and improper ones, for every route."""
    over = site.begin("fugitive", preset="mini", evader="person")
    with site.sit(over["uid"], over["tokens"]["evader"]) as evader:
        evader.say({"t": "resign"})
        evader.hear_until("observe")
    uids = [site.begin("pursuit")["uid"], over["uid"]]
    schema = schemathesis.openapi.from_url(f"{site.url}/openapi.json")
    labels = []
    for found in schema.get_all_operations():
        operation = found.ok()
        labels.append(operation.label)
        for mode in schemathesis.GenerationMode:
            _try_out(operation, mode, uids)
    assert "POST /api/games" in labels
    assert "GET /api/games/{uid}/insights/{what}" in labels


def _try_out(operation: schemathesis.schemas.APIOperation, mode: schemathesis.GenerationMode, uids: list[str]) -> None:
    """Half of the requests that name a game name one that is there."""

    @settings(max_examples=N_EXAMPLES, phases=[Phase.generate], suppress_health_check=SLOW_OR_LARGE)
    @given(case=operation.as_strategy(generation_mode=mode), uid=st.sampled_from([*uids, None, None]))
    def ask(case: schemathesis.Case, uid: str | None) -> None:
        if uid is not None and "uid" in (case.path_parameters or {}):
            case.path_parameters["uid"] = uid
        answer = case.call(timeout=300)
        assert answer.status_code < 500, answer.text
        if answer.status_code >= 400:
            told = json.loads(answer.text)
            assert set(told) == {"error"}
            assert "\n" not in told["error"]

    with suppress(Unsatisfiable, FailedHealthCheck):  # nothing can be wrong about a request without parameters
        ask()


@pytest.mark.parametrize("depth", [200, 900, 20_000])
def test_deeply_nested_bodies_are_refused_by_every_route(site: Site, seat: dict[str, str], depth: int) -> None:
    paths: dict[str, dict[str, object]] = site.api("/openapi.json")["paths"]
    routes = [(path, way.upper()) for path, ways in paths.items() for way in ways if way in ("post", "put", "patch")]
    assert len(routes) >= 3
    for path, method in routes:
        for inner in ("[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth):
            for body in (inner, f'{{"game": "pursuit", "options": {inner}, "seats": {inner}, "text": {inner}}}'):
                where = f"{site.url}{path.replace('{uid}', seat['uid'])}"
                request = urllib.request.Request(where, body.encode(), AS_JSON, method=method)
                with pytest.raises(urllib.error.HTTPError) as refused:
                    urllib.request.urlopen(request, timeout=60)
                with refused.value as answer:
                    assert 400 <= answer.code < 500, (path, answer.code)
                    told = json.load(answer)["error"]
                    assert "\n" not in told
                    assert len(told) < 1000


@pytest.fixture(scope="module")
def seat(site: Site) -> dict[str, str]:
    begun = site.begin("scotland_yard", seed=1)
    return {"uid": begun["uid"], "token": begun["tokens"]["evader"]}


nonsense = st.one_of(
    st.binary(max_size=200),
    st.text(max_size=100),
    st.recursive(st.none() | st.booleans() | st.floats() | st.text(max_size=9), st.lists, max_leaves=9).map(json.dumps),
    st.fixed_dictionaries(
        {"t": st.sampled_from(["hello", "move", "resign", "ping", "go", ""])},
        optional={
            "n": st.integers() | st.text(max_size=5),
            "action": st.text(max_size=20) | st.integers(),
            "token": st.text(max_size=9),
            "since": st.integers(),
        },
    )
    .filter(lambda message: message["t"] != "resign")
    .map(json.dumps),
)


@settings(max_examples=40, suppress_health_check=QUIET, deadline=None)
@given(first=st.none() | nonsense, messages=st.lists(nonsense, max_size=8))
def test_nonsense_on_a_socket(site: Site, seat: dict[str, str], first: object, messages: list[object]) -> None:
    token = seat["token"] if first is None else None
    try:
        with site.sit(seat["uid"], token) as chair:
            if first is not None:
                chair.say(first)
            for message in messages:
                chair.say(message)
            chair.say({"t": "ping"})
            chair.hear_until("pong", "error")
    except ConnectionClosed as closed:
        assert closed.rcvd is None or closed.rcvd.code != 1011
    assert site.process.poll() is None


@settings(max_examples=30, suppress_health_check=QUIET, deadline=None)
@given(data=st.binary(min_size=1, max_size=300), is_open=st.booleans())
def test_random_bytes_on_the_wire(site: Site, seat: dict[str, str], data: bytes, is_open: bool) -> None:
    host, _, port = site.url.removeprefix("http://").rpartition(":")
    with socket.create_connection((host, int(port)), timeout=120) as wire:
        if is_open:
            lines = [f"GET /api/games/{seat['uid']}/socket HTTP/1.1", f"Host: {host}:{port}", "Upgrade: websocket"]
            lines += ["Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13"]
            wire.sendall("\r\n".join([*lines, "", ""]).encode())
            assert b" 101 " in wire.recv(4096)
        wire.sendall(data)
    assert site.process.poll() is None


def test_the_server_is_still_there(site: Site, seat: dict[str, str]) -> None:
    assert site.api("/api/catalog")["games"]
    with site.sit(seat["uid"], seat["token"]) as chair:
        assert chair.hear_until("go")["n"] >= 1
