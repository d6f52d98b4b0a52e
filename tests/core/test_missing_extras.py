"""The line that installs a missing extra can be typed as it is, and names an extra that exists."""

import re
import tomllib
from pathlib import Path

import pytest

from manhunt.core import errors
from manhunt.core.errors import MissingExtra, missing_extra

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


def test_in_a_checkout_it_is_installed_from_there() -> None:
    said = missing_extra("PyTorch is not installed; get it with", "learn")
    assert isinstance(said, MissingExtra)
    line = ".venv/bin/pip install -c constraints.txt -e '.[learn]'"
    assert str(said) == f"PyTorch is not installed; get it with: {line}"
    assert f"`{line.replace('learn', 'rl')}`" in (ROOT / "docs" / "how-to" / "install.md").read_text()


def test_without_a_checkout_the_wheel_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "CHECKOUT", tmp_path)
    assert "pip install 'WHEEL[ray]', where WHEEL is the file" in str(missing_extra("--ray needs Ray", "ray"))


def test_the_source_names_only_extras_that_exist() -> None:
    text = "".join(path.read_text() for path in (ROOT / "src").rglob("*.py"))
    named = set(re.findall(r'missing_extra\(f?"[^"]*", "(\w+)"\)', text))
    assert named == {"rl", "learn", "ray", "postgres", "dataframes", "pictures", "openspiel"} <= EXTRAS.keys()
    assert not re.search(r"pip install '?manhunt\[", text), "manhunt is on no package index"


def test_the_environments_do_not_bring_pytorch() -> None:
    assert not [need for need in EXTRAS["rl"] if not need.startswith(("pettingzoo", "gymnasium"))]
    assert {need.partition(">")[0] for need in EXTRAS["learn"]} == {"manhunt[rl]", "torch"}
    assert "learn" in EXTRAS["all"][0]
