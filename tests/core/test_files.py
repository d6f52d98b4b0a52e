"""An interrupted write leaves the old file."""

import os
from pathlib import Path

import pytest

from manhunt.core.errors import ManhuntError
from manhunt.core.files import atomic_path, check_writable, write_atomically


def test_a_file_appears_whole(tmp_path) -> None:
    write_atomically(tmp_path / "a.txt", "hello")
    assert (tmp_path / "a.txt").read_text() == "hello"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_an_interrupted_write_leaves_the_old_file(tmp_path, error) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")

    def write() -> None:
        with atomic_path(path) as temporary:
            temporary.write_text("half")
            raise error

    with pytest.raises(error):
        write()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_takes_a_file_is_checked_without_a_trace(tmp_path) -> None:
    (tmp_path / "old.txt").write_text("old")
    for name in ("new.txt", "old.txt"):
        check_writable(tmp_path / name)
    assert [file.name for file in tmp_path.iterdir()] == ["old.txt"]
    check_writable(Path("/dev/null"))
    for place, why in ((tmp_path, "it is a folder"), (tmp_path / "no" / "x", "does not exist"), (Path("/proc/x"), "")):
        with pytest.raises(ManhuntError, match=f"^cannot write {place}: .*{why}"):
            check_writable(place)


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_atomically(pipe, "hello")
    assert os.read(reader, 100) == b"hello"
    os.close(reader)
    assert pipe.is_fifo()


def test_a_full_disk_is_one_line(tmp_path) -> None:
    def write() -> None:
        with atomic_path(tmp_path / "a.txt"):
            raise OSError(28, "No space left on device")

    with pytest.raises(ManhuntError, match=r"cannot write .*a.txt: No space left on device"):
        write()


def test_a_folder_or_a_missing_folder_is_one_line(tmp_path) -> None:
    with pytest.raises(ManhuntError, match="cannot write"):
        write_atomically(tmp_path, "x")
    with pytest.raises(ManhuntError, match="No such file or directory"):
        write_atomically(tmp_path / "none" / "a.txt", "x")
