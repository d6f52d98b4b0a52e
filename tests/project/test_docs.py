"""Everything written is run: README, docs and examples.

Python blocks of one file share a namespace and a folder; `manhunt ...` lines of console blocks are run there too.
A comment line just above a block says how it is run:

    <!-- file: NAME -->                   saved under that name, in any language; what follows may use it
    <!-- from FILE -->                    compared with that file; a line `# ...` in it stands for lines left out
    <!-- serves -->                       servers: each is started on a free port and stopped when it listens
    <!-- served -->                       needs a server: see `test_bots_and_watchers_meet_at_the_server`
    <!-- long: how long -->               by `make docs-long`, which runs these pages whole
    <!-- long with OPTIONS: how long -->  the same with these options at the end, because as it stands it takes hours
    <!-- not run: why -->                 not at all; `NOT_RUN` has the few reasons
"""

import io
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from classic_clients import LITTLE, PLAYER
from example_games import NIGHT_CHASE, known_here
from manhunt.cli.main import run
from manhunt.client.classic import Client
from manhunt.core.kit import PARTS
from public_names import PACKAGES

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
WRITE_A_GAME = ROOT / "docs" / "how-to" / "write-a-game.md"
WITH_NIGHT_CHASE = {WRITE_A_GAME, ROOT / "docs" / "explanation" / "equilibria.md"}
"""Pages whose blocks play the example of a game from outside."""
NEEDS = {
    ROOT / "docs" / "how-to" / "openspiel.md": ("pyspiel", "openspiel"),
    ROOT / "docs" / "tutorial" / "train-an-agent.md": ("torch", "learn"),
}
"""Pages whose blocks need a module of an extra."""
TOOLS = {ROOT / "docs" / "tutorial" / "first-bot.md": "node"}
"""Pages whose blocks need a program."""
BY_NAME = {f"manhunt.adapters.{name}" for name in ("gymnasium", "pettingzoo", "openspiel", "openspiel.policies")}
BY_NAME |= {"manhunt.client.classic", "manhunt.testing.strategies"}
"""Modules that the Python API names."""
SERVER_PAGE = ROOT / "docs" / "how-to" / "shortest-path.md"
PATIENCE_SECONDS = 300
LONG = os.environ.get("MANHUNT_LONG_DOCS", "") == "1"
MARKS = r"not run|from|long|file|serves|served"
MARK = rf"(?:<!-- (?P<mark>{MARKS})(?: with (?P<extra>[^:\n]+))?:? ?(?P<about>[^\n]*) -->\n)?"
FENCE = re.compile(r"^" + MARK + r"```(?P<kind>\w*)\n(?P<body>.*?)^```", re.M | re.S)
RUN_KINDS = {"python", "console"}
NOT_RUN = {"needs a cluster", "sets up the environment that runs this page"}
EXCERPT = re.compile(r"^<!-- from (?P<file>\S+) -->\n```\w+\n(?P<body>.*?)^```", re.M | re.S)
LEFT_OUT = re.compile(r"^ *# \.\.\.\n", re.M)
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")


def blocks(page: Path, *marks: str | None) -> list[re.Match[str]]:
    """What is saved or run of a page, in order: blocks without a mark, those to be saved, and those with `marks`."""
    wanted = {"file", None, *marks}
    found = FENCE.finditer(page.read_text(encoding="utf-8"))
    return [
        block for block in found if block["mark"] in wanted and (block["kind"] in RUN_KINDS or block["mark"] == "file")
    ]


def has(page: Path, mark: str | None) -> bool:
    return any(block["mark"] == mark for block in blocks(page, mark))


def commands(body: str) -> list[str]:
    """The commands of a console block, continuation lines joined; with prompts, other lines are what was printed."""
    lines = [line for line in body.replace("\\\n", " ").splitlines() if line.split("#")[0].strip()]
    prompted = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    return prompted or lines


def run_command(command: str, *more: str) -> int:
    """The exit code; manhunt runs in this process, everything else in its own."""
    program, *words = [*shlex.split(command, comments=True), *more]
    if program == "manhunt":
        return run(words)
    if program == "python" and words[0].startswith("benchmarks/"):
        program, *words = sys.executable, str(ROOT / words[0]), *words[1:]
    assert program in (sys.executable, "cp", "mkdir"), f"{command}: mark the block, or teach this test to run it"
    return subprocess.run([program, *words], stdin=subprocess.DEVNULL).returncode


def server_of(command: str) -> tuple[subprocess.Popen[str], int]:
    """A server that listens on this machine alone, whatever the page says, and its port."""
    _, *words = shlex.split(command, comments=True)
    if words[:1] != ["serve"]:
        words = [*(words or ["web"]), "--no-browser", "--no-compile", "--store", "served.db"]
    words += ["--port", "0", "--host", "localhost"]
    server = subprocess.Popen([sys.executable, "-m", "manhunt", *words], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    said = next((found for line in server.stdout if (found := re.search(r"(?:port |localhost:)(\d+)", line))), None)
    assert said, f"{command} ended with {server.wait()} before it listened"
    return server, int(said[1])


def stop(server: subprocess.Popen[str]) -> int:
    server.send_signal(signal.SIGINT)
    server.communicate(timeout=PATIENCE_SECONDS)
    return server.returncode


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p)], ids=lambda p: str(p.relative_to(ROOT)))
def test_blocks_run(page: Path, tmp_path, monkeypatch, capsys, request) -> None:
    run_page(page, blocks(page), tmp_path, monkeypatch, capsys, request)


