"""A bot that plays all games at random, with nothing but the standard library.

manhunt watch pursuit --agent-mrx "cmd:python plain_bot.py"
manhunt bot check "python plain_bot.py" --game pursuit
"""

import argparse
import json
import random
import sys


def choose(game, view, legal, clock, rng):
    """Your own logic goes here: return one of `legal`, or None to resign.

    `game` is the message `new` (game, config, seat, board), `view` what your seat knows, `clock["move"]` the seconds
    for this move. Take all chance from `rng`, and manhunt can check that you play fair.
    """
    # ---- Add bot logic here -----------------------------------------------------------------------------------------
    return rng.choice(legal) if legal else None
    # -----------------------------------------------------------------------------------------------------------------


def say(**message):
    """One message is one line; flush, or the manager waits in vain."""
    print(json.dumps(message), flush=True)


def main():
    argparse.ArgumentParser(description="A random bot for all games of manhunt, over stdin and stdout.").parse_args()
    game, view = None, None
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["t"]
        if kind == "hello":
            say(t="hello", protocol=1, name="plain python random", version="1.0")
        elif kind == "new":
            game = message
        elif kind == "observe":
            view = message["view"]
        elif kind == "go":
            rng = random.Random(message["seed"])
            action = choose(game, view, message["legal"], message["clock"], rng)
            if action is None:
                say(t="resign")
            else:
                say(t="move", n=message["n"], action=action)
        elif kind == "error":
            print("the manager says:", message["what"], file=sys.stderr)
        elif kind == "bye":
            break


if __name__ == "__main__":
    main()
