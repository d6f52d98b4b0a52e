"""The kit for bots in Python: write a `Bot` and pass it to `run`."""

from typing import TYPE_CHECKING

from manhunt.core.lazy import lazy_names

if TYPE_CHECKING:
    from manhunt.client.bot import Bot
    from manhunt.client.transports import run
    from manhunt.protocol.messages import Clock, New, Option, OptionType

_HOME = {
    "Bot": "manhunt.client.bot",
    "Clock": "manhunt.protocol.messages",
    "New": "manhunt.protocol.messages",
    "Option": "manhunt.protocol.messages",
    "OptionType": "manhunt.protocol.messages",
    "run": "manhunt.client.transports",
}
__all__ = [
    "Bot", "Clock", "New", "Option", "OptionType", "run",
]  # fmt: skip
__getattr__, __dir__ = lazy_names(__name__, _HOME)
