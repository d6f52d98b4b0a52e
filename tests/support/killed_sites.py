"""The drill of the pulled plug: a server that is killed in the middle of many games must have lost nothing.

Each game has a page of its own that plays at random, and that opens its socket again by itself when it is gone. Every
move that was acknowledged to a page must be in the game's record at the end, and all games go on to their ends.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from websockets.exceptions import WebSocketException

from manhunt.play.record import parse_record, replay
from manhunt.store.connect import open_store
from manhunt.store.games import load_record
from manhunt.store.running import running_uids
from sites import SeatSocket, Site, all_actions, start_site

PAUSE_SECONDS = 0.05
LONGEST_PAUSE_SECONDS = 1.0
LONGEST_SECONDS = 300.0
GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("pursuit", {}),
    ("scotland_yard", {"options": {"rounds": 6}}),
    ("fugitive", {"preset": "mini"}),
    ("shortest_path", {"board": "contest:14:24:separation=3:cut=2:seed=7"}),
)


@dataclass
class Page:
    """A person at a seat: what was acknowledged to it, by ply.

    A move is acknowledged by the next `observe`: only this page moves its seat, and its agent never resigns.
    """

    uid: str
    token: str
    rng: Random
    acknowledged: dict[int, str] = field(default_factory=dict)
    n_reconnects: int = 0
    is_over: bool = False
    fault: str | None = None
    last_v: int = 0

    def live(self, site: Callable[[], Site], stop: threading.Event) -> None:
        """Until the game is over, through as many servers as it takes."""
        try:
            pause = PAUSE_SECONDS
            while not (self.is_over or stop.is_set()):
                try:
                    with SeatSocket(site(), self.uid, self.token, self.last_v) as seat:
                        pause = PAUSE_SECONDS
                        self._play(seat, stop)
                except (OSError, WebSocketException, EOFError, TimeoutError):
                    self.n_reconnects += 1
                    time.sleep(pause)
                    pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
        except Exception as error:
            self.fault = f"{type(error).__name__}: {error}"

    def _play(self, seat: SeatSocket, stop: threading.Event) -> None:
        sent: tuple[int, str] | None = None
        while not stop.is_set():
            message = seat.hear()
            if message["t"] == "observe":
                if message["v"] < self.last_v:
                    raise AssertionError(f"event {self.last_v} was told, now the last one is {message['v']}")
                self.last_v, self.is_over = message["v"], message["over"]
                if sent is not None:
                    self.acknowledged[sent[0]], sent = sent[1], None
                if self.is_over:
                    return
            elif message["t"] == "go":
                time.sleep(self.rng.uniform(0, PAUSE_SECONDS))
                sent = (message["n"], self.rng.choice(all_actions(message["offers"])))
                seat.say({"t": "move", "n": sent[0], "action": sent[1]})
            elif message["t"] == "error":
                raise AssertionError(message["what"])


@dataclass(frozen=True)
class Drill:
    """What came of it; `faults` is empty when nothing was lost."""

    n_games: int
    n_kills: int
    n_acknowledged: int
    n_reconnects: int
    restart_seconds: tuple[float, ...]
    faults: tuple[str, ...]


def pull_the_plug(store: str | Path, n_games: int, n_kills: int, seed: int = 0) -> Drill:
    """Play so many games at once, kill the server at random moments, start it again, and count what is missing."""
    rng = Random(seed)
    sites = [start_site(store, _free_port())]
    port = int(sites[0].url.rpartition(":")[2])
    pages = [_begin(sites[0], i, rng) for i in range(n_games)]
    stop = threading.Event()
    threads = [threading.Thread(target=page.live, args=(lambda: sites[-1], stop), daemon=True) for page in pages]
    for thread in threads:
        thread.start()
    took = []
    try:
        for _ in range(n_kills):
            time.sleep(rng.uniform(0.2, 1.5))
            sites[-1].kill()
            began = time.monotonic()
            sites.append(start_site(store, port))
            took.append(time.monotonic() - began)
        deadline = time.monotonic() + LONGEST_SECONDS
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))
    finally:
        stop.set()
        sites[-1].kill()
    faults = [f"{page.uid}: {page.fault}" for page in pages if page.fault]
    faults += [f"{page.uid} did not end" for page in pages if not page.is_over and not page.fault]
    faults += [fault for page in pages if page.is_over for fault in _missing(store, page)]
    faults += _left_over(store, pages)
    n_acknowledged = sum(len(page.acknowledged) for page in pages)
    n_reconnects = sum(page.n_reconnects for page in pages)
    return Drill(n_games, n_kills, n_acknowledged, n_reconnects, tuple(took), tuple(faults))


def _begin(site: Site, i: int, rng: Random) -> Page:
    game, options = GAMES[i % len(GAMES)]
    you = ("evader", "pursuers")[i // len(GAMES) % 2]
    seats = {"evader": "random", "pursuers": "random", you: "person"}
    begun = site.begin(game, **seats, **options, seed=rng.randrange(10**6))
    return Page(begun["uid"], begun["tokens"][you], Random(rng.random()))


def _missing(store: str | Path, page: Page) -> list[str]:
    """What was acknowledged but is not in the record, or a record that does not follow the rules."""
    opened = open_store(store)
    try:
        record = parse_record(load_record(opened, page.uid))
    finally:
        opened.close()
    replay(record, page.uid)
    kept = dict(enumerate(record.actions, 1))
    return [
        f"{page.uid}: move {n} {action} was acknowledged, the record has {kept.get(n)}"
        for n, action in page.acknowledged.items()
        if kept.get(n) != action
    ]


def _left_over(store: str | Path, pages: list[Page]) -> list[str]:
    opened = open_store(store)
    try:
        running = set(running_uids(opened))
    finally:
        opened.close()
    return [
        f"{page.uid} is over and still among the running games"
        for page in pages
        if page.is_over and page.uid in running
    ]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