if LONG:

    @pytest.mark.parametrize("page", [p for p in PAGES if has(p, "long")], ids=lambda p: str(p.relative_to(ROOT)))
    def test_long_blocks_run(page: Path, tmp_path, monkeypatch, capsys, request) -> None:
        run_page(page, blocks(page, "long"), tmp_path, monkeypatch, capsys, request)


@pytest.mark.parametrize("page", [p for p in PAGES if has(p, "serves")], ids=lambda p: str(p.relative_to(ROOT)))
def test_servers_start(page: Path, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.txt").write_text(LITTLE)
    for block in blocks(page, "serves"):
        if block["mark"] == "serves":
            for command in commands(block["body"]):
                server, _ = server_of(command)
                assert stop(server) in (0, 130), command


def test_bots_and_watchers_meet_at_the_server(tmp_path, monkeypatch) -> None:
    """The blocks marked `served` of the page about Adversarial Shortest Path: three games on one server."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.txt").write_text(LITTLE)
    watching, bots, program = (b["body"] for b in blocks(SERVER_PAGE, "served") if b["mark"] == "served")
    server, port = server_of("manhunt serve shortest-path --game-file game.txt --bounds 0")

    def start(line: str) -> subprocess.Popen[str]:
        words = shlex.split(line.replace("8080", str(port)))
        words = ["-m", *words] if words[0] == "manhunt" else [*words[1:], "--port", str(port)]
        return subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def end(process: subprocess.Popen[str]) -> None:
        said = process.communicate(timeout=PATIENCE_SECONDS)[0]
        assert process.returncode == 0, said

    latest, third = commands(watching)
    player, adversary = commands(bots)
    for process in [start(line) for line in (player, adversary)]:
        end(process)
    opponent = start(adversary)
    exec(compile(program.replace("8080", str(port)), str(SERVER_PAGE), "exec"), {})
    end(opponent)
    opponent = start(adversary)
    client = Client("127.0.0.1", port, "ann", PLAYER)
    client.get_game()
    watchers = [start(line) for line in (latest, third)]
    assert all(watcher.stdout and watcher.stdout.readline() for watcher in watchers)  # both see the running game
    client.close()
    for process in watchers:
        end(process)
    opponent.communicate(timeout=PATIENCE_SECONDS)
    assert (tmp_path / "third.record.txt").exists()
    assert stop(server) in (0, 130)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_block_is_passed_over_without_a_reason(page: Path) -> None:
    for block in FENCE.finditer(page.read_text(encoding="utf-8")):
        if block["mark"] == "not run":
            assert block["about"] in NOT_RUN
        if block["kind"] not in RUN_KINDS:
            assert block["kind"] not in ("bash", "sh", "shell"), "write console"
            assert block["mark"] or not re.search(
                r"^(\$ )?(manhunt (?!record 1$)|python benchmarks/)", block["body"], re.M
            ), block[0]


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
                saved = Path(block["about"])
                saved.parent.mkdir(parents=True, exist_ok=True)
                saved.write_text(block["body"], encoding="utf-8")
            elif block["kind"] == "python":
                line = page.read_text(encoding="utf-8")[: block.start("body")].count("\n")
                exec(compile("\n" * line + block["body"], str(page), "exec"), namespace)
            else:
                for command in commands(block["body"]):
                    code = run_command(command, *shlex.split(block["extra"] or ""))
                    assert code == 0, f"{command}: exit {code}, {capsys.readouterr().err}"


@pytest.mark.parametrize("path", [*PAGES, *(ROOT / "examples").rglob("*.py")], ids=lambda p: str(p.relative_to(ROOT)))
def test_what_is_shown_imports_public_names(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    shown = [text] if path.suffix == ".py" else [b["body"] for b in FENCE.finditer(text) if b["kind"] == "python"]
    imported = {found for body in shown for found in re.findall(r"^(?:from|import) (manhunt[\w.]*)", body, re.M)}
    assert imported <= {*PACKAGES, *BY_NAME}, "import from a package of the Python API, or add the name there"


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


def test_every_picture_is_shown_somewhere() -> None:
    """And is made by `make pictures`, so that it stays true."""
    shown = {Path(target).name for page in PAGES for target in LINK.findall(page.read_text(encoding="utf-8"))}
    script = (ROOT / "packaging" / "make_pictures.py").read_text(encoding="utf-8")
    for picture in (ROOT / "docs" / "pictures").iterdir():
        assert picture.name in shown, f"no page shows {picture.name}"
        assert f'"{picture.stem}": ' in script, f"make_pictures.py does not make {picture.name}"


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
