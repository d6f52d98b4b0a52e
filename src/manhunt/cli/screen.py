"""The terminal's side of the look: one console, one theme, one kind of progress bar."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

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


def console(stderr: bool = False) -> Console:
    from rich.console import Console
    from rich.theme import Theme

    return Console(stderr=stderr, highlight=False, theme=Theme(COLOURS))


def print_json(value: object) -> None:
    """One JSON document on standard output, for machines."""
    json.dump(value, sys.stdout, ensure_ascii=False)
    sys.stdout.write("\n")


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
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[note]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=screen,
        disable=not screen.is_terminal,
        transient=True,
    )
