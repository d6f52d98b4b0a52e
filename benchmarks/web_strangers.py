"""A drill on loopback: some addresses ask for everything at once; what does another visitor notice?

    python benchmarks/web_strangers.py --seconds 60
    python benchmarks/web_strangers.py --seconds 60 --old /path/to/an/older/.venv/bin/python

The attacks come from 127.0.0.66, half-sent requests and short sockets from two addresses more (else the attacker
would run out of connections by itself): uploads of large boards without positions, generated boards with an agent
that does not exist, 60 games of the most expensive agents, hints with junk parameters, films and analyses, short
sockets with a new `since` each, half-sent heads and bodies, arena runs, and games as fast as they are taken. The
visitor, on 127.0.0.1, plays two games: against a quick agent, and against one that thinks for a second. A move should
be acknowledged within 1 s and answered within the agent's limit and 2 s more.

Both games are played for a while before the attacks begin, so that nothing has to be compiled. `--old` starts the
server of another installation, with its limits for strangers, to compare with.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import measure

from light_socket import LightSocket
from sites import Site, all_actions, start_site

HOST, VISITOR, ATTACKER = "127.0.0.1", "127.0.0.1", "127.0.0.66"
OTHERS = {"halves": "127.0.0.67", "sockets": "127.0.0.68"}
ACK_SECONDS, REPLY_SECONDS = 1.0, 2.0
WARM_MOVES = 4
ANSWER_SECONDS = 120.0
OLD = """import sys
from manhunt.server.settings import Limits
Limits.at_home = classmethod(lambda cls: cls())
from manhunt.cli.main import run
sys.exit(run(["web", *sys.argv[1:]]))"""
"""An older server on loopback, with the limits that it has for other machines."""


@dataclass
class Experience:
    """What the visitor noticed, in seconds."""

    acks: list[float] = field(default_factory=list)
    replies: list[float] = field(default_factory=list)
    """Beyond the agent's limit."""
    games: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


class Client:
    """Requests and sockets from one address."""

    def __init__(self, port: int, address: str) -> None:
        self.port, self.address = port, address
        self.answers: Counter[str] = Counter()

    async def ask(self, method: str, path: str, body: Any = None, token: str | None = None) -> tuple[int, Any]:
        """Status and JSON; (0, None) where nothing came."""
        data = b"" if body is None else json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}:{self.port}", "Connection: close"]
        lines += [f"Content-Length: {len(data)}", "Content-Type: application/json"]
        lines += [f"Authorization: Bearer {token}"] if token else []
        status, answer = 0, None
        with contextlib.suppress(OSError, ValueError, TimeoutError, asyncio.IncompleteReadError):
            async with asyncio.timeout(ANSWER_SECONDS):
                reader, writer = await self.open()
                writer.write("\r\n".join([*lines, "", ""]).encode() + data)
                head, _, rest = (await reader.read()).partition(b"\r\n\r\n")
                writer.close()
                status = int(head.split()[1])
                with contextlib.suppress(ValueError):
                    answer = json.loads(rest)
        self.answers[f"{path.split('?')[0].split('/')[-1]} {status or 'nothing'}"] += 1
        return status, answer

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(HOST, self.port, local_addr=(self.address, 0))


