"""What `manhunt tournament` shows in the terminal: the running table, the last word."""

from collections import Counter
from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any

from rich import box
from rich.markup import escape
from rich.table import Table

from manhunt.agents.wires.sandbox import sandbox_trouble
from manhunt.arena.competition.games import TournamentGame
from manhunt.arena.competition.model import SWISS, Competition
from manhunt.arena.competition.run import Progress
from manhunt.arena.competition.standings import BotFault, RoleScore, Standing, TournamentTable, table_of, table_to_json
from manhunt.cli.arena_screen import Live
from manhunt.cli.screen import console
from manhunt.core.ids import PLAYERS

REFRESH_SECONDS = 1.0
MOST_LIVE = 20
MOST_FAULTS = 8


def state_to_json(progress: Progress, table: TournamentTable) -> dict[str, Any]:
    state = {"finished": progress.is_finished, "of": progress.n_expected, "rounds": len(progress.rounds)}
    sandbox = {"sandbox": sandbox_to_json(table.competition)}
    return {**table_to_json(table), **state, **sandbox, **progress.origin}


def sandbox_to_json(competition: Competition) -> dict[str, Any]:
    """Whether bots are put in the sandbox, and whether there is one here."""
    why = sandbox_trouble() if competition.sandbox else None
    return {"asked": competition.sandbox, "active": competition.sandbox and why is None, "why": why}


def sandbox_text(competition: Competition) -> str | None:
    """The same in words; None where no bot is a process that we start."""
    n_commands, n_bots = sum(bot.is_command for bot in competition.bots), len(competition.bots)
    if not n_commands:
        return None
    if not competition.sandbox:
        return "sandbox: off; bots that are commands run as you (sandbox = true in [limits] confines them)"
    why = sandbox_trouble()
    if why is not None:
        return f"sandbox: not active; {why}"
    others = "" if n_commands == n_bots else "; the others are agents inside our workers, or on other machines"
    return f"sandbox: active for {n_commands} of {n_bots} bots (no network, only their own /tmp to write){others}"


class LiveTable(Live):
    """Progress bar and the table so far, now and then."""

    def __init__(self, competition: Competition) -> None:
        super().__init__(1, competition.name)
        self._drawn = 0.0

    def show(self, progress: Progress) -> None:
        if not self.is_shown or monotonic() - self._drawn < REFRESH_SECONDS:
            return
        table = table_of(progress)
        self.update(progress.n_played, progress.games_text, grid_of(table, MOST_LIVE), progress.n_expected)
        self._drawn = monotonic()


def grid_of(table: TournamentTable, most: int | None = None) -> Table:
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    grid.add_column("", justify="right")
    grid.add_column("bot", overflow="fold")
    is_swiss = table.competition.format == SWISS
    for title in (
        "points",
        "share",
        *(["Buchholz"] if is_swiss else []),
        "as evader",
        "as pursuers",
        "forfeits",
        "faults",
    ):
        grid.add_column(title, justify="right")
    for standing in table.standings[:most]:
        grid.add_row(*_row(standing, is_swiss))
    if most is not None and len(table.standings) > most:
        grid.add_row("", f"[quiet]... and {len(table.standings) - most} more[/quiet]")
    return grid


def _print_faults(table: TournamentTable) -> None:
    """The first of each bot and kind, with how many there are."""
    screen = console()
    counts = Counter((fault.bot, fault.kind) for fault in table.faults)
    first: dict[tuple[str, str], BotFault] = {}
    for fault in table.faults:
        first.setdefault((fault.bot, fault.kind), fault)
    for key, fault in list(first.items())[:MOST_FAULTS]:
        detail = f"{fault.bot}, {counts[key]} times, first in game {fault.number}: {fault.detail}"
        screen.print(f"[danger]{fault.kind}[/danger] {escape(detail)}")
    if len(first) > MOST_FAULTS:
        screen.print(f"[quiet]... and {len(first) - MOST_FAULTS} other kinds; the exported site lists all[/quiet]")


