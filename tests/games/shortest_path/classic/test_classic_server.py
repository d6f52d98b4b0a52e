"""Paragraphs 7 to 12 on a running server."""

import asyncio
import json
import threading
import time

import pytest

from classic_clients import (
    ADVERSARY,
    PLAYER,
    LineClient,
    OldClient,
    close_all,
    little_config,
    pair,
    play_old_adversary,
    play_old_player,
    play_out,
    served,
    serving,
    until,
)
from manhunt.core.errors import ManhuntError
from manhunt.games.shortest_path.classic import connection
from manhunt.games.shortest_path.classic.connection import (
    LAYOUT_SILENCE_SECONDS,
    UPDATE_GAP_SECONDS,
    ClassicConnection,
)
from manhunt.games.shortest_path.classic.game import ClassicGame
from manhunt.games.shortest_path.classic.protocol import Role
from manhunt.games.shortest_path.classic.server import ClassicServer
from manhunt.games.shortest_path.rules.config import make_config
from manhunt.play.record import load_record, replay

LITTLE = little_config()
FAILED = {"done": True, "edge": 0, "error": True}


@pytest.mark.parametrize(
    "board", ["contest:300:1410:separation=8:cut=4:seed=1", "contest:1000:9000:separation=7:cut=5:seed=2"]
)
@pytest.mark.parametrize("order", ["player first", "adversary first"])
def test_old_clients_play_whole_games(board, order) -> None:
    config = make_config(board=board)
    result: dict = {}
    with served(config) as (port, reports):
        seats = [play_old_player, play_old_adversary]
        threads = [threading.Thread(target=seat, args=(port, result)) for seat in seats]
        for thread in threads if order == "player first" else threads[::-1]:
            thread.start()
        for thread in threads:
            thread.join(60)
    assert result["player"] == result["adversary"]
    layout, updates = result["player"]
    assert len(layout["graph"]) == config.board.n_nodes
    assert sum(map(len, layout["graph"].values())) == 2 * len(config.board.edges)
    assert (layout["start_node"], layout["end_node"]) == tuple(map(config.board.label, (config.source, config.target)))
    assert [update["done"] for update in updates] == [False] * (len(updates) - 1) + [True]
    assert updates[-1]["position"] == layout["end_node"]
    assert not any(update["error"] for update in updates)
    assert sum(report.kind == "update" for report in reports) == len(updates)


def test_par_7_objects_in_pieces_and_two_in_one_packet() -> None:
    async def main() -> None:
        async with serving(LITTLE) as server:
            player = await LineClient.join(server.port, PLAYER, say_hello=False)
            hello = json.dumps({"name": "slow", "type": PLAYER, "framing": "lines"}).encode()
            for byte in hello:
                player.write(bytes([byte]))
                await asyncio.sleep(0)
            adversary = await LineClient.join(server.port, ADVERSARY)
            await player.read()
            player.write(b' {"start_node": "1", "end_node": "2"}{"start_node": "2", "end_no')
            assert (await player.read())["position"] == "2"
            adversary.lift("4", "6")
            await player.read()
            player.write(b'de": "4"}\n\n')
            assert (await player.read())["position"] == "4"

    asyncio.run(main())


@pytest.mark.parametrize(("first", "second"), [(PLAYER, ADVERSARY), (ADVERSARY, PLAYER)])
def test_par_8_the_second_of_one_type_is_refused_and_the_place_stays_open(first, second) -> None:
    async def main() -> None:
        async with serving(LITTLE) as server:
            waiting = await LineClient.join(server.port, first)
            await until(lambda: server.n_waiting(Role(first)) == 1)
            twin = await LineClient.join(server.port, first)
            answer = await twin.read()
            assert answer["error"] is True
            assert "is taken" in answer["message"]
            assert await twin.is_hung_up()
            await LineClient.join(server.port, second)
            assert "graph" in await waiting.read()

    asyncio.run(main())


def test_par_8_who_leaves_while_waiting_gives_the_place_back() -> None:
    async def main() -> None:
        async with serving(LITTLE) as server:
            for bad in (None, b"rubbish"):
                first = await LineClient.join(server.port, PLAYER)
                await until(lambda: server.n_waiting(Role.PLAYER) == 1)
                if bad is None:
                    await first.close()
                else:
                    first.write(bad)
                    assert (await first.read())["error"] is True
                await until(lambda: server.n_waiting(Role.PLAYER) == 0)
            assert await play_out(server.port) == 1 + 1 + 4

    asyncio.run(main())