class Visitor:
    """One game, played for as long as the drill lasts; begun again when it is over."""

    def __init__(self, client: Client, body: dict[str, Any], experience: Experience) -> None:
        self.client, self.body, self.seen = client, body, experience
        self.rng = Random(1)
        self.is_measured = False
        self.n_moves = 0

    async def run(self) -> None:
        while True:
            try:
                with self._timed(self.seen.games, ACK_SECONDS):
                    begun = await self._begin()
                await self._game(begun)
            except (OSError, TimeoutError, KeyError) as error:
                self.seen.faults.append(f"{type(error).__name__}: {error}")
                await asyncio.sleep(1.0)

    async def _begin(self) -> Any:
        status, begun = await self.client.ask("POST", "/api/games", self.body)
        if status != 201:
            raise OSError(f"a new game was answered with {status or 'nothing'}")
        return begun

    async def _game(self, begun: Any) -> None:
        heard: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        socket = await LightSocket.open(
            HOST,
            self.client.port,
            f"/api/games/{begun['uid']}/socket",
            lambda data: heard.put_nowait(json.loads(data)),
            lambda: heard.put_nowait(None),
            self.client.address,
        )
        socket.say(json.dumps({"t": "hello", "token": begun["tokens"]["evader"]}).encode())
        try:
            await self._play(socket, heard)
        finally:
            socket.close()

    async def _play(self, socket: LightSocket, heard: asyncio.Queue[dict[str, Any] | None]) -> None:
        async def next_of(*kinds: str) -> dict[str, Any]:
            async with asyncio.timeout(ANSWER_SECONDS):
                while True:
                    message = await heard.get()
                    if message is None:
                        raise OSError("the socket was closed")
                    if message["t"] in kinds:
                        return message

        while True:
            message = await next_of("go", "observe")
            if message["t"] == "observe":
                if message["over"]:
                    return
                continue
            await asyncio.sleep(0.2)
            action, n = self.rng.choice(all_actions(message["offers"])), message["n"]
            with self._timed(self.seen.acks, ACK_SECONDS):
                socket.say(json.dumps({"t": "move", "n": n, "action": action}).encode())
                message = await next_of("observe", "error")
            if message["t"] == "error":
                raise OSError(message["what"])
            if not message["over"] and message["thinking"]:
                with self._timed(self.seen.replies, REPLY_SECONDS, less=self.body["seconds"]):
                    message = await next_of("observe")
            if message["over"]:
                return

    @contextlib.contextmanager
    def _timed(self, where: list[float], limit: float, less: float = 0.0) -> Iterator[None]:
        """Note how long it took; what is still not there at the end counts if it is late already."""
        began, is_done = time.perf_counter(), False
        try:
            yield
            is_done = True
        finally:
            seconds = time.perf_counter() - began - less
            self.n_moves += is_done
            if self.is_measured and (is_done or seconds > limit):
                where.append(seconds)

    async def browse(self) -> None:
        while True:
            with self._timed(self.seen.pages, ACK_SECONDS):
                statuses = [(await self.client.ask("GET", path))[0] for path in ("/", "/api/catalog", "/api/games")]
            if statuses != [200, 200, 200]:
                self.seen.faults.append(f"home was answered with {statuses}")
            await asyncio.sleep(1.0)


# -- the attacks -------------------------------------------------------------------------------------------


def board_text(n_nodes: int, n_edges: int, seed: int) -> str:
    rng = Random(seed)
    edges = {(i, rng.randrange(i)) for i in range(1, n_nodes)}
    while len(edges) < n_edges:
        a, b = rng.randrange(n_nodes), rng.randrange(n_nodes)
        if a > b:
            edges.add((a, b))
    return "a,b\n" + "".join(f"{a},{b}\n" for a, b in sorted(edges))


async def upload_boards(client: Client, number: int) -> None:
    for seed in range(number, 10**9, 100):
        text = await asyncio.to_thread(board_text, 900, 4500, seed)
        await client.ask("POST", "/api/boards", {"name": f"b{seed}", "text": text})
        await asyncio.sleep(0.5)


async def ask_for_generated_boards(client: Client, number: int) -> None:
    seats = {"evader": "person", "pursuers": "nonsense"}
    for seed in range(number, 10**9, 100):
        await client.ask(
            "POST", "/api/games", {"game": "pursuit", "board": f"random:900:4000:seed={seed}", "seats": seats}
        )
        await asyncio.sleep(0.2)


