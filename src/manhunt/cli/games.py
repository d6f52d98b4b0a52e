"""`manhunt games`: the games, what they are about, their presets and where the rules come from."""

import argparse
from typing import Any

from manhunt.cli.parser import Parser
from manhunt.cli.screen import console, print_answer
from manhunt.core.registry import game_names, kit_of

EPILOG = """examples:
  manhunt games
  manhunt games --json
  manhunt watch GAME --preset PRESET"""


def build_parser() -> Parser:
    parser = Parser(prog="manhunt games", description="List the games and their presets.", epilog=EPILOG)
    parser.add_argument("--json", action="store_true", help="one JSON document")
    return parser


def main(options: argparse.Namespace) -> int:
    entries = [game_entry(name) for name in game_names()]
    return print_answer(options.json, lambda: entries, lambda: _print(entries))


def game_entry(name: str) -> dict[str, Any]:
    """What is known about a game, as JSON."""
    kit = kit_of(name)
    game = kit.game
    return {
        "name": name,
        "title": game.title,
        "summary": kit.summary,
        "seats": {seat.value: words for seat, words in game.seat_names.items()},
        "hidden": game.capabilities.hidden,
        "chance": game.capabilities.chance,
        "presets": [
            {"name": preset, "description": kit.presets.get(preset), "source": game.sources.get(preset)}
            for preset in game.presets
        ],
    }


def _print(entries: list[dict[str, Any]]) -> None:
    from rich.markup import escape
    from rich.padding import Padding
    from rich.table import Table

    out = console()
    for entry in entries:
        out.print(f"[bold]{escape(entry['name'])}[/]  {escape(', '.join(entry['seats'].values()))}")
        out.print(Padding(escape(entry["summary"]), (0, 0, 0, 2)))
        table = Table.grid(padding=(0, 2))
        for preset in entry["presets"]:
            table.add_row("", escape(preset["name"]), escape(preset["description"] or ""))
            if preset["source"]:
                table.add_row("", "", f"[quiet]{escape(preset['source'])}[/]")
        out.print(table)
