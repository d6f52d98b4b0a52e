"""An interrupted write leaves the old file."""

import pytest

from manhunt.core.errors import ManhuntError
from manhunt.core.files import atomic_path, write_atomically


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
