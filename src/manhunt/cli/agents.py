"""`manhunt agents`: who can play, which seats, with which options."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from manhunt.cli.parser import Parser

if TYPE_CHECKING:
    from manhunt.agents.registry import Entry

EPILOG = """examples:
  manhunt agents
  manhunt agents --game pursuit --json
  manhunt watch pursuit --agent-mrx random --agent-detectives path/to/file.py:ClassName

Options follow a colon: NAME:key=value,key=value."""


def build_parser() -> Parser:
    parser = Parser(prog="manhunt agents", description="List the agents and their options.", epilog=EPILOG)
    parser.add_argument("--game", metavar="G", help="only those that play this game")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    return parser


def main(options: argparse.Namespace) -> int:
    from manhunt.agents.registry import agent_entries

    if options.game is not None:
        from manhunt.games.registry import make_game

        make_game(options.game)
    entries = [agent_entry(e) for e in agent_entries() if options.game is None or _plays(e, options.game)]
    if options.json:
        from manhunt.cli.screen import print_json

        print_json(entries)
    else:
        _print(entries)
    return 0


def agent_entry(entry: Entry) -> dict[str, Any]:
    """What is known about an agent, as JSON; no games means all games, no seats that it does not load."""
    return {
        "name": entry.name,
        "summary": entry.summary,
        "games": list(entry.games),
        "seats": [seat.value for seat in entry.seats],
        "options": dict(entry.options),
    }


def _plays(entry: Entry, game: str) -> bool:
    return not entry.games or game in entry.games


def _print(entries: list[dict[str, Any]]) -> None:
    from rich.markup import escape

    from manhunt.cli.screen import console

    out = console()
    for entry in entries:
        games = ", ".join(entry["games"]) or "all games"
        out.print(f"[bold]{escape(entry['name'])}[/]  {escape(entry['summary'])}")
        if not entry["seats"]:
            continue
        out.print(f"  [quiet]{games}; seats: {', '.join(entry['seats'])}[/]")
        for key, text in entry["options"].items():
            out.print(f"  {escape(key)}: {escape(text)}")
