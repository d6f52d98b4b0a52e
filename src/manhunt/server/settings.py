"""What can be set about the web app."""

import ipaddress
import os
import socket
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

DEFAULT_PORT = 8000
LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Limits:
    """What one address, one socket and one upload may ask of the server."""

    body_bytes: int = 256 * 1024
    board_nodes: int = 2_000
    board_edges: int = 20_000
    sockets_per_address: int = 100
    games_per_address: int = 60
    """Games begun by one address that are still running."""
    requests_per_second: float = 30.0
    messages_per_second: float = 20.0
    message_burst: int = 40
    message_bytes: int = 16 * 1024
    waiting_messages: int = 64
    """What waits to be read by a socket; a slower reader is dropped and may come again."""
    legal_actions: int = 20_000
    """A config whose seats could have more to choose from than this is refused."""
    seconds: float = 30.0
    """The most an agent may think about a move."""

    @classmethod
    def at_home(cls) -> Self:
        """On the loopback address everybody is the same person."""
        return cls(sockets_per_address=5_000, games_per_address=5_000, requests_per_second=2_000.0)


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
