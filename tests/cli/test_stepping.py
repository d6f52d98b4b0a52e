"""Stepping through positions by keys, and the line that is typed, without a terminal."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.cli.terminal.keys import END, RESIZED, Keys, _split
from manhunt.cli.terminal.line_input import LineInput, read_line
from manhunt.cli.terminal.stepping import MOVES, FixedPositions, PositionCursor, Shown, step_with_keys

ROUNDS = (1, 1, 1, 2, 2, 4, 4, 5)


class Growing(FixedPositions):
    """A game that is being played: the positions appear one by one."""

    known = 1

    @property
    def n(self) -> int:
        return self.known

    def grow(self) -> bool:
        has_more = self.known < len(self.rounds)
        self.known += has_more
        return has_more


class Typed(Keys):
    def __init__(self, keys: Iterable[str]) -> None:
        self.keys = list(keys)

    def read_typed(self, timeout_seconds: float | None = None) -> str | None:
        if timeout_seconds is not None:
            return None
        return self.keys.pop(0) if self.keys else END


def visited(*keys: str, rounds: tuple[int, ...] = ROUNDS) -> list[int]:
    """Where one is each time that a picture is drawn."""
    cursor = PositionCursor(FixedPositions(rounds))
    places: list[int] = []
    step_with_keys(
        cursor, Typed(keys), lambda shown: places.append(cursor.at), help_screen=lambda: None, pace_seconds=0
    )
    return places


def test_keys_move_and_stop_at_both_ends() -> None:
    assert visited("n", "right", "b", "left", "b") == [0, 1, 2, 1, 0, 0]
    assert visited("e", "n", "s") == [0, 7, 7, 0]
    assert visited("r", "r", "r", "r") == [0, 3, 5, 7, 7]
    assert visited("e", "p", "p", "p", "p") == [0, 7, 5, 3, 0, 0]
    assert visited("n", "n", "p") == [0, 1, 2, 0]
    assert visited("a") == [0, 1, 2, 3, 4, 5, 6, 7, 7]


def test_going_to_a_round_asks_for_its_number() -> None:
    told: list[Shown] = []
    cursor = PositionCursor(FixedPositions(ROUNDS))
    keys = [*"g4\n", *"g9\n", *"gx\n", *"g\n", "q"]
    step_with_keys(cursor, Typed(keys), told.append, help_screen=lambda: None)
    notes = [shown.note for shown in told if shown.note]
    assert notes == ["there is no round 9; this is the end", "'x' is not a round number"]
    assert [shown.line is None for shown in told].count(False) == 2 + 2 + 2 + 1
    assert cursor.at == 7


@given(st.lists(st.sampled_from(sorted(MOVES))))
def test_a_game_that_is_played_meanwhile_is_stepped_like_one_that_is_over(keys: list[str]) -> None:
    over, played = PositionCursor(FixedPositions(ROUNDS)), PositionCursor(Growing(ROUNDS))
    for key in keys:
        if key in ("e", "end"):
            continue
        MOVES[key](over)
        MOVES[key](played)
        assert over.at == played.at < played.positions.n


def test_more_keys_and_help_come_back_to_the_position() -> None:
    done: list[str] = []
    cursor = PositionCursor(FixedPositions(ROUNDS), 3)
    step_with_keys(
        cursor,
        Typed(["x", "?", RESIZED, "q"]),
        lambda shown: done.append(f"at {cursor.at}"),
        help_screen=lambda: done.append("help"),
        more={"x": lambda: done.append("more")},
    )
    assert done == ["at 3", "more", "at 3", "help", "at 3", "at 3"]


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ([*"abc\n"], "abc"),
        ([*"abc", "\x7f", "left", "X", "\n"], "aXb"),
        ([*"one two", "\x17", *"2\n"], "one 2"),
        ([*"abc", "\x15", "d", "\r"], "d"),
        ([*"ac", "left", "b", "home", "0", "end", "9", "\n"], "0abc9"),
        ([*"abc", "home", "delete", RESIZED, "unknown key", "\n"], "bc"),
        (["up", "up", "up", "\n"], "first"),
        (["up", "up", "down", "\n"], "second"),
        ([*"x", "up", "down", "\n"], ""),
    ],
)
def test_a_line_is_edited_key_by_key(keys: list[str], text: str) -> None:
    drawn: list[tuple[str, int]] = []
    history = ["first", "second"]
    assert read_line(Typed(keys), LineInput(history), lambda line: drawn.append((line.text, line.at))) == text
    assert all(0 <= at <= len(shown) for shown, at in drawn)
    assert history == [*["first", "second"], *([text] if text not in ("", "second") else [])]


def test_the_end_of_input_is_no_line() -> None:
    with pytest.raises(EOFError):
        read_line(Typed("abc"), LineInput(), lambda line: None)


def test_escape_sequences_are_keys_with_names_or_nothing() -> None:
    assert list(_split("a\x1b[Cb\x1bOH\x1b[3~\x1b[1;5D\x1b[99~é")) == ["a", "right", "b", "home", "delete", "é"]
