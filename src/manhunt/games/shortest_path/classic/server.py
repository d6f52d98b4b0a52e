"""The server for bots that speak the classic protocol of Adversarial Shortest Path, over TCP."""

import asyncio
import errno
import re
from collections import deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from manhunt.core.errors import ManhuntError
from manhunt.core.registry import make_game
from manhunt.games.shortest_path.classic.connection import ClassicConnection
from manhunt.games.shortest_path.classic.game import ClassicGame
from manhunt.games.shortest_path.classic.protocol import (
    BadClassicMessage,
    ClassicHello,
    Role,
    closing,
    encode,
    opening,
    refusal,
)
from manhunt.games.shortest_path.classic.start_bounds import StartBounds
from manhunt.games.shortest_path.rules.config import ShortestPathConfig
from manhunt.games.shortest_path.solvers.bounds import Bounds
from manhunt.games.shortest_path.solvers.verdict import promise, verdict

MOST_CONNECTIONS = 2_000
MOST_WATCHERS = 50
MOST_BUFFERED_BYTES = 2 * 2**20
"""A watcher who leaves more than this unread is sent away."""
LAST_LINGER_SECONDS = 0.5
STOPPING = "the server stops"
_RECORD = re.compile(r"game-(\d+)\.record\.txt")


@dataclass(frozen=True, slots=True)
class ClassicReport:
    """Something that happened on the server: `text` for people, `data` for machines."""

    kind: str
    text: str
    game: int | None = None
    data: Mapping[str, Any] = field(default_factory=dict)


class ClassicWatchers:
    """The watchers of one game: they hear all of it from the beginning, and can never make it wait."""

    def __init__(self, opening: dict[str, Any]) -> None:
        self._sent = [encode(opening)]
        self._watchers: set[ClassicConnection] = set()

    def __len__(self) -> int:
        return len(self._watchers)

    def admit(self, watcher: ClassicConnection) -> None:
        """Tell everything so far; it may be much, so the bound begins afterwards."""
        watcher.post(b"".join(self._sent))
        self._watchers.add(watcher)

    def leave(self, watcher: ClassicConnection) -> None:
        self._watchers.discard(watcher)

    def tell(self, message: dict[str, Any]) -> list[ClassicConnection]:
        """Nobody is waited for; returns those who are too slow and do not belong to it any more."""
        words = encode(message)
        self._sent.append(words)
        slow = [watcher for watcher in self._watchers if not watcher.post(words, MOST_BUFFERED_BYTES)]
        self._watchers.difference_update(slow)
        return slow

    def close(self) -> list[ClassicConnection]:
        """The game is over; returns everybody who watched to the end."""
        watchers = list(self._watchers)
        self._watchers.clear()
        return watchers


