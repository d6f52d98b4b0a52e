"""Expects the other side's move in the first event."""

import json
import random
import sys


def say(**message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        say(t="hello", protocol=1, name="first event")
    elif message["t"] == "observe":
        their_place = message["events"][0]["to"]
    elif message["t"] == "go":
        say(t="move", n=message["n"], action=random.Random(message["seed"]).choice(message["legal"]))
    elif message["t"] == "bye":
        break
