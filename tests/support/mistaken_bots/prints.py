"""Prints what it thinks to standard output, which belongs to the protocol."""

import json
import random
import sys


def say(**message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        say(t="hello", protocol=1, name="prints")
    elif message["t"] == "go":
        print("thinking about", message["n_legal"], "moves", flush=True)
        say(t="move", n=message["n"], action=random.Random(message["seed"]).choice(message["legal"]))
    elif message["t"] == "bye":
        break
