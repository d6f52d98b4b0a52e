"""`manhunt demo`: the one-minute tour: a board solved, a hunt with its belief, a game of cards, a crossing."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from manhunt.cli.parser import Parser, whole_number
from manhunt.cli.screen import console, print_json, time_bar

if TYPE_CHECKING:
    from rich.console import Console

    from manhunt.cli.terminal.keys import Keys
    from manhunt.cli.terminal.tour import Staged
    from manhunt.games.pursuit.state import State
    from manhunt.solvers.exhaustive import OneStart

DESCRIPTION = """The one-minute tour: solves the small board, plays one game of Scotland Yard between two agents with
the belief shown, one game of Fugitive and one crossing, and says what to try next.
In a terminal it is paced: any key goes to the next part, Q quits."""
EPILOG = """examples:
  manhunt demo
  manhunt demo --fast
  manhunt demo --seed 21 --json"""
SEED = 7
BOARD, MRX, DETECTIVES, ROUNDS = "top-right-20", "1", ("5", "10"), 4
READ_SECONDS = 4.0
SLOWEST_SECONDS = 1.0
FIRST_USE_SECONDS = 40.0
"""About what compiling takes on a small machine; the bar need not be right."""
NEXT = (
    ("manhunt", "the same games in the browser: play, watch, replay, analyse"),
    ("manhunt play scotland_yard --as mrx", "be the hunted, here in the terminal"),
    ("manhunt play fugitive --as marshal", "find the hideouts"),
    ("manhunt solve --board london --all-starts --n-detectives 2", "two detectives against every start"),
    ("manhunt arena scotland_yard --mrx greedy --detectives greedy minimax --games 20", "measure agents"),
    ("manhunt COMMAND --help", "options and examples of every command"),
)


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
    state, answer, seconds, staged = _prepare(options.seed)
    if options.json:
        print_json(_to_json(options.seed, answer, staged))
        return 0
    out = console()
    paced = not options.fast and sys.stdin.isatty() and out.is_terminal
    with ExitStack() as stack:
        keys = None
        if paced:
            from manhunt.cli.terminal.keys import raw_keys

            keys = stack.enter_context(raw_keys())
        try:
            _Tour(out, keys).run(state, answer, seconds, staged)
        except Quit:
            return 0
    return 0


def _prepare(seed: int) -> tuple[State, OneStart, float, list[Staged]]:
    """Everything is solved and played before it is shown, so that nothing waits in the middle."""
    from manhunt.cli.terminal.tour import ACTS, stage

    with time_bar("solving and playing", FIRST_USE_SECONDS):
        state, answer, seconds = _solve()
        return state, answer, seconds, [stage(act, seed) for act in ACTS]


def _solve() -> tuple[State, OneStart, float]:
    from manhunt.boards.catalog import load_board
    from manhunt.games.pursuit.config import make_config
    from manhunt.games.pursuit.game import PursuitGame, make_setup
    from manhunt.solvers.exhaustive import solve_one_start

    config = make_config(None, load_board(BOARD), n_detectives=len(DETECTIVES), max_rounds=ROUNDS)
    state = PursuitGame().start(config, make_setup(config, MRX, list(DETECTIVES)))
    solve_one_start(state)  # once for the compiler, once for the clock
    began = time.perf_counter()
    answer = solve_one_start(state)
    return state, answer, time.perf_counter() - began


def _to_json(seed: int, answer: OneStart, staged: list[Staged]) -> dict[str, Any]:
    solved = {
        "board": BOARD,
        "mrx": MRX,
        "detectives": list(DETECTIVES),
        "rounds": ROUNDS,
        "forced_escape": answer.forced_escape,
        "survival_rounds": answer.survival_rounds,
        "states_evaluated": answer.states_evaluated,
        "first_move": _first_move(answer),
    }
    return {"seed": seed, "solve": solved, "games": [each.to_json() for each in staged], "next": [c for c, _ in NEXT]}


def _first_move(answer: OneStart) -> str | None:
    from manhunt.boards.catalog import load_board

    return None if answer.first_move is None else load_board(BOARD).label(answer.first_move)


class _Tour:
    """Shows the parts, paced by `keys`, or one after the other without."""

    def __init__(self, out: Console, keys: Keys | None) -> None:
        self.out, self.keys = out, keys

    def run(self, state: State, answer: OneStart, seconds: float, staged: list[Staged]) -> None:
        self.out.print("manhunt in a minute", style="bold")
        self.out.print("Games in which somebody hides on a graph and others hunt.", style="quiet")
        self._solved(state, answer, seconds)
        for number, each in enumerate(staged, 2):
            self._game(number, each)
        self._next_steps(len(staged) + 2)

    def _solved(self, state: State, answer: OneStart, seconds: float) -> None:
        places = f"Mr X on {MRX}, detectives on {' and '.join(DETECTIVES)}"
        self._heading(1, "A board solved", f"{places}, {ROUNDS} rounds: every move of theirs against every one of his.")
        if self.out.is_terminal:
            from manhunt.cli.terminal.contract import make_screen
            from manhunt.games.pursuit.views import view
            from manhunt.ids import Seat

            rows = min(12, max(self.out.height - 8, 6))
            self.out.print(make_screen("pursuit").picture(view(state, Seat.SPECTATOR), min(self.out.width, 80), rows))
        if answer.forced_escape:
            verdict = (
                f"[offer]Mr X escapes[/offer], whatever the detectives do; his first move is {_first_move(answer)}."
            )
        else:
            verdict = f"[danger]Mr X can be caught[/danger] after {answer.survival_rounds} rounds at best."
        self.out.print(verdict)
        self.out.print(f"{answer.states_evaluated:,} states in {1000 * seconds:.1f} ms", style="quiet")
        self._pause(READ_SECONDS)

    def _game(self, number: int, staged: Staged) -> None:
        act = staged.act
        players = " against ".join(act.agents.values())
        self._heading(number, act.title, f"{act.about} Agents: {players}.")
        if self.keys is not None:
            self._pause(READ_SECONDS / 2)
            self._play(staged)
        if self.out.is_terminal:
            self._last_picture(staged)
        else:
            print("\n".join(staged.round_lines()))
        self.out.print(staged.ending(), style="bold")
        if (remark := staged.remark()) is not None:
            self.out.print(remark, style="quiet", markup=False)
        self._pause(READ_SECONDS)

    def _play(self, staged: Staged) -> None:
        """The game on the whole screen, ply by ply."""
        from rich.live import Live

        from manhunt.cli.terminal.frame import compose, keys_line

        footer = [keys_line(("any key", "next part"), ("Q", "quit"))]
        views = staged.game.views
        pace_seconds = min(SLOWEST_SECONDS, staged.act.seconds / len(views))
        with Live(console=self.out, screen=True, auto_refresh=False) as live:
            for screen, i in staged.screens():
                began = time.monotonic()
                picture = compose(self.out, screen, views[i], log=staged.recent(i), footer=footer, corner="demo")
                live.update(picture, refresh=True)
                if self._wait(pace_seconds - (time.monotonic() - began)):
                    return
            self._wait(1.5)

    def _last_picture(self, staged: Staged) -> None:
        screen, i = list(staged.screens())[-1]
        rows = min(16, max(self.out.height - 6, 6))
        self.out.print(screen.picture(staged.game.views[i], self.out.width, rows))

    def _next_steps(self, number: int) -> None:
        self._heading(number, "What to try next")
        for command, meaning in NEXT:
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
