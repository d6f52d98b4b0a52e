"""Load on loopback: many games at once against random agents, with spectators; how long until a move has arrived?

    python benchmarks/web_load.py --games 200 --spectators 1000 --minutes 1

Each game has a person (a client here, who thinks for `--pause` seconds on average) against a random agent. A move's
time runs from when it is sent to when it is acknowledged (the person's next `observe`: it is stored and was made) and
every spectator of that game has it. The same run first times a bare message and its answer (ping and pong on one
socket of the idle server) to compare with.

All games begin at once. For a while of the warm-up that is another for each of them the persons think a tenth as long,
so that at its end some games are young and some old, as they would be on a server that has run for long; else memory
would grow until the first games are over, whatever the server does.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import statistics
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import measure  # noqa: F401  (finds the helpers of the tests)

from light_socket import LightSocket
from sites import Site, all_actions, running_site

HOST = "127.0.0.1"
GAMES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("pursuit", "evader", {"board": "grid:9x9", "options": {"max_rounds": 100}}),
    ("scotland_yard", "evader", {}),
    ("scotland_yard", "pursuers", {}),
    ("fugitive", "pursuers", {}),
    ("shortest_path", "evader", {"board": "contest:40:80:separation=6:cut=3:seed=7"}),
)
HURRY = 0.1
EVERY_SECONDS = 30.0


@dataclass
class Measured:
    delivered: list[float] = field(default_factory=list)
    acknowledged: list[float] = field(default_factory=list)
    n_messages: int = 0
    n_games: int = 0
    faults: list[str] = field(default_factory=list)


def number_after(data: bytes, name: bytes) -> int:
    """The number behind `"name":` near the front of a message, without reading all of it."""
    start = data.index(b'"' + name + b'":', 0, 60) + len(name) + 3
    end = start
    while data[end : end + 1].isdigit():
        end += 1
    return int(data[start:end])


class Table:
    """One game with its person and its spectators; begun again whenever it is over."""

    def __init__(
        self, number: int, port: int, n_spectators: int, pause: float, warm_up: float, measured: Measured
    ) -> None:
        self.game, self.you, self.options = GAMES[number % len(GAMES)]
        self.port, self.n_spectators, self.pause = port, n_spectators, pause
        self.measured, self.rng = measured, Random(number)
        self._hurries_until = time.perf_counter() + self.rng.uniform(0.0, warm_up)
        self.over = asyncio.Event()
        self.is_measuring = False
        self.stopped = False
        self._sent_at: float | None = None
        self._wanted: int | None = None
        self._seen: list[int] = []
        self._sockets: list[LightSocket] = []

    async def run(self) -> None:
        while not self.stopped:
            await self._begin()
            await self.over.wait()
            for socket in self._sockets:
                socket.close()

    def stop(self) -> None:
        self.stopped = True
        self.over.set()

    async def _begin(self) -> None:
        self.over.clear()
        self._sent_at, self._wanted, self._seen, self._sockets = None, None, [0] * self.n_spectators, []
        seats = {"evader": "random", "pursuers": "random", self.you: "person"}
        body = {"game": self.game, "seats": seats, **self.options}
        begun = await asyncio.to_thread(post, self.port, "/api/games", body)
        path = f"/api/games/{begun['uid']}/socket"
        for i in range(self.n_spectators):
            watcher = await LightSocket.open(HOST, self.port, path, lambda data, i=i: self._watched(i, data))
            watcher.say(b'{"t":"hello"}')
            self._sockets.append(watcher)
        self.person = await LightSocket.open(HOST, self.port, path, self._heard)
        self._sockets.append(self.person)
        self.person.say(json.dumps({"t": "hello", "token": begun["tokens"][self.you]}).encode())
        self.measured.n_games += 1

    def _watched(self, i: int, data: bytes) -> None:
        self.measured.n_messages += 1
        if data.startswith(b'{"t":"observe"'):
            self._seen[i] = number_after(data, b"v")
            self._check()

    def _heard(self, data: bytes) -> None:
        self.measured.n_messages += 1
        if data.startswith(b'{"t":"observe"'):
            if self._sent_at is not None and self._wanted is None:
                if self.is_measuring:
                    self.measured.acknowledged.append(time.perf_counter() - self._sent_at)
                self._wanted = number_after(data, b"v")
                self._check()
            if data.endswith(b'"over":true}'):
                self.over.set()
        elif data.startswith(b'{"t":"go"'):
            message = json.loads(data)
            action = self.rng.choice(all_actions(message["offers"]))
            text = json.dumps({"t": "move", "n": message["n"], "action": action}).encode()
            pace = HURRY if time.perf_counter() < self._hurries_until else 1.0
            delay = self.rng.uniform(0.2, 1.8) * self.pause * pace
            asyncio.get_running_loop().call_later(delay, self._move, text, self.person)
        elif data.startswith(b'{"t":"error"'):
            self.measured.faults.append(f"{self.game}: {data[:200].decode()}")

    def _move(self, text: bytes, person: LightSocket) -> None:
        if person is self.person and not self.over.is_set():
            self._sent_at, self._wanted = time.perf_counter(), None
            person.say(text)

    def _check(self) -> None:
        if self._wanted is not None and self._sent_at is not None and all(v >= self._wanted for v in self._seen):
            if self.is_measuring:
                self.measured.delivered.append(time.perf_counter() - self._sent_at)
            self._sent_at = None


def post(port: int, path: str, body: Any) -> Any:
    request = urllib.request.Request(
        f"http://{HOST}:{port}{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


async def baseline(site: Site, port: int, n: int = 500) -> list[float]:
    """A ping and its pong, one after the other, before there is any load."""
    begun = site.begin("pursuit", evader="person", pursuers="person")
    answers: asyncio.Queue[float] = asyncio.Queue()

    def heard(data: bytes) -> None:
        if data.startswith(b'{"t":"pong"'):
            answers.put_nowait(time.perf_counter())

    socket = await LightSocket.open(HOST, port, f"/api/games/{begun['uid']}/socket", heard)
    socket.say(b'{"t":"hello"}')
    times = []
    for _ in range(n):
        await asyncio.sleep(0.06)
        began = time.perf_counter()
        socket.say(b'{"t":"ping"}')
        times.append(await answers.get() - began)
    socket.close()
    return times


def memory(pid: int) -> float:
    """Megabytes that the server's process holds."""
    for line in (Path("/proc") / str(pid) / "status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def busy_seconds(pid: int) -> float:
    fields = (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def told(name: str, times: list[float]) -> str:
    ordered = sorted(times)
    p50, p99 = statistics.median(ordered), ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
    return (
        f"{name}: p50 {1000 * p50:.1f} ms, p99 {1000 * p99:.1f} ms, worst {1000 * ordered[-1]:.0f} ms ({len(ordered)})"
    )


async def load(site: Site, options: argparse.Namespace) -> None:
    port = int(site.url.rpartition(":")[2])
    bare = await baseline(site, port)
    print(told("baseline, ping and pong on the idle server", bare), flush=True)
    measured = Measured()
    each, more = divmod(options.spectators, options.games)
    tables = [Table(i, port, each + (i < more), options.pause, options.warm_up, measured) for i in range(options.games)]
    tasks = []
    for table in tables:
        tasks.append(asyncio.get_running_loop().create_task(table.run()))
        await asyncio.sleep(0.02)
    await asyncio.sleep(options.warm_up)
    gc.collect()
    gc.freeze()
    for table in tables:
        table.is_measuring = True
    began, first_busy, n_before = time.perf_counter(), busy_seconds(site.process.pid), measured.n_messages
    held = [memory(site.process.pid)]
    while (elapsed := time.perf_counter() - began) < 60 * options.minutes:
        await asyncio.sleep(min(EVERY_SECONDS, 60 * options.minutes - elapsed))
        held.append(memory(site.process.pid))
    busy = (busy_seconds(site.process.pid) - first_busy) / elapsed
    for table in tables:
        table.is_measuring = False
        table.stop()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(
        f"{options.games} games, {options.spectators} spectators, {elapsed:.0f} s; a person thinks {options.pause:g} s"
    )
    print(told("move sent to acknowledged", measured.acknowledged))
    print(told("move sent to acknowledged and with all spectators", measured.delivered))
    print(f"ratio to the baseline: p50 {statistics.median(measured.delivered) / statistics.median(bare):.1f}")
    rate = (measured.n_messages - n_before) / elapsed
    print(f"messages received: {rate:.0f} a second; games begun: {measured.n_games}")
    print(f"server busy: {100 * busy:.0f} % of a core")
    print(f"server's memory, every {EVERY_SECONDS:g} s: {', '.join(f'{size:.0f}' for size in held)} MB")
    print(f"faults: {len(measured.faults)}")
    for fault in measured.faults[:5]:
        print(f"  {fault}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--spectators", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--pause", type=float, default=3.0, help="seconds that a person thinks, on average")
    parser.add_argument("--warm-up", type=float, default=60.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, running_site(Path(folder) / "games.db") as site:
        asyncio.run(load(site, options))


if __name__ == "__main__":
    main()
