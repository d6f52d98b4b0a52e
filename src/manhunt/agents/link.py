"""One running bot: a wire, a session, and the limits of patience; kept over games where somebody asks for it."""

import shlex
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from manhunt import __version__
from manhunt.agents.wires.process import BotLimits, ProcessWire
from manhunt.agents.wires.sandbox import BotSurroundings
from manhunt.agents.wires.stream import SocketWire, Wire, WireClosed, connected
from manhunt.core.errors import BadAgent
from manhunt.core.outside_text import clean_line
from manhunt.protocol.codec import BadMessage, shown
from manhunt.protocol.messages import BotMessage, Hello
from manhunt.protocol.session import BadSpeech, Session, SessionPhase, Slip

NOT_STARTED = "does not start: "
"""What the supervisor says of a command that it cannot start."""
END_OF_INPUT_SECONDS = 0.5
"""How long a bot that was silent is given to empty its buffers and leave."""
Tap = Callable[[str, bytes], object]
"""Hears every line: `>` to the bot, `<` from it."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a bot is waited for where no clock runs."""

    hello_seconds: float = 10.0
    move_seconds: float = 60.0
    leave_seconds: float = 0.5
    grace_seconds: float = 0.1
    """Added to the time in `go` for the way a move takes; the referee's clock has the last word."""


@dataclass(frozen=True, slots=True)
class BotAddress:
    """`cmd:COMMAND LINE`, `tcp:HOST:PORT` or `ws://HOST:PORT/PATH`, taken apart."""

    spec: str
    command: tuple[str, ...] = ()
    host: str = ""
    port: int = 0
    url: str = ""


def parse_address(spec: str) -> BotAddress:
    kind, _, rest = spec.partition(":")
    if kind == "cmd":
        try:
            command = tuple(shlex.split(rest))
        except ValueError as error:
            raise BadAgent(f"agent {spec!r}: {error}; write cmd:COMMAND as in a shell") from None
        if not command:
            raise BadAgent(f"agent {spec!r} has no command; write cmd:./mybot --level 3")
        return BotAddress(spec, command)
    if kind == "tcp":
        return BotAddress(spec, (), *_host_and_port(rest, spec, "tcp:HOST:PORT"))
    url = rest if rest.startswith("ws://") else spec
    if not url.startswith("ws://"):
        raise BadAgent(f"agent {spec!r} is not an address; write ws://HOST:PORT/PATH")
    place = url.removeprefix("ws://").partition("/")[0]
    host, port = _host_and_port(place if ":" in place else f"{place}:80", spec, "ws://HOST:PORT/PATH")
    return BotAddress(spec, (), host, port, url)


