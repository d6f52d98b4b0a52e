"""A random adversary for the classic shortest-path server: copy this file and change `next_edge_to_raise`.

manhunt serve shortest-path                    the server, in one terminal
python -m manhunt.samples.classic_adversary    this bot, in another one
python -m manhunt.samples.classic_player       its opponent, in a third one
"""

import argparse
import random
import sys
from typing import Any

from manhunt.client.classic import ADVERSARY, Client
from manhunt.core.errors import ManhuntError

Game = dict[str, Any]
Costs = dict[frozenset[str], float]


def next_edge_to_raise(position: str, game: Game, costs: Costs, rng: random.Random) -> tuple[str, str]:
    """Return the edge to raise, as two nodes; the player is on `position`.

    `game["graph"]` maps every node to the nodes beside it, and the target is `game["end_node"]`. `costs` has the edges
    that were raised: `costs[frozenset({a, b})]` is what such an edge costs now. All others cost 1.
    """
    # ---- Add agent logic here --------------------------------------------------------------------------------------
    node = rng.choice(sorted(game["graph"]))
    return node, rng.choice(game["graph"][node])
    # ----------------------------------------------------------------------------------------------------------------


def play(client: Client, rng: random.Random) -> str:
    """One game; returns how it ended."""
    game = client.get_game()
    costs: Costs = {}
    paid = 0.0
    while True:
        update = client.receive_data()  # the player's move
        if update["error"]:
            return str(update.get("reason", "the game ended by an error"))
        paid += update["add_cost"]
        if update["done"]:
            return f"the player paid {paid:g}"
        update = client.send_cost_update(*next_edge_to_raise(update["position"], game, costs, rng))
        if update["error"]:
            return str(update.get("reason", "the game ended by an error"))
        if update["new_cost"]:
            costs[frozenset(update["edge"])] = update["new_cost"]


def main() -> None:
    parser = argparse.ArgumentParser(description="A random adversary for the classic shortest-path server.")
    parser.add_argument("--ip", "--host", dest="ip", default="127.0.0.1", help="the server's address")
    parser.add_argument("--port", type=int, default=8080, help="the server's port (default %(default)s)")
    parser.add_argument("--name", default="random adversary", help="how the server calls this bot")
    parser.add_argument("--seed", type=int, help="same seed, same choices")
    options = parser.parse_args()
    try:
        with Client(options.ip, options.port, options.name, ADVERSARY) as client:
            print(play(client, random.Random(options.seed)))
    except ManhuntError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
