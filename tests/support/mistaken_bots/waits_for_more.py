"""Reads on while it should think: after `go` nothing comes until it has moved."""

import json
import random
import sys


def say(**message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        say(t="hello", protocol=1, name="waits for more")
    elif message["t"] == "go":
        sys.stdin.readline()
        say(t="move", n=message["n"], action=random.Random(message["seed"]).choice(message["legal"]))
    elif message["t"] == "bye":
        break
