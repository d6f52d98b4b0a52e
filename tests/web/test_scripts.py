"""The pages' scripts without a browser: `node --test` on every `*.test.mjs` below tests/."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
WEB = TESTS.parent / "src" / "manhunt" / "web"
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


def imported_by(name: str, found: list[str]) -> list[str]:
    """All modules that a module needs before it runs, in the order in which a browser would hear of them."""
    for other in re.findall(r'^(?:im|ex)port [^;]*?from "\./(\w+)\.js"', (WEB / "js" / f"{name}.js").read_text(), re.M):
        if other not in found:
            found.append(other)
            imported_by(other, found)
    return found


@pytest.mark.parametrize("page", sorted(WEB.glob("*.html")), ids=lambda page: page.stem)
def test_a_page_names_all_its_modules_so_that_none_waits_for_another(page: Path) -> None:
    html = page.read_text()
    script, named = re.search(r'set script = "(\w+)"', html), re.search(r'set modules = \[(".*)\]', html)
    if script and named:
        preloaded = re.findall(r'"(\w+)"', named[1])
        needed = {other for name in (script[1], *preloaded) for other in imported_by(name, [])}
        assert not needed - {script[1], *preloaded}
