"""Measure what each topic compiles: `make kernels` writes `kernels.json` of every built-in game.

Each topic is used in a process of its own with an empty cache, so the figures are those of a first use.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from manhunt.core.registry import BUILT_IN, kit_of
from manhunt.core.warm import ALL_TOPICS, topics_of

Topic = dict[str, tuple[int, float]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=BUILT_IN, help="only these")
    for name in parser.parse_args().games:
        kit = kit_of(name)
        topics = topics_of(kit)
        everything = "\n".join(f"{name}/{topic}" for topic in topics)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            measured = dict(zip(topics, pool.map(measure, [f"{name}/{topic}" for topic in topics]), strict=True))
        measured[ALL_TOPICS] = measure(everything)
        path = Path(str(kit.files)) / "kernels.json"
        path.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
        print(f"{path}: {sum(bool(row) for row in measured.values())} of {len(topics)} topics have kernels")
    return 0


def measure(work: str) -> Topic:
    """By module: the kernels that were compiled, and the processor seconds for them."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        command = [sys.executable, "-m", "manhunt.cli.warm_topics"]
        ran = subprocess.run(command, env=environment, input=work, stdout=subprocess.PIPE, text=True, check=True)
    n, seconds = defaultdict[str, int](int), defaultdict[str, float](float)
    for line in ran.stdout.splitlines():
        said = json.loads(line)
        if "kernel" in said:
            n[said["kernel"]] += 1
            seconds[said["kernel"]] += said["seconds"]
    print(f"{work.splitlines()[-1]}: {sum(n.values())} kernels, {sum(seconds.values()):.1f} s", flush=True)
    return {module: (n[module], round(seconds[module], 2)) for module in sorted(n)}


if __name__ == "__main__":
    sys.exit(main())
