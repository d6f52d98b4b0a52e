"""`manhunt games`: the games, their presets and where the rules come from."""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Any

from manhunt.cli.parser import Parser

EPILOG = """examples:
  manhunt games
  manhunt games --json
  manhunt watch pursuit --preset cops-and-robbers --board petersen"""


def build_parser() -> Parser:
    parser = Parser(prog="manhunt games", description="List the games and their presets.", epilog=EPILOG)
    parser.add_argument("--json", action="store_true", help="one JSON document")
    return parser


def main(options: argparse.Namespace) -> int:
    entries = [game_entry(name) for name in _names()]
    if options.json:
        from manhunt.cli.screen import print_json

        print_json(entries)
    else:
        _print(entries)
    return 0


def game_entry(name: str) -> dict[str, Any]:
    """What is known about a game, as JSON."""
    from manhunt.games.registry import make_game

    game = make_game(name)
    # Every game keeps its presets' sources beside its config.
    sources = getattr(import_module(f"manhunt.games.{name}.config"), "SOURCES", {})
    return {
        "name": name,
        "title": game.title,
        "seats": {seat.value: words for seat, words in game.seat_names.items()},
        "hidden": game.capabilities.hidden,
        "chance": game.capabilities.chance,
        "presets": [{"name": preset, "source": sources.get(preset)} for preset in game.presets],
    }


def _names() -> tuple[str, ...]:
    from manhunt.games.registry import game_names

    return game_names()


def _print(entries: list[dict[str, Any]]) -> None:
    from rich.table import Table

    from manhunt.cli.screen import console

    out = console()
    for entry in entries:
        out.print(f"[bold]{entry['name']}[/]  {', '.join(entry['seats'].values())}")
        table = Table.grid(padding=(0, 2))
        for preset in entry["presets"]:
            table.add_row("", preset["name"], f"[quiet]{preset['source'] or ''}[/]")
        out.print(table)
