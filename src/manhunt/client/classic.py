"""The client of the classic course server, under the name that its bots look for."""

from manhunt.games.shortest_path.classic.client import ADVERSARY, PLAYER, Client

__all__ = ["ADVERSARY", "PLAYER", "Client"]
