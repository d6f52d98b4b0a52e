"""Takes what one read returns for one line; `observe` and `go` often come together."""

import json
import os
import random


def say(**message):
    print(json.dumps(message), flush=True)


while data := os.read(0, 1_000_000):
    message = json.loads(data)
    if message["t"] == "hello":
        say(t="hello", protocol=1, name="one read")
    elif message["t"] == "go":
        say(t="move", n=message["n"], action=random.Random(message["seed"]).choice(message["legal"]))
    elif message["t"] == "bye":
        break
