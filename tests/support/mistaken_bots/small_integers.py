"""Keeps the seed in 32 bits with a sign; half of all seeds become negative, and so does the remainder."""

import json
import math
import sys


def say(**message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        say(t="hello", protocol=1, name="small integers")
    elif message["t"] == "go":
        seed = message["seed"] - 2**32 if message["seed"] >= 2**31 else message["seed"]  # as an int of C
        place = int(math.fmod(seed, message["n_legal"]))
        if place >= 0:
            say(t="move", n=message["n"], action=message["legal"][place])
        else:
            say(t="move", n=message["n"])  # as JavaScript writes legal[-3]
    elif message["t"] == "bye":
        break