def _row(standing: Standing, is_swiss: bool) -> list[str]:
    roles = [_role(standing.roles[seat]) for seat in PLAYERS]
    faults = [f"[danger]{n}[/danger]" if n else "" for n in (standing.forfeits, standing.n_faults)]
    points = f"{standing.points / 2:g}[quiet] of {standing.n_games}[/quiet]"
    ties = [standing.buchholz_text] if is_swiss else []
    return [str(standing.rank), escape(standing.name), points, standing.share_text, *ties, *roles, *faults]


def _role(role: RoleScore) -> str:
    if role.elo is None or role.is_reference or role.is_open:
        return role.elo_text[0]
    return f"{role.elo.value:+.0f} [quiet]± {role.elo.high - role.elo.value:.0f}[/quiet]"


def next_steps(file: str) -> tuple[str, ...]:
    """What can be done with a tournament that is over."""
    return (
        f"the table again: manhunt tournament status {file}",
        f"a site with all games: manhunt tournament export {file} --out site",
        f"the games a bot lost: manhunt tournament games {file} --lost-by BOT --records lost",
    )


def print_games(games: Sequence[TournamentGame], total: int, records: Mapping[int, str], file: str) -> None:
    """A line for each game, and what can be done with its record."""
    screen = console()
    if not games:
        screen.print("no such game")
        return
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("number", "game", "evader", "pursuers", "won by", "outcome", "rounds"):
        grid.add_column(name, overflow="fold")
    for game in games:
        result = game.result
        cells = [str(result.number), game.entry, result.evader, result.pursuers, game.winner or "-"]
        grid.add_row(*map(escape, [*cells, result.outcome or "could not be played", str(result.rounds)]))
    screen.print(grid)
    if len(games) < total:
        screen.print(f"[quiet]... and {total - len(games):,} before these; --limit 0 lists all[/quiet]")
    if not records:
        hint = f"their records: manhunt tournament games {file} --records DIR"
        screen.print(f"[quiet]{escape(hint)}[/quiet]", soft_wrap=True)
        return
    record = next(iter(records.values()))
    for words, command in (("see one again", "replay"), ("why it was lost", "analyse")):
        screen.print(f"[quiet]{words}: manhunt {command} {escape(record)}[/quiet]", soft_wrap=True)


def print_table(progress: Progress, table: TournamentTable, hints: Sequence[str] = ()) -> None:
    screen = console()
    competition = table.competition
    state = "finished" if progress.is_finished else "[danger]not finished[/danger]"
    screen.print(f"[bold]{escape(competition.name)}[/bold]  {state}, {progress.games_text}")
    rounds = f", {len(progress.rounds)} of {competition.rounds} rounds" if competition.format == SWISS else ""
    games = ", ".join(entry.name for entry in competition.entries)
    screen.print(f"[quiet]{competition.format}{rounds}; {escape(games)}; run {competition.run_id}[/quiet]")
    for name, value in progress.origin.items():
        screen.print(f"[quiet]{name} {value}[/quiet]", soft_wrap=True)
    screen.print(grid_of(table))
    screen.print("[quiet]Points: 1 for a win, half for a draw. Ratings in each role: Elo with 95 % intervals,")
    screen.print("[quiet]where 0 is the bot that the others are compared with.")
    if competition.format == SWISS:
        ties = "Ties go to the bot that met stronger opponents (Buchholz: their mean share), then to direct games."
        screen.print(f"[quiet]{ties}[/quiet]")
    if sandbox := sandbox_text(competition):
        screen.print(f"[quiet]{escape(sandbox)}[/quiet]", soft_wrap=True)
    if table.unplayed:
        screen.print(f"[danger]{len(table.unplayed)} games could not be played and count for nobody[/danger]")
    _print_faults(table)
    for hint in hints:
        screen.print(f"[quiet]{escape(hint)}[/quiet]", soft_wrap=True)