async def let_think(client: Client, number: int) -> None:
    """The most expensive agents against each other, with as much time as is given."""
    seats = {"evader": "mcts", "pursuers": "mcts"}
    for _ in range(60):
        for seconds in (30, 10):
            status, _ = await client.ask(
                "POST", "/api/games", {"game": "scotland_yard", "seats": seats, "seconds": seconds}
            )
            if status != 400:
                break
        await asyncio.sleep(0.1)


async def ask_for_hints(client: Client, number: int) -> None:
    seats = {"evader": "person", "pursuers": "mcts"}
    _, begun = await client.ask("POST", "/api/games", {"game": "scotland_yard", "seats": seats})
    if begun is None or "uid" not in begun:
        return
    for i in range(10**9):
        path = f"/api/games/{begun['uid']}/insights/hint"
        junk = f"seconds={1 + (number + i) % 4000 / 1000}" if i % 2 else f"junk{number}={i}&seconds=5"
        await client.ask("GET", f"{path}?{junk}", token=begun["tokens"]["evader"])
        await asyncio.sleep(0.1)


async def ask_for_films(client: Client, number: int) -> None:
    seats = {"evader": "random", "pursuers": "random"}
    while True:
        _, begun = await client.ask("POST", "/api/games", {"game": "scotland_yard", "seats": seats, "seconds": 0.1})
        if begun is None or "uid" not in begun:
            await asyncio.sleep(1.0)
            continue
        for i in range(30):
            path = f"/api/games/{begun['uid']}"
            for track in ("truth", "evader", "pursuers", "spectator"):
                await client.ask("POST", f"{path}/film?track={track}&theme={'dark' if i % 2 else 'light'}")
            await client.ask("POST", f"{path}/analysis")
            await asyncio.sleep(0.5)


async def open_short_sockets(client: Client, number: int) -> None:
    """About 2,000 in a minute by ten of these, each with a `since` of its own."""
    seats = {"evader": "random", "pursuers": "person"}
    _, begun = await client.ask("POST", "/api/games", {"game": "fugitive", "seats": seats})
    if begun is None or "uid" not in begun:
        return
    for i in range(10**9):
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(20):
                path = f"/api/games/{begun['uid']}/socket"
                socket = await LightSocket.open(HOST, client.port, path, lambda data: None, address=client.address)
                socket.say(json.dumps({"t": "hello", "since": i}).encode())
                await asyncio.sleep(0.05)
                socket.close()
                client.answers["socket opened"] += 1
        await asyncio.sleep(0.2)


HALVES = (
    b"GET / HTTP/1.1\r\nHost: x\r\nX-A: ",
    b"POST /api/boards HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5000\r\n\r\na,b",
)


async def send_half(client: Client, number: int) -> None:
    while True:
        with contextlib.suppress(OSError):
            reader, writer = await client.open()
            writer.write(HALVES[number % 2])
            client.answers["half a request"] += 1
            await reader.read()
            writer.close()
        await asyncio.sleep(1.0)


async def begin_runs(client: Client, number: int) -> None:
    body = {"game": "pursuit", "evaders": ["greedy"], "pursuers": ["greedy"], "games": 2_000}
    for _ in range(20):
        await client.ask("POST", "/api/arena", body)
        await asyncio.sleep(0.5)


async def begin_games(client: Client, number: int) -> None:
    seats = {"evader": "random", "pursuers": "random"}
    while True:
        await client.ask("POST", "/api/games", {"game": "pursuit", "seats": seats, "seconds": 0.1})
        await asyncio.sleep(0.05)


Attack = Callable[[Client, int], Awaitable[None]]
ATTACKS: dict[str, tuple[Attack, int]] = {
    "boards": (upload_boards, 6),
    "generated": (ask_for_generated_boards, 3),
    "thinkers": (let_think, 1),
    "hints": (ask_for_hints, 8),
    "films": (ask_for_films, 2),
    "sockets": (open_short_sockets, 10),
    "halves": (send_half, 1200),
    "runs": (begin_runs, 1),
    "games": (begin_games, 2),
}


