"""A bot that misbehaves on request: `python bad_bot.py WHAT [MARK]`; nothing but the standard library.

It plays the first legal move until its vice breaks through. MARK is only there to be found in the list of processes.
"""

import contextlib
import json
import os
import random
import signal
import sys
import time

WHAT = sys.argv[1]
MARK = sys.argv[2].encode() if len(sys.argv) > 2 else b"no mark"
MANY = 30_000_000


def say(**message):
    os.write(1, json.dumps(message).encode() + b"\n")


def hello(**more):
    say(**{"t": "hello", "protocol": 1, "name": "bad " + WHAT, **more})


def rest():
    time.sleep(600)


def after(seconds, do, *arguments):
    time.sleep(seconds)
    do(*arguments)


def daemon():
    """A grandchild in its own session that keeps our pipes and lives on."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            rest()
        os._exit(0)


def eat():
    hoard = []
    while True:
        hoard.append(bytearray(16 * 1024 * 1024))


def eat_in_children():
    for _ in range(8):
        if os.fork() == 0:
            hoard = bytearray(os.urandom(1024)) * (40 * 1024)  # 40 MB, touched
            rest()
            del hoard
    rest()


def breed():
    while True:
        with contextlib.suppress(OSError):
            if os.fork() == 0:
                rest()


def murder(then):
    """Get rid of whoever watches us: our parent, and every process above it that runs a supervisor."""
    for _ in range(40):
        if os.fork() == 0:
            os.setsid()
            rest()
    with contextlib.suppress(OSError):
        os.kill(os.getppid(), signal.SIGKILL)
    for pid in filter(str.isdecimal, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read().split(b"\0")
            if b"supervisor.py" in b"".join(words) and MARK in words:
                os.kill(int(pid), signal.SIGKILL)
    then()


def spin():
    while True:
        pass


def flood():
    with contextlib.suppress(OSError):
        while True:
            os.write(1, b'{"t":"info","text":"' + b"x" * 1000 + b'"}\n')


def flood_stderr():
    with contextlib.suppress(OSError):
        while True:
            os.write(2, b"y" * 65536)


def close(*descriptors):
    for descriptor in descriptors:
        os.close(descriptor)
    rest()


STARTS = {
    "silent": rest,
    "exit": lambda: sys.exit("I do not want to"),
    "garbage-hello": lambda: os.write(1, b"Loading model...\n"),
    "old-protocol": lambda: hello(protocol=0),
    "move-first": lambda: say(t="move", n=1, action="X:1"),
    "late-hello": lambda: after(1.5, hello),
    "refuse-hello": lambda: say(t="error", what="no licence"),
    "unfit": lambda: hello(games=["chess"]),
    "no-seat": lambda: hello(seats=["goalkeeper"]),
    "bad-options": lambda: hello(
        options=[
            {"name": "level", "type": "int", "default": 9, "low": 1, "high": 5},
            {"name": "style", "type": "choice", "default": "wild", "choices": ["calm"]},
            {"name": "deep", "type": "bool", "default": 3},
            {"name": "deep", "type": "bool", "default": True},
        ]
    ),
}
TURNS = {
    "malformed": lambda m: os.write(1, b"thinking...\n"),
    "illegal": lambda m: say(t="move", n=m["n"], action="nowhere"),
    "wrong-n": lambda m: say(t="move", n=m["n"] + 5, action=m["legal"][0]),
    "late": lambda m: after(0.7, play, m),
    "asleep": lambda m: rest(),
    "spin": lambda m: spin(),
    "flood": lambda m: flood(),
    "flood-stderr": lambda m: flood_stderr(),
    "long-line": lambda m: (os.write(1, b"z" * 200_000), rest()),
    "crash": lambda m: 1 // 0,
    "kill-itself": lambda m: os.kill(os.getpid(), signal.SIGKILL),
    "stop-itself": lambda m: os.kill(os.getpid(), signal.SIGSTOP),
    "error": lambda m: say(t="error", what="out of ideas"),
    "bye": lambda m: say(t="bye"),
    "resign": lambda m: say(t="resign"),
    "half-a-line": lambda m: (os.write(1, b'{"t":"mo'), rest()),
    "close-output": lambda m: close(1),
    "close-input": lambda m: close(0),
    "close-all": lambda m: close(0, 1, 2),
    "eat": lambda m: eat(),
    "eat-in-children": lambda m: eat_in_children(),
    "breed": lambda m: breed(),
    "fork-and-stay": lambda m: (daemon(), play(m)),
    "fork-and-sleep": lambda m: (daemon(), rest()),
    "fork-and-crash": lambda m: (daemon(), os._exit(3)),
    "murder-and-play": lambda m: murder(lambda: play(m)),
    "murder-and-sleep": lambda m: murder(rest),
    "twice": lambda m: (play(m), play(m)),
    "second-hello": lambda m: (hello(), play(m)),
    "fickle": lambda m: say(t="move", n=m["n"], action=random.SystemRandom().choice(m["legal"])),
    "peek": lambda m: say(t="move", n=m["n"], action=m["legal"][peeked(m) % len(m["legal"])]),
}


def play(message):
    say(t="move", n=message["n"], action=message["legal"][0])


def peeked(message):
    """Something that is not in the messages: how often this bot was started."""
    n_starts = os.path.getsize(sys.argv[3])
    return 0 if n_starts <= 3 else n_starts


def main():
    if WHAT == "peek":
        with open(sys.argv[3], "a") as file:
            file.write("x")
    n_games = 0
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["t"]
        if kind == "hello":
            STARTS.get(WHAT, hello)()
        elif kind == "new":
            n_games += 1
            if WHAT == "crash-in-second-game" and n_games == 2:
                raise RuntimeError("one game is enough")
            if WHAT == "chatty":
                say(t="move", n=1, action="X:1")
            if WHAT == "not-reading":
                rest()
        elif kind == "go":
            TURNS.get(WHAT, play)(message)
        elif kind == "bye" and WHAT != "deaf":
            return
    if WHAT == "deaf":
        rest()


if __name__ == "__main__":
    main()
