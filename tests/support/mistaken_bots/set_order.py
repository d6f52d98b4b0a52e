"""Takes the first move of a set; the order of a set of texts is another one in every process."""

import json
import sys


def say(**message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        say(t="hello", protocol=1, name="set order")
    elif message["t"] == "go":
        say(t="move", n=message["n"], action=next(iter(set(message["legal"]))))
    elif message["t"] == "bye":
        break
