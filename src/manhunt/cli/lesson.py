"""`manhunt lesson`: learn a game by playing short lessons, the same as on the web page."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from textwrap import fill
from typing import TYPE_CHECKING, Any

from manhunt.cli.parser import Parser, whole_number
from manhunt.cli.screen import console, print_json, say
from manhunt.core.errors import BadConfig, BadText, ManhuntError, unknown
from manhunt.core.registry import find_name
from manhunt.core.warm import PAGE, start_work, topics_of

if TYPE_CHECKING:
    from manhunt.analysis.lesson_run import LessonMoment
    from manhunt.analysis.lessons import Lesson
    from manhunt.core.game import View
    from manhunt.play.position import Position

DESCRIPTION = """Learn a game by playing: short lessons with tasks. Any move that completes the task counts.
Without GAME, list the lessons; without N, begin with the first one."""
EPILOG = """examples:
  manhunt lesson
  manhunt lesson GAME
  manhunt lesson GAME 2
  manhunt lesson --json"""
COLUMNS, ROWS = 100, 22
LEAVES = ("q", "quit")
HELP = "type a move, its number or a node; h: hint, b: the step before, q: quit"


def build_parser() -> Parser:
    parser = Parser(prog="manhunt lesson", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument("game", nargs="?", metavar="GAME", help="a game with lessons")
    parser.add_argument("number", nargs="?", type=whole_number(1), metavar="N", help="which lesson (default: 1)")
    text = "plain lines without a drawing, as when the output is no terminal"
    parser.add_argument("--no-viz", action="store_true", help=text)
    parser.add_argument("--json", action="store_true", help="list the lessons as JSON; those of GAME if one is named")
    return parser


def main(options: argparse.Namespace) -> int:
    from manhunt.analysis.lessons import lesson_of

    game = None if options.game is None else _game(options.game)
    if options.json:
        print_json({"lessons": [_entry(lesson) for lesson in _lessons(game)]})
    elif game is None:
        _list()
    else:
        lesson = lesson_of(game, options.number or 1)
        start_work([f"{game}/{PAGE}"] if PAGE in topics_of(lesson.kit) else [])
        is_drawn = not options.no_viz and sys.stdin.isatty() and sys.stdout.isatty()
        with suppress(EOFError):
            _Play(lesson, is_drawn, input).run()
    return 0


def _game(text: str) -> str:
    from manhunt.analysis.lessons import games_with_lessons

    names = [kit.name for kit in games_with_lessons()]
    name = find_name(text) or text
    if name not in names:
        raise BadConfig(unknown("game with lessons", text, names))
    return name


def _lessons(game: str | None) -> list[Lesson]:
    from manhunt.analysis.lessons import games_with_lessons, lessons_of

    return [lesson for kit in games_with_lessons() if game in (None, kit.name) for lesson in lessons_of(kit.name)]


def _entry(lesson: Lesson) -> dict[str, Any]:
    head = {"game": lesson.kit.name, "number": lesson.number, "title": lesson.title, "summary": lesson.summary}
    steps = [{"text": step.text, "task": step.task} for step in lesson.steps]
    return {**head, "seat": lesson.seat.value, "steps": steps}


def _list() -> None:
    from rich.markup import escape
    from rich.table import Table

    out, game = console(), ""
    table = Table.grid(padding=(0, 2))
    for lesson in _lessons(None):
        if lesson.kit.name != game:
            game = lesson.kit.name
            table.add_row(f"[bold]{escape(game)}[/]")
        table.add_row(f"  {lesson.number}  {escape(lesson.title)}", escape(lesson.summary))
    out.print(table)
    say("\nplay one: manhunt lesson GAME N")


class _Play:
    """One person in one lesson; `read` asks for a line and raises EOFError at the end of input."""

    def __init__(self, lesson: Lesson, is_drawn: bool, read: Callable[[str], str]) -> None:
        from manhunt.cli.terminal.contract import make_screen

        self.lesson, self.is_drawn, self.read = lesson, is_drawn, read
        self.screen = make_screen(lesson.kit.name)
        self.answers: list[list[str]] = [[]]

    def run(self) -> None:
        from manhunt.analysis.lesson_run import follow

        lesson = self.lesson
        self._write(f"{lesson.kit.title}, lesson {lesson.number}: {lesson.title}")
        while True:
            moment = follow(lesson, self.answers)
            self._introduce(moment)
            went_back = self._do_task(moment) if moment.is_acting else False
            if went_back is None:
                return
            if not went_back:
                if moment.is_last:
                    self._finish()
                    return
                line = self._line("Enter continues, b goes back, q quits: ")
                if line in LEAVES:
                    return
                went_back = line == "b"
            self.answers = self.answers[:-2] if went_back else self.answers
            self.answers.append([])

    def _introduce(self, moment: LessonMoment) -> None:
        step = moment.step
        task = [f"Task: {step.task}"] if step.task else []
        self._write("", f"Step {moment.number + 1} of {len(self.lesson.steps)}", step.text, *task)
        self._show(moment.before)

    def _do_task(self, moment: LessonMoment) -> bool | None:
        """Until the task is done: whether the person goes back a step instead; None if they leave."""
        from manhunt.analysis.lesson_run import Verdict, follow, hint, words_of

        path: tuple[Any, ...] = ()
        self._offer(moment.now.view(self.lesson.seat), path)
        while True:
            view = moment.now.view(self.lesson.seat)
            text = self._line(f"{self.screen.prompt(view)} ")
            if text in LEAVES:
                return None
            if text == "b":
                return True
            if text in ("h", "hint"):
                actions = hint(moment)
                way = words_of(moment.now, self.lesson.seat, actions)
                self._write(f"One way to do it: {way}." if actions else "No hint for this one.")
                continue
            try:
                chosen = self._parse(view, text, path)
                if not isinstance(chosen, list):
                    path = chosen
                    self._offer(view, path)
                    continue
                answers = [*self.answers[:-1], [*self.answers[-1], *chosen]]
                moment, path = follow(self.lesson, answers), ()
            except ManhuntError as error:
                self._write(str(error))
                continue
            self.answers = answers
            if moment.verdict is Verdict.DONE:
                self._celebrate(moment)
                return False
            if moment.verdict is Verdict.WRONG:
                self.answers = [*answers[:-1], []]
                self._write(f"Not yet. {moment.words}")
            else:
                self._show(moment.now)
            self._offer(moment.now.view(self.lesson.seat), path)

    def _parse(self, view: View, text: str, path: tuple[Any, ...]) -> list[str] | tuple[Any, ...]:
        """The actions that a line means, in notation, or the way to more choices."""
        from manhunt.cli.terminal.contract import Submenu
        from manhunt.cli.terminal.playing import make_offers, parse_choice

        if not text or text in ("?", "help"):
            raise BadText(f"{HELP} ({self.screen.help})")
        write = self.lesson.kit.game.format_action
        if actions := self.screen.expand(view, text):
            return [write(view.config, action) for action in actions]
        chosen = parse_choice(view, make_offers(self.screen, view, None, path), text)
        return chosen.path if isinstance(chosen, Submenu) else [write(view.config, chosen)]

    def _celebrate(self, moment: LessonMoment) -> None:
        from manhunt.cli.terminal.plain import event_lines

        told = moment.now.events(self.lesson.seat, len(moment.before.actions))
        self._write(*event_lines(self.screen, tuple(told)), f"Done. {moment.words}".rstrip())
        self._show(moment.now)

    def _finish(self) -> None:
        rest = [each for each in _lessons(self.lesson.kit.name) if each.number > self.lesson.number]
        name = self.lesson.kit.name
        more = [f"Next: manhunt lesson {name} {rest[0].number} ({rest[0].title})"] if rest else []
        self._write("", f"Lesson {self.lesson.number} is done.", *more)

    # -- the screen ----------------------------------------------------------------------------------------

    def _line(self, prompt: str) -> str:
        typed = False
        try:
            line = self.read(prompt).strip()
            typed = sys.stdin.isatty()
            return line.lower() if line.lower() in (*LEAVES, "b", "h", "hint", "?", "help") else line
        finally:
            if not typed:
                say("")  # nobody pressed Enter on this screen

    def _write(self, *lines: str) -> None:
        width = min(COLUMNS, console().width)
        say("\n".join(fill(line, width) for line in lines))

    def _show(self, position: Position) -> None:
        view = position.view(self.lesson.seat)
        self.screen.open(position.at(0).view(self.lesson.seat))
        self.screen.hear(position.events(self.lesson.seat))
        if self.is_drawn:
            out = console()
            out.print(self.screen.picture(view, min(COLUMNS, out.width), min(ROWS, max(8, out.height - 10))))
        say("\n".join([*self.screen.briefing(view), self.screen.header(view)]))

    def _offer(self, view: View, path: Sequence[Any]) -> None:
        from manhunt.cli.terminal.playing import MOST_OFFERS, make_offers

        offers = make_offers(self.screen, view, None, tuple(path))
        rows = [row.plain.rstrip() for row in self.screen.offer_rows(view, offers, COLUMNS)]
        more = [f"... {len(offers)} in all"] if len(offers) > MOST_OFFERS else []
        say("\n".join(rows) if rows else fill("  ".join([*map(str, offers[:MOST_OFFERS]), *more]), COLUMNS))
