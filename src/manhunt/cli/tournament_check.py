"""`manhunt tournament check`: every bot of a file tried in every game it is entered for, as one table."""

from __future__ import annotations

import argparse
import threading
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manhunt.cli.bot import n_of
from manhunt.cli.screen import console, print_answer, progress_bar

if TYPE_CHECKING:
    from manhunt.arena.competition.model import Competition, ProgrammeGame, TournamentBot

AGENT_SECONDS = 60.0
"""An agent of a file that has not passed by then is told as one that hangs."""
MOST_DECISION_SECONDS = 10.0


@dataclass(slots=True)
class CheckedBot:
    """One line: a bot in a game of the programme, and what it does wrong there."""

    bot: str
    game: str
    seats: tuple[str, ...]
    what: str = "ok"
    n_moves: int | None = None
    slowest_seconds: float | None = None
    problems: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        figures = {"moves": self.n_moves, "slowest_seconds": self.slowest_seconds}
        return {"bot": self.bot, "game": self.game, "seats": list(self.seats), "ok": not self.problems} | {
            **figures,
            "problems": self.problems,
        }


def check(options: argparse.Namespace) -> int:
    from manhunt.arena.competition.file import load_competition
    from manhunt.arena.competition.play import check_sandbox

    competition, _ = load_competition(Path(options.file))
    check_sandbox(competition, options.file)
    rows: list[CheckedBot] = []
    with progress_bar() as bar, chdir(competition.folder):
        task = bar.add_task("trying the bots", total=len(competition.bots) * len(competition.entries), note="")
        for row in checked_bots(competition, options.certificate):
            rows.append(row)
            bar.update(task, completed=len(rows), note=row.bot)
    print_answer(
        options.json,
        lambda: {"name": competition.name, "ok": is_fine(rows), "bots": [row.to_json() for row in rows]},
        lambda: _print(competition, rows),
    )
    return 0 if is_fine(rows) else 1


def is_fine(rows: list[CheckedBot]) -> bool:
    return not any(row.problems for row in rows)


def checked_bots(competition: Competition, certificate: int) -> Iterator[CheckedBot]:
    """One after the other, in the order of the file."""
    from manhunt.agents.registry import agent_names
    from manhunt.arena.competition.file import is_outside

    for bot in competition.bots:
        for entry in competition.entries:
            seats = tuple(seat for played, seat in competition.roles_of(bot) if played is entry)
            if not seats:
                continue
            row = CheckedBot(bot.name, entry.name, tuple(seat.value for seat in seats))
            if is_outside(bot):
                _check_outside(row, competition, bot, entry, seats, certificate)
            elif bot.spec.partition(":")[0].partition("@")[0] in agent_names():
                row.what = "built in"
            else:
                _check_agent(row, bot, entry, seats)
            yield row


def _check_outside(
    row: CheckedBot,
    competition: Competition,
    bot: TournamentBot,
    entry: ProgrammeGame,
    seats: tuple[Any, ...],
    certificate: int,
) -> None:
    """As in the tournament: the same limits, clock, sandbox and environment."""
    from manhunt.arena.competition.file import misfit
    from manhunt.arena.competition.play import bot_conditions
    from manhunt.core.errors import ManhuntError
    from manhunt.core.registry import make_game
    from manhunt.testing.bots import check_bot

    conditions = bot_conditions(competition)
    rules = make_game(entry.game)
    try:
        report = check_bot(
            bot.spec,
            rules,
            rules.config_from_json(entry.config),
            seats=seats,
            seconds=decision_seconds(competition),
            games=certificate,
            certificate=certificate > 0,
            limits=conditions["limits"],
            surroundings=conditions["surroundings"],
            hello_seconds=conditions["patience"].hello_seconds,
        )
    except ManhuntError as error:
        row.problems.append(str(error))
        return
    row.n_moves, row.slowest_seconds = report.n_moves, round(report.slowest_seconds, 3)
    wrong = misfit(competition, bot, report.hello) if report.hello is not None else None
    row.problems += [wrong] if wrong else []
    for v in report.violations:
        times = f" ({v.times} times)" if v.times > 1 else ""
        row.problems.append(f"{v.slip.value} {v.where}{times}: {v.detail}")


def decision_seconds(competition: Competition) -> float:
    """What a bot may take for a move, as far as a check can tell."""
    clock = competition.clock
    bounds = [clock.cap_seconds, clock.bank_seconds, competition.limit.seconds, MOST_DECISION_SECONDS]
    return min(bound for bound in bounds if bound is not None)


def _check_agent(row: CheckedBot, bot: TournamentBot, entry: ProgrammeGame, seats: tuple[Any, ...]) -> None:
    """A class of a file: the leak certificate on each seat. It runs here, so one that hangs can only be left behind."""
    from manhunt.agents.registry import make_agent
    from manhunt.core.registry import make_game
    from manhunt.testing.agents import examine_agent

    game = make_game(entry.game)
    config = game.config_from_json(entry.config)

    def examine() -> None:
        for seat in seats:
            found = examine_agent(partial(make_agent, bot.spec, entry.game, seat), game, config, seat, games=1)
            if found.fault is not None:
                row.problems.append(f"as {seat.value}: {found.fault}")

    def run() -> None:
        try:
            examine()
        except Exception as error:  # whatever a class of others raises is told, not ours to die of
            row.problems.append(f"{type(error).__name__}: {error}")

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(AGENT_SECONDS)
    if thread.is_alive():
        row.problems.append(f"no answer within {AGENT_SECONDS:g} s")


def _print(competition: Competition, rows: list[CheckedBot]) -> None:
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    from manhunt.cli.tournament_screen import sandbox_text

    out = console()
    out.print(f"[bold]{escape(competition.name)}[/bold]")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("bot", "game", "seats"):
        table.add_column(title, overflow="fold")
    for title in ("moves", "slowest"):
        table.add_column(title, justify="right")
    table.add_column("result", overflow="fold")
    for row in rows:
        figures = ["" if row.n_moves is None else str(row.n_moves)]
        figures.append("" if row.slowest_seconds is None else f"{row.slowest_seconds:.3f} s")
        n_problems = len(row.problems)
        result = f"[danger]{n_of(n_problems, 'problem')}[/danger]" if n_problems else f"[offer]{row.what}[/offer]"
        seats = "both" if len(row.seats) > 1 else row.seats[0]
        table.add_row(escape(row.bot), escape(row.game), seats, *figures, result)
    out.print(table)
    for row in rows:
        for problem in row.problems:
            out.print(f"[danger]{escape(row.bot)}[/danger] in {escape(row.game)}: {escape(problem)}")
    if text := sandbox_text(competition):
        out.print(f"[quiet]{escape(text)}[/quiet]", soft_wrap=True)
    n_wrong = len({row.bot for row in rows if row.problems})
    if n_wrong:
        out.print(f"[danger]{n_wrong} of {len(competition.bots)} bots have problems[/danger]")
    else:
        out.print("[offer]all bots are ready[/offer]")
