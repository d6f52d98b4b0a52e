"""Compiled kernels on disk: found again, shared by processes, and never in the way when they are damaged."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import manhunt

pytestmark = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled here")
KERNELS = "from manhunt.core.jit import kernel\n\n\n@kernel\ndef double(x):\n    return x + x\n"
USE = """
import sys
from numba.core import event
from manhunt.doubling import double
class CompileCounter(event.RecordingListener): pass
with event.install_listener("numba:compile", CompileCounter()) as seen:
    answers = [double(eval(text)) for text in sys.argv[1:]]
print(*answers, sum(each.is_start for _, each in seen.buffer))
"""


@pytest.fixture
def run(tmp_path):
    """Calls the kernel in a new process; the answers, and how often it was compiled."""
    package, core = tmp_path / "manhunt", Path(manhunt.__file__).parent / "core"
    (package / "core").mkdir(parents=True)
    for name in ("__init__.py", "core/__init__.py"):
        (package / name).touch()
    for name in ("jit.py", "compiling.py", "kernel_files.py", "kernel_cache.py"):
        (package / "core" / name).write_text((core / name).read_text())
    (package / "doubling.py").write_text(KERNELS)

    def start(*values: str, **environment: str) -> subprocess.Popen[str]:
        cached = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path)}
        command = [sys.executable, "-c", USE, *values]
        env = {**os.environ, **cached, **environment}
        return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True, cwd=tmp_path)

    def call(*values: str, **environment: str) -> list[str]:
        process = start(*values, **environment)
        answer = process.communicate()[0].split()
        assert process.returncode == 0
        return answer

    call.start = start  # type: ignore[attr-defined]
    call.cache = tmp_path / "cache"  # type: ignore[attr-defined]
    return call


def test_what_was_compiled_is_found_again(run) -> None:
    assert run("4") == ["8", "1"]
    assert run("4", "5") == ["8", "10", "0"]


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
@pytest.mark.parametrize("content", [b"", b"garbage", None])
def test_a_damaged_file_is_compiled_anew(run, ending, content) -> None:
    run("4")
    for file in run.cache.rglob(f"*{ending}"):
        file.write_bytes(file.read_bytes()[:-20] if content is None else content)
    assert run("4") == ["8", "1"]
    assert run("4") == ["8", "0"]


def test_a_cache_that_cannot_be_written_stops_nothing(run, tmp_path) -> None:
    (tmp_path / "file").touch()
    assert run("4", NUMBA_CACHE_DIR=str(tmp_path / "file")) == ["8", "1"]


def test_processes_that_compile_side_by_side_keep_each_others_kernels(run) -> None:
    values = ["4", "4.0", "1j", "True"]
    processes = [run.start(value) for value in values]
    for process in processes:
        process.communicate()
        assert process.returncode == 0
    assert run(*values)[-1] == "0"
