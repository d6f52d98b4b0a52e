"""One WebSocket a page that looks at a finished game together with others."""

from __future__ import annotations

import asyncio

from starlette.websockets import WebSocket

from manhunt.core.errors import ManhuntError
from manhunt.server.addresses import Bucket
from manhunt.server.api_replays import past_of
from manhunt.server.reviews import (
    Review,
    ReviewAt,
    Reviewer,
    ReviewHello,
    ReviewLead,
    ReviewMessage,
    ReviewName,
    ReviewPing,
    decode,
)
from manhunt.server.settings import Limits
from manhunt.server.site import Site
from manhunt.server.sockets import HELLO_SECONDS, MOST_MISTAKES, Outbox, TooMuch, receive, serve_socket
from manhunt.server.wire import BadPageMessage, encode


async def serve(websocket: WebSocket, uid: str) -> None:
    """A connection from its first to its last message."""
    await serve_socket(websocket, lambda site, outbox: _hear(websocket, site, uid, outbox))


async def _hear(websocket: WebSocket, site: Site, uid: str, outbox: Outbox) -> None:
    limits = site.settings.limits
    async with asyncio.timeout(HELLO_SECONDS):
        hello = decode(await receive(websocket, limits))
    if not isinstance(hello, ReviewHello):
        raise BadPageMessage("the first message must be a hello")
    await past_of(uid, websocket)  # refuses games that are not over
    review, person = site.reviews.enter(uid, hello, outbox)
    try:
        await _talk(websocket, limits, review, person)
    finally:
        site.reviews.leave(uid, person)


async def _talk(websocket: WebSocket, limits: Limits, review: Review, person: Reviewer) -> None:
    bucket, n_mistakes = Bucket(limits.messages_per_second, limits.message_burst), 0
    while True:
        data = await receive(websocket, limits)
        if not bucket.take():
            raise TooMuch(f"more than {limits.messages_per_second:g} messages a second")
        try:
            _obey(review, person, decode(data))
        except ManhuntError as error:
            n_mistakes += isinstance(error, BadPageMessage)
            if n_mistakes > MOST_MISTAKES:
                raise
            person.outbox.put(encode({"t": "error", "what": " ".join(str(error).split())[:500]}))


def _obey(review: Review, person: Reviewer, message: ReviewMessage) -> None:
    match message:
        case ReviewPing():
            person.outbox.put('{"t":"pong"}')
        case ReviewLead():
            review.lead(person, message.on)
        case ReviewAt():
            review.move(person, message)
        case ReviewName():
            review.rename(person, message.name)
        case ReviewHello():
            raise BadPageMessage("a second hello; open another socket")
