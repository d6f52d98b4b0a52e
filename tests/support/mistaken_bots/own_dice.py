"""Throws its own dice."""

import json
import random
import sys


def say(**message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        say(t="hello", protocol=1, name="own dice")
    elif message["t"] == "go":
        say(t="move", n=message["n"], action=random.choice(message["legal"]))
    elif message["t"] == "bye":
        break
