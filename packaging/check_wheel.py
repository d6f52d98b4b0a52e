"""Install a wheel into a new environment and run every command of the README there with an empty cache.

`make check-wheel` does it with the platform wheel: nothing may be compiled. Every kernel that is compiled leaves a
file in the cache, so counting those files counts compilations.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^(?P<mark><!-- (?:not run|long): [^\n]+ -->\n)?```console\n(?P<body>.*?)^```", re.M | re.S)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", type=Path)
    wheel = parser.parse_args().wheel.resolve()
    total = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT / "examples", folder / "examples")
        subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
        install = [folder / "venv/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, "--constraint", ROOT / "constraints.txt", f"{wheel}[pictures]"], check=True)
        environment = {key: value for key, value in os.environ.items() if key != "MANHUNT_KERNELS"}
        environment["NUMBA_CACHE_DIR"] = str(folder / "cache")
        for command in commands():
            words = [folder / "venv/bin/python", "-m", *shlex.split(command)]
            ran = subprocess.run(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
            found = len(list((folder / "cache").rglob("*.nbc")))
            print(f"exit {ran.returncode}, {found - total} compiled: {command}", flush=True)
            if ran.returncode:
                print(ran.stderr.decode(), file=sys.stderr)
                return 1
            total = found
    print(f"{total} kernels were compiled")
    return 0 if total == 0 else 1


def commands() -> list[str]:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    bodies = [block["body"] for block in BLOCK.finditer(text) if not block["mark"]]
    return [line for body in bodies for line in body.splitlines() if line.startswith("manhunt")]


if __name__ == "__main__":
    sys.exit(main())
