"""Put compiled kernels into a wheel: `python packaging/platform_wheel.py dist/manhunt-X-py3-none-any.whl`.

The kernels are compiled for the plainest processor of this machine's kind, from the wheel's own sources, in a folder
of their own. The new wheel is for one Python version and one platform; with another Numba it compiles as usual.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from manhunt.core.kernel_cache import SHIPPED_TARGETS
from manhunt.core.kernel_files import CARD, SHIPPED

GLIBC = "manylinux_2_17"
"""The kernels use nothing of the C library; Numba's own wheels decide where they run."""
WRITE_CARD = """
import json, sys
from manhunt.core.kernel_files import built_with
from manhunt.core.registry import kits
from manhunt.core.warm import is_warm, kernels_of, key_of, topics_of
work = [f"{kit.name}/{topic}" for kit in kits() for topic in topics_of(kit)]
warm = {each: key_of(each) for each in work if kernels_of(each) and is_warm(each)}
json.dump({"built_with": built_with(), "work": warm}, sys.stdout, indent=1)
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", type=Path, help="the pure wheel")
    parser.add_argument("--work", nargs="*", default=[], metavar="GAME/TOPIC", help="compile only this (for tests)")
    options = parser.parse_args()
    if platform.machine() not in SHIPPED_TARGETS:
        print(f"no plain target is known for {platform.machine()}: only the pure wheel was built", file=sys.stderr)
        return 0
    with tempfile.TemporaryDirectory(prefix="manhunt-wheel-") as name:
        folder = Path(name)
        wheel_tool("unpack", options.wheel, "--dest", folder)
        (unpacked,) = folder.iterdir()
        compile_into(unpacked, folder / "cache", options.work)
        wheel_tool("pack", unpacked, "--dest-dir", folder)
        (packed,) = folder.glob("*.whl")
        made = tagged(packed)
        shutil.copy(made, options.wheel.parent)
        size_mb = made.stat().st_size / 1e6
        print(f"{options.wheel.parent / made.name}: {size_mb:.1f} MB")
    return 0


def compile_into(unpacked: Path, cache: Path, work: list[str]) -> None:
    """Run `manhunt warm` of the unpacked wheel, and keep what it compiled beside the sources."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(unpacked),
        "NUMBA_CACHE_DIR": str(cache),
        "NUMBA_CPU_NAME": SHIPPED_TARGETS[platform.machine()],
        "NUMBA_CPU_FEATURES": "",
    }
    subprocess.run([sys.executable, "-m", "manhunt", "warm", *work], env=environment, check=True, cwd=unpacked)
    kernels = unpacked / "manhunt" / SHIPPED.name
    shutil.copytree(cache / "manhunt", kernels, ignore=shutil.ignore_patterns("warm", "compiling", "*.tmp.*"))
    card = subprocess.run([sys.executable, "-c", WRITE_CARD], env=environment, check=True, cwd=unpacked, text=True,
                          stdout=subprocess.PIPE)  # fmt: skip
    (kernels / CARD).write_text(json.dumps(json.loads(card.stdout), indent=1) + "\n", encoding="utf-8")


def tagged(wheel: Path) -> Path:
    """The wheel with the tags of this Python and platform."""
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    where = f"{GLIBC}_{platform.machine()}" if sys.platform == "linux" else f"{sys.platform}_{platform.machine()}"
    wheel_tool("tags", "--python-tag", python, "--abi-tag", python, "--platform-tag", where, "--remove", wheel)
    (made,) = wheel.parent.glob("*.whl")
    return made


def wheel_tool(*arguments: object) -> None:
    subprocess.run([sys.executable, "-m", "wheel", *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main())
