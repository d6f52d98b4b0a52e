"""`manhunt watch --server`: a game that runs on a classic server, followed move by move."""

import argparse
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from queue import Empty, Queue
from threading import Thread
from typing import Any

from manhunt.cli.terminal.options import Begun, check_outputs, keeping
from manhunt.cli.terminal.plain import JsonTeller, PlainTeller, event_lines, opening_line, result_lines
from manhunt.core.errors import BadBoard, BadConfig, BadText, ManhuntError
from manhunt.core.ids import Seat
from manhunt.core.reading import parse_json
from manhunt.core.registry import make_game
from manhunt.games.shortest_path.classic.client import MOST_BYTES, connect
from manhunt.games.shortest_path.classic.protocol import (
    WATCHER,
    BadClassicMessage,
    Role,
    encode,
    parse_opening,
    shortened,
)
from manhunt.games.shortest_path.rules.actions import EmptyMove, OnEdge
from manhunt.games.shortest_path.rules.config import ShortestPathConfig
from manhunt.games.shortest_path.show.terminal import ShortestPathScreen
from manhunt.games.shortest_path.solvers.bounds import bounds_from_json
from manhunt.play.onlooker import Onlooker
from manhunt.play.referee import Referee

LOOK_SECONDS = 0.1
ELSEWHERE = ("agent_traveller", "agent_adversary", "game_file", "board", "source", "target", "rule", "preset", "seed")
"""Options of a game that is played here."""

Message = Mapping[str, Any]


def follow(options: argparse.Namespace) -> None:
    """From the first message to the last; a record holds as much as was seen."""
    for name in (*ELSEWHERE, *(("figure",) if options.figure else ())):
        if getattr(options, name) is not None:
            raise BadConfig(f"--{name.replace('_', '-')} beside --server: the game is played there; leave it out")
    check_outputs(options)
    with connect(*options.server) as line:
        wanted = {} if options.game_number is None else {"game": options.game_number}
        line.sendall(encode({"name": "watcher", "type": WATCHER, **wanted}))
        if sys.stderr.isatty():
            print("waiting for a game ...", file=sys.stderr)
        messages = _Messages(line)
        followed = _ServedGame(ShortestPathScreen(), messages.first(), options.server)
        with keeping(followed.begun, options):
            if options.json:
                _print(followed, messages, JsonTeller(followed.begun))
            elif options.no_viz or not (sys.stdin.isatty() and sys.stdout.isatty()):
                _print(followed, messages, PlainTeller(followed.begun))
            else:
                _show(followed, messages)
    if messages.broke_off and not followed.is_over:
        raise ManhuntError("the server hung up before the game was over")


class _Messages:
    """What the server says; a thread reads it, so that keys are heard meanwhile."""

    def __init__(self, line: socket.socket) -> None:
        self.broke_off = False
        self._file = line.makefile("rb")
        self._queue: Queue[Message | None] = Queue()

    def first(self) -> Message:
        message = self._read()
        if message is None:
            raise ManhuntError("the server hung up before a game began")
        if message.get("error"):
            raise ManhuntError(f"the server refused: {shortened(str(message.get('message')), 200)}")
        Thread(target=self._listen, daemon=True).start()
        return message

    def next(self, timeout_seconds: float | None = None) -> Message | None:
        """None when nothing came in time, or nothing will: then `broke_off` is true."""
        try:
            message = self._queue.get(timeout=timeout_seconds)
        except Empty:
            return None
        self.broke_off = message is None
        return message

    def _listen(self) -> None:
        with suppress(OSError, ValueError, BadClassicMessage):
            while (message := self._read()) is not None:
                self._queue.put(message)
        self._queue.put(None)

    def _read(self) -> Message | None:
        line = self._file.readline(MOST_BYTES)
        if not line:
            return None
        try:
            message = parse_json(line.decode("utf-8", "replace"), "a message")
        except BadText:
            message = None
        if not isinstance(message, dict):
            raise BadClassicMessage(f"the server sent {shortened(repr(line), 60)}, which is not a JSON object")
        return message


