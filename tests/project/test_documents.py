"""The map of the five documents: every row is complete, and what it names is there."""

import ast
import re
import shlex
from collections import Counter
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from manhunt.agents.registry import make_agent
from manhunt.cli.game_commands import game_commands
from manhunt.cli.main import COMMANDS, _mode_options, run
from manhunt.core.registry import find_name, kits
from manhunt.games.scotland_yard.agents.minimax_search.search import PlanSearch

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "documents.md"
HOWS = ("works", "better", "open")
TEST = re.compile(r"(tests/[\w/]+\.py)::(test_\w+)(\[.+\])?")
LINK = re.compile(r"\[[^\]]+\]\(([^)#]+)(?:#([^)]*))?\)")
CODE = re.compile(r"`([^`]+)`")


class Row(NamedTuple):
    document: str
    item: str
    here: str
    how: str
    test: str


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def rows() -> list[Row]:
    """The rows of all tables but the first, which counts them."""
    found, document = [], ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith('<a id="'):
            document = line.split('"')[1]
        elif document and line.startswith("|") and not re.match(r"\| item \||\|---", line):
            assert len(cells(line)) == 4, f"not item, here, how and test: {line}"
            found.append(Row(document, *cells(line)))
    return found


ROWS = rows()


@cache
def functions(file: str) -> frozenset[str]:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def names_in(row: Row) -> list[str]:
    """What stands in code signs under `here`: commands, modules to run, names to import."""
    return CODE.findall(LINK.sub("", row.here))


def all_names(is_wanted) -> list[str]:
    return sorted({name for row in ROWS for name in names_in(row) if is_wanted(name)})


def is_command(name: str) -> bool:
    return name == "manhunt" or name.startswith("manhunt ")


def test_every_row_is_complete() -> None:
    assert len({row.document for row in ROWS}) == 5
    for row in ROWS:
        assert all(row), row
        how, _, why = row.how.partition(": ")
        assert how in HOWS, row
        assert bool(why) == (how != "works"), f"only better and open say why: {row}"
        assert names_in(row) or LINK.search(row.here), f"neither a name nor a page: {row}"
    twice = [item for item, n in Counter((row.document, row.item) for row in ROWS).items() if n > 1]
    assert not twice


def test_every_named_test_exists() -> None:
    missing = []
    for row in ROWS:
        found = TEST.fullmatch(row.test)
        assert found, f"no test: {row}"
        if not (ROOT / found[1]).exists() or found[2] not in functions(found[1]):
            missing.append(f"{row.document}: {row.item}: {row.test}")
    assert not missing, "\n".join(missing)


def test_counts_are_those_of_the_tables() -> None:
    """In the table at the top: items, works, better, open; for each document, and for all."""
    count = Counter((row.document, row.how.partition(":")[0]) for row in ROWS)
    documents = list(dict.fromkeys(row.document for row in ROWS))
    expected = {f"#{name}": [count[name, how] for how in HOWS] for name in documents}
    expected["all"] = [sum(numbers) for numbers in zip(*expected.values(), strict=True)]
    top = PAGE.read_text(encoding="utf-8").partition("<a id=")[0]
    shown = {}
    for line in top.splitlines():
        if line.startswith("|") and cells(line)[1].isdigit():
            name, *numbers = cells(line)
            shown[re.sub(r".*\((#[\w-]+)\)", r"\1", name)] = list(map(int, numbers))
    assert shown == {name: [sum(numbers), *numbers] for name, numbers in expected.items()}


@pytest.mark.parametrize("command", all_names(is_command))
def test_commands_and_their_options_exist(command: str, capsys) -> None:
    """Every option is one that the help of the command (and of its game) lists, and every agent can be made."""
    words = shlex.split(command)[1:]
    if not words:
        return
    if words[0].startswith("-"):
        assert {word for word in words if word.startswith("--")} <= {"--mode", *_mode_options()}
        return
    assert words[0] in {*COMMANDS, *game_commands()}
    takes_game = len(words) > 1 and words[1].replace("-", "_") in {kit.name for kit in kits()} | {"show"}
    with pytest.raises(SystemExit) as left:
        run([*words[: 1 + takes_game], "--help"])
    assert left.value.code == 0
    shown = capsys.readouterr().out
    for word, value in pairwise([*words, ""]):
        if word.startswith("-"):
            assert re.search(rf"(?<![\w-]){word}(?![\w-])", shown), f"{command}: no {word}"
        if word.startswith("--agent-"):
            assert make_agent(value, find_name(words[1]))


@pytest.mark.parametrize("name", all_names(lambda name: name.startswith("python -m ")))
def test_modules_to_run_exist(name: str) -> None:
    module = name.split()[2]
    assert find_spec(module if module != "manhunt" else "manhunt.__main__"), name


@pytest.mark.parametrize("name", all_names(lambda name: name.startswith("manhunt.")))
def test_names_can_be_imported(name: str) -> None:
    parts = name.split(".")
    for n in range(len(parts), 0, -1):
        module = ".".join(parts[:n])
        try:
            found = import_module(module)
        except ModuleNotFoundError as error:
            assert module.startswith(str(error.name)), f"{name}: {error}"
            continue
        for attribute in parts[n:]:
            assert hasattr(found, attribute), f"{name}: no {attribute}"
            found = getattr(found, attribute)
        return
    raise AssertionError(name)


def test_nothing_else_is_named() -> None:
    assert not all_names(lambda name: not re.match(r"manhunt\b|python -m manhunt\b", name))


def test_pages_and_their_headings_exist() -> None:
    for row in ROWS:
        for target, heading in LINK.findall(row.here):
            path = (PAGE.parent / target).resolve()
            assert path.exists(), f"{row.item}: {target}"
            if heading:
                lines = path.read_text(encoding="utf-8").splitlines()
                titles = [line.lstrip("# ").lower() for line in lines if line.startswith("#")]
                slugs = {re.sub(r"[^\w -]", "", title).replace(" ", "-") for title in titles}
                assert heading in slugs, f"{row.item}: {target}#{heading}"


def test_the_flowcharts_name_functions_that_exist() -> None:
    page = (ROOT / "docs" / "explanation" / "minimax.md").read_text(encoding="utf-8")
    pipeline, recursion = re.findall(r"^```text\n(.*?)^```", page, re.M | re.S)
    assert {"belief", "horizon", "beam", "search", "confidence"} <= set(re.findall(r"\w+", pipeline))
    named = set(re.findall(r"\w+_\w+", recursion))
    assert {"plan_value", "position_value"} <= named <= set(dir(PlanSearch))
