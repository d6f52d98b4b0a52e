"""Connections that do not end by themselves are ended, and nobody has too many."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from manhunt.cli.web import listen, make_server
from manhunt.server.addresses import Addresses
from manhunt.server.connections import most_connections
from manhunt.server.guard import Guard
from manhunt.server.settings import Limits, Settings

HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n"
LARGE = 30_000_000
SHORT = 0.2


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with as much as the path says."""
    if scope["type"] != "http":
        return
    body = b"x" * LARGE if scope["path"] == "/large" else b"hello"
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@asynccontextmanager
async def serving(limits: Limits, *, proxies: tuple[str, ...] = ()) -> AsyncIterator[tuple[int, Any]]:
    channel = listen("127.0.0.1", 0)
    settings = Settings("x", port=channel.getsockname()[1], limits=limits, public=True, proxies=proxies)
    server = make_server(app, settings, may_open=False, ending="test")
    server.config.lifespan = "off"
    running = asyncio.get_running_loop().create_task(server.serve(sockets=[channel]))
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield settings.port, server
    finally:
        server.should_exit = True
        await running


def run(scene: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        async with asyncio.timeout(60):
            await scene()

    asyncio.run(limited())


async def opened(port: int, address: str = "127.0.0.1") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))


async def answer(reader: asyncio.StreamReader) -> bytes:
    """Everything until the server closes; nothing where it cuts the line."""
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""


def test_half_a_head_is_not_waited_for(capsys) -> None:
    async def scene() -> None:
        async with serving(Limits(header_seconds=SHORT)) as (port, server):
            for first in (b"", HEAD, HEAD + b"\r\n" + HEAD):
                reader, writer = await opened(port)
                writer.write(first)
                text = await answer(reader)
                assert (b"hello" in text) == (b"\r\n\r\n" in first)
                writer.close()
            while server.server_state.connections:
                await asyncio.sleep(0.01)

    run(scene)


def test_a_head_that_drips_is_not_waited_for_either(capsys) -> None:
    async def scene() -> None:
        async with serving(Limits(header_seconds=SHORT)) as (port, _):
            reader, writer = await opened(port)
            reading = asyncio.ensure_future(answer(reader))
            while not reading.done():
                writer.write(b"G")
                await asyncio.sleep(0.01)
            assert b"200" not in reading.result()
            writer.close()

    run(scene)


def test_a_client_that_takes_no_answer_is_left(capsys) -> None:
    async def scene() -> None:
        async with serving(Limits(stall_seconds=SHORT)) as (port, server):
            _, writer = await opened(port)
            writer.write(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
            while not server.server_state.connections:
                await asyncio.sleep(0.01)
            while server.server_state.connections:
                await asyncio.sleep(0.01)
            writer.close()

    run(scene)


def test_one_address_has_so_many_connections_and_others_come_through(capsys) -> None:
    async def scene() -> None:
        async with serving(Limits(connections_per_address=3)) as (port, server):
            kept = [await opened(port) for _ in range(3)]
            while len(server.server_state.connections) < 3:
                await asyncio.sleep(0.01)
            reader, writer = await opened(port)
            writer.write(HEAD + b"\r\n")
            assert await answer(reader) == b""
            reader, other = await opened(port, "127.0.0.2")
            other.write(HEAD + b"Connection: close\r\n\r\n")
            assert b"hello" in await answer(reader)
            kept[0][1].close()
            while len(server.server_state.connections) > 2:
                await asyncio.sleep(0.01)
            reader, again = await opened(port)
            again.write(HEAD + b"Connection: close\r\n\r\n")
            assert b"hello" in await answer(reader)
            for _, each in [*kept, (reader, writer), (reader, other), (reader, again)]:
                each.close()

    run(scene)


def test_a_proxy_has_the_connections_of_many_up_to_the_files_that_may_be_open(capsys) -> None:
    async def scene() -> None:
        limits = Limits(connections_per_address=1, connections=4)
        async with serving(limits, proxies=("127.0.0.0/8",)) as (port, server):
            kept = [await opened(port) for _ in range(4)]
            while len(server.server_state.connections) < 4:
                await asyncio.sleep(0.01)
            reader, writer = await opened(port, "127.0.0.2")
            assert await answer(reader) == b""
            for _, each in [*kept, (reader, writer)]:
                each.close()

    run(scene)
    assert most_connections() >= 50


def test_half_a_body_is_not_waited_for() -> None:
    settings = Settings("x", limits=Limits(body_seconds=SHORT))
    guard = Guard(app, settings, Addresses(settings.limits), Counter())
    sent: list[Message] = []
    parts: list[Message] = [{"type": "http.request", "body": b"{", "more_body": True}]

    async def receive() -> Message:
        return parts.pop() if parts else await asyncio.get_running_loop().create_future()

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/api/games", "headers": [(b"host", b"localhost")]}

    async def scene() -> None:
        await guard({**scope, "client": ("127.0.0.1", 1)}, receive, send)

    run(scene)
    assert sent[0]["status"] == 408
    assert (b"connection", b"close") in sent[0]["headers"]
