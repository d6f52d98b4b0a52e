"""The loop behind `watch` in a terminal: one key, some moves, one redraw."""

from __future__ import annotations

import time

from rich.live import Live

from manhunt.cli.screen import console
from manhunt.cli.terminal.frame import compose, keys_line
from manhunt.cli.terminal.keys import END, Keys, raw_keys
from manhunt.cli.terminal.options import Begun
from manhunt.cli.terminal.plain import event_lines, opening_line, result_lines

QUIT = ("q", END)
RUNNING = (("any key", "pause"), ("Q", "quit"))
WAITING = (("N", "one move"), ("R", "round"), ("A", "to the end"), ("Q", "quit"))
OVER = (("Q", "quit"),)


def watch_in_terminal(begun: Begun, pace_seconds: float) -> None:
    """Until Q, or the end of input; the last position and the result stay on the screen afterwards."""
    out = console()
    with Live(console=out, screen=True, auto_refresh=False) as live, raw_keys() as keys:
        _Watching(begun, live, keys, pace_seconds).run()
    out.print(opening_line(begun), style="quiet")
    out.print(begun.screen.picture(begun.game.view, out.width, min(16, max(out.height - 6, 6))))
    out.print("\n".join(result_lines(begun)), markup=False)


class _Watching:
    def __init__(self, begun: Begun, live: Live, keys: Keys, pace_seconds: float) -> None:
        self.begun, self.game = begun, begun.game
        self.live, self.keys, self.pace_seconds = live, keys, pace_seconds

    def run(self) -> None:
        while True:
            self._redraw(OVER if self.game.over else WAITING)
            key = self._key()
            if key in QUIT:
                return
            if key == "n":
                self.game.step()
            elif key == "r":
                self.game.finish_round()
            elif key == "a" and self._run_on():
                return

    def _key(self) -> str:
        """The next key; while waiting, the screen follows the window's size."""
        size = self.live.console.size
        while True:
            key = self.keys.read(0.25)
            if key is not None:
                return key
            if self.live.console.size != size:
                size = self.live.console.size
                self._redraw(OVER if self.game.over else WAITING)

    def _run_on(self) -> bool:
        """Move after move until the end or a key; True when the key quits."""
        while not self.game.over:
            began = time.monotonic()
            self.game.step()
            self._redraw(RUNNING)
            key = self.keys.read(max(0.0, self.pace_seconds - (time.monotonic() - began)))
            if key is not None:
                return key in QUIT
        return False

    def _redraw(self, keys: tuple[tuple[str, str], ...]) -> None:
        log = [line for events in self.game.events for line in event_lines(self.begun.screen, events)]
        if self.game.over:
            log += result_lines(self.begun)
        picture = compose(
            self.live.console,
            self.begun.screen,
            self.game.view,
            log=log,
            footer=[keys_line(*keys)],
            corner=self.begun.seed_text,
        )
        self.live.update(picture, refresh=True)
