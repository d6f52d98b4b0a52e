"""A wheel with compiled kernels: nothing is compiled where it fits, and everything works where it does not."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WORK = "shortest_path/committed"
"""Work with few kernels, quick to compile."""
USE = f"""
from manhunt.cli.warm_topics import use_topic
from manhunt.core.kernel_cache import compilations_told
compiled = []
with compilations_told(lambda module, seconds: compiled.append(module)):
    use_topic({WORK!r})
print(len(compiled))
"""
pytestmark = [
    pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled here"),
    pytest.mark.skipif(sys.platform != "linux" or os.uname().machine != "x86_64", reason="kernels compiled elsewhere"),
]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (pure,) = folder.glob("*.whl")
    script = ROOT / "packaging" / "platform_wheel.py"
    subprocess.run([sys.executable, script, pure, "--work", WORK], check=True, capture_output=True, cwd=folder)
    (made,) = set(folder.glob("*.whl")) - {pure}
    return made


@pytest.fixture
def installed(wheel, tmp_path) -> Path:
    """The wheel's files, in a folder with a blank in its name."""
    folder = tmp_path / "some where"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def n_compiled(folder: Path, tmp_path: Path, **more: str) -> int:
    """How many kernels a process compiles that uses the installed wheel with an empty cache."""
    shutil.rmtree(tmp_path / "cache", ignore_errors=True)
    environment = {**os.environ, "PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": str(tmp_path / "cache"), **more}
    command = [sys.executable, "-c", USE]
    ran = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True)
    return int(ran.stdout)


def card_of(folder: Path) -> Path:
    return folder / "manhunt" / "_kernels" / "card.json"


def test_it_is_for_one_python_and_one_platform_and_names_its_work(wheel, installed) -> None:
    assert wheel.name.endswith(f"-cp3{sys.version_info[1]}-cp3{sys.version_info[1]}-manylinux_2_17_x86_64.whl")
    assert list(json.loads(card_of(installed).read_text())["work"]) == [WORK]


def test_where_it_fits_nothing_is_compiled_or_written(installed, tmp_path) -> None:
    assert n_compiled(installed, tmp_path) == 0
    assert not list((tmp_path / "cache").rglob("*.nbc"))


def test_another_numba_compiles(installed, tmp_path) -> None:
    card = json.loads(card_of(installed).read_text())
    card["built_with"]["numba"] = "0.1.0"
    card_of(installed).write_text(json.dumps(card))
    assert n_compiled(installed, tmp_path) > 0


def test_a_changed_source_compiles(installed, tmp_path) -> None:
    source = installed / "manhunt" / "games" / "shortest_path" / "rules" / "kernels.py"
    source.write_text(source.read_text() + "\n# another\n")
    assert n_compiled(installed, tmp_path) > 0


@pytest.mark.parametrize("pattern", ["*.nbc", "*.nbi", "card.json"])
def test_damaged_files_compile(installed, tmp_path, pattern) -> None:
    for file in (installed / "manhunt" / "_kernels").rglob(pattern):
        file.write_bytes(file.read_bytes()[:-30])
    assert n_compiled(installed, tmp_path) > 0


def test_bounds_checks_compile(installed, tmp_path) -> None:
    assert n_compiled(installed, tmp_path, NUMBA_BOUNDSCHECK="1") > 0