def _host_and_port(text: str, spec: str, pattern: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not (colon and host and port.isdecimal() and 0 < int(port) < 65536):
        raise BadAgent(f"agent {spec!r} is not an address; write {pattern}")
    return host.strip("[]"), int(port)


def open_wire(
    address: BotAddress, limits: BotLimits, seconds: float, surroundings: BotSurroundings | None = None
) -> Wire:
    if address.command:
        return ProcessWire(address.command, limits, surroundings)
    connection = connected(address.host, address.port, seconds)
    if not address.url:
        return SocketWire(connection)
    from manhunt.agents.wires.websocket import WebSocketWire

    try:
        return WebSocketWire(connection, address.url, seconds)
    except BaseException:
        connection.close()
        raise


class Link:
    """A bot that has said hello."""

    def __init__(
        self,
        address: BotAddress,
        limits: BotLimits,
        patience: Patience,
        tap: Tap | None = None,
        surroundings: BotSurroundings | None = None,
    ) -> None:
        """Start and greet it; BadSpeech says what went wrong."""
        self.address, self.patience, self._tap = address, patience, tap
        self.session = Session(f"manhunt {__version__}")
        deadline = time.monotonic() + patience.hello_seconds
        try:
            self.wire = open_wire(address, limits, patience.hello_seconds, surroundings)
        except (WireClosed, OSError) as error:
            raise BadSpeech(Slip.NO_START, str(error)) from None
        try:
            self.say(self.session.greet(), deadline)
            self.hello = self._first_words(deadline)
        except BaseException:
            self.drop()
            raise

    def say(self, data: bytes, deadline: float) -> None:
        """Send; a bot that does not read is not waited for beyond the deadline."""
        if self._tap is not None:
            for line in data.splitlines():
                self._tap(">", line)
        try:
            self.wire.send(data, deadline)
        except WireClosed as error:
            raise BadSpeech(Slip.CRASH, str(error)) from None

    def hear(self, deadline: float) -> BotMessage | None:
        """The next message that matters; None when there is none in time."""
        while True:
            try:
                line = self.wire.receive(deadline)
            except WireClosed as error:
                raise BadSpeech(Slip.CRASH, str(error)) from None
            except BadMessage as error:
                raise BadSpeech(Slip.FLOOD, str(error)) from None
            if line is None:
                return None
            if self._tap is not None:
                self._tap("<", line)
            message = self.session.hear(line)
            if message is not None:
                return message
            if time.monotonic() > deadline:
                return None

    def leave(self, seconds: float | None = None) -> bool:
        """Say bye and let go; True if the bot left by itself in time."""
        patience = self.patience.leave_seconds if seconds is None else seconds
        try:
            self.say(self.session.leave(), time.monotonic() + patience)
        except BadSpeech:
            patience = 0.0
        return self.wire.close(patience)

    def drop(self) -> None:
        """Let go without a word."""
        self.wire.close()

    @property
    def idle(self) -> bool:
        """Nothing is expected of it, so that it can begin another game."""
        return self.session.phase is SessionPhase.QUIET

    def held_back(self) -> str:
        """What a silent bot says as soon as its input ends, in words; empty if nothing. It cannot be asked any more."""
        self.wire.end_input()
        try:
            line = self.wire.receive(time.monotonic() + END_OF_INPUT_SECONDS)
        except (WireClosed, BadMessage):
            return ""
        return f"when its input ended, it said {shown(line)}" if line else ""

    def _first_words(self, deadline: float) -> Hello:
        try:
            message = self.hear(deadline)
        except BadSpeech as slip:
            if slip.slip is Slip.CRASH:
                why = slip.detail.removeprefix(NOT_STARTED)
                kind = Slip.NO_HELLO if why == slip.detail else Slip.NO_START
                raise BadSpeech(kind, f"{why}{stderr_note(self.wire.take_stderr())}") from None
            raise
        if message is None:
            seconds = self.patience.hello_seconds
            if held := self.held_back():
                raise BadSpeech(Slip.HELD_BACK, f"nothing within {seconds:g} s; {held}")
            raise BadSpeech(Slip.LATE_HELLO, f"nothing within {seconds:g} s")
        assert isinstance(message, Hello), "the session lets nothing else pass here"
        return message


def stderr_note(stderr: str, most: int = 300) -> str:
    """The end of stderr as one line, for a report. The line that names the error is kept: Node's is the first."""
    line = clean_line(stderr)
    if len(line) > most:
        named = [clean_line(row) for row in stderr.splitlines() if "Error:" in row]
        if named and named[-1] not in line[-most:]:
            return f"; stderr: {named[-1][:most]} ...{line[-most // 3 :]}"
        line = f"...{line[-most:]}"
    return f"; stderr: {line}" if line else ""


@dataclass(slots=True)
class _BotSettings:
    """How bots are run now."""

    limits: BotLimits = field(default_factory=BotLimits)
    patience: Patience = field(default_factory=Patience)
    keep: bool = False
    tap: Tap | None = None
    surroundings: BotSurroundings = field(default_factory=BotSurroundings)
    waiting: dict[str, list[Link]] = field(default_factory=dict)


_bot_settings = [_BotSettings()]


@contextmanager
def running_bots(
    *,
    limits: BotLimits | None = None,
    patience: Patience | None = None,
    keep: bool = False,
    tap: Tap | None = None,
    surroundings: BotSurroundings | None = None,
) -> Iterator[None]:
    """Inside, bots have these limits, and with `keep` one process plays game after game; at the end all of them leave.

    `tap` hears every line that is said, `surroundings` are what bots see of this machine.
    For one thread; processes started inside do not share bots.
    """
    around = surroundings or BotSurroundings()
    settings = _BotSettings(limits or BotLimits(), patience or Patience(), keep, tap, around)
    _bot_settings.append(settings)
    try:
        yield
    finally:
        _bot_settings.remove(settings)
        for link in [link for links in settings.waiting.values() for link in links]:
            link.leave()


def take_link(address: BotAddress) -> Link:
    """A bot that waits for its next game, or a new one."""
    settings = _bot_settings[-1]
    waiting = settings.waiting.get(address.spec, [])
    if waiting:
        return waiting.pop()
    return Link(address, settings.limits, settings.patience, settings.tap, settings.surroundings)


def give_back(link: Link) -> None:
    """After a game."""
    settings = _bot_settings[-1]
    if settings.keep and link.idle:
        settings.waiting.setdefault(link.address.spec, []).append(link)
    else:
        link.leave()
