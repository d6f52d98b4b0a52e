"""Compiled kernels are never stale."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from manhunt.core.kernel_files import closure, files_of, folder_name, source_hash

HELPER = "from manhunt.core.jit import kernel\n\n\n@kernel\ndef helper(x):\n    return x + {}\n"
CALLER = """from manhunt.core.jit import kernel
from manhunt.helper import helper


@kernel
def caller(x):
    return helper(x)
"""


def test_the_hash_covers_what_is_imported() -> None:
    names = {path.name for path in closure(files_of("manhunt.games.pursuit.rules.rules"))}
    assert {"rules.py", "state.py", "board.py", "ids.py", "catalog.py"} <= names
    assert "main.py" not in names
    assert source_hash("manhunt.core.ids") != source_hash("manhunt.games.pursuit.rules.rules")


def test_bounds_checks_have_a_cache_of_their_own(monkeypatch) -> None:
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    checked = folder_name("manhunt.core.ids")
    monkeypatch.delenv("NUMBA_BOUNDSCHECK")
    assert checked != folder_name("manhunt.core.ids")


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is cached without compilation")
def test_an_edit_in_a_helper_file_is_noticed(tmp_path) -> None:
    import manhunt

    package = tmp_path / "manhunt"
    (package / "core").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "core" / "__init__.py").touch()
    core = Path(manhunt.__file__).parent / "core"
    for name in ("jit.py", "compiling.py", "kernel_files.py", "kernel_cache.py"):
        (package / "core" / name).write_text((core / name).read_text())
    (package / "caller.py").write_text(CALLER)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path)}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"  # bytecode is taken for fresh if the source was written in that second
    seen = []
    for addend in (1, 2):
        (package / "helper.py").write_text(HELPER.format(addend))
        command = [sys.executable, "-c", "from manhunt.caller import caller; print(caller(10))"]
        seen.append(subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True).stdout)
    assert seen == ["11\n", "12\n"]
