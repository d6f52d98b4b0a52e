"""Clients for tests: one as old bots are written (blocking, unframed), one that reads lines; and servers."""

import asyncio
import json
import socket
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, ClassVar

from manhunt.games.shortest_path.classic.server import ClassicReport, ClassicServer
from manhunt.games.shortest_path.rules.config import ShortestPathConfig, make_config
from manhunt.games.shortest_path.rules.game_file import parse_game_file

PLAYER, ADVERSARY = 0, 1
PATIENCE_SECONDS = 300
LITTLE = "Starting node: 1\nEnding node: 6\nEdges:\n1 2\n1 3\n2 4\n3 4\n3 5\n4 6\n5 6\n"


def little_config(**options: Any) -> ShortestPathConfig:
    file = parse_game_file(LITTLE, "little")
    return make_config(board=file.board, source=file.source, target=file.target, **options)


class OldClient:
    """The layout is read until a third of a second of silence, each update with one receive of 1,024 bytes.

    Old bots wait for half a second; a busy machine may take as long as the rest of the server's pause to wake us.
    """

    def __init__(self, port: int, kind: int, name: str = "old") -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.send({"name": name, "type": kind})

    def send(self, message: dict[str, Any]) -> None:
        self.socket.sendall(json.dumps(message).encode())

    def read_layout(self) -> dict[str, Any]:
        text = b""
        self.socket.settimeout(PATIENCE_SECONDS)
        while True:
            try:
                part = self.socket.recv(2048)
            except TimeoutError:
                self.socket.settimeout(PATIENCE_SECONDS)
                with suppress(json.JSONDecodeError):
                    return json.loads(text)
                continue
            assert part, "the server hung up"
            text += part
            self.socket.settimeout(0.3)

    def read_update(self) -> dict[str, Any]:
        return json.loads(self.socket.recv(1024))

    def close(self) -> None:
        self.socket.close()


def shortest_path(graph: dict[str, list[str]], start: str, end: str) -> list[str]:
    before, waiting = {start: start}, deque([start])
    while end not in before:
        node = waiting.popleft()
        for other in graph[node]:
            if other not in before:
                before[other] = node
                waiting.append(other)
    way = [end]
    while way[-1] != start:
        way.append(before[way[-1]])
    return way[::-1]


def play_old_player(port: int, result: dict[str, Any]) -> None:
    """The shortest path by hops; what happened goes into `result`."""
    client = OldClient(port, PLAYER, "old player")
    layout = client.read_layout()
    way = shortest_path(layout["graph"], layout["start_node"], layout["end_node"])
    updates = []
    for a, b in zip(way, way[1:], strict=False):
        client.send({"start_node": a, "end_node": b})
        updates.append(client.read_update())
        if not updates[-1]["done"]:
            updates.append(client.read_update())
    client.close()
    result["player"] = (layout, updates)


def play_old_adversary(port: int, result: dict[str, Any]) -> None:
    """Raises edges at the end node, one after the other."""
    client = OldClient(port, ADVERSARY, "old adversary")
    layout = client.read_layout()
    end, updates = layout["end_node"], []
    while True:
        updates.append(client.read_update())
        if updates[-1]["done"]:
            break
        near = layout["graph"][end]
        client.send({"node_1": near[len(updates) % len(near)], "node_2": end})
        updates.append(client.read_update())
    client.close()
    result["adversary"] = (layout, updates)


class Reports(list[ClassicReport]):
    """What a server in another thread reports, and the server itself."""

    server: ClassicServer


@contextmanager
def served(config: ShortestPathConfig, **options: Any) -> Iterator[tuple[int, Reports]]:
    """A server in a thread of its own, for clients that block; its port and what it reports."""
    reports = Reports()
    loop = asyncio.new_event_loop()
    ready, stopping = threading.Event(), asyncio.Event()
    port: list[int] = []

    async def serve() -> None:
        server = reports.server = ClassicServer(config, report=reports.append, **options)
        await server.start(port=0)
        port.append(server.port)
        ready.set()
        await stopping.wait()
        await server.stop()

    async def clear() -> None:
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def run() -> None:
        loop.run_until_complete(serve())
        loop.run_until_complete(clear())

    thread = threading.Thread(target=run)
    thread.start()
    try:
        assert ready.wait(PATIENCE_SECONDS)
        yield port[0], reports
    finally:
        loop.call_soon_threadsafe(stopping.set)
        thread.join()
        loop.close()


@asynccontextmanager
async def serving(config: ShortestPathConfig, **options: Any) -> AsyncIterator[ClassicServer]:
    """A server in this loop."""
    server = ClassicServer(config, **options)
    await server.start(port=0)
    try:
        yield server
    finally:
        await close_all()
        await server.stop()


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not holds():
            await asyncio.sleep(0.001)


async def close_all() -> None:
    while LineClient.joined:
        await LineClient.joined.pop().close()


class LineClient:
    """Reads lines, and so is spared the waits."""

    joined: ClassVar[list["LineClient"]] = []

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.joined.append(self)

    @classmethod
    async def join(cls, port: int, kind: int, name: str = "new", *, say_hello: bool = True) -> "LineClient":
        client = cls(*await asyncio.open_connection("127.0.0.1", port, limit=2**20))
        if say_hello:
            client.send({"name": name, "type": kind, "framing": "lines"})
        return client

    def send(self, message: dict[str, Any]) -> None:
        self.write(json.dumps(message).encode())

    def write(self, data: bytes) -> None:
        self.writer.write(data)

    async def read(self) -> dict[str, Any]:
        line = await asyncio.wait_for(self.reader.readline(), PATIENCE_SECONDS)
        assert line, "the server hung up"
        return json.loads(line)

    async def is_hung_up(self) -> bool:
        return await asyncio.wait_for(self.reader.read(), PATIENCE_SECONDS) == b""

    def step(self, a: object, b: object) -> None:
        self.send({"start_node": a, "end_node": b})

    def lift(self, a: object, b: object) -> None:
        self.send({"node_1": a, "node_2": b})

    async def close(self) -> None:
        self.writer.close()
        with suppress(OSError):
            await self.writer.wait_closed()


async def pair(port: int) -> tuple[LineClient, LineClient]:
    """A player and an adversary who have their layouts."""
    player, adversary = await LineClient.join(port, PLAYER), await LineClient.join(port, ADVERSARY)
    assert "graph" in await player.read()
    assert "graph" in await adversary.read()
    return player, adversary


async def play_out(port: int) -> float:
    """A whole sane game on the little graph; returns the cost that both were told of. It shows that all is well."""
    player, adversary = await pair(port)
    paid = [0.0, 0.0]
    for a, b in (("1", "2"), ("2", "4"), ("4", "6")):
        player.step(a, b)
        for i, client in enumerate((player, adversary)):
            update = await client.read()
            assert (update["edge"], update["position"], update["error"]) == ([a, b], b, False)
            paid[i] += update["add_cost"]
        if not update["done"]:
            adversary.lift("4", "6")
            assert await player.read() == await adversary.read()
    assert update["done"]
    assert paid[0] == paid[1]
    for client in (player, adversary):
        await client.close()
    return paid[0]
