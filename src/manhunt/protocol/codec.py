"""Lines of bytes to messages and back; nobody reads or writes here."""

from collections.abc import Iterator
from typing import TypeVar

import msgspec

from manhunt.core.errors import ManhuntError
from manhunt.protocol.messages import MOST_LINE_BYTES, BotMessage, FromBot, FromManager, ManagerMessage

_encoder = msgspec.json.Encoder()
_from_bot: msgspec.json.Decoder[BotMessage] = msgspec.json.Decoder(BotMessage)
_from_manager: msgspec.json.Decoder[ManagerMessage] = msgspec.json.Decoder(ManagerMessage)


MessageT = TypeVar("MessageT")


class BadMessage(ManhuntError):
    """A line that is no message of the protocol."""


class LineTooLong(BadMessage):
    """A line without an end."""


def encode(message: FromManager | FromBot) -> bytes:
    """One line with its newline."""
    return _encoder.encode(message) + b"\n"


def decode_bot(line: bytes) -> BotMessage:
    return _decoded(_from_bot, line)


def decode_manager(line: bytes) -> ManagerMessage:
    return _decoded(_from_manager, line)


def _decoded(decoder: msgspec.json.Decoder[MessageT], line: bytes) -> MessageT:
    try:
        return decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadMessage(f"{shown(line)} is not a message: {_in_words(error)}") from None


def _in_words(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deep"
    if isinstance(error, UnicodeDecodeError):
        return "not UTF-8"
    return str(error)


def shown(line: bytes, most: int = 80) -> str:
    """The beginning of a line for a report."""
    text = repr(line[:most].decode("utf-8", "backslashreplace"))
    return text if len(line) <= most else f"{text}... ({len(line)} bytes)"


class LineSplitter:
    """Cuts a stream of bytes into lines, however they arrive; LineTooLong when a line does not end."""

    def __init__(self, most_bytes: int = MOST_LINE_BYTES) -> None:
        self._most_bytes = most_bytes
        self._parts: list[bytes] = []
        self._n_pending = 0

    @property
    def pending(self) -> bytes:
        """What came after the last newline."""
        return b"".join(self._parts)

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The lines that become complete, without newline; empty ones are skipped."""
        *ended, rest = data.split(b"\n")
        for part in ended:
            line = b"".join((*self._parts, part)).strip() if self._parts else part.strip()
            self._parts.clear()
            self._n_pending = 0
            self._check(len(line))
            if line:
                yield line
        if rest:
            self._parts.append(rest)
            self._n_pending += len(rest)
            self._check(self._n_pending)

    def _check(self, n_bytes: int) -> None:
        if n_bytes > self._most_bytes:
            raise LineTooLong(f"a line of more than {self._most_bytes} bytes")
