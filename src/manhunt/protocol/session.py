"""One bot seen from the manager: what may be said when, and what each slip is called. No I/O."""

from enum import Enum

from manhunt.protocol.codec import BadMessage, decode_bot, encode, shown
from manhunt.protocol.messages import (
    MOST_TURN_BYTES,
    PROTOCOL,
    BotBye,
    BotError,
    BotMessage,
    Go,
    Greeting,
    Hello,
    Info,
    ManagerBye,
    ManagerError,
    Move,
    New,
    Observe,
    Resign,
)


class Slip(Enum):
    """Everything a bot can do wrong; `manhunt bot check` names these."""

    NO_START = "does not start"
    NO_HELLO = "no hello"
    LATE_HELLO = "late hello"
    HELD_BACK = "holds its lines back"
    PROTOCOL = "wrong protocol"
    MALFORMED = "malformed line"
    OUT_OF_TURN = "speaks out of turn"
    WRONG_N = "wrong n"
    ILLEGAL = "illegal move"
    LATE = "late move"
    FLOOD = "output flood"
    REFUSED = "says it cannot go on"
    CRASH = "crash"
    DEAF = "deaf to bye"
    UNFIT = "does not play this"
    OPTIONS = "options that make no sense"
    FICKLE = "same seed, other move"
    LEAK = "acts on what it cannot know"


class BadSpeech(Exception):
    """A slip, and what exactly happened."""

    def __init__(self, slip: Slip, detail: str) -> None:
        super().__init__(f"{slip.value}: {detail}")
        self.slip, self.detail = slip, detail


class SessionPhase(Enum):
    """What the manager waits for."""

    CLOSED = "nothing yet"
    HELLO = "the bot's hello"
    QUIET = "nothing: it is not the bot's turn"
    TURN = "a move"
    LEAVING = "the end"


class Session:
    """Makes the manager's lines and judges the bot's. Raises BadSpeech for a slip; it may be used on after that."""

    def __init__(self, program: str) -> None:
        self.program = program
        self.phase = SessionPhase.CLOSED
        self.hello: Hello | None = None
        self.n = 0
        self.info: Info | None = None
        """The last one since `go`."""
        self._n_bytes = 0
        self._missed: set[int] = set()

    def greet(self) -> bytes:
        self.phase = SessionPhase.HELLO
        return encode(Greeting(PROTOCOL, self.program))

    def begin(self, new: New) -> bytes:
        self.phase, self.n = SessionPhase.QUIET, 0
        self._n_bytes = 0
        self._missed.clear()
        return encode(new)

    def ask(self, observe: Observe, go: Go) -> bytes:
        """It is the bot's turn; a move that was asked for before is not waited for any longer."""
        if self.phase is SessionPhase.TURN:
            self._missed.add(self.n)
        self.phase, self.n, self.info = SessionPhase.TURN, go.n, None
        self._n_bytes = 0
        return encode(observe) + encode(go)

    def end(self, observe: Observe) -> bytes:
        """The game is over."""
        if self.phase is SessionPhase.TURN:
            self._missed.add(self.n)
        self.phase = SessionPhase.QUIET
        return encode(observe)

    def report_error(self, what: str) -> bytes:
        return encode(ManagerError(what))

    def leave(self) -> bytes:
        self.phase = SessionPhase.LEAVING
        return encode(ManagerBye())

    def hear(self, line: bytes) -> BotMessage | None:
        """The message in a line; None for one that answers an older question and is let pass."""
        self._n_bytes += len(line) + 1
        if self._n_bytes > MOST_TURN_BYTES:
            raise BadSpeech(Slip.FLOOD, f"more than {MOST_TURN_BYTES} bytes before a move")
        try:
            message = decode_bot(line)
        except BadMessage as error:
            raise BadSpeech(Slip.MALFORMED, str(error)) from None
        if isinstance(message, BotError):
            raise BadSpeech(Slip.REFUSED, f"the bot's error: {message.what}")
        if isinstance(message, Hello):
            return self._hear_hello(message, line)
        if self.phase is SessionPhase.HELLO:
            raise BadSpeech(Slip.NO_HELLO, f"the first line is {shown(line)}, not a hello")
        if isinstance(message, BotBye):
            if self.phase is not SessionPhase.LEAVING:
                raise BadSpeech(Slip.CRASH, "the bot said bye before it was told to")
            return message
        if isinstance(message, Info):
            self.info = message
            return message
        return self._hear_answer(message, line)

    def _hear_hello(self, hello: Hello, line: bytes) -> Hello:
        if self.phase is not SessionPhase.HELLO:
            raise BadSpeech(Slip.OUT_OF_TURN, f"a second hello: {shown(line)}")
        if hello.protocol != PROTOCOL:
            raise BadSpeech(Slip.PROTOCOL, f"the bot speaks protocol {hello.protocol}; this is {PROTOCOL}")
        self.hello, self.phase = hello, SessionPhase.QUIET
        return hello

    def _hear_answer(self, message: Move | Resign, line: bytes) -> Move | Resign | None:
        if isinstance(message, Move) and message.n in self._missed:
            self._missed.discard(message.n)
            return None
        if self.phase is not SessionPhase.TURN:
            raise BadSpeech(Slip.OUT_OF_TURN, f"{shown(line)} while the manager waits for {self.phase.value}")
        if isinstance(message, Move) and message.n != self.n:
            raise BadSpeech(Slip.WRONG_N, f"a move with n {message.n}; the manager asked for {self.n}")
        self.phase = SessionPhase.QUIET
        return message
