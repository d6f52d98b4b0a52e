"""`make run` ends quietly with Ctrl-C, and still says when the product fails."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PRODUCT = """#!{python}
import sys, time
{rest}
"""
WAITS = """try:
    print("up", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    sys.exit(130)"""

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


def make_run(folder: Path, rest: str) -> "subprocess.Popen[str]":
    product = folder / "manhunt"
    product.write_text(PRODUCT.format(python=sys.executable, rest=rest))
    product.chmod(0o755)
    (folder / ".runtime").touch()
    command = ["make", "--no-print-directory", "run", f"BIN={folder}", f"RUNTIME={folder / '.runtime'}"]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, stdout=pipe, stderr=pipe, text=True, start_new_session=True)


def test_ctrl_c_is_no_error(tmp_path: Path) -> None:
    running = make_run(tmp_path, WAITS)
    assert running.stdout.readline() == "up\n"
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to make, the shell and the product
    said, complaints = running.communicate(timeout=60)
    assert said == ""
    # Where the recipe ends before make hears of the signal, make says that it waits for nobody: no word of `run`.
    assert not [line for line in complaints.splitlines() if "run]" in line or "Error" in line]


def test_another_end_is_an_error(tmp_path: Path) -> None:
    running = make_run(tmp_path, "sys.exit(2)")
    assert "Error" in running.communicate(timeout=60)[1]
    assert running.returncode == 2
