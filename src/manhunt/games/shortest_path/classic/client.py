"""A bot's end of the classic protocol, with the names that the course document gives it."""

import socket
from collections import deque
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from manhunt.core.errors import ManhuntError
from manhunt.games.shortest_path.classic.protocol import Decoder, Role, encode, shortened

PLAYER, ADVERSARY = Role.PLAYER, Role.ADVERSARY
CONNECT_SECONDS = 10.0
MOST_BYTES = 8 * 2**20
"""No layout is longer."""

NodeName = str | int


class Client:
    """Connects and says who plays; `player_type` is 0 for the player and 1 for the adversary.

    It plays on `manhunt serve shortest-path` and on the original server. A side that drops, runs out of time or sends
    nonsense ends the game with an update whose `done` and `error` are true; ManhuntError is for a server that is not
    there, refuses us or hangs up.
    """

    def __init__(
        self,
        server_address: str = "127.0.0.1",
        server_port: int = 8080,
        name: str = "bot",
        player_type: int = PLAYER,
    ) -> None:
        self._socket = connect(server_address, server_port)
        self._decoder = Decoder(MOST_BYTES)
        self._received: deque[dict[str, Any]] = deque()
        self.send_data({"name": name, "type": int(player_type), "framing": "lines"})

    def get_game(self) -> dict[str, Any]:
        """`start_node`, `end_node` and `graph`, the neighbours of every node; waits until both sides are there."""
        game = self.receive_data()
        if "graph" not in game:
            raise ManhuntError(f"the server refused: {shortened(str(game.get('message', game)), 200)}")
        return game

    def send_edge_move(self, node_1: NodeName, node_2: NodeName) -> dict[str, Any]:
        """The player's move from `node_1` to `node_2`; returns what came of it.

        `done`, `edge`, `error`, `position`, `add_cost`; the cost is 0 if there is no such edge here. Moves of the other
        side that were not read with `receive_data` are skipped.
        """
        return self._move({"start_node": node_1, "end_node": node_2}, "add_cost")

    def send_cost_update(self, node_1: NodeName, node_2: NodeName) -> dict[str, Any]:
        """The adversary's raise of an edge; returns what came of it.

        `done`, `edge`, `error`, `position`, `new_cost`; the cost is 0 if there is no such edge. Moves of the other side
        that were not read with `receive_data` are skipped.
        """
        return self._move({"node_1": node_1, "node_2": node_2}, "new_cost")

    def receive_data(self) -> dict[str, Any]:
        """What the server says next: after our own move it is the other side's."""
        while not self._received:
            try:
                data = self._socket.recv(65536)
            except OSError:
                data = b""
            if not data:
                raise ManhuntError("the server closed the connection")
            self._received.extend(self._decoder.feed(data))
        update = self._received.popleft()
        if isinstance(update.get("edge"), list):
            update["edge"] = tuple(update["edge"])
        return update

    def send_data(self, message: dict[str, Any]) -> None:
        """Send one object as it is."""
        with suppress(OSError):  # a server that hung up has said why, and that is still to be read
            self._socket.sendall(encode(message))

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _move(self, message: dict[str, Any], key: str) -> dict[str, Any]:
        self.send_data(message)
        while True:
            update = self.receive_data()
            if key in update or update.get("done"):
                return update


def connect(host: str, port: int) -> socket.socket:
    """A blocking connection; ManhuntError when nobody listens there."""
    try:
        line = socket.create_connection((host, port), CONNECT_SECONDS)
    except OSError as error:
        raise ManhuntError(f"no server on {host} port {port}: {error.strerror or error}") from None
    line.settimeout(None)
    return line
