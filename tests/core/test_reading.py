"""What is read from outside is read within limits, and what is wrong is said in one line."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.core.errors import BadText, ManhuntError
from manhunt.core.reading import DEEPEST, load_json, parse_json, parse_toml, read_bytes, read_text

VERY_DEEP = 100_000
SOURCES = Path(__file__).parents[2] / "src" / "manhunt"
OWN_TEXTS = {
    "core/reading.py",  # here it is done
    "core/kit.py",  # files of the package
    "core/kernel_files.py",
    "cli/warm.py",  # lines of a process of our own
    "draw/replay.py",
    "draw/page_style.py",
    "arena/competition/site.py",
    "boards/catalog.py",
    "games/scotland_yard/beliefs/models.py",
    "solvers/memory.py",  # /proc
    "agents/wires/leftovers.py",
    "play/fair_deal.py",  # a value made here, turned into what JSON makes of it
    "store/leases.py",
    "store/tables.py",
    "store/variations.py",
    "analysis/lessons.py",  # files of the package
    "analysis/puzzles.py",
    "arena/program.py",  # hashes of programs
    "arena/schedule.py",
    "arena/competition/file.py",  # a value made here, turned into what JSON makes of it
    "arena/match.py",  # a plan from the process that made it
    "arena/folder.py",  # cuts a torn line off
    "store/tournaments.py",  # columns of the store
    "store/running.py",
    "server/game_files.py",  # files of the package
    "server/kept_work.py",
    "server/api_arena.py",  # results that the server's own worker wrote
    "games/shortest_path/classic/start_bounds.py",  # the answer of a process of our own
}


def test_deep_nesting_is_refused_in_one_line() -> None:
    for text in ("[" * VERY_DEEP, "[" * VERY_DEEP + "]" * VERY_DEEP, '{"a":' * VERY_DEEP, "[" * 65 + "]" * 65):
        with pytest.raises(BadText, match="^here: nested deeper than 64 levels$"):
            parse_json(text, "here")
    for text in (f"a = {'[' * VERY_DEEP}", f"a = {'{b = ' * 5000}", f"a = {'[' * 80}{']' * 80}"):
        with pytest.raises(BadText, match="^here: ") as caught:
            parse_toml(text, "here")
        assert "nested deeper than 64 levels" in str(caught.value)


def test_what_is_nested_as_deep_as_allowed_is_read() -> None:
    value: Any = parse_json("[" * DEEPEST + "]" * DEEPEST, "here")
    for _ in range(DEEPEST - 1):
        (value,) = value
    assert value == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a" 1}', "here: no JSON from character 6 on"),
        ('{"a":\n 1, b}', r"here: no JSON from character 11 on \(line 2, column 5\)"),
        ("9" * 5000, "here: a number has too many digits"),
        ('["\\ud800"]', "here: a text has half of a surrogate pair"),
    ],
)
def test_what_nobody_means_is_named(text: str, message: str) -> None:
    with pytest.raises(BadText, match=message):
        parse_json(text, "here")


def test_a_whole_surrogate_pair_is_one_character() -> None:
    assert parse_json('"\\ud83d\\ude00"', "here") == "\U0001f600"


def test_files_are_read_up_to_a_size(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"x" * 1000)
    assert read_bytes(file, most_bytes=1000) == b"x" * 1000
    with pytest.raises(ManhuntError, match=r"^the list .*file is too large: more than 999 bytes$"):
        read_bytes(file, "the list", most_bytes=999)
    with pytest.raises(BadText, match="^policy /dev/zero is too large: more than 64 MB$"):
        load_json(Path("/dev/zero"), "policy")


def test_what_is_no_text_or_no_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "raw").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadText, match="raw is not a text file in UTF-8"):
        read_text(tmp_path / "raw")
    with pytest.raises(BadText, match="cannot read .*: Is a directory"):
        read_text(tmp_path)
    with pytest.raises(BadText, match=r"cannot read 'a\\x00b': "):
        read_text("a\0b")
    (tmp_path / "lines").write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n")
    assert read_text(tmp_path / "lines") == "a\nb\nc\n"


@given(st.text() | st.text(alphabet='[]{}",:0123456789.eE+-\\u dabf\n'))
def test_any_text_is_a_value_or_one_line(text: str) -> None:
    for parse in (parse_json, parse_toml):
        try:
            parse(text, "here")
        except BadText as error:
            assert str(error).startswith("here: ")
            assert "\n" not in str(error)


def test_files_from_outside_are_read_in_one_place() -> None:
    words = ("json.loads(", "json.load(", "tomllib.", ".read_text(", ".read_bytes(")
    found = {
        file.relative_to(SOURCES).as_posix()
        for file in SOURCES.rglob("*.py")
        if any(word in file.read_text(encoding="utf-8") for word in words)
    }
    assert found == OWN_TEXTS, "read with manhunt.core.reading, which knows limits"
