"""Everything written is run: README, docs and examples.

Python blocks of one file share a namespace and a folder; `manhunt ...` lines of console blocks are run there too.
A block that takes long or needs a person is marked with a comment line `<!-- not run: why -->` just above it.
"""

import io
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from manhunt.cli.main import run

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
FENCE = re.compile(r"^(?P<mark><!-- not run: [^\n]+ -->\n)?```(?P<kind>python|console)\n(?P<body>.*?)^```", re.M | re.S)
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")


def blocks(page: Path) -> list[re.Match[str]]:
    return [block for block in FENCE.finditer(page.read_text(encoding="utf-8")) if not block["mark"]]


def commands(body: str) -> list[str]:
    """Lines of a console block that call manhunt, continuation lines joined."""
    joined = body.replace("\\\n", " ")
    return [line.removeprefix("$ ") for line in joined.splitlines() if line.removeprefix("$ ").startswith("manhunt")]


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p)], ids=lambda p: str(p.relative_to(ROOT)))
def test_blocks_run(page: Path, tmp_path, monkeypatch, capsys) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    namespace: dict[str, object] = {"__name__": "page"}
    for block in blocks(page):
        if block["kind"] == "python":
            line = page.read_text(encoding="utf-8")[: block.start("body")].count("\n")
            exec(compile("\n" * line + block["body"], str(page), "exec"), namespace)
        else:
            for command in commands(block["body"]):
                code = run(shlex.split(command)[1:])
                assert code == 0, f"{command}: exit {code}, {capsys.readouterr().err}"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.name)
def test_examples_run(path: Path, tmp_path) -> None:
    done = subprocess.run(
        [sys.executable, path], cwd=tmp_path, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_project_speaks_of_itself_alone() -> None:
    strange = re.compile(r"@@|TODO|FIXME|/tmp/|/root/|/home/\w+/|/work/|pypi\.org|registry\.npmjs|deb\.debian")
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout.split()
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout: there is no list of files")
    assert tracked
    for name in tracked:
        path = ROOT / name
        if path.suffix in {".py", ".md", ".toml", ".txt", ".js", ".css", ".html", ".csv"} and path != Path(__file__):
            assert not strange.search(path.read_text(encoding="utf-8")), name
