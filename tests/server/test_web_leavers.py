"""A connection that has ended leaves nothing behind that only the garbage collector could take away."""

import asyncio
import gc
import socket
import weakref

import pytest
import uvicorn

from light_socket import LightSocket
from local_rooms import plan_of
from manhunt.server import sockets
from manhunt.server.app import create_app
from manhunt.server.durable import hold
from manhunt.server.rooms import GameRoom
from manhunt.server.settings import Limits, Settings

HOST = "127.0.0.1"


@pytest.fixture
def outboxes(monkeypatch):
    """All outboxes that are alive; nothing is collected meanwhile."""
    alive = weakref.WeakSet()

    class Watched(sockets.Outbox):
        def __init__(self, *args) -> None:
            super().__init__(*args)
            alive.add(self)

    monkeypatch.setattr(sockets, "Outbox", Watched)
    gc.disable()
    yield alive
    gc.enable()


async def until(is_so, seconds=300.0) -> None:
    async with asyncio.timeout(seconds):
        while not is_so():
            await asyncio.sleep(0.01)


async def visit(port: int, uid: str, outboxes, n: int) -> None:
    """So many spectators come, hear where the game stands, and leave."""
    heard = []
    visitors = [await LightSocket.open(HOST, port, f"/api/games/{uid}/socket", heard.append) for _ in range(n)]
    for visitor in visitors:
        visitor.say(b'{"t":"hello"}')
    await until(lambda: sum(text.startswith(b'{"t":"observe"') for text in heard) == n)
    assert len(outboxes) == n
    for visitor in visitors:
        visitor.close()


def test_spectators_who_left_are_forgotten_at_once(tmp_path, outboxes) -> None:
    async def scene() -> GameRoom:
        with socket.socket() as channel:
            channel.bind((HOST, 0))
            channel.listen(64)
            port = channel.getsockname()[1]
            settings = Settings(str(tmp_path / "games.db"), HOST, port, 1, Limits.at_home(), ())
            app = create_app(settings, hold(settings.store))
            server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2))
            serving = asyncio.get_running_loop().create_task(server.serve([channel]))
            await until(lambda: server.started)
            room = (await app.state.site.rooms.begin(plan_of("pursuit"))).room
            await visit(port, room.uid, outboxes, 10)
            await until(lambda: not outboxes)
            server.should_exit = True
            await serving
            return room

    assert asyncio.run(scene()).listeners == set()
