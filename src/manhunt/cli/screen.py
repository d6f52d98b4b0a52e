"""The terminal's side of the look: one console, one theme, one kind of progress bar.

Everything that commands print goes through here, because texts of others may be in it: what a terminal would act on is
taken out, `:bomb:` stays `:bomb:`, and the only markup is our own.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from manhunt.core.outside_text import clean_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

COLOURS = {
    "taxi": "#D9A514",
    "bus": "#128A7E",
    "underground": "#C8365C",
    "ferry": "#7D9AE0",
    "secret": "#9AA3AF",
    "belief": "#B06AC4",
    "offer": "#2FBF71",
    "danger": "#F0697B",
    "quiet": "#8A93A0",
}


_FOREIGN = re.compile(rf"(\\*)\[(?=[a-z#/@])(?!/?(?:bold|{'|'.join(COLOURS)})\]|/\])")
"""The beginning of markup that is not ours, with the backslashes before it; an odd number of them takes its meaning."""


def console(stderr: bool = False) -> Console:
    """A console that shows texts of others as they are, whoever prints them."""
    from rich.theme import Theme

    screen: Console = _console_class()(stderr=stderr, highlight=False, emoji=False, theme=Theme(COLOURS))
    return screen


@cache
def _console_class() -> Any:
    from rich.console import Console
    from rich.segment import Segment

    class CleanConsole(Console):
        def render(self, renderable: Any, options: Any = None) -> Iterable[Segment]:
            for segment in super().render(renderable, options):
                clean = segment.control or segment.text.isprintable()
                yield segment if clean else Segment(clean_text(segment.text), segment.style)

        def render_str(self, text: str, **options: Any) -> Any:
            return super().render_str(_FOREIGN.sub(_literal, clean_text(text)), **options)

    return CleanConsole


def _literal(found: re.Match[str]) -> str:
    return found[0] if len(found[1]) % 2 else f"{found[1]}\\["


def say(text: str, *, stderr: bool = False, end: str = "\n") -> None:
    """A plain line or several, without colours."""
    print(clean_text(text), end=end, file=sys.stderr if stderr else sys.stdout, flush=True)


def clean_logs() -> None:
    """What our modules log goes to stderr, cleaned like everything else."""
    import logging

    class CleanFormatter(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            return clean_text(super().format(record))

    handler = logging.StreamHandler()
    handler.setFormatter(CleanFormatter())
    logger = logging.getLogger("manhunt")
    logger.handlers, logger.propagate = [handler], False


def print_json(value: object) -> None:
    """One JSON document on standard output, for machines."""
    text = json.dumps(value, ensure_ascii=False)
    if not text.isprintable():
        text = "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in text)
    print(text, flush=True)


def print_answer(as_json: bool, to_json: Callable[[], object], show: Callable[[], object]) -> int:
    """What a command has found out, as JSON or as people read it; returns the exit code 0."""
    if as_json:
        print_json(to_json())
    else:
        show()
    return 0


@contextmanager
def time_bar(title: str, limit_seconds: float) -> Iterator[None]:
    """A bar for work that has a time limit; nothing is shown of less than a second."""
    from threading import Event, Thread
    from time import monotonic

    done, began = Event(), monotonic()

    def run() -> None:
        if done.wait(1.0):
            return
        with progress_bar() as bar:
            task = bar.add_task(title, total=limit_seconds, note="")
            while not done.wait(0.2):
                spent = monotonic() - began
                bar.update(task, completed=min(spent, 0.99 * limit_seconds))

    watcher = Thread(target=run, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def progress_bar() -> Progress:
    """A bar on standard error with elapsed and remaining time; silent where that is not a terminal."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    screen = console(stderr=True)
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[note]}", markup=False),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=screen,
        disable=not screen.is_terminal,
        transient=True,
    )