class ClassicServer:
    """Pairs players with adversaries in the order of their arrival; many games may run at once.

    Of each type `most_waiting` may wait for an opponent; another one is refused (paragraph 8: one waits). With
    `n_games` the server is done after that many games; records go to `record_folder`. In `bounds_seconds` the value
    of the start is bounded once for all games. Watchers take no place.
    """

    def __init__(
        self,
        config: ShortestPathConfig,
        *,
        bank_seconds: float | None = None,
        n_games: int | None = None,
        most_waiting: int = 1,
        record_folder: Path | None = None,
        bounds_seconds: float = 0.0,
        report: Callable[[ClassicReport], None] = lambda report: None,
    ) -> None:
        self.config, self.n_games, self.most_waiting = config, n_games, most_waiting
        self.bank_seconds = config.thinking_seconds if bank_seconds is None else bank_seconds
        self.record_folder, self.report = record_folder, report
        self.n_begun = self.n_ended = 0
        self._first_record = 1 if record_folder is None else _first_free(record_folder)
        self._game = make_game("shortest_path")
        self._waiting: dict[Role, deque[ClassicConnection]] = {role: deque() for role in Role}
        self._clients: set[ClassicConnection] = set()
        self._games: dict[asyncio.Task[None], ClassicGame] = {}
        self._spectators: dict[int, ClassicWatchers] = {}
        self._next_watchers: set[ClassicConnection] = set()
        self._bounds = StartBounds(config, bounds_seconds, self._bounded)
        self._errands: set[asyncio.Task[None]] = set()
        self._done = asyncio.Event()
        self._server: asyncio.Server | None = None

    @property
    def port(self) -> int:
        assert self._server is not None, "the server has not been started"
        return int(self._server.sockets[0].getsockname()[1])

    def n_waiting(self, role: Role) -> int:
        """How many of this type have no opponent yet."""
        return len(self._waiting[role])

    async def start(self, host: str = "127.0.0.1", port: int = 8080) -> None:
        """Listen; a port that is taken or a host that is not here is an error of one line."""
        try:
            self._server = await asyncio.start_server(self._welcome, host, port)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise ManhuntError(f"port {port} on {host} is in use; choose another with --port") from None
            reason = error.strerror or str(error)
            raise ManhuntError(f"cannot listen on {host} port {port}: {reason}") from None
        self._say("listening", f"listening on {host} port {self.port}", host=host, port=self.port)
        self._bounds.begin()

    async def run(self) -> None:
        """Until all games are played; for ever without `n_games`."""
        await self._done.wait()

    async def stop(self) -> None:
        """No new clients; games under way are given up, and everybody is told."""
        if self._server is not None:
            self._server.close()
        await self._bounds.stop()
        games = dict(self._games)
        for task in games:
            task.cancel()
        await asyncio.gather(*games, return_exceptions=True)
        await asyncio.gather(*(game.abandon(STOPPING) for game in games.values()))
        await asyncio.gather(*(self._keep(game) for game in games.values()))
        waiting = [client for queue in self._waiting.values() for client in queue]
        for queue in self._waiting.values():
            queue.clear()
        await asyncio.gather(*(client.send(refusal(STOPPING)) for client in (*waiting, *self._next_watchers)))
        await asyncio.gather(*(client.close(LAST_LINGER_SECONDS) for client in list(self._clients)))
        for task in list(self._errands):
            task.cancel()

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = ClassicConnection(reader, writer)
        self._clients.add(client)
        try:
            if len(self._clients) > MOST_CONNECTIONS:
                await self._refuse(client, "the server is full")
                return
            hello = await client.introduce()
        except BadClassicMessage as error:
            await self._refuse(client, str(error))
            return
        if hello.role is None:
            await self._admit(client, hello)
            return
        reason = self._no_place(hello.role)
        if reason is not None:
            await self._refuse(client, reason)
            return
        self._say("joined", f"{hello.role.word} {hello.name} from {client.address}", name=hello.name)
        self._waiting[hello.role].append(client)
        client.gone.add_done_callback(lambda _: self._forget(client))
        self._pair()

    async def _admit(self, watcher: ClassicConnection, hello: ClassicHello) -> None:
        """A watcher of the game it names, else of the last one that runs, else of the next one."""
        watcher.stop_listening()
        n_watchers = len(self._next_watchers) + sum(map(len, self._spectators.values()))
        number = max(self._spectators, default=None) if hello.game is None else hello.game
        if n_watchers >= MOST_WATCHERS:
            await self._refuse(watcher, "too many watch already")
        elif number is None:
            self._next_watchers.add(watcher)
            watcher.gone.add_done_callback(lambda _: self._dismiss_later([watcher]))
        elif number not in self._spectators:
            await self._refuse(watcher, f"game {number} is not being played")
        else:
            self._seat(watcher, self._spectators[number])

    def _seat(self, watcher: ClassicConnection, spectators: ClassicWatchers) -> None:
        spectators.admit(watcher)
        watcher.gone.add_done_callback(lambda _: spectators.leave(watcher))
        watcher.gone.add_done_callback(lambda _: self._dismiss_later([watcher]))

    def _no_place(self, role: Role) -> str | None:
        """Paragraph 8: why nobody of this type can join now."""
        n_waiting = self.n_waiting(role)
        if self.n_games is not None and self.n_begun + n_waiting >= self.n_games:
            if self.n_begun >= self.n_games:
                return "all games of this server have begun"
            return f"all {role.word} places of this server are taken"
        if n_waiting >= self.most_waiting:
            return f"the place of the {role.word} is taken; the {Role(1 - role).word} is still wanted"
        return None

    def _forget(self, client: ClassicConnection) -> None:
        """A client that leaves while it waits gives its place back."""
        for role, queue in self._waiting.items():
            if client in queue:
                queue.remove(client)
                self._say("left", f"{role.word} {client.name} left before a game: {client.gone.result()}")
                self._run_errand(self._refuse(client, client.gone.result()))

    def _run_errand(self, errand: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(errand)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    def _dismiss_later(self, watchers: Sequence[ClassicConnection]) -> None:
        self._next_watchers.difference_update(watchers)
        for watcher in watchers:
            if watcher in self._clients:
                self._run_errand(self._dismiss(watcher))

    def _pair(self) -> None:
        while all(self._waiting.values()):
            clients = {role: queue.popleft() for role, queue in self._waiting.items()}
            self.n_begun += 1
            game = self._make_game(self.n_begun, clients)
            task = asyncio.ensure_future(self._play(game))
            self._games[task] = game
            task.add_done_callback(self._games.pop)

    def _make_game(self, number: int, clients: Mapping[Role, ClassicConnection]) -> ClassicGame:
        names = {role.word: client.name for role, client in clients.items()}
        self._say("begun", f"{names['player']} against {names['adversary']}", number, **names)
        if self._bounds.found is not None:
            self._say("bounds", promise(self._bounds.found), number, **_ends(self._bounds.found))
        called = {role: client.name for role, client in clients.items()}
        spectators = ClassicWatchers(opening(self.config, number, called, self._bounds_json()))
        self._spectators[number] = spectators
        for watcher in self._next_watchers:
            self._seat(watcher, spectators)
        self._next_watchers.clear()

        def tell(message: dict[str, Any], line: str) -> None:
            self._say("update", line, number, **message)
            self._dismiss_later(spectators.tell(message))

        return ClassicGame(number, self._game, self.config, clients, self.bank_seconds, tell)

    async def _play(self, game: ClassicGame) -> None:
        try:
            await game.play()
        except Exception as error:  # a mistake of ours in one game must not touch the others
            self._say("warning", f"{type(error).__name__}: {error}", game.number)
            await game.abandon("the server made a mistake")
        self._say("ended", f"ended: {game.end}", game.number, outcome=str(game.referee.outcome))
        await asyncio.gather(self._conclude(game), *(self._dismiss(client) for client in game.clients.values()))
        self.n_ended += 1
        if self.n_ended == self.n_games:
            self._done.set()

    async def _conclude(self, game: ClassicGame) -> None:
        """How far from the best it was, the record, and a word to those who watched."""
        bounds, outcome = await self._bounds.wait(), game.referee.outcome
        if bounds is not None and outcome is not None:
            self._say("verdict", verdict(bounds, outcome.cost), game.number, **_ends(bounds))
        await self._keep(game)
        spectators = self._spectators.pop(game.number)
        spectators.tell(closing(game.number, str(outcome or "unfinished"), self._bounds_json()))
        self._dismiss_later(spectators.close())

    def _bounded(self, bounds: Bounds | None) -> None:
        if bounds is None:
            self._say("warning", "no bounds: the process that should find them failed")
        else:
            self._say("bounds", promise(bounds), None, **_ends(bounds))

    def _bounds_json(self) -> dict[str, Any] | None:
        return None if self._bounds.found is None else self._bounds.found.to_json(self.config.board)

    async def _keep(self, game: ClassicGame) -> None:
        """Write the record; a disk that is full must not stop the server."""
        if self.record_folder is None:
            return
        path = self.record_folder / f"game-{self._first_record + game.number - 1:04}.record.txt"
        try:
            await asyncio.to_thread(lambda: replace(game.referee.record(), bounds=self._bounds_json()).save(path))
        except ManhuntError as error:
            self._say("warning", str(error), game.number)

    async def _refuse(self, client: ClassicConnection, reason: str) -> None:
        self._say("refused", f"{client.address} refused: {reason}", reason=reason)
        await client.send(refusal(reason))
        await self._dismiss(client)

    async def _dismiss(self, client: ClassicConnection) -> None:
        with suppress(OSError):
            await client.close()
        self._clients.discard(client)

    def _say(self, kind: str, text: str, game: int | None = None, **data: Any) -> None:
        self.report(ClassicReport(kind, text if game is None else f"game {game}: {text}", game, data))


def _ends(bounds: Bounds) -> dict[str, float]:
    return {"lower": bounds.lower.value, "upper": bounds.upper.value}


def _first_free(folder: Path) -> int:
    """The number after the last record in the folder."""
    if not folder.is_dir():
        raise ManhuntError(f"cannot write records to {folder}: there is no such folder")
    numbers = [int(match[1]) for path in folder.iterdir() if (match := _RECORD.fullmatch(path.name))]
    return max(numbers, default=0) + 1
