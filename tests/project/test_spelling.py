"""British spelling everywhere, so that a search finds a word: pages, docstrings, lessons and levels."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src" / "manhunt"
AMERICAN = re.compile(
    r"\b(?:(?:col|neighb|fav|hon|harb|lab)or(?:s|ed|ing|hoods?|ites?|able)?|behaviors?|centers?|centered|catalogs?|gray"
    r"|travel(?:er|ed|ing)s?|label(?:ed|ing)|model(?:ed|ing)|cancel(?:ed|ing)|fulfills?|skillful|defenses?|licenses"
    r"|analyz(?:e|es|ed|ing)|(?:optim|minim|maxim|recogn|normal|organ|general|serial|vector|real|summar|initial|factor"
    r"|random|parameter|symbol|synchron|util|visual|apolog|categor|memor)iz(?:e|es|ed|er|ing|ations?))\b",
    re.IGNORECASE,
)
CODE = re.compile(r"^```.*?^```|`[^`\n]*`|<!--.*?-->|\]\([^)]*\)|https?://\S+", re.M | re.S)


def texts() -> Iterator[tuple[str, str]]:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]:
        yield page.relative_to(ROOT).as_posix(), CODE.sub(" ", page.read_text(encoding="utf-8"))
    for module in SRC.rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                yield f"{module.relative_to(ROOT)}:{node.lineno}", CODE.sub(" ", node.value.value)
    for folder in ("lessons", "agents", "web"):
        for file in SRC.glob(f"games/*/{folder}/*.json"):
            yield file.relative_to(ROOT).as_posix(), json.dumps(json.loads(file.read_text(encoding="utf-8")))


def test_words_are_spelt_as_in_britain() -> None:
    found = [f"{where}: {word[0]}" for where, text in texts() for word in AMERICAN.finditer(text)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("word", ["Color", "behavior", "neighboring", "center", "traveler", "analyzed", "optimization"])
def test_american_spelling_is_found(word: str) -> None:
    assert AMERICAN.search(f"The {word} of it.")
