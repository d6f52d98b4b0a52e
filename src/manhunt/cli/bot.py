"""`manhunt bot check`: what a bot does wrong, before others find out; `manhunt bot schema`: what it reads."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from manhunt.cli.parser import Parser, seconds, whole_number
from manhunt.cli.screen import console, print_answer, say
from manhunt.core.errors import BadConfig, ManhuntError, unknown
from manhunt.core.ids import PLAYERS, Seat

if TYPE_CHECKING:
    from manhunt.testing.bots import BotReport

DESCRIPTION = """Play a scripted dialogue with a bot and list every violation of the protocol; then run the leak
certificate: with different hidden information it must make the same moves. `manhunt bot schema`
prints the JSON Schema of all messages, with views and events of each seat field by field."""
EPILOG = """examples:
  manhunt bot check "python mybot.py --level 3" --game GAME
  manhunt bot check ./mybot --game GAME --seat evader --seconds 0.5 --show
  manhunt bot check tcp:127.0.0.1:9000 --game GAME --json
  manhunt bot schema --game GAME --seat evader

Exit code: 0 without violations, 1 with some, 2 for bad input. The protocol: docs/reference/protocol.md"""
ADDRESSES = ("cmd:", "tcp:", "ws:")


def build_parser() -> Parser:
    usage = "manhunt bot check COMMAND --game G [OPTIONS] | manhunt bot schema [--game G [--seat S]]"
    parser = Parser(prog="manhunt bot", usage=usage, description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument("what", metavar="check | schema", help="try a bot, or print what bots read and write")
    text = "command line, tcp:HOST:PORT or ws://HOST:PORT"
    parser.add_argument("command", metavar="COMMAND", nargs="?", help=text)
    parser.add_argument("--game", metavar="G", help="a name from 'manhunt games'")
    parser.add_argument("--preset", metavar="P", help="a preset of the game")
    parser.add_argument("--board", metavar="B", help="a board, for games that are played on one")
    parser.add_argument("--seat", metavar="S", help="evader or pursuers (default: those that the bot plays)")
    parser.add_argument(
        "--seconds", type=seconds, default=2.0, metavar="S", help="time for a move (default %(default)s)"
    )
    text = "games per seat for the certificate; 0 skips it (default %(default)s)"
    parser.add_argument("--certificate", type=whole_number(0), default=2, metavar="N", help=text)
    parser.add_argument(
        "--memory", type=whole_number(1), default=1024, metavar="MB", help="memory limit (default %(default)s)"
    )
    parser.add_argument(
        "--seed", type=whole_number(0), default=0, metavar="S", help="seed of the games (default %(default)s)"
    )
    parser.add_argument("--show", action="store_true", help="print the dialogue: > to the bot, < from it")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    return parser


def main(options: argparse.Namespace) -> int:
    from manhunt.agents.wires.process import BotLimits
    from manhunt.core.registry import find_name, make_game
    from manhunt.testing.bots import check_bot

    if options.what == "schema":
        return _print_schema(options)
    if options.what != "check":
        raise ManhuntError(unknown("thing to do with a bot", options.what, ["check", "schema"]))
    for word, value in (("COMMAND", options.command), ("--game", options.game)):
        if value is None:
            raise ManhuntError(f"the following arguments are required: {word}")
    if not options.seconds > 0:
        raise BadConfig("--seconds 0 leaves no time for a move; give more")
    game = make_game(find_name(options.game) or options.game)
    given = {} if options.board is None else {"board": options.board}
    config = game.make_config(options.preset, **given)
    spec = options.command if options.command.startswith(ADDRESSES) else f"cmd:{options.command}"
    with _Status(quiet=options.json or options.show) as tell:
        report = check_bot(
            spec,
            game,
            config,
            seats=_seats(options.seat),
            seconds=options.seconds,
            games=options.certificate,
            certificate=options.certificate > 0,
            limits=BotLimits(memory_mb=options.memory),
            seed=options.seed,
            tap=_show if options.show else None,
            tell=tell,
        )
    print_answer(options.json, lambda: report_to_json(report), lambda: _print(report))
    return 0 if report.ok else 1


def _print_schema(options: argparse.Namespace) -> int:
    """Of all games, or of one; with a seat, a message fits if manhunt may say it to a bot in that seat."""
    import json

    from manhunt.core.registry import find_name, kit_of, kits
    from manhunt.protocol.schema import protocol_schema

    if options.command is not None:
        raise ManhuntError(f"`bot schema` does not take {options.command!r}; name the game with --game")
    if options.game is None and options.seat is not None:
        raise ManhuntError("--seat needs --game: every game has its own seats")
    chosen = kits() if options.game is None else (kit_of(find_name(options.game) or options.game),)
    schema = protocol_schema(chosen)
    for seat in _seats(options.seat):
        del schema["anyOf"]
        schema |= {"title": f"{chosen[0].title}, {seat.value}", "$ref": f"#/$defs/{chosen[0].name}.{seat.value}"}
    say(json.dumps(schema, indent=1, ensure_ascii=False))
    return 0


class _Status:
    """A line on a terminal's stderr that tells what is being tried."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._status = console(stderr=True).status("starting the bot")

    def __enter__(self) -> Any:
        if not self._quiet and sys.stderr.isatty():
            self._status.start()
        return lambda what: self._status.update(f"trying {what}")

    def __exit__(self, *_: object) -> None:
        self._status.stop()


