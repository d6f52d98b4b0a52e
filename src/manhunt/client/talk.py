"""One connection from the bot's side; how lines come and go is the caller's affair."""

import inspect
import sys
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from manhunt.client.bot import Bot
from manhunt.protocol.codec import BadMessage, decode_manager, encode
from manhunt.protocol.messages import (
    PROTOCOL,
    BotBye,
    Go,
    Greeting,
    Hello,
    ManagerBye,
    ManagerError,
    Move,
    New,
    Observe,
    Resign,
)

Receive = Callable[[], Awaitable[bytes | None]]
"""The next line, None at the end."""
Send = Callable[[bytes], Awaitable[None]]
Call = Callable[..., Awaitable[Any]]
"""How the bot's thinking is called: at once, or in a thread."""


async def call_directly(function: Callable[..., Any], *arguments: Any) -> Any:
    return function(*arguments)


async def converse(bot: Bot, receive: Receive, send: Send, call: Call = call_directly) -> None:
    """Greet, play whatever is asked, leave when told or when the line ends."""
    while (line := await receive()) is not None:
        try:
            message = decode_manager(line)
        except BadMessage as error:  # a later version may say more than we know
            print(f"not understood: {error}", file=sys.stderr)
            continue
        if isinstance(message, Greeting):
            await send(encode(_hello(bot)))
        elif isinstance(message, New):
            bot.game = message
            await call(bot.start, message)
        elif isinstance(message, Observe):
            await call(bot.observe, message.events, message.view)
            view = message.view
        elif isinstance(message, Go):
            await send(await _answer(bot, message, view or {}, call))
        elif isinstance(message, ManagerError):
            print(f"the manager says: {message.what}", file=sys.stderr)
        elif isinstance(message, ManagerBye):
            await send(encode(BotBye()))
            return


def _hello(bot: Bot) -> Hello:
    return Hello(PROTOCOL, bot.name, bot.version, list(bot.games), list(bot.seats), list(bot.options))


async def _answer(bot: Bot, go: Go, view: dict[str, Any], call: Call) -> bytes:
    bot.rng = Random(go.seed)
    choice = await call(bot.choose, view, go.legal or (), go.clock)
    if inspect.isawaitable(choice):
        choice = await choice
    thoughts = b"".join(encode(info) for info in bot.take_thoughts())
    return thoughts + encode(Resign() if choice is None else Move(go.n, choice))
