"""Those who watch games of the classic server: they see everything and disturb nobody."""

import asyncio
import json
from random import Random

import pytest

from classic_clients import PLAYER, LineClient, little_config, pair, play_out, serving, until
from manhunt.games.shortest_path.classic import server as classic
from manhunt.games.shortest_path.classic.protocol import Role, layout

LITTLE = little_config()
WATCHER = 2


async def join(port: int, **more: object) -> LineClient:
    watcher = await LineClient.join(port, WATCHER, say_hello=False)
    watcher.send({"name": "eve", "type": WATCHER, **more})
    return watcher


async def read_all(watcher: LineClient) -> list[dict]:
    text = await asyncio.wait_for(watcher.reader.read(), 60)
    return [json.loads(line) for line in text.splitlines()]


def test_a_watcher_of_the_next_game_sees_all_of_it() -> None:
    async def main() -> None:
        async with serving(LITTLE) as server:
            watcher = await join(server.port)
            await until(lambda: len(server._next_watchers) == 1)
            assert await play_out(server.port) == 6
            opening, *updates, closing = await read_all(watcher)
            assert {key: opening[key] for key in ("start_node", "end_node", "graph")} == layout(LITTLE)
            assert (opening["game"], opening["player"], opening["adversary"]) == (1, "new", "new")
            assert (opening["rule"], opening["time"]) == ("sqrt", 120.0)
            assert [update["done"] for update in updates] == [False] * 4 + [True]
            assert sum(update.get("add_cost", 0) for update in updates) == 6
            assert closing == {"game": 1, "outcome": "evader arrival 6"}

    asyncio.run(main())


def test_who_comes_late_is_told_from_the_beginning_and_the_last_game_is_the_usual_one() -> None:
    async def main() -> None:
        async with serving(LITTLE) as server:
            first, others = await pair(server.port), await pair(server.port)
            first[0].step("1", "2")
            assert await first[0].read() == await first[1].read()
            by_number, usual = await join(server.port, game=1), await join(server.port)
            assert (await by_number.read())["game"] == 1
            assert (await by_number.read())["edge"] == ["1", "2"]
            assert (await usual.read())["game"] == 2
            others[0].step("1", "3")
            assert (await usual.read())["edge"] == ["1", "3"]
            await first[1].close()
            failed, closing = await by_number.read(), await by_number.read()
            assert (failed["done"], failed["error"], failed["edge"]) == (True, True, 0)
            assert closing["outcome"] == "evader forfeit"
            assert await by_number.is_hung_up()

    asyncio.run(main())


@pytest.mark.parametrize("n_watchers", [1, 3])
def test_watchers_who_talk_leave_or_do_not_read_change_nothing(n_watchers) -> None:
    async def main() -> None:
        async with serving(LITTLE) as server:
            for i in range(3 * n_watchers):
                watcher = await join(server.port)
                await until(lambda: len(server._next_watchers) > 0)
                if i % 3 == 0:
                    watcher.write(b'{"start_node": "1", "end_node": "2"}' * 100 + b"rubbish")
                elif i % 3 == 1:
                    await watcher.close()
            assert await play_out(server.port) == 6
            assert await play_out(server.port) == 6
            assert server.n_waiting(Role.PLAYER) == 0

    asyncio.run(main())


def test_a_slow_watcher_is_sent_away_and_the_game_goes_on(monkeypatch) -> None:
    monkeypatch.setattr(classic, "MOST_BUFFERED_BYTES", -1)

    async def main() -> None:
        async with serving(LITTLE) as server:
            watcher = await join(server.port)
            await until(lambda: len(server._next_watchers) == 1)
            assert await play_out(server.port) == 6
            assert len(await read_all(watcher)) == 2  # the opening, and the update that was one too many

    asyncio.run(main())


def test_too_many_watchers_and_games_that_do_not_run_are_refused(monkeypatch) -> None:
    monkeypatch.setattr(classic, "MOST_WATCHERS", 1)

    async def main() -> None:
        async with serving(LITTLE) as server:
            lost = await join(server.port, game=9)
            assert (await lost.read())["message"] == "game 9 is not being played"
            await join(server.port)
            await until(lambda: len(server._next_watchers) == 1)
            assert (await (await join(server.port)).read())["message"] == "too many watch already"
            odd = await join(server.port, game="first")
            assert "'game' must be the number of a game" in (await odd.read())["message"]
            assert await play_out(server.port) == 6

    asyncio.run(main())


def test_watchers_are_told_when_the_server_stops() -> None:
    async def main() -> None:
        async with serving(LITTLE) as server:
            player, _ = await pair(server.port)
            of_game = await join(server.port)
            assert "graph" in await of_game.read()
            await server.stop()
            told = await of_game.read()
            assert (told["done"], told["message"]) == (True, "the server stops")
            assert await of_game.is_hung_up()
            assert (await player.read())["message"] == "the server stops"
        async with serving(LITTLE) as server:
            waiting = await join(server.port)
            await until(lambda: len(server._next_watchers) == 1)
            await server.stop()
            assert (await waiting.read())["message"] == "the server stops"

    asyncio.run(main())


def test_a_watcher_takes_no_place() -> None:
    async def main() -> None:
        async with serving(LITTLE, n_games=1) as server:
            await join(server.port)
            await until(lambda: len(server._next_watchers) == 1)
            assert server.n_waiting(Role(PLAYER)) == 0
            assert await play_out(server.port) == 6
            await asyncio.wait_for(server.run(), 60)

    asyncio.run(main())


def test_random_watchers_at_every_point_leave_nothing_behind() -> None:
    reports: list[classic.ClassicReport] = []

    async def annoy(port: int, rng: Random) -> None:
        watcher = await join(port, **({"game": rng.randrange(4)} if rng.random() < 0.3 else {}))
        for _ in range(rng.randrange(6)):
            watcher.write(rng.choice((b'{"start_node": "1", "end_node": "2"}' * 30, rng.randbytes(40), b"{" * 99_000)))
            await asyncio.sleep(rng.random() * 0.02)
        await watcher.close()

    async def main() -> None:
        async with serving(LITTLE, report=reports.append) as server:
            for seed in range(12):
                annoying = [asyncio.create_task(annoy(server.port, Random(10 * seed + i))) for i in range(4)]
                assert await play_out(server.port) == 6
                await asyncio.gather(*annoying)
            await until(lambda: not server._spectators and not server._next_watchers and not server._clients)

    asyncio.run(main())
    assert [report.text for report in reports if report.kind == "warning"] == []
