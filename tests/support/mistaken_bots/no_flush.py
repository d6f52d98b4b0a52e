"""Never flushes: nothing it says leaves its buffer while the manager waits."""

import json
import random
import sys


def say(**message):
    print(json.dumps(message))


for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        say(t="hello", protocol=1, name="no flush")
    elif message["t"] == "go":
        say(t="move", n=message["n"], action=random.Random(message["seed"]).choice(message["legal"]))
    elif message["t"] == "bye":
        break
