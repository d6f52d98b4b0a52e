"""An analysis in the terminal: one row a turn, marked moves in words, skill and luck, players."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manhunt.analysis.findings import SYMBOLS
from manhunt.analysis.report_words import amount_text, player_lines, skill_line, value_text
from manhunt.cli.screen import console

if TYPE_CHECKING:
    from manhunt.analysis.worth import GameWorth
    from manhunt.play.hindsight import Hindsight


def show_analysis(past: Hindsight, found: dict[str, Any], file: Path, *, heading: bool) -> None:
    """Without heading and table where something else has shown them; `file` is the record's."""
    from rich.markup import escape

    from manhunt.play.fair_deal import DealCheck, deal_words, verify_deal
    from manhunt.play.replay import Replay

    out = console()
    if heading:
        out.print(f"[bold]{escape(past.game.title)}[/], {escape(past.game.describe_config(past.config) or 'as set')}")
        names = [f"{past.game.seat_names[seat]} {past.record.seats.get(seat.value, '-')}" for seat in _players()]
        out.print(f"[quiet]{escape(', '.join(names))}: {escape(Replay(past).ending)}[/]")
        if verify_deal(past.record) is DealCheck.KEPT:
            out.print(f"[quiet]{deal_words(past.record)}[/]", soft_wrap=True)
        out.print(_table(past, found))
    for move in found["moves"]:
        if move["mark"]:
            who = f"round {past.round(move['ply'] + 1)}, {past.game.seat_names[_seat(move['seat'])]}"
            style = "offer" if move["mark"] == "find" else "danger"
            sign = f"[{style}]{SYMBOLS[move['mark']]:>2}[/]"
            before = f"[quiet](before it: ply {move['ply']})[/]"
            out.print(f"{sign} [quiet]{who}:[/] {escape(move['words'])} {before}", soft_wrap=True)
    for line in _look_before(found, file):
        out.print(escape(line), soft_wrap=True)
    out.print()
    for line in (*player_lines(past, found), *([skill_line(past, found)] if found["skill"] else [])):
        out.print(escape(line), soft_wrap=True)
    out.print(f"[quiet]{escape(found['stated'])}[/]", soft_wrap=True)


def _look_before(found: dict[str, Any], file: Path) -> Iterator[str]:
    """How to look at the position before the worst move; nothing where no mistake was found."""
    mistakes = [move for move in found["moves"] if move["mark"] and move["lost"] > 0]
    if mistakes:
        worst = max(mistakes, key=lambda move: move["lost"])
        which = "it" if len(mistakes) == 1 else "the worst of them"
        yield f"manhunt replay {shlex.quote(str(file))} --ply {worst['ply']} shows the position before {which}"


def show_worth(found: GameWorth) -> None:
    """Two lines for each thing: what it did, and what would have been without it."""
    from rich.markup import escape

    from manhunt.analysis.worth import chances_text
    from manhunt.core.ids import Seat
    from manhunt.play.replay import Replay

    out, past = console(), found.past
    out.print(f"[bold]{escape(past.game.title)}[/]: {escape(Replay(past).ending)}")
    out.print()
    for row in found.rows:
        ahead, behind = chances_text(row)
        out.print(escape(row.words), soft_wrap=True)
        out.print(f"    [quiet]{ahead} with it; {behind} without: {escape(row.without)}[/]", soft_wrap=True)
    out.print()
    whose = past.game.called(Seat.EVADER)
    out.print(f"[quiet]Chances are those that {escape(whose)} wins, from {found.pairs} pairs of games.[/]")
    for text in found.how:
        out.print(f"[quiet]{escape(text)}[/]", soft_wrap=True)


def _players() -> Any:
    from manhunt.core.ids import PLAYERS

    return PLAYERS


def _seat(name: str) -> Any:
    from manhunt.core.ids import Seat

    return Seat(name)


def _table(past: Hindsight, found: dict[str, Any]) -> Any:
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    whose = past.game.seat_names[_seat("evader")]
    unit = found["axis"]["unit"]
    for name in ("round", "who", "move", "", _head(unit, whose), "choice", "luck"):
        table.add_column(name, justify="left" if name in ("who", "move", "") else "right")
    for turn in found["turns"]:
        mark = turn["mark"]
        sign = f"[{'offer' if mark == 'find' else 'danger'}]{SYMBOLS[mark]}[/]" if mark else ""
        who = past.game.seat_names[_seat(turn["seat"])] if turn["seat"] in ("evader", "pursuers") else "chance"
        numbers = [amount_text(unit, turn[name]) for name in ("choice", "luck")]
        value = value_text(found["axis"], turn["value"])
        table.add_row(str(turn["round"]), escape(who), escape(turn["words"]), sign, value, *numbers)
    return table


def _head(unit: str, whose: str) -> str:
    return {"chance": f"{whose}'s chance", "rounds": "rounds", "cost": "cost"}[unit]
