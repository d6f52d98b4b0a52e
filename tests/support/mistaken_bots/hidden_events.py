"""Expects a kind in every event; a hidden one is its number alone."""

import json
import random
import sys


def say(**message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        say(t="hello", protocol=1, name="hidden events")
    elif message["t"] == "observe":
        sightings = [event for event in message["events"] if event["t"] == "sighting"]
    elif message["t"] == "go":
        say(t="move", n=message["n"], action=random.Random(message["seed"]).choice(message["legal"]))
    elif message["t"] == "bye":
        break
