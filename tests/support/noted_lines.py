"""Anything that somebody may type into a notebook, and what it must be answered by."""

from typing import Any

from hypothesis import strategies as st


def any_lines(words: list[str], least: int, most: int) -> st.SearchStrategy[list[str]]:
    """Any text, and lines of a notebook's own words and numbers in any order."""
    word = st.one_of(st.sampled_from(words), st.integers(least, most).map(str))
    return st.lists(st.one_of(st.text(max_size=12), st.lists(word, min_size=1, max_size=5).map(" ".join)), max_size=8)


def check_answered(shown: dict[str, Any], lines: list[str]) -> None:
    """Every line is there, each wrong one with one line of words."""
    assert [entry["text"] for entry in shown["entries"]] == lines
    assert all("\n" not in entry["error"] for entry in shown["entries"] if "error" in entry)
