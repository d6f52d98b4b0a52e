"""`manhunt demo`: the one-minute tour, one act from every game that brings one."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from manhunt.cli.parser import Parser, whole_number
from manhunt.cli.screen import console, print_json, say, time_bar
from manhunt.core.registry import kits_with
from manhunt.core.warm import TOUR, start_work

if TYPE_CHECKING:
    from rich.console import Console

    from manhunt.cli.terminal.keys import Keys
    from manhunt.cli.terminal.tour import Act, GameAct

DESCRIPTION = """The one-minute tour: every game shows what it is about, with an exact solution or a game between
two agents, and then tells you what to try next.
In a terminal it waits between parts: any key continues, Q quits."""
EPILOG = """examples:
  manhunt demo
  manhunt demo --fast
  manhunt demo --seed 21 --json"""
SEED = 7
READ_SECONDS = 4.0
SLOWEST_SECONDS = 1.0
USUAL_SECONDS = 4.0
"""About what solving and playing takes; the bar need not be right."""
FIRST_STEP = ("manhunt", "the same games in the browser: play, watch, replay, analyse")
LAST_STEP = ("manhunt COMMAND --help", "options and examples of every command")


class Quit(Exception):
    """The person has seen enough."""


def build_parser() -> Parser:
    parser = Parser(prog="manhunt demo", description=DESCRIPTION, epilog=EPILOG)
    text = "same seed, same tour (default %(default)s)"
    parser.add_argument("--seed", type=whole_number(0), default=SEED, metavar="S", help=text)
    parser.add_argument("--fast", action="store_true", help="no pauses: the end of every part at once")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    return parser


def main(options: Namespace) -> int:
    acts = _prepare(options.seed)
    if options.json:
        print_json(_to_json(options.seed, acts))
        return 0
    out = console()
    paced = not options.fast and sys.stdin.isatty() and out.is_terminal
    with ExitStack() as stack:
        keys = None
        if paced:
            from manhunt.cli.terminal.keys import raw_keys

            keys = stack.enter_context(raw_keys())
        try:
            _Tour(out, keys).run(acts)
        except Quit:
            return 0
    return 0


def _prepare(seed: int) -> list[Act]:
    """Everything is solved and played before it is shown, so that nothing waits in the middle."""
    start_work(f"{kit.name}/{TOUR}" for kit in kits_with(TOUR))
    with time_bar("solving and playing", USUAL_SECONDS):
        return [kit.part(TOUR).act(seed) for kit in kits_with(TOUR)]


def next_steps() -> list[tuple[str, str]]:
    """Command lines to try, with their meaning; playing comes first."""
    steps = [step for kit in kits_with(TOUR) for step in kit.part(TOUR).NEXT]
    steps.sort(key=lambda step: not step[0].startswith("manhunt play "))
    return [FIRST_STEP, *steps, LAST_STEP]


def _to_json(seed: int, acts: Sequence[Act]) -> dict[str, Any]:
    named = {act.key: act.to_json() for act in acts if act.key is not None}
    games = [act.to_json() for act in acts if act.key is None]
    return {"seed": seed, **named, "games": games, "next": [command for command, _ in next_steps()]}


class _Tour:
    """Shows the acts, paced by `keys`, or one after the other without."""

    def __init__(self, out: Console, keys: Keys | None) -> None:
        self.out, self.keys = out, keys

    def run(self, acts: Sequence[Act]) -> None:
        self.out.print("manhunt in a minute", style="bold")
        self.out.print("Games of hiding and hunting on graphs.", style="quiet")
        for number, act in enumerate(acts, 1):
            self._show(number, act)
        self._next_steps(len(acts) + 1)

    def _show(self, number: int, act: Act) -> None:
        from manhunt.cli.terminal.tour import GameAct

        self._heading(number, act.title, act.heading())
        if self.keys is not None and isinstance(act, GameAct):
            self._pause(READ_SECONDS / 2)
            self._play(act)
        if self.out.is_terminal:
            self.out.print(act.picture(self.out.width, self.out.height))
        else:
            for line in act.lines():
                say(line)
        self.out.print(act.ending())
        if (remark := act.remark()) is not None:
            self.out.print(remark, style="quiet", markup=False)
        self._pause(READ_SECONDS)

    def _play(self, act: GameAct) -> None:
        """The game on the whole screen, ply by ply."""
        from rich.live import Live

        from manhunt.cli.terminal.frame import compose, keys_line

        footer = [keys_line(("any key", "next part"), ("Q", "quit"))]
        views = act.views
        pace_seconds = min(SLOWEST_SECONDS, act.seconds / len(views))
        with Live(console=self.out, screen=True, auto_refresh=False) as live:
            for screen, i in act.screens():
                began = time.monotonic()
                picture = compose(self.out, screen, views[i], log=act.recent(i), footer=footer, corner="demo")
                live.update(picture, refresh=True)
                if self._wait(pace_seconds - (time.monotonic() - began)):
                    return
            self._wait(1.5)

    def _next_steps(self, number: int) -> None:
        self._heading(number, "What to try next")
        for command, meaning in next_steps():
            self.out.print(f"  {command}", style="bold", markup=False, soft_wrap=True)
            self.out.print(f"      {meaning}", style="quiet", markup=False)

    def _heading(self, number: int, title: str, about: str = "") -> None:
        self.out.print()
        self.out.print(f"[belief]{number}[/belief] [bold]{title}[/bold]")
        if about:
            self.out.print(about, style="quiet", markup=False)

    def _pause(self, seconds: float) -> None:
        if self.keys is not None:
            self._wait(seconds)

    def _wait(self, seconds: float) -> bool:
        """True when a key was pressed meanwhile."""
        from manhunt.cli.terminal.keys import END

        assert self.keys is not None
        key = self.keys.read(max(0.0, seconds))
        if key in ("q", END):
            raise Quit
        return key is not None