def test_par_10_an_empty_move_is_told_with_cost_0() -> None:
    async def main() -> None:
        async with serving(LITTLE) as server:
            player, adversary = await pair(server.port)
            for ends in (("1", "6"), ("2", "4"), ("no", "where"), ("x" * 60_000, "1")):
                player.step(*ends)
                told = await player.read()
                shown = [end if len(end) <= 40 else "x" * 37 + "..." for end in ends]
                assert told == {"done": False, "edge": shown, "error": False, "position": "1", "add_cost": 0}
                assert await adversary.read() == told
                adversary.lift("1", "6")
                told = await player.read()
                assert told == {"done": False, "edge": ["1", "6"], "error": False, "position": "1", "new_cost": 0}
                assert await adversary.read() == told

    asyncio.run(main())


def test_par_10_costs_are_those_of_the_rules() -> None:
    async def main() -> None:
        async with serving(LITTLE) as server:
            player, adversary = await pair(server.port)
            player.step("1", "3")
            assert (await player.read())["add_cost"] == 1.0
            for cost in (1 + 2**0.5, (1 + 2**0.5) ** 2):
                adversary.lift("5", "3")
                told = await player.read()
                assert (told["edge"], told["position"]) == (["5", "3"], "3")
                assert told["new_cost"] == pytest.approx(cost)
                player.step("3", "3")
                await player.read()

    asyncio.run(main())


def test_par_10_out_of_moves_ends_with_an_error_for_both() -> None:
    async def main() -> None:
        config = make_config(board="path:3", source=1, target=3)
        async with serving(config) as server:
            player, adversary = await pair(server.port)
            for _ in range(config.move_limit):
                player.step("1", "1")
                assert not (await player.read())["done"]
                adversary.lift("2", "3")
                assert not (await player.read())["done"]
            expected = {
                **FAILED, "position": "1", "add_cost": 0, "reason": "the traveller forfeits: no moves left",
            }  # fmt: skip
            assert await player.read() == expected
            assert await player.is_hung_up()
            told = [await adversary.read() for _ in range(2 * config.move_limit + 1)]
            assert told[-1] == expected

    asyncio.run(main())


@pytest.mark.parametrize("slow", [PLAYER, ADVERSARY])
def test_par_10_out_of_time_ends_with_an_error_for_both(slow) -> None:
    async def main() -> None:
        async with serving(LITTLE, bank_seconds=0.3) as server:
            player, adversary = await pair(server.port)
            key, position, side = "add_cost", "1", "traveller"
            if slow == ADVERSARY:
                player.step("1", "2")
                await player.read()
                await adversary.read()
                key, position, side = "new_cost", "2", "adversary"
            expected = {**FAILED, "position": position, key: 0, "reason": f"the {side} forfeits: time over"}
            assert await player.read() == await adversary.read() == expected

    asyncio.run(main())


