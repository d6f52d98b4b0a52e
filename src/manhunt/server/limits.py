"""What clients may ask for: agents, options and configs that cannot hurt."""

import re
from collections.abc import Mapping
from typing import Any

from manhunt.agents.registry import BOTS, agent_names, make_agent
from manhunt.core.errors import BadAgent, BadConfig, unknown
from manhunt.core.game import AnyGame
from manhunt.core.ids import Seat
from manhunt.core.registry import kit_of
from manhunt.server.settings import Limits

PERSON = "person"
"""A seat of people; those at a table are named: `person:Anna, Ben`."""
LARGEST_NUMBER = 20_000
LONGEST_LIST = 2_000
LONGEST_TEXT = 200
DEEPEST = 6
MOST_PIECES = 40
MOST_ROUNDS = 2_000
_FILE_OPTIONS = ("file",)
_SIZE_OPTIONS = ("megabytes",)
_OPTION_VALUE = re.compile(r"[A-Za-z0-9_-]{1,40}|[0-9.e+-]{1,20}")


def is_person(spec: str) -> bool:
    """Whether people have the seat, and not an agent."""
    return spec.partition(":")[0] == PERSON


def check_agent_spec(spec: str, game: str, seat: Seat) -> None:
    """Only a person, or an agent of the registry by name: never a file, a command or an address."""
    if spec == PERSON:
        return
    name, _, rest = spec.partition(":")
    if spec.startswith(BOTS) or name not in agent_names():
        raise BadAgent(unknown("agent", name[:80], [PERSON, *agent_names()]))
    for item in filter(None, rest.split(",")):
        key, _, value = item.partition("=")
        if key in _FILE_OPTIONS:
            raise BadAgent(f"agent {name} is loaded from a file; only the command line allows that")
        if key in _SIZE_OPTIONS:
            raise BadAgent(f"agent {name}: memory cannot be set on the web; leave {key} out")
        if not _OPTION_VALUE.fullmatch(value) or _too_large(value):
            raise BadAgent(
                f"agent {name}: {item[:60]!r} is not allowed on the web; give a word or a number up to {LARGEST_NUMBER}"
            )
    make_agent(spec, game, seat)


def _too_large(text: str) -> bool:
    try:
        return not abs(float(text)) <= LARGEST_NUMBER
    except ValueError:
        return False


def check_options(value: Any, depth: int = 0) -> None:
    """Refuse numbers, texts and lists that no config needs, before they are used to make one."""
    if isinstance(value, int | float) and not abs(value) <= LARGEST_NUMBER:
        raise BadConfig(f"options: {value} is too large (max {LARGEST_NUMBER})")
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        raise BadConfig(f"options: text too long: {len(value)} characters (max {LONGEST_TEXT})")
    if isinstance(value, list | dict):
        if depth > DEEPEST or len(value) > LONGEST_LIST:
            raise BadConfig("options: nested too deep, or a list too long")
        for item in value.values() if isinstance(value, Mapping) else value:
            check_options(item, depth + 1)


def check_has_board(game: AnyGame) -> None:
    if not game.capabilities.board:
        raise BadConfig(f"{game.title} is played without a board; leave board out")


def check_config(game: AnyGame, config: Any, seats: Mapping[Seat, str], limits: Limits) -> None:
    """Refuse a game whose seats could have more to choose from than a page can show, or that never ends."""
    size = kit_of(game.name).size_of(config)
    if size.pieces > MOST_PIECES:
        raise BadConfig(f"too many pieces: {size.pieces} (max {MOST_PIECES})")
    if size.rounds > MOST_ROUNDS:
        raise BadConfig(f"too many rounds: {size.rounds} (max {MOST_ROUNDS})")
    if size.choices > limits.legal_actions:
        raise BadConfig(f"up to {size.choices} moves to choose from; take fewer edges or pieces")
    if size.endless and not any(map(is_person, seats.values())):
        raise BadConfig("a game between two agents needs an end: limit the rounds")


def check_seconds(seconds: float | None, limits: Limits) -> None:
    """How long an agent may think about a move."""
    if seconds is not None and seconds > limits.seconds:
        raise BadConfig(f"seconds: {seconds:g} per move is too long (max {limits.seconds:g})")
