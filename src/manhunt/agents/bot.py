"""A bot in any language behind the agent contract: `cmd:./mybot --level 3`, `tcp:HOST:PORT`, `ws://HOST:PORT`."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from manhunt.agents.link import Link, give_back, parse_address, stderr_note, take_link
from manhunt.agents.strategy import board_of
from manhunt.boards.board import Board
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.errors import ManhuntError, one_of
from manhunt.core.game import View
from manhunt.core.outside_text import clean_line
from manhunt.core.registry import make_game
from manhunt.core.turns import TurnEnd, TurnFailed
from manhunt.protocol import messages
from manhunt.protocol.messages import MOST_LEGAL, Clock, Go, Move, New, Observe, Resign
from manhunt.protocol.session import BadSpeech, Slip

FORGIVABLE = (Slip.MALFORMED, Slip.OUT_OF_TURN, Slip.WRONG_N)
"""Slips that cost the turn; after any other the bot is given up."""


@dataclass(frozen=True, slots=True)
class TurnNote:
    """What is known of one turn of a bot, for reports."""

    n: int
    end: TurnEnd
    seconds: float
    stderr: str
    text: str = ""
    """Of its last `info`."""


class BotAgent(Agent):
    """A bot of the protocol in docs/reference/protocol.md. It is started when a game begins and hears of what happened
    when it is its turn and after the end."""

    def __init__(self, spec: str, options: Mapping[str, Any] | None = None) -> None:
        self.address = parse_address(spec)
        self.options = dict(options or {})
        self.turns: list[TurnNote] = []
        """Of the present or last game."""
        self.start_stderr = ""
        """What the bot wrote to stderr before its first turn."""
        self._link: Link | None = None
        self._events: list[Mapping[str, Any]] = []
        self._clock = Clock()
        self._offered = Offer((), [], {})

    @property
    def name(self) -> str:
        """As the bot says, else its spec."""
        return clean_line(self._link.hello.name) if self._link else self.address.spec

    def start(self, view: View) -> None:
        self._let_go()
        self.turns, self.start_stderr = [], ""
        self._events, self._clock = [], Clock()
        try:
            self._link = take_link(self.address)
            deadline = time.monotonic() + self._link.patience.hello_seconds
            self._check_fit(self._link, view)
            self._link.say(self._link.session.begin(new_message(view, self.options)), deadline)
        except BadSpeech as slip:
            self._let_go()
            raise TurnFailed(TurnEnd.CRASH, str(slip)) from None

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        self._events += events

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        began = time.monotonic()
        n = len(self.turns) + 1
        end, detail, stderr, text = TurnEnd.OK, "", "", ""
        try:
            return self._ask(n, view, limit, rng, began)
        except TurnFailed as failure:
            end, detail = failure.end, failure.detail
            stderr = self._link.wire.take_stderr() if self._link else ""
            if end is TurnEnd.CRASH:
                detail += stderr_note(stderr)
                self._drop()
            raise TurnFailed(end, detail) from None
        finally:
            if self._link is not None:
                stderr = stderr or self._link.wire.take_stderr()
                text = self._link.session.info.text if self._link.session.info else ""
            self.turns.append(TurnNote(n, end, time.monotonic() - began, stderr, text))

    def stop(self) -> None:
        if self._link is None:
            return
        try:
            # What it has not read by now need not hold up anybody.
            self._link.say(self._link.session.end(self._observed(None)), time.monotonic() + 0.05)
        except BadSpeech:
            self._drop()
        self._let_go()

    def _ask(self, n: int, view: View, limit: Limit, rng: Random, began: float) -> Advice:
        link = self._link
        if link is None:
            raise TurnFailed(TurnEnd.CRASH, "the bot is gone")
        face = limit.clock
        seconds = link.patience.move_seconds if limit.seconds is None else limit.seconds
        deadline = began + seconds + max(link.patience.grace_seconds, face.grace_seconds)
        self._clock = Clock(limit.seconds, face.bank_seconds, face.increment_seconds, face.cap_seconds)
        if self._offered.actions is not view.legal:
            self._offered = offer_of(view)
        go = Go(n, rng.getrandbits(32), len(view.legal), self._offered.texts, self._clock)
        try:
            link.say(link.session.ask(self._observed(view), go), deadline)
            answer = link.hear(deadline)
            while answer is not None and not isinstance(answer, Move | Resign):
                answer = link.hear(deadline)
        except BadSpeech as slip:
            if slip.slip not in FORGIVABLE:
                raise TurnFailed(TurnEnd.CRASH, str(slip)) from None
            self._report_error(link, str(slip))
            raise TurnFailed(TurnEnd.ILLEGAL, str(slip)) from None
        if answer is None:
            raise TurnFailed(TurnEnd.TIMEOUT, f"no move within {seconds:.3g} s")
        if isinstance(answer, Resign):
            raise TurnFailed(TurnEnd.RESIGN, "the bot resigns")
        return self._advice(link, view, answer)

    def _advice(self, link: Link, view: View, move: Move) -> Advice:
        action = self._offered.by_text.get(move.action)
        if action is None:
            action = parsed_action(view, move.action)
        info = link.session.info
        if info is None:
            return Advice(action)
        return Advice(action, info.value, info.confidence, _line(view, info.line), info.counters)

    def _observed(self, view: View | None) -> Observe:
        events, self._events = self._events, []
        shown = None if view is None else make_game(view.game).view_to_json(view)
        return Observe([dict(event) for event in events], shown, self._clock)

    def _check_fit(self, link: Link, view: View) -> None:
        hello = link.hello
        for word, mine, theirs in (("game", view.game, hello.games), ("seat", view.seat.value, hello.seats)):
            if theirs and mine not in theirs:
                raise BadSpeech(Slip.UNFIT, f"the bot {hello.name} knows no {word} {mine}; it knows {one_of(theirs)}")

    def _report_error(self, link: Link, what: str) -> None:
        try:
            link.say(link.session.report_error(what), time.monotonic() + 0.01)
        except BadSpeech:
            self._drop()

    def _drop(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            link.drop()

    def _let_go(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            give_back(link)


@dataclass(frozen=True, slots=True)
class Offer:
    """The legal actions of one turn, as text; games that offer the same ones again and again hand out one tuple."""

    actions: tuple[Any, ...]
    texts: list[str] | None
    by_text: Mapping[str, Any]


def offer_of(view: View) -> Offer:
    if len(view.legal) > MOST_LEGAL:
        return Offer(view.legal, None, {})
    game = make_game(view.game)
    texts = [game.format_action(view.config, action) for action in view.legal]
    return Offer(view.legal, texts, dict(zip(texts, view.legal, strict=True)))


def parsed_action(view: View, text: str) -> Any:
    """Other ways to write a legal action, or one that was not listed."""
    game = make_game(view.game)
    try:
        action = game.parse_action(view.config, text)
    except ManhuntError as error:
        raise TurnFailed(TurnEnd.ILLEGAL, f"{error}") from None
    if action not in view.legal:
        legal = one_of(game.format_action(view.config, a) for a in view.legal)
        raise TurnFailed(TurnEnd.ILLEGAL, f"{text!r} is not legal now; legal: {legal}")
    return action


def _line(view: View, texts: Sequence[str]) -> tuple[Any, ...]:
    """The actions that a bot foresees, as far as they can be read."""
    game, actions = make_game(view.game), list[Any]()
    for text in texts:
        try:
            actions.append(game.parse_action(view.config, text))
        except ManhuntError:
            break
    return tuple(actions)


def new_message(view: View, options: Mapping[str, Any]) -> New:
    config = make_game(view.game).config_to_json(view.config)
    board = board_of(view)
    graph = None if board is None else board_message(board)
    return New(view.game, config, view.seat.value, graph, dict(options))


def board_message(board: Board) -> messages.BoardGraph:
    edges = [(board.label(e.a), board.label(e.b), e.transport.name.lower()) for e in board.edges]
    return messages.BoardGraph(board.name, list(board.labels), edges)
