"""A random adversary for the classic protocol of Adversarial Shortest Path; nothing but the standard library.

manhunt serve shortest-path --port 8080           the server, in another terminal
python classic_adversary.py --port 8080           this bot
"""

import argparse
import json
import random
import socket

ADVERSARY = 1


def choose_edge(position, neighbours, target, costs, rng):
    """Your own logic goes here: return the edge to raise, as two nodes.

    `neighbours` maps every node to the nodes beside it, `costs` maps frozenset({a, b}) to the edge's present cost.
    """
    # ---- Add agent logic here -------------------------------------------------------------------------------------
    node = rng.choice(sorted(neighbours))
    return node, rng.choice(neighbours[node])
    # ---------------------------------------------------------------------------------------------------------------


def read_layout(connection):
    """The layout has no frame: read until the server has been silent for half a second."""
    text = b""
    connection.settimeout(None)
    while True:
        try:
            part = connection.recv(4096)
        except TimeoutError:
            return json.loads(text.decode("utf-8"))
        if not part:
            raise SystemExit("the server closed the connection: " + text.decode("utf-8", "replace"))
        text += part
        connection.settimeout(0.5)


def read_update(connection):
    """One update, in one receive."""
    part = connection.recv(1024)
    if not part:
        raise SystemExit("the server closed the connection")
    return json.loads(part.decode("utf-8"))


def play(connection, name, rng):
    """One game; returns what the player paid, or None if the player did not arrive."""
    connection.sendall(json.dumps({"name": name, "type": ADVERSARY}).encode("utf-8"))
    game = read_layout(connection)
    if "graph" not in game:
        raise SystemExit(f"the server refused: {game.get('message', game)}")
    connection.settimeout(None)
    costs, paid = {}, 0.0
    for node, others in game["graph"].items():
        for other in others:
            costs[frozenset((node, other))] = 1.0
    while True:
        update = read_update(connection)  # the player's move
        if not update["error"]:
            paid += update["add_cost"]
        if not update["done"]:
            node_1, node_2 = choose_edge(update["position"], game["graph"], game["end_node"], costs, rng)
            connection.sendall(json.dumps({"node_1": node_1, "node_2": node_2}).encode("utf-8"))
            update = read_update(connection)  # what came of this move
            if not update["error"] and update["new_cost"]:
                costs[frozenset(update["edge"])] = update["new_cost"]
        if update["done"]:
            return None if update["error"] else paid


def main():
    parser = argparse.ArgumentParser(description="A random adversary for the classic shortest-path server.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--name", default="random adversary")
    parser.add_argument("--seed", type=int, default=None, help="same seed, same choices")
    options = parser.parse_args()
    with socket.create_connection((options.host, options.port)) as connection:
        paid = play(connection, options.name, random.Random(options.seed))
    print("the game ended by an error" if paid is None else f"the player paid {paid:g}")


if __name__ == "__main__":
    main()
