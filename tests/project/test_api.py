"""The public names: found by `dir()`, cheap to import, documented, with examples that run."""

import ast
import doctest
import inspect
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from random import Random

import pytest

import strategy_page
from manhunt.core.errors import IllegalAction, MissingExtra
from manhunt.core.registry import BUILT_IN, kit_of
from public_names import PACKAGES, SRC, PublicName, definition, fields_of, members_of, public_names, source_of

ROOT = Path(__file__).parents[2]
API = ROOT / "docs" / "reference" / "api"
NAMES = [name for package in PACKAGES for name in public_names(package)]
VIEWS = [name for name in NAMES if name.package.startswith("manhunt.games.") and name.name.endswith("View")]
every_package = pytest.mark.parametrize("package", PACKAGES)
every_name = pytest.mark.parametrize("name", NAMES, ids=str)


@every_package
def test_the_lists_of_a_package_agree(package: str) -> None:
    module = import_module(package)
    typed = {
        (alias.name, each.module)
        for block in source_of(package).body
        if isinstance(block, ast.If)
        for each in block.body
        if isinstance(each, ast.ImportFrom)
        for alias in each.names
    }
    assert typed == set(module._HOME.items())
    assert sorted(module.__all__) == sorted([*module._HOME, *(["KIT"] if hasattr(module, "KIT") else [])])
    assert {*module.__all__} <= set(dir(module))


@every_package
def test_no_name_is_also_a_module(package: str) -> None:
    """Importing the module would hide the name."""
    folder = SRC.joinpath(*package.split(".")[1:])
    modules = {path.stem for path in folder.glob("*.py")} | {path.parent.name for path in folder.glob("*/__init__.py")}
    assert not modules & set(import_module(package).__all__)


def test_packages_are_cheap_to_import() -> None:
    text = f"import sys; [__import__(name) for name in {PACKAGES}]; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numpy", "numba", "networkx", "scipy", "rich"} & set(loaded)


@every_name
def test_names_are_documented(name: PublicName) -> None:
    node, text = definition(name)
    assert text, f"{name} has no docstring"
    if isinstance(node, ast.ClassDef) and node.bases:
        found = _loaded(name)
        missing = [
            member for member, said in members_of(name) if not said and not inspect.getdoc(getattr(found, member))
        ]
    else:
        missing = [member for member, said in members_of(name) if not said]
    assert not missing, f"{name}: no docstring for {', '.join(missing)}"


@pytest.mark.parametrize("name", [name for name in NAMES if ">>>" in (definition(name)[1] or "")], ids=str)
def test_examples_run(name: PublicName) -> None:
    found = _loaded(name)
    names = {**vars(import_module(name.home)), name.name: found}
    example = doctest.DocTestParser().get_doctest(inspect.getdoc(found) or "", names, str(name), None, None)
    printed: list[str] = []
    doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(example, out=printed.append)
    assert not printed, "".join(printed)


@pytest.mark.parametrize("name", VIEWS, ids=str)
def test_every_field_of_a_view_is_documented(name: PublicName) -> None:
    assert not [field for field, said in fields_of(name) if not said]


def test_there_is_a_view_for_each_game() -> None:
    assert len(VIEWS) == len([package for package in PACKAGES if package.startswith("manhunt.games.")])


@every_package
def test_every_package_has_its_page(package: str) -> None:
    pages = [page.read_text(encoding="utf-8") for page in API.glob("*.md")]
    assert any(f"\n::: {package}\n" in page for page in pages), f"no page of {API} shows {package}"


def test_what_strategies_get_is_what_the_page_says() -> None:
    assert strategy_page.PAGE.read_text(encoding="utf-8") == strategy_page.page(), "run tests/support/strategy_page.py"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"'manhunt\.boards' has no attribute 'bord'"):
        import_module("manhunt.boards").bord  # noqa: B018


def _loaded(name: PublicName) -> object:
    try:
        return getattr(import_module(name.package), name.name)
    except MissingExtra as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize("game", BUILT_IN)
def test_an_error_about_a_wrong_action_names_public_classes(game: str) -> None:
    kit = kit_of(game)
    state = kit.game.new(kit.game.make_config(**kit.small), Random(1))
    with pytest.raises(IllegalAction) as error:
        kit.game.apply_action(state, 7)
    named = re.findall(r"\b([A-Z][A-Za-z]+)\(", str(error.value))
    assert set(named) <= {*import_module(f"manhunt.games.{game}").__all__}
