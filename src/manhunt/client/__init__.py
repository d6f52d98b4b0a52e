"""The kit for bots in Python: write a `Bot`, hand it to `run`."""

from manhunt.client.bot import Bot
from manhunt.client.transports import run
from manhunt.protocol.messages import Clock, New, Option, OptionType

__all__ = ["Bot", "Clock", "New", "Option", "OptionType", "run"]
