"""`manhunt agents`: who can play, which seats, with which options."""

import argparse
from typing import Any

from manhunt.agents.registry import AgentListing, list_agents
from manhunt.cli.parser import Parser
from manhunt.cli.screen import console, print_answer
from manhunt.core.errors import BadConfig
from manhunt.core.registry import find_name, kit_of

EPILOG = """examples:
  manhunt agents
  manhunt agents GAME --json
  manhunt watch GAME --agent-SEAT path/to/file.py:ClassName

Options follow a colon: NAME:key=value,key=value."""


def build_parser() -> Parser:
    parser = Parser(prog="manhunt agents", description="List the agents and their options.", epilog=EPILOG)
    parser.add_argument("game", nargs="?", metavar="GAME", help="only those that play this game")
    parser.add_argument("--game", dest="named_game", metavar="GAME", help="the same as GAME")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    return parser


def main(options: argparse.Namespace) -> int:
    if options.game and options.named_game:
        raise BadConfig(f"{options.game} and --game {options.named_game}: name one game")
    wanted = options.game or options.named_game
    game = None if wanted is None else kit_of(find_name(wanted) or wanted).name
    entries = [agent_entry(e) for e in list_agents() if game is None or _plays(e, game)]
    return print_answer(options.json, lambda: entries, lambda: _print(entries))


def agent_entry(entry: AgentListing) -> dict[str, Any]:
    """What is known about an agent, as JSON; no games means all games, no seats that it does not load."""
    return {
        "name": entry.name,
        "summary": entry.summary,
        "games": list(entry.games),
        "seats": [seat.value for seat in entry.seats],
        "options": dict(entry.options),
    }


def _plays(entry: AgentListing, game: str) -> bool:
    return not entry.games or game in entry.games


def _print(entries: list[dict[str, Any]]) -> None:
    from rich.markup import escape

    out = console()
    for entry in entries:
        games = ", ".join(entry["games"]) or "all games"
        out.print(f"[bold]{escape(entry['name'])}[/]  {escape(entry['summary'])}")
        if not entry["seats"]:
            continue
        out.print(f"  [quiet]{games}; seats: {', '.join(entry['seats'])}[/]")
        for key, text in entry["options"].items():
            out.print(f"  {escape(key)}: {escape(text)}")
