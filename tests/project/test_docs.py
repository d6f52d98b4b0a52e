"""Everything written is run: README, docs and examples.

Python blocks of one file share a namespace and a folder; `manhunt ...` lines of console blocks are run there too.
A block that needs a person or hours is marked with a comment line `<!-- not run: why -->` just above it, one that needs
minutes with `<!-- long: how long -->`: `make docs-long` runs these pages whole. A block marked `<!-- file: NAME -->` is
saved under that name, in any language, and what follows may use it.
A block marked `<!-- from FILE -->` is compared with that file instead; a line `# ...` in it stands for lines left out.
"""

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from example_games import NIGHT_CHASE, known_here
from manhunt.cli.main import run
from manhunt.core.kit import PARTS

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
WRITE_A_GAME = ROOT / "docs" / "how-to" / "write-a-game.md"
WITH_NIGHT_CHASE = {WRITE_A_GAME, ROOT / "docs" / "explanation" / "equilibria.md"}
"""Pages whose blocks play the example of a game from outside."""
NEEDS = {
    ROOT / "docs" / "how-to" / "openspiel.md": ("pyspiel", "openspiel"),
    ROOT / "docs" / "tutorial" / "train-an-agent.md": ("torch", "rl"),
}
"""Pages whose blocks need a module of an extra."""
TOOLS = {ROOT / "docs" / "tutorial" / "first-bot.md": "node"}
"""Pages whose blocks need a program."""
LONG = os.environ.get("MANHUNT_LONG_DOCS", "") == "1"
MARK = r"(?:<!-- (?P<mark>not run|from|long|file):? (?P<about>[^\n]+) -->\n)?"
FENCE = re.compile(r"^" + MARK + r"```(?P<kind>\w+)\n(?P<body>.*?)^```", re.M | re.S)
RUN_KINDS = {"python", "console"}
RUN_COMMANDS = ("manhunt", "python benchmarks/")
EXCERPT = re.compile(r"^<!-- from (?P<file>\S+) -->\n```\w+\n(?P<body>.*?)^```", re.M | re.S)
LEFT_OUT = re.compile(r"^ *# \.\.\.\n", re.M)
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")


def blocks(page: Path, *, long: bool = False) -> list[re.Match[str]]:
    """What is saved or run of a page, in order."""
    marks = {"long", "file", None} if long else {"file", None}
    found = FENCE.finditer(page.read_text(encoding="utf-8"))
    return [
        block for block in found if block["mark"] in marks and (block["kind"] in RUN_KINDS or block["mark"] == "file")
    ]


def long_pages() -> list[Path]:
    return [page for page in PAGES if any(block["mark"] == "long" for block in blocks(page, long=True))]


def commands(body: str) -> list[str]:
    """Lines of a console block that call manhunt or a benchmark, continuation lines joined."""
    joined = body.replace("\\\n", " ")
    return [line for each in joined.splitlines() if (line := each.removeprefix("$ ")).startswith(RUN_COMMANDS)]


def run_command(command: str) -> int:
    """The exit code; manhunt runs in this process, a benchmark in its own."""
    program, *words = shlex.split(command, comments=True)
    if program == "manhunt":
        return run(words)
    return subprocess.run([sys.executable, ROOT / words[0], *words[1:]], stdin=subprocess.DEVNULL).returncode


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p)], ids=lambda p: str(p.relative_to(ROOT)))
def test_blocks_run(page: Path, tmp_path, monkeypatch, capsys, request) -> None:
    run_page(page, blocks(page), tmp_path, monkeypatch, capsys, request)


if LONG:

    @pytest.mark.parametrize("page", long_pages(), ids=lambda p: str(p.relative_to(ROOT)))
    def test_long_blocks_run(page: Path, tmp_path, monkeypatch, capsys, request) -> None:
        run_page(page, blocks(page, long=True), tmp_path, monkeypatch, capsys, request)


def run_page(page: Path, found: list[re.Match[str]], tmp_path: Path, monkeypatch, capsys, request) -> None:
    if page in TOOLS and shutil.which(TOOLS[page]) is None:
        pytest.skip(f"{TOOLS[page]} is not installed")
    if page in NEEDS:
        module, extra = NEEDS[page]
        pytest.importorskip(module, reason=f"{module} is not installed (pip install 'manhunt[{extra}]')")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")  # commands may write beside them
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    namespace: dict[str, object] = {"__name__": "page"}
    with known_here(request.getfixturevalue("night_chase_folder")) if page in WITH_NIGHT_CHASE else nullcontext():
        for block in found:
            if block["mark"] == "file":
                Path(block["about"]).write_text(block["body"], encoding="utf-8")
            elif block["kind"] == "python":
                line = page.read_text(encoding="utf-8")[: block.start("body")].count("\n")
                exec(compile("\n" * line + block["body"], str(page), "exec"), namespace)
            else:
                for command in commands(block["body"]):
                    code = run_command(command)
                    assert code == 0, f"{command}: exit {code}, {capsys.readouterr().err}"


def excerpts(page: Path) -> list[re.Match[str]]:
    return list(EXCERPT.finditer(page.read_text(encoding="utf-8")))


@pytest.mark.parametrize("page", [p for p in PAGES if excerpts(p)], ids=lambda p: str(p.relative_to(ROOT)))
def test_excerpts_are_what_the_files_say(page: Path) -> None:
    for excerpt in excerpts(page):
        text = (ROOT / excerpt["file"]).read_text(encoding="utf-8")
        at = 0
        for piece in LEFT_OUT.split(excerpt["body"]):
            found = text.find(piece.strip("\n"), at)
            assert found >= 0, f"{excerpt['file']} does not say, or not in this order:\n{piece}"
            at = found + len(piece.strip("\n"))


def test_write_a_game_quotes_every_file_of_the_example() -> None:
    quoted = {ROOT / excerpt["file"] for excerpt in excerpts(WRITE_A_GAME)}
    files = [file for file in NIGHT_CHASE.rglob("*") if file.suffix in {".py", ".json", ".toml"}]
    assert quoted == {file for file in files if file.read_text(encoding="utf-8")}


def test_write_a_game_renames_the_whole_example(tmp_path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    copy, rename, *_ = (b["body"] for b in FENCE.finditer(WRITE_A_GAME.read_text("utf-8")) if b["kind"] == "console")
    subprocess.run(["bash", "-euc", copy + rename], cwd=tmp_path, check=True)
    renamed = next(tmp_path.rglob("my_game"))
    texts = [path.read_text(encoding="utf-8") for path in renamed.rglob("*") if path.is_file()]
    assert texts
    assert not any(re.search("night.?chase", text, re.IGNORECASE) for text in texts)
    asked = "from my_game import KIT; print(KIT.game.name, KIT.game.title)"
    done = subprocess.run([sys.executable, "-c", asked], cwd=renamed, capture_output=True, text=True)
    assert done.stdout == "my_game My Game\n", done.stderr


def test_write_a_game_names_exactly_the_parts_of_a_kit() -> None:
    _, table = WRITE_A_GAME.read_text(encoding="utf-8").split("\n## What else a kit can bring\n")
    rows = [line.strip("|").split("|") for line in table.split("\n## ")[0].splitlines() if line.startswith("| `")]
    assert [name.strip(" `") for name, _, _ in rows] == list(PARTS)
    assert all(what.strip() and without.strip() for _, what, without in rows)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.name)
def test_examples_run(path: Path, tmp_path) -> None:
    done = subprocess.run(
        [sys.executable, path], cwd=tmp_path, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=600
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
