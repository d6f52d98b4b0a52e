"""Commands that only some games have: which there are, and which game a command line means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from manhunt.core.errors import BadConfig, ManhuntError, unknown
from manhunt.core.kit import Command, FirstWord
from manhunt.core.registry import find_name, game_names, kit_of

if TYPE_CHECKING:
    from manhunt.cli.parser import Parser

Owners = Mapping[str, Command]
"""The games that have a command, in the order of the registry."""


def game_commands() -> dict[str, dict[str, Command]]:
    """The owners of every command; a game that does not load owns none."""
    found: dict[str, dict[str, Command]] = {}
    for game in game_names():
        try:
            commands = kit_of(game).commands
        except ManhuntError:
            continue
        for name, command in commands.items():
            found.setdefault(name, {})[game] = command
    return found


def command_lines(taken: Mapping[str, object], width: int) -> Iterator[str]:
    """The list of commands for the help, one line for each game that has one."""
    for name, owners in game_commands().items():
        if name in taken:
            continue
        for i, (game, command) in enumerate(owners.items()):
            yield f"  {'' if i else name:<{width}} {game}: {command.summary}"


def run_game_command(name: str, owners: Owners, arguments: Sequence[str]) -> int:
    """Run the command of the game that is meant; the game's name is not passed on."""
    game, rest = meant_game(name, owners, arguments)
    module = kit_of(game).load(owners[game].part)
    if hasattr(module, "run"):
        return int(module.run(rest))
    parser = module.build_parser()
    _add_others(parser, name, game, owners)
    return int(module.main(parser.parse_args(rest)))


def meant_game(name: str, owners: Owners, arguments: Sequence[str]) -> tuple[str, list[str]]:
    """The game that a command line is for, and the arguments without its name."""
    usual, rest = next(iter(owners)), list(arguments)
    first = owners[usual].first
    if rest and (game := find_name(rest[0])) in owners:
        return str(game), rest[1:]
    if first is FirstWord.NAMED_GAME:
        return _named(name, owners, rest)
    if first is FirstWord.RECORD:
        return _of_record(name, owners, rest) or usual, rest
    if first is FirstWord.GAME and rest and not rest[0].startswith("-"):
        raise _unknown_game(name, owners, rest[0])
    return usual, rest


def _named(name: str, owners: Owners, rest: list[str]) -> tuple[str, list[str]]:
    """The game may also stand behind options."""
    for i, word in enumerate(rest):
        if (game := find_name(word)) in owners:
            return str(game), rest[:i] + rest[i + 1 :]
    if "-h" in rest or "--help" in rest:
        return next(iter(owners)), rest
    if rest and not rest[0].startswith("-"):
        raise _unknown_game(name, owners, rest[0])
    raise ManhuntError(f"the following arguments are required: GAME (see 'manhunt {name} --help')")


def _of_record(name: str, owners: Owners, rest: list[str]) -> str | None:
    """The game of the first word that is a file; None if there is none."""
    from manhunt.play.record import load_record

    path = next((Path(word) for word in rest if Path(word).is_file()), None)
    if path is None:
        return None
    game = load_record(path).game
    if game not in owners:
        raise BadConfig(f"{path} is a record of {game}; {name} supports only {', '.join(owners)} so far")
    return game


def _unknown_game(name: str, owners: Owners, word: str) -> ManhuntError:
    return ManhuntError(unknown(f"game to {name}", word, [game.replace("_", "-") for game in owners]))


def _add_others(parser: Parser, name: str, game: str, owners: Owners) -> None:
    """The help of one game says which others have the command."""
    others = {other.replace("_", "-"): command for other, command in owners.items() if other != game}
    if others:
        lines = "\n".join(f"  manhunt {name} {other} --help   {command.summary}" for other, command in others.items())
        parser.epilog = f"{parser.epilog or ''}\n\nother games:\n{lines}".lstrip()