def _seats(text: str | None) -> tuple[Any, ...]:
    if text is None:
        return ()
    names = [seat.value for seat in PLAYERS]
    if text not in names:
        raise BadConfig(unknown("seat", text, names))
    return (Seat(text),)


def _show(mark: str, line: bytes) -> None:
    say(f"{mark} {line.decode('utf-8', 'replace')}")


def report_to_json(report: BotReport) -> dict[str, Any]:
    hello = report.hello
    return {
        "bot": report.bot,
        "game": report.game,
        "name": hello.name if hello else None,
        "version": hello.version if hello else None,
        "ok": report.ok,
        "games": report.n_games,
        "moves": report.n_moves,
        "resigned": report.n_resigned,
        "slowest_seconds": round(report.slowest_seconds, 6),
        "violations": [
            {
                "slip": v.slip.name.lower(),
                "what": v.slip.value,
                "where": v.where,
                "detail": v.detail,
                "times": v.times,
                "advice": v.advice,
            }
            for v in report.violations
        ],
        "certificates": [
            {
                "seat": c.seat.value,
                "games": c.n_games,
                "positions": c.n_positions,
                "worlds": c.n_worlds,
                "fault": c.fault,
            }
            for c in report.certificates
        ],
        "stderr": report.stderr,
    }


def n_of(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _print(report: BotReport) -> None:
    from rich.markup import escape
    from rich.table import Table

    out = console()
    name = f"{report.hello.name} {report.hello.version}".strip() if report.hello else report.bot
    tried = f"{n_of(report.n_games, 'whole game')}, {n_of(report.n_moves, 'move')}"
    out.print(f"[bold]{escape(name)}[/] at {report.game}: {tried}")
    if report.n_moves:
        resigned = f"; it resigned {n_of(report.n_resigned, 'time')}" if report.n_resigned else ""
        out.print(f"[quiet]slowest move {report.slowest_seconds:.3f} s{resigned}[/]")
    for found in report.certificates:
        if found.ok:
            worlds = f"in {found.n_worlds} other worlds" if found.n_worlds else "(nothing was hidden)"
            out.print(f"leak certificate as {found.seat.value}: [offer]no difference[/] {worlds}")
    if report.n_resigned:
        out.print("no certificate for a bot that resigns: it was not seen at play")
    if report.ok:
        out.print("[offer]no violations[/]")
        return
    table = Table("violation", "where", "times", "what happened", box=None, pad_edge=False, header_style="quiet")
    for v in report.violations:
        table.add_row(f"[danger]{v.slip.value}[/]", v.where, str(v.times), escape(v.detail))
    out.print(table)
    for slip, advice in {v.slip: v.advice for v in report.violations if v.advice}.items():
        out.print(f"[bold]{slip.value}[/]: {escape(advice)}")
    if report.stderr.strip():
        out.print("[quiet]the end of its stderr:[/]")
        for line in report.stderr.strip()[-600:].splitlines():
            out.print(f"  {escape(line)}")
