"""`--figure`: the page that a command opens, its keys N, R, A, Q and its clicks, and the end of the command."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from boards_by_hand import events_seen, open_seat, state_of, tap
from browser_pages import PHONE, NewPage
from manhunt.play.record import load_record


@contextmanager
def command(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A running command, and the address that it printed."""
    shown = {**os.environ, "DISPLAY": "", "WAYLAND_DISPLAY": "", "PYTHONUNBUFFERED": "1"}
    line = [sys.executable, "-m", "manhunt", *arguments]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True, env=shown) as process:
        assert process.stdout is not None
        try:
            found = re.search(r"(http://127\.0\.0\.1:\d+)(/\S+)", process.stdout.readline())
            assert found is not None
            yield process, found[1] + found[2]
        finally:
            process.kill()


def rest_of(process: subprocess.Popen[str]) -> str:
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    return out


def split(address: str) -> tuple[str, str]:
    """The server, and the page on it."""
    base, slash, path = address.rpartition("/replay/") if "/replay/" in address else address.rpartition("/play/")
    return base, slash + path


def at(page: Any, ply: int) -> None:
    page.wait_for_url(re.compile(rf"\?ply={ply}&"))


def test_a_watched_game_is_stepped_by_keys(new_page: NewPage, shot: Callable[[Any, str], Path], tmp_path: Path) -> None:
    record, picture = tmp_path / "game.txt", tmp_path / "game.svg"
    arguments = ["watch", "pursuit", "--seed", "3", "--figure", "--record", str(record), "--save", str(picture)]
    with command(*arguments) as (process, address):
        base, path = split(address)
        page = new_page(path, base=base)
        page.wait_for_selector(".layer-pieces [data-key='quarry']", state="attached")
        at(page, 0)
        page.keyboard.press("n")
        at(page, 1)
        page.keyboard.press("R")
        at(page, 3)
        page.keyboard.press("r")
        at(page, 6)
        shot(page, "round")
        page.keyboard.press("a")
        page.wait_for_function("() => document.title.includes('the detectives win')")
        page.keyboard.press("q")
        page.wait_for_selector("#ended")
        shot(page, "closed")
        assert "Result: the detectives win (Mr X is caught) in round 6." in rest_of(process)
    assert load_record(record).outcome is not None
    assert picture.read_text().startswith("<svg")


def test_a_seat_is_played_by_clicks(new_page: NewPage, shot: Callable[[Any, str], Path], tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    places = ("--mrx", "1", "--detectives", "5", "10", "--seed", "3")
    with command("play", "pursuit", "--as", "mrx", *places, "--figure", "--record", str(record)) as (process, address):
        base, path = split(address)
        page = open_seat(base, new_page, path, size=PHONE, base=base)
        assert state_of(page) == "acting"
        shot(page, "offers")
        seen = events_seen(page)
        tap(page, "8")
        assert state_of(page, seen) == "acting"
        page.keyboard.press("q")
        page.wait_for_selector("#ended")
        assert "The game is unfinished." in rest_of(process)
    played = load_record(record)
    assert played.actions[0] == "X:8"
    assert len(played.actions) == 3
    assert played.seats["evader"] == "person"


def test_ctrl_c_keeps_the_record(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    with command("watch", "pursuit", "--seed", "3", "--figure", "--record", str(record)) as (process, _):
        process.send_signal(signal.SIGINT)
        assert process.wait(300) == 130
    assert load_record(record).outcome is not None
