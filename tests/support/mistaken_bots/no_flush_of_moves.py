"""Flushes its hello, but not its moves."""

import json
import random
import sys


def say(**message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        say(t="hello", protocol=1, name="no flush of moves")
    elif message["t"] == "go":
        move = {"t": "move", "n": message["n"], "action": random.Random(message["seed"]).choice(message["legal"])}
        print(json.dumps(move))
    elif message["t"] == "bye":
        break
