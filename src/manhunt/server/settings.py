"""What can be set about the web app."""

import ipaddress
import os
import socket
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

DEFAULT_PORT = 8000
LOOPBACK = "127.0.0.1"
LOOPBACKS = ("127.0.0.0/8", "::1/128")


@dataclass(frozen=True)
class Limits:
    """What one address, one socket and one upload may ask of the server. The defaults are those for strangers."""

    body_bytes: int = 256 * 1024
    header_seconds: float = 10.0
    """Until the head of a request has come."""
    body_seconds: float = 20.0
    """Until its body has come."""
    stall_seconds: float = 60.0
    """How long a client may take no more of an answer."""
    connections_per_address: int = 60
    """Besides sockets of games."""
    connections: int = 0
    """Of everybody together; 0 is what the system's limit of open files allows."""
    requests_per_second: float = 30.0
    requests_at_once: int = 40
    threads_per_address: int = 2
    """Requests of one address that are worked on in the server itself at the same time; more wait."""
    sockets_per_address: int = 100
    handshakes_per_second: float = 5.0
    handshake_burst: int = 40
    messages_per_second: float = 20.0
    message_burst: int = 40
    message_bytes: int = 16 * 1024
    waiting_messages: int = 64
    """What waits to be read by a socket; a slower reader is dropped and may come again."""
    board_nodes: int = 1_000
    board_edges: int = 5_000
    layout_seconds: float = 20.0
    """How long the nodes of a board without positions may take to be placed."""
    boards_per_day: int = 40
    board_bytes_per_day: int = 4_000_000
    records_per_day: int = 100
    """Records of finished games brought by one address, to be replayed."""
    record_bytes_per_day: int = 4_000_000
    record_seconds: float = 30.0
    """How long it may take to play a record again."""
    games_per_address: int = 60
    """Games begun by one address that are still running."""
    games_per_day: int = 1_000
    """Games and tables begun by one address."""
    tables_per_address: int = 20
    """Tables made by one address at which people wait."""
    chat_per_second: float = 1.0
    chat_burst: int = 6
    """Messages and reactions of one person at a table."""
    chat_per_day: int = 5_000
    """Messages of one address at all tables."""
    take_backs_per_second: float = 0.5
    take_back_burst: int = 10
    """Turns that one address takes back: each time the game is played again up to there."""
    variations_per_game: int = 200
    """Of a finished game, by everybody together."""
    variation_plies: int = 400
    """Of one variation."""
    comments_per_game: int = 400
    comment_chars: int = 2_000
    tree_changes_per_day: int = 2_000
    """Moves, names and comments that one address adds to finished games."""
    review_people: int = 60
    """Pages that look at one finished game together."""
    jobs_per_address: int = 3
    """Analyses and films that run or wait."""
    job_seconds: float | None = 300.0
    runs_per_address: int = 2
    """Arena runs that run or wait."""
    run_games: int = 2_000
    run_seconds: float | None = 1_800.0
    legal_actions: int = 20_000
    """A config whose seats could have more to choose from than this is refused."""
    seconds: float = 10.0
    """The most an agent may think about a move."""
    store_bytes: int | None = 4_000_000_000
    """A store that is larger takes no more new games and boards."""
    expire_days: float | None = 30.0
    """A running game in which nobody moves for so long, and a board as old as that, are deleted."""

    @classmethod
    def at_home(cls) -> Self:
        """On the loopback address everybody is the same person."""
        return cls(
            header_seconds=60.0,
            body_seconds=60.0,
            connections_per_address=5_000,
            requests_per_second=2_000.0,
            requests_at_once=5_000,
            threads_per_address=32,
            sockets_per_address=5_000,
            handshakes_per_second=2_000.0,
            handshake_burst=10_000,
            board_nodes=2_000,
            board_edges=20_000,
            layout_seconds=120.0,
            boards_per_day=100_000,
            board_bytes_per_day=10_000_000_000,
            records_per_day=100_000,
            record_bytes_per_day=10_000_000_000,
            record_seconds=600.0,
            games_per_address=5_000,
            games_per_day=1_000_000,
            tables_per_address=5_000,
            chat_per_day=1_000_000,
            take_backs_per_second=1_000.0,
            take_back_burst=1_000,
            variations_per_game=5_000,
            variation_plies=5_000,
            comments_per_game=10_000,
            comment_chars=20_000,
            tree_changes_per_day=1_000_000,
            review_people=1_000,
            jobs_per_address=20,
            job_seconds=None,
            runs_per_address=20,
            run_games=20_000,
            run_seconds=None,
            seconds=30.0,
            store_bytes=None,
            expire_days=None,
        )


@dataclass(frozen=True)
class Settings:
    """Where the server listens, what it keeps games in, and how much it allows."""

    store: str
    host: str = LOOPBACK
    port: int = DEFAULT_PORT
    workers: int | None = None
    """Processes for agents; None is one a core."""
    limits: Limits = field(default_factory=Limits.at_home)
    more_names: tuple[str, ...] = ()
    """Other names of this machine that browsers may ask for."""
    public: bool = False
    """Strangers come, also where the server itself is reached by a proxy alone."""
    proxies: tuple[str, ...] = ()
    """Addresses and networks whose word about where a request came from is believed."""
    monitors: tuple[str, ...] = ()
    """Addresses and networks, besides this machine, that may read the figures of the server."""
    lobby: bool = False
    """Lists public tables."""

    @property
    def is_public(self) -> bool:
        """Whether people who do not know each other use it."""
        return self.public or not self.is_local

    @property
    def is_local(self) -> bool:
        """Only this machine can reach the server."""
        return is_loopback(self.host)

    @property
    def names(self) -> tuple[str, ...]:
        """The host names that the server answers to."""
        names = ("localhost", "127.0.0.1", "::1", self.host.strip("[]"), *self.more_names)
        if self.is_local:
            return names
        own = socket.gethostname()
        return (*names, own, f"{own.partition('.')[0]}.local")


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def default_store() -> Path:
    """The file in the user's data folder; the folder is made if need be."""
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    folder = Path(base) / "manhunt"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "games.db"
