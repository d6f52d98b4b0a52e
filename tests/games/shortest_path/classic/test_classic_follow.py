"""`manhunt watch --server`: a game of a classic server followed from another terminal."""

import asyncio
import json
import os
import socket
import threading
from collections.abc import Iterator

import pytest

from classic_clients import (
    PATIENCE_SECONDS,
    LineClient,
    Reports,
    close_all,
    little_config,
    pair,
    play_out,
    served,
    until,
)
from manhunt.cli.main import run
from manhunt.play.record import load_record, replay

CONFIG = little_config(rule="double")


async def somebody_watches(reports: Reports) -> None:
    await until(lambda: len(reports.server._next_watchers) > 0)


def play_soon(port: int, reports: Reports) -> threading.Thread:
    """A whole game, once somebody watches."""

    async def main() -> None:
        await somebody_watches(reports)
        await play_out(port)
        await close_all()

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    return thread


def fail_soon(port: int, reports: Reports) -> threading.Thread:
    """The player steps, then the adversary hangs up."""

    async def main() -> None:
        await somebody_watches(reports)
        player, adversary = await pair(port)
        player.step("1", "2")
        await player.read()
        adversary.step("nowhere", 5)
        assert (await player.read())["error"]
        await close_all()

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    return thread


def test_lines_and_a_record_like_the_servers_own(tmp_path, capsys) -> None:
    with served(CONFIG, record_folder=tmp_path) as (port, reports):
        players = play_soon(port, reports)
        assert run(["watch", "shortest_path", "--server", f"127.0.0.1:{port}", "--record", f"{tmp_path}/own.txt"]) == 0
        players.join()
    assert capsys.readouterr().out.splitlines() == [
        f"Adversarial Shortest Path, game 1 on 127.0.0.1:{port}: traveller new, adversary new",
        "traveller on 1, target 6, rule double",
        "round 1: traveller goes 1-2 for 1, 1 in all",
        "round 1: adversary raises 4-6 to 2",
        "round 2: traveller goes 2-4 for 1, 2 in all",
        "round 2: adversary raises 4-6 to 4",
        "round 3: traveller goes 4-6 for 4, 6 in all",
        "Result: the traveller arrives and pays 6 after 3 moves.",
    ]
    own, kept = load_record(tmp_path / "own.txt"), load_record(tmp_path / "game-0001.record.txt")
    assert (own.rounds, own.outcome, own.seats) == (kept.rounds, kept.outcome, kept.seats)
    assert replay(own).config.rule is CONFIG.rule


def test_bounds_of_the_server_are_shown(capsys) -> None:
    with served(CONFIG, bounds_seconds=120) as (port, reports):
        players = play_soon(port, reports)
        assert run(["watch", "shortest_path", "--server", str(port), "--no-viz"]) == 0
        players.join()
    verdict = next(report.text for report in reports if report.kind == "verdict")
    last = capsys.readouterr().out.splitlines()[-1]
    assert verdict == f"game 1: p{last[1:-1]}"


def test_json_lines_of_a_game_that_fails(capsys) -> None:
    with served(CONFIG) as (port, reports):
        players = fail_soon(port, reports)
        assert run(["watch", "shortest_path", "--server", str(port), "--json"]) == 0
        players.join()
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line.get("t") for line in lines] == ["begun", "moved", None, "forfeit", "end", "outcome"]
    assert (lines[-1]["winner"], lines[-1]["termination"]) == ("evader", "forfeit")


@pytest.fixture
def answering() -> Iterator[tuple[int, list[bytes]]]:
    """A server that says what it was told to say, to one client, and hangs up."""
    words: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as door:

        def serve() -> None:
            client, _ = door.accept()
            with client:
                client.recv(4096)
                for word in words:
                    client.sendall(word)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield door.getsockname()[1], words
        thread.join(PATIENCE_SECONDS)


OPENING = b'{"game": 1, "start_node": "a", "end_node": "b", "graph": {"a": ["b"], "b": ["a"]}}\n'


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (b"", "the server hung up before a game began"),
        (b'{"done": true, "error": true, "message": "\'type\' must be 0"}\n', "the server refused: 'type' must be 0"),
        (b"hello\n", "which is not a JSON object"),
        (b"[1]\n", "which is not a JSON object"),
        (b'{"graph": 3}\n', "expected a layout with start_node, end_node and graph"),
        (OPENING, "the server hung up before the game was over"),
        (OPENING + b"}\n", "the server hung up before the game was over"),
        (OPENING + b'{"edge": ["a", "z"], "add_cost": 1.0, "error": false}\n', "reported a move along no edge"),
        (OPENING + b'{"edge": ["b", "a"], "new_cost": 1.0, "error": false}\n', "not the turn of pursuers"),
        (OPENING.replace(b'"game"', b'"bounds": {"lower": 3}, "game"'), "the server's bounds: "),
        (OPENING.replace(b'"game"', b'"rule": "cubic", "game"'), "unknown cost rule 'cubic'"),
    ],
)
def test_a_strange_server_is_one_line(answering, said, message, capsys) -> None:
    port, words = answering
    words.append(said)
    assert run(["watch", "shortest_path", "--server", str(port), "--no-viz"]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1


def test_no_server_and_bad_options_are_one_line(capsys) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    for options, message in (
        (["--server", str(port)], f"no server on 127.0.0.1 port {port}"),
        (["--server", "here:"], "'here:' is not an address; write HOST:PORT"),
        (["--server", ":80"], "':80' is not an address"),
        (["--server", str(port), "--seed", "0"], "--seed beside --server: the game is played there"),
        (["--server", str(port), "--agent-traveller", "random"], "--agent-traveller beside --server"),
        (["--server", str(port), "--figure"], "--figure beside --server"),
    ):
        assert run(["watch", "shortest_path", *options]) == 2
        assert message in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="pseudo terminals")
def test_the_screen_follows(monkeypatch) -> None:
    from pseudo_terminal import Terminal

    async def main(port: int, terminal: Terminal) -> None:
        player, adversary = await pair(port)
        player.step("1", "2")
        await asyncio.to_thread(terminal.expect, "round 1", "1 in all")
        await adversary.read()
        adversary.lift("4", "6")
        await asyncio.to_thread(terminal.expect, "adversary raises 4-6 to 2")
        await close_all()
        await asyncio.to_thread(terminal.expect, "Result: ")

    with served(CONFIG) as (port, _), Terminal("watch", "shortest_path", "--server", str(port)) as terminal:
        terminal.expect("waiting for a game")
        asyncio.run(main(port, terminal))
        terminal.press("q")
        assert terminal.wait() == 0
        assert terminal.is_cooked()


def test_watchers_of_two_games_see_their_own(capsys) -> None:
    with served(CONFIG, most_waiting=2) as (port, reports):
        begun = threading.Event()

        async def main() -> None:
            first, second = await pair(port), await pair(port)
            first[0].step("1", "3")
            second[0].step("1", "2")
            for client in (*first, *second):
                await client.read()
            begun.set()
            await until(lambda: any(map(len, list(reports.server._spectators.values()))))
            for client in (*first, *second):
                await client.close()
            LineClient.joined.clear()

        thread = threading.Thread(target=lambda: asyncio.run(main()))
        thread.start()
        assert begun.wait(PATIENCE_SECONDS)
        assert run(["watch", "shortest_path", "--server", str(port), "--game-number", "1"]) == 0
        thread.join()
    out = capsys.readouterr().out
    assert "traveller goes 1-3" in out
    assert "traveller goes 1-2" not in out