class Wire:
    """A writer that notes when it was written to."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def write(self, data: bytes) -> None:
        self.times.append(asyncio.get_running_loop().time())

    def is_closing(self) -> bool:
        return False


@pytest.mark.parametrize("lines", [False, True])
def test_par_11_waits_after_the_layout_and_between_updates(lines) -> None:
    async def main() -> None:
        reader, wire = asyncio.StreamReader(), Wire()
        client = ClassicConnection(reader, wire)  # type: ignore[arg-type]
        hello = {"name": "old", "type": 0, **({"framing": "lines"} if lines else {})}
        reader.feed_data(json.dumps(hello).encode())
        await client.introduce()
        await client.send_layout({"graph": {}})
        thinking_from = client.ready_at
        for _ in range(3):
            await client.send({"done": False})
        gaps = [b - a for a, b in zip(wire.times, wire.times[1:], strict=False)]
        if lines:
            assert thinking_from < wire.times[0] + LAYOUT_SILENCE_SECONDS
            return
        assert gaps[0] >= LAYOUT_SILENCE_SECONDS >= 0.6
        assert min(gaps[1:]) >= UPDATE_GAP_SECONDS >= 0.02
        assert thinking_from >= wire.times[0] + LAYOUT_SILENCE_SECONDS  # nobody pays for the wait
        reader.feed_eof()

    asyncio.run(main())


def test_par_11_an_adversary_s_clock_starts_when_the_update_reaches_it(monkeypatch) -> None:
    """The player is quick, the old adversary still waits for silence, longer than all its thinking time."""
    monkeypatch.setattr(connection, "LAYOUT_SILENCE_SECONDS", 1.5)

    async def main() -> None:
        async with serving(LITTLE, bank_seconds=1.2) as server:
            adversary = await LineClient.join(server.port, ADVERSARY, say_hello=False)
            adversary.send({"name": "old", "type": ADVERSARY})
            player = await LineClient.join(server.port, PLAYER)
            await player.read()
            player.step("1", "2")
            assert "graph" in await adversary.read()
            assert (await adversary.read())["position"] == "2"
            adversary.lift("4", "6")
            assert (await adversary.read())["new_cost"] == 2.0

    asyncio.run(main())


@pytest.mark.parametrize(
    "words",
    [
        b"rubbish",
        b"[1, 2]",
        b'{"start_node": 5.5, "end_node": []}',
        b"{}",
        b'{"a": "' + b"x" * 70_000,
        b"\xff\xff",
        None,
    ],
    ids=lambda words: repr(words)[:20],
)
@pytest.mark.parametrize("bad", [PLAYER, ADVERSARY])
def test_par_12_that_side_loses_the_other_is_told_and_the_next_game_is_served(words, bad) -> None:
    async def main() -> None:
        async with serving(LITTLE) as server:
            player, adversary = await pair(server.port)
            position, key = "1", "add_cost"
            if bad == ADVERSARY:
                player.step("1", "2")
                await player.read()
                await adversary.read()
                position, key = "2", "new_cost"
            culprit, other = (player, adversary) if bad == PLAYER else (adversary, player)
            if words is None:
                await culprit.close()
            else:
                culprit.write(words)
            why = "the connection dropped" if words is None else "a bad message"
            reason = f"the {'traveller' if bad == PLAYER else 'adversary'} forfeits: {why}"
            assert await other.read() == {**FAILED, "position": position, key: 0, "reason": reason}
            assert await other.is_hung_up()
            assert await play_out(server.port) == 6

    asyncio.run(main())


@pytest.mark.parametrize("bad", [PLAYER, ADVERSARY])
def test_par_12_a_drop_out_of_turn_is_told_at_once(bad) -> None:
    async def main() -> None:
        async with serving(LITTLE) as server:
            player, adversary = await pair(server.port)
            if bad == PLAYER:
                player.step("1", "2")
                assert (await adversary.read())["position"] == "2"
            culprit, other = (player, adversary) if bad == PLAYER else (adversary, player)
            await culprit.close()
            if bad == PLAYER:
                assert (await other.read())["error"] is True
            else:
                reason = "the adversary forfeits: the connection dropped"
                assert await other.read() == {**FAILED, "position": "1", "new_cost": 0, "reason": reason}

    asyncio.run(main())


def test_par_12_a_move_sent_before_hanging_up_counts() -> None:
    async def main() -> None:
        config = make_config(board="path:2", source=1, target=2)
        async with serving(config) as server:
            player, adversary = await pair(server.port)
            player.step("1", "2")
            await player.close()
            told = await adversary.read()
            assert (told["done"], told["error"], told["add_cost"]) == (True, False, 1.0)

    asyncio.run(main())


def test_a_client_that_says_nothing_is_sent_away(monkeypatch) -> None:
    monkeypatch.setattr(connection, "HELLO_SECONDS", 0.1)

    async def main() -> None:
        async with serving(LITTLE) as server:
            silent = await LineClient.join(server.port, PLAYER, say_hello=False)
            assert "no first message" in (await silent.read())["message"]
            assert await play_out(server.port) == 6

    asyncio.run(main())


def test_200_games_at_once_and_nothing_leaks_from_one_into_another() -> None:
    n = 200
    config = make_config(board="contest:24:44:separation=5:cut=3:seed=1")
    edges = [(config.board.label(e.a), config.board.label(e.b)) for e in config.board.edges]

    async def player(port: int, number: int) -> tuple[list[list[str]], float]:
        """Shuttles on its first edge, then passes; returns the raises it saw."""
        client = await LineClient.join(port, PLAYER, f"p{number}")
        here = (await client.read())["start_node"]
        seen = []
        for _ in range(6):
            client.step(here, "nowhere")
            assert (await client.read())["add_cost"] == 0
            seen.append((await client.read())["edge"])
        await client.close()
        return seen, number

    async def adversary(port: int, number: int) -> list[list[str]]:
        """Raises edges that spell its number."""
        client = await LineClient.join(port, ADVERSARY, f"a{number}")
        await client.read()
        sent = [list(edges[number % 44]), list(edges[number // 44])] * 3
        for a, b in sent:
            await client.read()
            client.lift(a, b)
            assert (await client.read())["edge"] == [a, b]
        assert (await client.read())["error"] is True  # the player has gone
        await client.close()
        return sent

    async def main() -> None:
        async with serving(config, most_waiting=n, n_games=n) as server:
            players = [asyncio.create_task(player(server.port, i)) for i in range(n)]
            adversaries = [asyncio.create_task(adversary(server.port, i)) for i in range(n)]
            seen = sorted(raises for raises, _ in await asyncio.gather(*players))
            assert seen == sorted(await asyncio.gather(*adversaries))
            await asyncio.wait_for(server.run(), 60)
            assert server.n_ended == n

    asyncio.run(main())


def test_records_are_kept_and_replay(tmp_path) -> None:
    (tmp_path / "game-0007.record.txt").write_text("an older one")

    async def main() -> None:
        async with serving(LITTLE, n_games=2, record_folder=tmp_path) as server:
            await play_out(server.port)
            player, adversary = await pair(server.port)
            player.step("1", "2")
            await adversary.read()
            await adversary.close()
            await player.read()
            await player.close()
            await asyncio.wait_for(server.run(), 60)

    asyncio.run(main())
    whole, broken = (load_record(tmp_path / f"game-000{i}.record.txt") for i in (8, 9))
    assert str(whole.outcome) == "evader arrival 6"
    assert whole.actions == ("1-2", "4-6", "2-4", "4-6", "4-6")
    assert str(broken.outcome) == "evader forfeit"
    assert len(replay(broken).states) == 2


def test_after_the_last_game_nobody_is_let_in() -> None:
    async def main() -> None:
        async with serving(LITTLE, n_games=1) as server:
            await pair(server.port)
            late = await LineClient.join(server.port, PLAYER)
            assert (await late.read())["message"] == "all games of this server have begun"

    asyncio.run(main())


def test_stopping_tells_everybody(tmp_path) -> None:
    async def main() -> None:
        server = ClassicServer(LITTLE, record_folder=tmp_path)
        await server.start(port=0)
        player, adversary = await pair(server.port)
        player.step("1", "2")
        await player.read()
        await adversary.read()
        waiting = await LineClient.join(server.port, PLAYER)
        await until(lambda: server.n_waiting(Role.PLAYER) == 1)
        await server.stop()
        expected = {**FAILED, "position": "2", "new_cost": 0, "message": "the server stops"}
        assert await player.read() == await adversary.read() == expected
        assert (await waiting.read())["message"] == "the server stops"
        await close_all()

    asyncio.run(main())
    assert load_record(tmp_path / "game-0001.record.txt").outcome is None


def test_a_port_in_use_is_one_line() -> None:
    async def main() -> None:
        async with serving(LITTLE) as server:
            with pytest.raises(ManhuntError, match=f"port {server.port} on 127.0.0.1 is in use; choose another"):
                await ClassicServer(LITTLE).start(port=server.port)
            with pytest.raises(ManhuntError, match="cannot listen on nowhere.invalid port 0"):
                await ClassicServer(LITTLE).start("nowhere.invalid", 0)

    asyncio.run(main())


def test_an_old_client_that_is_refused_reads_an_object() -> None:
    with served(LITTLE) as (port, reports):
        first = OldClient(port, PLAYER)
        while not any(report.kind == "joined" for report in reports):
            time.sleep(0.01)
        second = OldClient(port, PLAYER)
        assert second.read_update()["error"] is True
        first.close()
        second.close()


def test_a_mistake_of_ours_in_one_game_touches_no_other(monkeypatch) -> None:
    reports = []
    take = ClassicGame._take

    def mistaken(self, role, arrived):
        if "trip" in arrived.message:
            raise RuntimeError("we did not think of this")
        return take(self, role, arrived)

    monkeypatch.setattr(ClassicGame, "_take", mistaken)

    async def main() -> None:
        async with serving(LITTLE, report=reports.append) as server:
            player, adversary = await pair(server.port)
            player.send({"trip": True})
            for client in (player, adversary):
                assert (await client.read())["message"] == "the server made a mistake"
            assert await play_out(server.port) == 6

    asyncio.run(main())
    warnings = [report.text for report in reports if report.kind == "warning"]
    assert warnings == ["game 1: RuntimeError: we did not think of this"]


def test_a_full_server_says_so(monkeypatch) -> None:
    monkeypatch.setattr("manhunt.games.shortest_path.classic.server.MOST_CONNECTIONS", 1)

    async def main() -> None:
        async with serving(LITTLE) as server:
            await LineClient.join(server.port, PLAYER)
            await until(lambda: server.n_waiting(Role.PLAYER) == 1)
            late = await LineClient.join(server.port, ADVERSARY)
            assert (await late.read())["message"] == "the server is full"

    asyncio.run(main())


def test_a_record_that_cannot_be_written_stops_nothing(tmp_path) -> None:
    folder, reports = tmp_path / "records", []
    folder.mkdir()

    async def main() -> None:
        async with serving(LITTLE, report=reports.append, record_folder=folder) as server:
            folder.rmdir()
            assert await play_out(server.port) == 6
            assert await play_out(server.port) == 6
            await until(lambda: sum(report.kind == "warning" for report in reports) == 2)

    asyncio.run(main())
    assert all("cannot write" in report.text for report in reports if report.kind == "warning")
