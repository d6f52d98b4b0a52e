"""What is refused before it does anything: foreign pages, other names, too much of anything; and the headers."""

import http.client
import json
import urllib.request

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from manhunt.cli.main import run
from manhunt.server.settings import Limits, Settings, is_loopback
from sites import SeatSocket, Site

GAME = {"game": "pursuit", "seats": {"evader": "person", "pursuers": "random"}}


def ask(
    site: Site, method: str, path: str, headers: dict[str, str], body: bytes = b""
) -> tuple[int, dict[str, str], bytes]:
    host = site.url.removeprefix("http://")
    connection = http.client.HTTPConnection(host, timeout=300)
    connection.putrequest(method, path, skip_host=True)
    for name, value in ({"Host": host, "Content-Length": str(len(body))} | headers).items():
        connection.putheader(name, value)
    connection.endheaders(body)
    answer = connection.getresponse()
    found = answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
    connection.close()
    return found


def closing_code(seat: SeatSocket, messages: list[str]) -> int | None:
    """How the server ends the socket after these messages; None if the line was cut before it could say."""
    try:
        for message in messages:
            seat.say(message)
        while True:
            seat.hear()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://localhost", "file://", "http://["]
)
def test_a_foreign_origin_is_refused(site: Site, origin: str) -> None:
    body = json.dumps(GAME).encode()
    status, _, data = ask(site, "POST", "/api/games", {"Origin": origin, "Content-Type": "application/json"}, body)
    assert (status, set(json.loads(data))) == (403, {"error"})
    begun = site.begin("pursuit")
    address = f"{site.socket_url}/api/games/{begun['uid']}/socket"
    with pytest.raises(InvalidStatus) as refused, connect(address, additional_headers={"Origin": origin}):
        pass
    assert refused.value.response.status_code == 403


def test_our_own_origin_is_welcome(site: Site) -> None:
    body = json.dumps(GAME).encode()
    status, _, data = ask(site, "POST", "/api/games", {"Origin": site.url, "Content-Type": "application/json"}, body)
    assert status == 201
    address = f"{site.socket_url}/api/games/{json.loads(data)['uid']}/socket"
    with connect(address, additional_headers={"Origin": site.url}) as socket:
        socket.send('{"t":"hello"}')
        assert json.loads(socket.recv())["t"] == "new"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "", "[", "10.0.0.1"])
def test_another_name_for_this_machine_is_refused(site: Site, host: str) -> None:
    status, _, data = ask(site, "GET", "/api/catalog", {"Host": host})
    assert (status, set(json.loads(data))) == (403, {"error"})


def test_no_name_has_a_nul(site: Site) -> None:
    for path in ("/api/games/%00", "/api/games/%00/replay", "/api/tournaments/a%00", "/%00"):
        assert ask(site, "GET", path, {})[0] == 404
    with pytest.raises(InvalidStatus), connect(f"{site.socket_url}/api/games/%00/socket"):
        pass


