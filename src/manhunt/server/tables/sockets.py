"""One WebSocket a page at a table."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from functools import partial

from starlette.websockets import WebSocket

from manhunt.core.errors import ManhuntError
from manhunt.core.ids import Seat
from manhunt.server.addresses import Bucket, client_address
from manhunt.server.api_games import check_number_of_games
from manhunt.server.limits import check_agent_spec, check_seconds
from manhunt.server.rooms import Forbidden, hash_of
from manhunt.server.site import Site, in_thread
from manhunt.server.sockets import HELLO_SECONDS, MOST_MISTAKES, Outbox, TooMuch, receive, serve_socket
from manhunt.server.tables import changes, chat, messages
from manhunt.server.tables.open_table import OpenTable
from manhunt.server.tables.state import NotAllowed, Table
from manhunt.server.wire import BadPageMessage, encode
from manhunt.store.tables import KeptMessage


class TableConnection:
    """A listener of a table at the other end of a socket."""

    def __init__(self, open_table: OpenTable, person: int | None, outbox: Outbox) -> None:
        self.open, self.outbox = open_table, outbox
        self.person = person
        self._team: chat.Team | None = chat.team_of(open_table.table, person)
        self._n = 0
        """How many messages this page was told of or could have been."""

    def changed(self, open_table: OpenTable) -> None:
        self.outbox.put(messages.table_message(open_table, self.person))
        self._catch_up()

    def said(self, message: KeptMessage) -> None:
        if chat.may_read(self.open.table, self.person, message):
            self._tell(message)

    def reacted(self, person: int, name: str, sign: str) -> None:
        self.outbox.put(encode({"t": "reacted", "id": person, "name": name, "sign": sign}))

    def tell_all(self) -> None:
        """The last of what was said, to somebody who comes."""
        table = self.open.table
        readable = [message for message in self.open.messages if chat.may_read(table, self.person, message)]
        self._n = max(0, len(readable) - chat.MOST_TOLD)
        for message in readable[self._n :]:
            self._tell(message)

    def _catch_up(self) -> None:
        """The last of what a team said before this person came to it."""
        team, before = chat.team_of(self.open.table, self.person), self._team
        self._team = team
        if team is not None and team != before:
            said = [message for message in self.open.messages if chat.team_of_message(message) == team]
            for message in said[-chat.MOST_TOLD :]:
                self._tell(message)

    def _tell(self, message: KeptMessage) -> None:
        self._n += 1
        self.outbox.put(messages.said_message(message, self._n))


async def serve(websocket: WebSocket, uid: str) -> None:
    """A connection from its first to its last message."""
    await serve_socket(websocket, lambda site, outbox: _hear(websocket, site, uid, outbox), chat.MOST_TOLD)


async def _hear(websocket: WebSocket, site: Site, uid: str, outbox: Outbox) -> None:
    limits = site.settings.limits
    async with asyncio.timeout(HELLO_SECONDS):
        hello = messages.decode(await receive(websocket, limits))
    if not isinstance(hello, messages.Hello):
        raise BadPageMessage("the first message must be a hello")
    open_table = await site.tables.find(uid)
    connection = TableConnection(open_table, person_of(open_table.table, hello.token), outbox)
    open_table.enter(connection)
    connection.tell_all()
    try:
        await _talk(websocket, site, connection)
    finally:
        open_table.leave(connection)


def person_of(table: Table, token: str | None) -> int | None:
    """Whose token this is; Forbidden if it is nobody's. Whoever shows none only looks."""
    if token is None:
        return None
    shown = hash_of(token)
    for person in table.people:
        if secrets.compare_digest(person.token_hash, shown):
            return person.id
    raise Forbidden("this browser is not known at this table any more; join it again")


async def _talk(websocket: WebSocket, site: Site, connection: TableConnection) -> None:
    limits, n_mistakes = site.settings.limits, 0
    bucket = Bucket(limits.messages_per_second, limits.message_burst)
    while True:
        data = await receive(websocket, limits)
        if not bucket.take():
            raise TooMuch(f"more than {limits.messages_per_second:g} messages a second")
        try:
            message = messages.decode(data)
            await _obey(websocket, site, connection, message)
        except ManhuntError as error:
            n_mistakes += isinstance(error, BadPageMessage)
            if n_mistakes > MOST_MISTAKES:
                raise
            connection.outbox.put(encode({"t": "error", "what": " ".join(str(error).split())[:500]}))


async def _obey(websocket: WebSocket, site: Site, connection: TableConnection, message: messages.TableMessage) -> None:
    table, outbox = connection.open, connection.outbox
    if isinstance(message, messages.Ping):
        outbox.put('{"t":"pong"}')
        return
    if isinstance(message, messages.Hello):
        raise BadPageMessage("a second hello; open another socket")
    if isinstance(message, messages.Join):
        await _join(connection, message.name)
        return
    if connection.person is None:
        raise NotAllowed("join the table first")
    me, allow = connection.person, partial(_allowed, site, client_address(websocket))
    if isinstance(message, messages.Say | messages.React):
        table.check_pace(me)
    if isinstance(message, messages.Say):
        site.addresses.take_message(client_address(websocket))
        await table.say(me, message.to, message.text)
    elif isinstance(message, messages.React):
        table.react(me, message.sign)
    elif isinstance(message, messages.Sit):
        await table.sit(me, message.place)
    elif isinstance(message, messages.Remove):
        await table.remove(me, message.place)
    elif isinstance(message, messages.Start):
        await table.start(me, allow)
    elif isinstance(message, messages.AskRematch):
        await table.rematch(me, message.swap, allow)
    else:
        await table.change(await _change_of(websocket, site, connection, me, message))


def _allowed(site: Site, address: str) -> str:
    """The address that begins a game; TooMany if it has begun too many."""
    check_number_of_games(site, address)
    return address


async def _join(connection: TableConnection, name: str) -> None:
    if connection.person is not None:
        raise NotAllowed("you have joined already")
    token, open_table = secrets.token_urlsafe(24), connection.open
    joined = await open_table.change(lambda table: changes.join(table, name, hash_of(token), open_table.here))
    person = person_of(joined, token)
    connection.outbox.put(encode({"t": "you", "id": person, "token": token}))
    open_table.leave(connection)
    connection.person = person
    open_table.enter(connection)


async def _change_of(
    websocket: WebSocket, site: Site, connection: TableConnection, me: int, message: messages.TableMessage
) -> Callable[[Table], Table]:
    open_table = connection.open
    match message:
        case messages.Rename():
            return lambda table: changes.rename(table, me, message.name)
        case messages.Stand():
            return lambda table: changes.stand(table, me, message.place)
        case messages.Hand():
            return lambda table: changes.hand(table, me, message.place, message.to)
        case messages.Agents():
            seat = Seat(message.seat)
            await in_thread(websocket, check_agent_spec, message.spec, open_table.table.game, seat)
            return lambda table: changes.set_agents(table, me, seat, message.spec, open_table.host)
        case messages.Options():
            values = message.values
            check_seconds(values.get("seconds"), site.settings.limits)
            return lambda table: changes.set_terms(table, me, changes.terms_with(table.terms, values), open_table.host)
    raise BadPageMessage("a table does not know this message")
