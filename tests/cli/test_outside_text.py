"""Texts of others reach the terminal as text: no escape sequences, no markup, no emoji, wherever they come from."""

import io
import json
import logging
import re
import sys
from pathlib import Path

import pytest
from rich.markup import escape

from manhunt.cli import main, screen
from manhunt.cli.arena_screen import warn
from manhunt.core.errors import ManhuntError
from manhunt.core.outside_text import clean_line, clean_text

SOURCES = Path(main.__file__).parents[1]
NASTY = "\x1b[2J\x1b]0;owned\x07 :bomb: [red]x[/red] [link=http://x]y[/link] \u202eevil\x9b31m \x08\r"
SHOWN = "?[2J?]0;owned? :bomb: [red]x[/red] [link=http://x]y[/link] ?evil?31m"


def test_what_a_terminal_would_act_on_is_taken_out() -> None:
    assert clean_text(NASTY).startswith(SHOWN)
    assert clean_text("two\nlines, a\ttab, ä, 囲, no\u00a0break") == "two\nlines, a tab, ä, 囲, no break"
    assert clean_line(" two\n lines\x1b ") == "two lines?"
    assert all(sign.isprintable() for sign in clean_line("".join(map(chr, range(0x3000)))))


@pytest.mark.parametrize("is_terminal", [False, True])
def test_a_console_shows_texts_of_others_as_they_are(is_terminal: bool, monkeypatch) -> None:
    from rich.table import Table

    out = io.StringIO()
    console = screen.console()
    console.file, console.width, console._force_terminal = out, 200, is_terminal
    table = Table(NASTY)
    table.add_row(NASTY)
    console.print(NASTY)
    console.print(f"[danger]{NASTY}[/danger]")
    console.print(table)
    shown = re.sub("\x1b\\[[0-9;]*m", "", out.getvalue())  # what Rich itself adds: colours
    assert shown.count(SHOWN) == 4
    assert "\x1b" not in shown
    assert "owned\x07" not in shown


def test_our_own_markup_still_works(monkeypatch) -> None:
    out = io.StringIO()
    console = screen.console()
    console.file = out
    console.print("[danger]a[/danger] [bold]b[/] [taxi]c[/taxi] [1, 2] [X:1]")
    console.print(f"{escape('[limits]')} [limits] {escape('[quiet]')}")
    assert out.getvalue() == "a b c [1, 2] [X:1]\n[limits] [limits] [quiet]\n"


def test_a_bar_takes_its_title_as_it_is() -> None:
    bar = screen.progress_bar()
    bar.console.file, bar.console.width = io.StringIO(), 200
    bar.add_task("[red]:bomb:[/red]", total=2, note="[blue]")
    bar.console.print(bar.get_renderable())
    assert "[red]:bomb:[/red]" in bar.console.file.getvalue()  # type: ignore[attr-defined]


def test_errors_and_warnings_are_cleaned(monkeypatch, capsys) -> None:
    def refuse(_: object) -> int:
        raise ManhuntError(NASTY)

    monkeypatch.setattr(main, "_dispatch", refuse)
    assert main.run(["watch"]) == 2
    warn(NASTY)
    err = capsys.readouterr().err
    assert err.count(SHOWN) == 2
    assert "\x1b" not in err


def test_logs_are_cleaned(monkeypatch) -> None:
    out, logger = io.StringIO(), logging.getLogger("manhunt")
    before = logger.handlers, logger.propagate
    monkeypatch.setattr(sys, "stderr", out)
    try:
        screen.clean_logs()
        logging.getLogger("manhunt.server").error("not stored: %s", NASTY)
    finally:
        logger.handlers, logger.propagate = before
    assert out.getvalue().startswith(f"not stored: {SHOWN}")
    assert "\x1b" not in out.getvalue()


def test_json_keeps_the_text_but_not_the_bytes(capsys) -> None:
    screen.print_json({"detail": NASTY, "name": "ä"})
    out = capsys.readouterr().out
    assert json.loads(out) == {"detail": NASTY, "name": "ä"}
    assert "ä" in out
    assert all(sign.isprintable() or sign == "\n" for sign in out)


def test_commands_print_through_the_screen_alone() -> None:
    files = [*(SOURCES / "cli").rglob("*.py"), *SOURCES.glob("games/*/show/*.py")]
    found = [
        file.name for file in files if re.search(r"(?<![\w.])print\(", file.read_text()) and file.name != "screen.py"
    ]
    assert found == []
