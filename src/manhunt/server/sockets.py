"""One WebSocket a seat or spectator: what comes in, and a bounded queue of what goes out."""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping

from starlette.websockets import WebSocket, WebSocketDisconnect

from manhunt.core.errors import ManhuntError
from manhunt.core.ids import Seat
from manhunt.server import wire
from manhunt.server.addresses import Bucket
from manhunt.server.board_images import board_of
from manhunt.server.errors import store_words
from manhunt.server.rooms import Forbidden, GameRoom, NoSuchGame
from manhunt.server.settings import Limits
from manhunt.server.site import Site, site_of
from manhunt.store.connect import BadStore

HELLO_SECONDS = 10.0
CLOSE_FORBIDDEN, CLOSE_UNKNOWN, CLOSE_TOO_MUCH, CLOSE_BAD, CLOSE_SLOW = 4403, 4404, 4429, 4400, 4408
GOING_AWAY, TRY_AGAIN_LATER = 1001, 1013
MOST_MISTAKES = 20


class Outbox:
    """What waits to be sent, in order. One that fills up is closed: its reader is too slow."""

    def __init__(self, websocket: WebSocket, most: int) -> None:
        self._websocket, self._most = websocket, most
        self._waiting: deque[str] = deque()
        self._news = asyncio.Event()
        self._code: int | None = None
        self._is_alone = False
        self.abandon: Callable[[], object] | None = None
        """What to do about a reader that is too slow: it may never take the message that is being sent."""

    def put(self, text: str) -> None:
        if self._code is None:
            if len(self._waiting) >= self._most:
                self.close(CLOSE_SLOW)
                return
            self._waiting.append(text)
            self._news.set()

    def close(self, code: int) -> None:
        """End after what is waiting now; a slow reader gets no more of it."""
        if self._code is None:
            self._code = code
            self._news.set()
            if code == CLOSE_SLOW:
                self._waiting.clear()
                if self.abandon is not None:
                    self.abandon()

    def end(self) -> None:
        """Nobody is at the other end any more."""
        self._waiting.clear()
        self._is_alone = True
        self._news.set()

    async def run(self) -> None:
        while not self._is_alone:
            await self._news.wait()
            self._news.clear()
            while self._waiting:
                await self._websocket.send_text(self._waiting.popleft())
            if self._code is not None:
                await self._websocket.close(self._code)
                return


class SeatConnection:
    """A listener of a room at the other end of a socket."""

    def __init__(self, room: GameRoom, seat: Seat, since: int, outbox: Outbox) -> None:
        self.room, self.seat, self._outbox = room, seat, outbox
        self.v = min(since, room.referee.n_events)
        self._knows_it_is_closed = False

    def moved(self, room: GameRoom) -> None:
        if room.moment(self.seat) is None:  # who may not look does not hear either how often somebody moves
            if self._knows_it_is_closed:
                return
            self._knows_it_is_closed = True
        self.v, text = wire.observe_message(room, self.seat, self.v)
        self._outbox.put(text)
        go = wire.go_message(room, self.seat)
        if go is not None:
            self._outbox.put(go)

    def presence(self, there: Mapping[str, bool]) -> None:
        self._outbox.put(wire.encode({"t": "presence", "seats": dict(there)}))


async def serve(websocket: WebSocket, uid: str) -> None:
    """A connection from its first to its last message."""
    site = site_of(websocket)
    await websocket.accept()
    outbox = Outbox(websocket, site.settings.limits.waiting_messages)
    sending = asyncio.get_running_loop().create_task(outbox.run())
    outbox.abandon = sending.cancel
    hearing = asyncio.get_running_loop().create_task(_hear(websocket, site, uid, outbox))
    try:
        await asyncio.wait({sending, hearing}, return_when=asyncio.FIRST_COMPLETED)
        if hearing.done() and not sending.done():
            await asyncio.wait({sending}, timeout=HELLO_SECONDS)
    finally:
        outbox.abandon = None  # else task and outbox hold each other, and wait for the garbage collector
        for task in (sending, hearing):
            task.cancel()
        for result in await asyncio.gather(sending, hearing, return_exceptions=True):
            if isinstance(result, Exception) and not isinstance(result, WebSocketDisconnect | RuntimeError | OSError):
                raise result


async def _hear(websocket: WebSocket, site: Site, uid: str, outbox: Outbox) -> None:
    connection: SeatConnection | None = None
    try:
        connection = await _join(websocket, site, uid, outbox)
        await _talk(websocket, site.settings.limits, connection, outbox)
    except BadStore as error:
        _refuse(outbox, store_words(error), TRY_AGAIN_LATER)
    except ManhuntError as error:
        _refuse(outbox, str(error), next((code for kind, code in _CODES if isinstance(error, kind)), CLOSE_BAD))
    except TimeoutError:
        _refuse(outbox, "no hello came; say who you are first", CLOSE_BAD)
    except WebSocketDisconnect:
        outbox.end()
    finally:
        if connection is not None:
            connection.room.leave(connection)


class _TooMuch(ManhuntError):
    """More messages than anybody needs."""


_CODES = ((Forbidden, CLOSE_FORBIDDEN), (NoSuchGame, CLOSE_UNKNOWN), (_TooMuch, CLOSE_TOO_MUCH))


def _refuse(outbox: Outbox, what: str, code: int) -> None:
    outbox.put(wire.encode({"t": "error", "what": what}))
    outbox.close(code)


async def _join(websocket: WebSocket, site: Site, uid: str, outbox: Outbox) -> SeatConnection:
    async with asyncio.timeout(HELLO_SECONDS):
        hello = wire.decode(await _receive(websocket, site.settings.limits))
    if not isinstance(hello, wire.PageHello):
        raise wire.BadPageMessage("the first message must be a hello")
    room = await site.rooms.find(uid)
    seat = room.seat_of(hello.token)
    board = board_of(room.game, room.plan.config)
    digest = site.boards.remember(board) if board is not None else None
    outbox.put(wire.new_message(room, digest))
    connection = SeatConnection(room, seat, hello.since, outbox)
    connection.moved(room)
    room.join(connection)
    return connection


async def _talk(websocket: WebSocket, limits: Limits, connection: SeatConnection, outbox: Outbox) -> None:
    bucket, n_mistakes = Bucket(limits.messages_per_second, limits.message_burst), 0
    while True:
        data = await _receive(websocket, limits)
        if not bucket.take():
            raise _TooMuch(f"more than {limits.messages_per_second:g} messages a second")
        try:
            message = wire.decode(data)
            if isinstance(message, wire.PageMove):
                await connection.room.move(connection.seat, message.n, message.action)
            elif isinstance(message, wire.PageResign):
                await connection.room.resign(connection.seat)
            elif isinstance(message, wire.PagePing):
                outbox.put('{"t":"pong"}')
            else:
                raise wire.BadPageMessage("a second hello; open another socket for another seat")
        except ManhuntError as error:
            n_mistakes += 1
            if n_mistakes > MOST_MISTAKES:
                raise
            outbox.put(wire.encode({"t": "error", "what": " ".join(str(error).split())}))


async def _receive(websocket: WebSocket, limits: Limits) -> str | bytes:
    message = await websocket.receive()
    if message["type"] != "websocket.receive":
        raise WebSocketDisconnect(message.get("code", GOING_AWAY))
    data: str | bytes | None = message.get("text")
    if data is None:
        data = message.get("bytes") or b""
    if len(data) > limits.message_bytes:
        raise _TooMuch(f"a message of {len(data)} bytes; the most is {limits.message_bytes}")
    return data