# -- the drill ---------------------------------------------------------------------------------------------


async def drill(port: int, seconds: float, names: list[str]) -> tuple[Experience, Counter[str]]:
    experience, visitor = Experience(), Client(port, VISITOR)
    attackers = {name: Client(port, OTHERS.get(name, ATTACKER)) for name in names}
    seats = {"evader": "person", "pursuers": "greedy"}
    bodies = [
        {"game": "pursuit", "seats": seats, "seconds": 1.0},
        {"game": "scotland_yard", "seats": {**seats, "pursuers": "mcts"}, "seconds": 1.0},
    ]
    visitors = [Visitor(visitor, body, experience) for body in bodies]
    tasks = [asyncio.ensure_future(each.run()) for each in visitors]
    while any(each.n_moves < WARM_MOVES for each in visitors):
        await asyncio.sleep(0.1)
    tasks.append(asyncio.ensure_future(visitors[0].browse()))
    experience.faults.clear()
    for each in visitors:
        each.is_measured = True
    for name, attacker in attackers.items():
        attack, n = ATTACKS[name]
        tasks += [asyncio.ensure_future(attack(attacker, i)) for i in range(n)]
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return experience, sum((each.answers for each in attackers.values()), Counter[str]())


def start_old(python: str, store: Path) -> Site:
    command = [python, "-c", OLD, "--no-browser", "--no-compile", "--port", "0", "--store", str(store)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    words = process.stdout.readline().split()
    return Site(next(word for word in words if word.startswith("http://")).rstrip("/"), process, str(store))


def rss_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def line(name: str, values: list[float], limit: float) -> str:
    if not values:
        return f"{name:<44} none"
    ordered = sorted(values)
    within = sum(value <= limit for value in ordered)
    return (
        f"{name:<44} {len(ordered):>5}  median {statistics.median(ordered):6.2f} s  "
        f"95 % {ordered[int(0.95 * (len(ordered) - 1))]:6.2f} s  worst {ordered[-1]:6.2f} s  "
        f"within {limit:g} s: {within / len(ordered):.1%}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--only", nargs="+", choices=ATTACKS, default=list(ATTACKS), metavar="ATTACK")
    parser.add_argument("--quiet", action="store_true", help="no attacks: what the visitor notices on a calm server")
    parser.add_argument("--old", metavar="PYTHON", help="the Python of another installation, whose server is tried")
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    measure.print_machine()
    print(f"load before: {os.getloadavg()[0]:.1f}; attacks: {'none' if options.quiet else ', '.join(options.only)}")
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "games.db"
        site = start_old(options.old, store) if options.old else start_site(store, 0, "--public")
        try:
            port = int(site.url.rpartition(":")[2])
            names = [] if options.quiet else options.only
            seen, answers = asyncio.run(drill(port, options.seconds, names))
            print(line("moves: acknowledged after", seen.acks, ACK_SECONDS))
            print(line("agents: replied, beyond their limit, after", seen.replies, REPLY_SECONDS))
            print(line("new games: begun after", seen.games, ACK_SECONDS))
            print(line("home, catalogue and list of games after", seen.pages, ACK_SECONDS))
            print(f"faults that the visitor noticed: {len(seen.faults)} {seen.faults[:5]}")
            print(f"server: {rss_mb(site.process.pid):.0f} MB; store: {store.stat().st_size / 1e6:.1f} MB")
            print("the attacker got: " + ", ".join(f"{n} x {what}" for what, n in sorted(answers.items())))
            site.process.terminate()
            began = time.perf_counter()
            with contextlib.suppress(subprocess.TimeoutExpired):
                site.process.wait(60)
            print(f"SIGTERM to the end of the server: {time.perf_counter() - began:.1f} s")
        finally:
            site.kill()


if __name__ == "__main__":
    sys.exit(main())
