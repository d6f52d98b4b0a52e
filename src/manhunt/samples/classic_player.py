"""A random player for the classic shortest-path server: copy this file and change `next_edge_to_move`.

manhunt serve shortest-path                    the server, in one terminal
python -m manhunt.samples.classic_player       this bot, in another one
python -m manhunt.samples.classic_adversary    its opponent, in a third one
"""

import argparse
import random
import sys
from typing import Any

from manhunt.client.classic import PLAYER, Client
from manhunt.core.errors import ManhuntError

Game = dict[str, Any]
Costs = dict[frozenset[str], float]


def next_edge_to_move(position: str, game: Game, costs: Costs, rng: random.Random) -> tuple[str, str]:
    """Return the edge to go along, as two nodes; the first one is `position`.

    `game["graph"]` maps every node to the nodes beside it, and the target is `game["end_node"]`. `costs` has the edges
    that were raised: `costs[frozenset({a, b})]` is what such an edge costs now. All others cost 1.
    """
    # ---- Add agent logic here --------------------------------------------------------------------------------------
    neighbours = game["graph"][position]
    if game["end_node"] in neighbours:
        return position, str(game["end_node"])
    return position, rng.choice(neighbours)
    # ----------------------------------------------------------------------------------------------------------------


def play(client: Client, rng: random.Random) -> str:
    """One game; returns how it ended."""
    game = client.get_game()
    costs: Costs = {}
    position, paid = game["start_node"], 0.0
    while True:
        update = client.send_edge_move(*next_edge_to_move(position, game, costs, rng))
        if update["error"]:
            return str(update.get("reason", "the game ended by an error"))
        position, paid = update["position"], paid + update["add_cost"]
        if update["done"]:
            return f"arrived and paid {paid:g}"
        update = client.receive_data()  # the adversary's move
        if update["error"]:
            return str(update.get("reason", "the game ended by an error"))
        if update["new_cost"]:
            costs[frozenset(update["edge"])] = update["new_cost"]


def main() -> None:
    parser = argparse.ArgumentParser(description="A random player for the classic shortest-path server.")
    parser.add_argument("--ip", "--host", dest="ip", default="127.0.0.1", help="the server's address")
    parser.add_argument("--port", type=int, default=8080, help="the server's port (default %(default)s)")
    parser.add_argument("--name", default="random player", help="how the server calls this bot")
    parser.add_argument("--seed", type=int, help="same seed, same choices")
    options = parser.parse_args()
    try:
        with Client(options.ip, options.port, options.name, PLAYER) as client:
            print(play(client, random.Random(options.seed)))
    except ManhuntError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
