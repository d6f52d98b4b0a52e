"""A first use, with empty caches: processor seconds of the commands that newcomers type, and of the first agent move.

    python benchmarks/cold_start.py                    # the sources
    python benchmarks/cold_start.py --python DIR/bin/python   # an installed wheel

Each command runs as it is, and once more with MANHUNT_KERNELS=compiled, which compiles everything at once as a program
without a tiered start would. What a process in the background compiles for the next time is not counted.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import measure

from manhunt.core.ids import PLAYERS
from manhunt.core.kit import Kit
from manhunt.core.registry import kits
from sites import Site, all_actions

COMMANDS = (
    "watch shortest_path --seed 1 --no-viz",
    "demo --fast",
    "watch scotland_yard --n-detectives 3 --no-viz --seed 1",
    "watch fugitive --seed 1 --no-viz",
    "watch pursuit --seed 3 --no-viz",
    "solve --mrx 1 --detectives 5 10",
)
MODE = "MANHUNT_KERNELS"
OFFERS = 6
READING_SECONDS = 3.0
"""Between the server's address on the screen and the first click: a browser opens, and somebody reads the page."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--python", default=sys.executable, metavar="P", help="of the environment to measure")
    python = parser.parse_args().python
    measure.print_machine()
    print(
        f"{'command, nothing compiled':<54} {'seconds':>8} {'CPU':>6} {'all at once':>12} {'ratio':>6} {'kernels':>8}"
    )
    for words in COMMANDS:
        wall, cpu, n_kernels = first_use(python, words)
        _, at_once, _ = first_use(python, words, **{MODE: "compiled"})
        print(f"{words:<54} {wall:>8.1f} {cpu:>6.1f} {at_once:>12.1f} {at_once / cpu:>6.1f} {n_kernels:>8}", flush=True)
    for game, seconds in first_moves(python):
        print(f"web page, longest wait for the agent: {game:<16} {seconds:>8.2f}", flush=True)
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"largest process: {children:,.0f} MB")


def first_use(python: str, words: str, **more: str) -> tuple[float, float, int]:
    """Seconds, processor seconds, and how many kernels the command waited for."""
    with tempfile.TemporaryDirectory() as name:
        cache = Path(name)
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        command = [python, "-m", "manhunt", *words.split()]
        subprocess.run(command, env=environment(cache, **more), check=True, capture_output=True, cwd=cache)
        wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        n_kernels = len(list(cache.rglob("*.nbc")))
        end_background(cache)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, n_kernels


def environment(cache: Path, **more: str) -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if key != MODE} | {"NUMBA_CACHE_DIR": str(cache)} | more


def end_background(cache: Path) -> None:
    """End the compiler that the command may have left behind; it names its process in the file that it locks."""
    holder = cache / "manhunt" / "compiling"
    for _ in range(40):
        if holder.is_file() and (number := holder.read_text()):
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(number), signal.SIGKILL)
            return
        time.sleep(0.05)


def first_moves(python: str) -> list[tuple[str, float]]:
    """By game: the longest wait for the agent in the first turns of the game that two clicks start."""
    return [(kit.name, longest_wait(python, kit)) for kit in kits() if kit.lobby.quick is not None]


def longest_wait(python: str, kit: Kit) -> float:
    """On a new server with an empty cache: of the waits from the click that begins the game to the sixth offer."""
    quick = kit.lobby.quick
    assert quick is not None
    other = next(seat for seat in PLAYERS if seat is not quick.you)
    seats = {quick.you.value: "person", other.value: quick.agent}
    with tempfile.TemporaryDirectory() as name:
        command = [python, "-m", "manhunt", "web", "--no-browser", "--port", "0", "--store", f"{name}/games.db"]
        process = subprocess.Popen(command, env=environment(Path(name)), stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        url = next(word for word in process.stdout.readline().split() if word.startswith("http://"))
        site, waits = Site(url.rstrip("/"), process, ""), []
        try:
            time.sleep(READING_SECONDS)
            began = time.perf_counter()
            body = {"game": kit.name, "preset": quick.preset, "seats": seats}
            begun = site.api("/api/games", body if quick.board is None else {**body, "board": quick.board})
            with site.sit(begun["uid"], begun["tokens"][quick.you.value]) as seat:
                while len(waits) < OFFERS:
                    asked = seat.hear_until("go", "observe")
                    if asked["t"] == "observe" and not asked["over"]:
                        continue
                    waits.append(time.perf_counter() - began)
                    if asked["t"] == "observe":
                        break
                    began = time.perf_counter()
                    seat.say({"t": "move", "n": asked["n"], "action": all_actions(asked["offers"])[0]})
        finally:
            process.terminate()
            process.communicate()
    return max(waits)


if __name__ == "__main__":
    main()
