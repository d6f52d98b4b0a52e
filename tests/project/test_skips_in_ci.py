"""In CI a skipped test fails the run, also where several processes run the tests."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SUPPORT = Path(__file__).parents[1] / "support"
TESTS = """
import pytest

def test_passes():
    pass

def test_needs_a_tool():
    pytest.skip("the tool is not installed")

@pytest.mark.skipif(True, reason="takes long without compilation")
def test_needs_speed():
    pass
"""


def run_pytest(folder: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    (folder / "test_tools.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-n", "1", "-rs", "-p", "xdist", "-p", "skips_in_ci", str(folder)]
    ours = {name: value for name, value in os.environ.items() if name not in ("CI", "NUMBA_DISABLE_JIT")}
    ours |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "", "PYTHONPATH": str(SUPPORT), **environment}
    return subprocess.run(command, cwd=folder, env=ours, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize(
    ("environment", "code", "missing"),
    [
        ({"CI": "1"}, 1, ["test_needs_a_tool", "test_needs_speed"]),
        ({"CI": "1", "NUMBA_DISABLE_JIT": "1"}, 1, ["test_needs_a_tool"]),
        ({}, 0, []),
    ],
    ids=["ci", "ci without compilation", "at home"],
)
def test_a_skip_fails_the_run(tmp_path: Path, environment: dict[str, str], code: int, missing: list[str]) -> None:
    done = run_pytest(tmp_path, **environment)
    assert done.returncode == code, done.stdout + done.stderr
    assert "the tool is not installed" in done.stdout, "the reason is printed in any case"
    told = done.stdout.partition("skipped, although this is CI")[2]
    assert [name for name in ("test_needs_a_tool", "test_needs_speed") if name in told] == missing