class _ServedGame:
    """The game as it is known here: played again by a referee of our own, message by message."""

    def __init__(self, screen: ShortestPathScreen, opening: Message, server: tuple[str, int]) -> None:
        config: ShortestPathConfig = parse_opening(opening)
        names = {role.seat: str(opening.get(role.word, "?")) for role in Role}
        self.referee = Referee(make_game("shortest_path"), config, names=names)
        onlooker = Onlooker(self.referee, Seat.SPECTATOR)
        opened: Any = onlooker.view
        screen.open(opened)
        self.referee.register(lambda notice: screen.hear(notice.events), Seat.SPECTATOR)
        place = f"game {opening.get('game', '?')} on {server[0]}:{server[1]}"
        self.begun = Begun(screen, onlooker, seed=0, adviser=None, place=place)
        self.screen, self.is_over = screen, False
        self._learn(opening)

    def take(self, message: Message) -> None:
        """Follow one message; the closing one ends it."""
        if "outcome" in message:
            self._learn(message)
            self.is_over = True
        elif "message" in message:  # given up by nobody's fault
            self.is_over = True
        elif not self.referee.over:
            self._move(message)

    def _learn(self, message: Message) -> None:
        """The server's bounds."""
        if "bounds" in message:
            board = self.referee.config.board
            self.screen.certify(bounds_from_json(message["bounds"], board, "the server's bounds"), board)

    def _move(self, message: Message) -> None:
        role = Role.PLAYER if "add_cost" in message else Role.ADVERSARY
        edge, cost = message.get("edge"), message.get("add_cost", message.get("new_cost"))
        if message.get("error"):
            reason = shortened(str(message.get("reason", "time, moves, a drop or a bad message")), 200)
            self.referee.forfeit(role.seat, "error", reason)
        elif not cost or not (isinstance(edge, list) and len(edge) == 2):
            self.referee.submit(EmptyMove(), role.seat)
        else:
            try:
                a, b = (self.referee.config.board.node(str(end)) for end in edge)
            except BadBoard as error:
                raise BadClassicMessage(f"the server reported a move along no edge: {error}") from None
            self.referee.submit(OnEdge(a, b), role.seat)


def _print(followed: _ServedGame, messages: _Messages, teller: PlainTeller | JsonTeller) -> None:
    teller.catch_up()
    while not followed.is_over:
        message = messages.next()
        if message is None:
            break
        followed.take(message)
        teller.catch_up()
    if isinstance(teller, JsonTeller):
        teller.outcome()
    else:
        print("\n".join(result_lines(followed.begun)))


def _show(followed: _ServedGame, messages: _Messages) -> None:
    """Until Q; the last position and the result stay on the screen afterwards."""
    from rich.live import Live

    from manhunt.cli.screen import console
    from manhunt.cli.terminal.frame import compose, keys_line
    from manhunt.cli.terminal.keys import END, raw_keys

    begun, out = followed.begun, console()

    def redraw(live: Live) -> None:
        log = [line for events in begun.game.events for line in event_lines(begun.screen, events)]
        log += result_lines(begun) if followed.is_over or begun.game.over or messages.broke_off else []
        footer = [keys_line(("Q", "quit"))]
        view = begun.game.view
        live.update(compose(out, begun.screen, view, log=log, footer=footer, corner=begun.seed_text), refresh=True)

    with Live(console=out, screen=True, auto_refresh=False) as live, raw_keys() as keys:
        redraw(live)
        size = out.size
        while keys.read(LOOK_SECONDS) not in ("q", END):
            changed, size = out.size != size, out.size
            while not messages.broke_off and (message := messages.next(0)) is not None:
                followed.take(message)
                changed = True
            if changed:
                redraw(live)
    out.print(opening_line(begun), style="quiet")
    out.print(begun.screen.picture(begun.game.view, out.width, min(16, max(out.height - 6, 6))))
    out.print("\n".join(result_lines(begun)), markup=False)
