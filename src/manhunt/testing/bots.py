"""What `manhunt bot check` does: a scripted dialogue with a bot that lists every slip, then the leak certificate."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from manhunt.agents.bot import BotAgent, new_message, offer_of, parsed_action
from manhunt.agents.link import Link, Patience, Tap, parse_address, running_bots, stderr_note
from manhunt.agents.random import RandomAgent
from manhunt.agents.wires.process import BotLimits
from manhunt.agents.wires.sandbox import BotSurroundings
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.game import AnyGame, View
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import make_game
from manhunt.core.turns import TurnFailed
from manhunt.play.referee import Referee
from manhunt.protocol.messages import Clock, Go, Hello, Move, Observe, Option, OptionType, Resign
from manhunt.protocol.session import BadSpeech, Slip
from manhunt.testing.agents import Report, examine_agent

FATAL = (Slip.CRASH, Slip.FLOOD, Slip.REFUSED)
QUIET_SECONDS = 0.05
"""How long the check listens when the bot should say nothing."""
AFTER_SLIP_SECONDS = 0.2
MOST_SILENT = 3
LEAVE_SECONDS = 2.0
BUFFERED = "PYTHONUNBUFFERED="
"""In games, bots in Python need not flush; the check wants them to, because elsewhere they must."""
ADVICE = {
    Slip.NO_START: "write a command as in a shell: `python3 bot.py`, `node bot.js`, `./bot`; a bot on the network "
    "has to listen first",
    Slip.HELD_BACK: "flush after every line, and answer `go` before you read the next line",
    Slip.LATE_HELLO: "answer `hello` first, and load what takes long afterwards",
    Slip.LATE: "stop a little earlier than `clock.move`; the way back counts, too",
    Slip.MALFORMED: "write only messages to stdout, and all else to stderr; `action` must be there, as a string",
    Slip.OUT_OF_TURN: "write a move only after `go`, and one for each `go`",
    Slip.WRONG_N: "copy `n` from the `go` that you answer; it starts again in every game",
    Slip.ILLEGAL: "choose from the `legal` of this `go`; nothing of an earlier game or turn is valid now",
    Slip.CRASH: "stderr says where. Often: a hidden event has no `t`; events differ from turn to turn; `view` is null "
    "after the end; labels are strings; one read may return several lines",
    Slip.FICKLE: "take all chance from the `seed` in `go`; the order of a set of strings changes from start to start",
    Slip.LEAK: "take chance from the `seed` in `go` alone, and nothing from the clock or from earlier games",
    Slip.DEAF: "end when `bye` comes, and when your input ends",
}
Tell = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Violation:
    """One mistake of a bot: where it happened first, and how often."""

    slip: Slip
    where: str
    detail: str
    times: int = 1

    @property
    def advice(self) -> str:
        """What to look for in the bot; empty if the violation needs no advice."""
        return ADVICE.get(self.slip, "")


@dataclass(slots=True)
class BotReport:
    """What a bot did wrong; without violations it passed. A bot that resigns breaks no rule, but its play was not
    tested.
    """

    bot: str
    game: str
    hello: Hello | None = None
    n_games: int = 0
    n_moves: int = 0
    n_resigned: int = 0
    slowest_seconds: float = 0.0
    stderr: str = ""
    certificates: list[Report] = field(default_factory=list)
    _found: Counter[tuple[Slip, str]] = field(default_factory=Counter)
    _details: dict[tuple[Slip, str], str] = field(default_factory=dict)

    def note(self, slip: Slip, where: str, detail: str) -> None:
        """Count a violation; the details of the first one of its kind are kept."""
        self._found[slip, where] += 1
        self._details.setdefault((slip, where), detail)

    @property
    def violations(self) -> list[Violation]:
        """What went wrong, each kind once."""
        return [Violation(*key, self._details[key], times) for key, times in self._found.items()]

    @property
    def ok(self) -> bool:
        """Whether nothing went wrong."""
        return not self._found


class _Gone(Exception):
    """The bot cannot be asked any more."""


class _Interrogator(Agent):
    """Sits on the bot's seat, asks it, writes down every slip, and plays on by itself where the bot failed."""

    def __init__(self, link: Link, report: BotReport, seat: Seat, seconds: float) -> None:
        self.link, self.report, self.seconds = link, report, seconds
        self.where = f"as {seat.value}"
        self.events: list[Any] = []
        self.n = 0
        self.n_silent = 0
        self.gone = False

    def start(self, view: View) -> None:
        self._say(self.link.session.begin(new_message(view, {})))
        self._listen()

    def observe(self, events: Sequence[Any]) -> None:
        self.events += events

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        self.n += 1
        if self.n in (2, 3):
            self._listen()
        else:
            self._listen(0.0)
        offer = offer_of(view)
        clock = Clock(self.seconds, None, 0.0, self.seconds)
        news = Observe([dict(e) for e in self.events], make_game(view.game).view_to_json(view), clock)
        go = Go(self.n, rng.getrandbits(32), len(view.legal), offer.texts, clock)
        self.events = []
        began = time.monotonic()
        self._say(self.link.session.ask(news, go))
        answer = self._answer(began)
        self.report.n_moves += 1
        self.report.slowest_seconds = max(self.report.slowest_seconds, time.monotonic() - began)
        if isinstance(answer, Resign):
            self.report.n_resigned += 1
        elif isinstance(answer, Move):
            try:
                known = offer.by_text.get(answer.action)
                return Advice(parsed_action(view, answer.action) if known is None else known)
            except TurnFailed as failure:
                self.report.note(Slip.ILLEGAL, self.where, f"move {self.n}: {failure.detail}")
        return Advice(rng.choice(view.legal))

    def finish(self) -> None:
        """The game is over: tell the bot, who has nothing to say to that."""
        self._say(self.link.session.end(Observe([dict(e) for e in self.events], None)))
        self._listen()

    def _answer(self, began: float) -> Move | Resign | None:
        """A late one is waited for, to tell it from none at all; after another slip there is not much to wait for."""
        deadline, slipped = began + 2 * self.seconds + self.link.patience.grace_seconds, False
        while True:
            try:
                answer = self.link.hear(deadline)
            except BadSpeech as slip:
                self._note(slip)
                slipped, deadline = True, min(deadline, time.monotonic() + AFTER_SLIP_SECONDS)
                continue
            used = time.monotonic() - began
            if answer is None:
                if not slipped:
                    late = f"move {self.n}: nothing for {used:.2f} s of {self.seconds:g}"
                    self._give_up_on(Slip.LATE, late)
                return None
            if isinstance(answer, Move | Resign):
                if used > self.seconds:
                    late = f"move {self.n}: after {used:.2f} s of {self.seconds:g}"
                    self.report.note(Slip.LATE, self.where, late)
                return answer

    def _give_up_on(self, slip: Slip, detail: str) -> None:
        """A bot that is silent again and again need not be asked for a whole game."""
        self.report.note(slip, self.where, detail)
        self.n_silent += 1
        if self.n_silent == MOST_SILENT:
            self.gone = True
            if held := self.link.held_back():
                self.report.note(Slip.HELD_BACK, self.where, held)
            raise _Gone

    def _listen(self, seconds: float = QUIET_SECONDS) -> None:
        """Hear what is said while nothing was asked."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                if self.link.hear(deadline) is None:
                    return
            except BadSpeech as slip:
                self._note(slip)

    def _say(self, data: bytes) -> None:
        try:
            self.link.say(data, time.monotonic() + self.seconds)
        except BadSpeech as slip:
            self._note(slip)

    def _note(self, slip: BadSpeech) -> None:
        detail = slip.detail
        if slip.slip in FATAL:
            detail += stderr_note(self.link.wire.take_stderr())
        self.report.note(slip.slip, self.where, f"move {self.n}: {detail}" if self.n else detail)
        if slip.slip in FATAL:
            self.gone = True
            raise _Gone


def check_bot(
    spec: str,
    game: AnyGame | str,
    config: Any = None,
    *,
    seats: Sequence[Seat] = (),
    seconds: float = 2.0,
    games: int = 2,
    seed: int = 0,
    certificate: bool = True,
    limits: BotLimits | None = None,
    surroundings: BotSurroundings | None = None,
    hello_seconds: float = 10.0,
    tap: Tap | None = None,
    tell: Tell = str,
) -> BotReport:
    """Check a bot (`cmd:...`, `tcp:...`, `ws:...`) against everything in the protocol; the report lists what it does
    wrong.

    `seconds` is the time for a move, and `games` how many games each seat plays for the certificate. `tap` is called
    with every line of the dialogue, `tell` with what is being tried. Without `seats` the check uses those that the bot
    says it plays.
    """
    rules = make_game(game) if isinstance(game, str) else game
    table = rules.make_config() if config is None else config
    report = BotReport(spec, rules.name)
    around = surroundings or BotSurroundings()
    surroundings = replace(around, environment=(BUFFERED, *around.environment))
    patience = Patience(hello_seconds=hello_seconds, move_seconds=seconds, leave_seconds=LEAVE_SECONDS)
    tell("a dialogue")
    try:
        link = Link(parse_address(spec), limits or BotLimits(), patience, tap, surroundings)
    except BadSpeech as slip:
        report.note(slip.slip, "at the start", slip.detail)
        return report
    report.hello = link.hello
    _check_hello(report, link.hello)
    tried = [seat for seat in seats or PLAYERS if seats or not link.hello.seats or seat.value in link.hello.seats]
    _dialogue(link, report, rules, table, tried, seconds, seed)
    if certificate and report.ok and not report.n_resigned:
        with running_bots(limits=limits, patience=patience, surroundings=surroundings):
            for seat in tried:
                tell(f"the certificate as {seat.value}")
                _certify(report, spec, rules, table, seat, seconds, games, seed)
    return report


def _dialogue(
    link: Link, report: BotReport, game: AnyGame, config: Any, seats: Sequence[Seat], seconds: float, seed: int
) -> None:
    """A game on each seat, one after the other with the same process, then bye."""
    try:
        for number, seat in enumerate(seats):
            talker = _Interrogator(link, report, seat, seconds)
            other = next(s for s in PLAYERS if s is not seat)
            referee = Referee(game, config, {seat: talker, other: RandomAgent()}, seed=seed + number)
            while not referee.over and not talker.gone:
                referee.step()
            if talker.gone:
                raise _Gone
            talker.finish()
            report.n_games += 1
    except _Gone:
        link.drop()
        return
    report.stderr = link.wire.take_stderr()
    if not link.leave(LEAVE_SECONDS):
        report.note(Slip.DEAF, "at the end", f"still there {LEAVE_SECONDS:g} s after bye")


def _check_hello(report: BotReport, hello: Hello) -> None:
    where = "in hello"
    if hello.games and report.game not in hello.games:
        report.note(Slip.UNFIT, where, f"the bot does not list {report.game}; it lists {', '.join(hello.games)}")
    for seat in hello.seats:
        if seat not in [s.value for s in PLAYERS]:
            report.note(Slip.OPTIONS, where, f"there is no seat {seat!r}; seats are evader and pursuers")
    names = [option.name for option in hello.options]
    for option in hello.options:
        if names.count(option.name) > 1:
            report.note(Slip.OPTIONS, where, f"the option {option.name!r} is there twice")
        elif why := _option_fault(option):
            report.note(Slip.OPTIONS, where, f"option {option.name!r}: {why}")


_KINDS: dict[OptionType, tuple[type, ...]] = {
    OptionType.INT: (int,),
    OptionType.FLOAT: (int, float),
    OptionType.BOOL: (bool,),
    OptionType.TEXT: (str,),
    OptionType.CHOICE: (str,),
}


def _option_fault(option: Option) -> str | None:
    """What makes no sense in it."""
    default = option.default
    is_number = option.type in (OptionType.INT, OptionType.FLOAT)
    if not isinstance(default, _KINDS[option.type]) or (is_number and isinstance(default, bool)):
        return f"the default {default!r} is no {option.type.value}"
    if option.type is OptionType.CHOICE and default not in option.choices:
        return f"the default {default!r} is none of its choices"
    if is_number and isinstance(default, int | float):
        low = default if option.low is None else option.low
        high = default if option.high is None else option.high
        if not low <= default <= high:
            return f"the default {default} is not between low and high"
    return None


def _certify(
    report: BotReport, spec: str, game: AnyGame, config: Any, seat: Seat, seconds: float, games: int, seed: int
) -> None:
    """The same game twice first: a bot that throws its own dice cannot be compared."""
    limit, where = Limit(seconds=seconds), f"as {seat.value}"
    other = next(s for s in PLAYERS if s is not seat)
    actions = []
    for _ in range(2):
        agents = {seat: BotAgent(spec), other: RandomAgent()}
        referee = Referee(game, config, agents, seed=seed, limit=limit)
        referee.run()
        actions.append([game.format_action(config, action) for action in referee.actions])
        if referee.faults:
            report.note(Slip.CRASH, where, f"in a second process: {referee.faults[0].detail}")
            return
    if actions[0] != actions[1]:
        ply = next((i for i, (a, b) in enumerate(zip(*actions, strict=False)) if a != b), 0)
        first, second = (line[ply] for line in actions)
        report.note(Slip.FICKLE, where, f"ply {ply + 1}: {first}, then {second}; take all chance from the seed in go")
        return
    found = examine_agent(
        lambda: BotAgent(spec), game, config, seat, games=games, positions=3, worlds=2, limit=limit, seed=seed
    )
    report.certificates.append(found)
    if found.fault is not None:
        report.note(Slip.LEAK, where, found.fault)
