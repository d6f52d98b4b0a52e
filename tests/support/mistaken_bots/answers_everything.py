"""Answers every line, and not only `go`."""

import json
import random
import sys


def say(**message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        say(t="hello", protocol=1, name="answers everything")
    elif message["t"] == "observe":
        say(t="move", n=1, action="pass")
    elif message["t"] == "go":
        say(t="move", n=message["n"], action=random.Random(message["seed"]).choice(message["legal"]))
    elif message["t"] == "bye":
        break