def test_a_large_body_is_refused(site: Site) -> None:
    big = b"x" * (Limits().body_bytes + 1)
    status, _, data = ask(site, "POST", "/api/boards", {"Content-Type": "text/csv"}, big)
    assert (status, set(json.loads(data))) == (413, {"error"})
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    headers = {"Transfer-Encoding": "chunked", "Content-Type": "text/csv"}
    host = site.url.removeprefix("http://")
    connection = http.client.HTTPConnection(host, timeout=300)
    connection.putrequest("POST", "/api/boards")
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders(chunk * 5 + b"0\r\n\r\n")
    assert connection.getresponse().status == 413
    connection.close()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "chess"}, "unknown game"),
        ({"preset": "nonsense"}, "unknown preset"),
        ({"board": "/etc/passwd"}, "unknown board"),
        ({"board": "boards.csv"}, "unknown board"),
        ({"board": "upload:" + "0" * 64}, "was uploaded here"),
        ({"board": "grid:100x100"}, "max 2000"),
        ({"board": "complete:1000"}, "max 100"),
        ({"options": {"n_detectives": 10**12}}, "too large"),
        ({"options": {"n_detectives": 1000}}, "do not fit"),
        ({"options": {"max_rounds": 20_000}}, "too many rounds: 20000 (max 2000)"),
        ({"game": "scotland_yard", "options": {"rounds": 20_000}}, "too many rounds: 20000 (max 2000)"),
        ({"options": {"nonsense": 1}}, "unknown option"),
        ({"options": {"board": "london"}}, "beside the options"),
        ({"preset": "cops-and-robbers", "options": {"n_detectives": 12}}, "moves to choose from"),
        ({"seats": {"evader": "person"}}, "seats.pursuers"),
        ({"seats": {"evader": "person", "pursuers": "cmd:rm -rf /"}}, "unknown agent"),
        ({"seats": {"evader": "person", "pursuers": "tcp:localhost:22"}}, "unknown agent"),
        ({"seats": {"evader": "person", "pursuers": "evil.py:Bot"}}, "unknown agent"),
        ({"seats": {"evader": "person", "pursuers": "table:file=/etc/passwd"}}, "only the command line allows that"),
        ({"seats": {"evader": "person", "pursuers": "solved:megabytes=900"}}, "leave megabytes out"),
        ({"seats": {"evader": "person", "pursuers": "greedy:model=../../x"}}, "is not allowed on the web"),
        ({"seats": {"evader": "person", "pursuers": "greedy:temperature=1e99"}}, "is not allowed on the web"),
        ({"seats": {"evader": "person", "pursuers": "mcts"}}, "does not play pursuit"),
        ({"seconds": 31}, "seconds"),
        ({"seconds": 0}, "seconds"),
        ({"seed": -1}, "seed"),
        ({"spectators": "often"}, "spectators"),
        ({"unknown": 1}, "unknown"),
        (
            {"preset": "cops-and-robbers", "seats": {"evader": "random", "pursuers": "random"}, "board": "petersen"},
            "a game between two agents needs an end",
        ),
    ],
)
def test_a_bad_game_is_one_line(site: Site, change: dict[str, object], words: str) -> None:
    status, error = site.refusal("/api/games", {**GAME, **change})
    assert status == 400
    assert words in error
    assert "\n" not in error


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "text"),
        ("a,b\n1,1\n", "line 2"),
        ("x,y\n1,2\n", "header"),
        ("a,b\n" + "".join(f"{i},{i + 1}\n" for i in range(2500)), "max 2000 nodes"),
    ],
)
def test_a_bad_board_is_one_line(site: Site, text: str, words: str) -> None:
    status, error = site.refusal("/api/boards", {"text": text})
    assert status == 400
    assert words in error


@pytest.mark.parametrize("path", ["/api/catalog", "/tokens.css", "/nosuchpage", "/api/games/nosuch"])
def test_every_answer_has_the_headers(site: Site, path: str) -> None:
    _, headers, _ = ask(site, "GET", path, {})
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"


def test_a_board_picture_has_no_style_and_is_kept_for_ever(site: Site) -> None:
    begun = site.begin("scotland_yard")
    with site.sit(begun["uid"]) as watcher:
        digest = watcher.hear()["board"]["digest"]
    with urllib.request.urlopen(f"{site.url}/api/boards/{digest}.svg") as answer:
        svg = answer.read().decode()
        assert "immutable" in answer.headers["Cache-Control"]
    assert "style=" not in svg
    assert svg.count("data-node=") == 199
    assert svg.index('id="under"') < svg.index('class="nodes"') < svg.index('id="over"')
    assert "var(--taxi)" in svg
    assert site.refusal("/api/boards/" + "0" * 64 + ".svg")[0] == 404
    assert site.refusal("/api/boards/xyz.svg")[0] in (400, 404)


def test_too_many_messages_close_the_socket(site: Site) -> None:
    begun = site.begin("pursuit")
    with site.sit(begun["uid"]) as watcher:
        assert closing_code(watcher, ['{"t":"ping"}'] * 5000) in (4429, None)


def test_a_long_message_closes_the_socket(site: Site) -> None:
    begun = site.begin("pursuit")
    for size in (Limits().message_bytes + 1, 10 * Limits().message_bytes):
        with site.sit(begun["uid"]) as watcher:
            assert closing_code(watcher, ["x" * size]) in (4429, 1009, None)


def test_a_taken_port_is_one_line(site: Site, tmp_path, capsys) -> None:
    port = site.url.rpartition(":")[2]
    assert run(["web", "--port", port, "--store", str(tmp_path / "games.db"), "--no-browser"]) == 2
    told = capsys.readouterr().err
    assert f"cannot listen on 127.0.0.1:{port}" in told
    assert told.count("\n") == 1


def test_names_of_a_machine() -> None:
    assert all(is_loopback(host) for host in ("127.0.0.1", "::1", "localhost"))
    assert not any(is_loopback(host) for host in ("0.0.0.0", "::", "192.168.0.7", "example.org"))
    assert "evil.example" not in Settings("x").names
    assert "host.example" in Settings("x", more_names=("host.example",)).names
