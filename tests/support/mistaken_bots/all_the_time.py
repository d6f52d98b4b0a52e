"""Uses all of its time; the way back to the manager takes some, too."""

import json
import sys
import time


def say(**message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        say(t="hello", protocol=1, name="all the time")
    elif message["t"] == "go":
        end = time.monotonic() + message["clock"]["move"]
        while time.monotonic() < end:
            time.sleep(0.01)
        say(t="move", n=message["n"], action=message["legal"][0])
    elif message["t"] == "bye":
        break
