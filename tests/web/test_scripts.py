"""The pages' scripts without a browser: `node --test` on every `*.test.mjs` below tests/."""

import shutil
import subprocess
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
FILES = sorted(TESTS.rglob("*.test.mjs"))


@pytest.fixture(scope="module")
def node() -> str:
    found = shutil.which("node")
    if found is None:
        pytest.skip("node is not installed")
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_script(node: str, path: Path) -> None:
    done = subprocess.run([node, "--test", path], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\n# fail 0\n" in done.stdout.replace("ℹ", "#")


def test_there_are_scripts_to_be_tested() -> None:
    assert len(FILES) >= 5
