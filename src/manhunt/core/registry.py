"""The games by name; each kit is imported when it is first asked for.

Games of other packages register their kit as an entry point of the group `manhunt.games`.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from manhunt.core.errors import BadConfig, ManhuntError, unknown
from manhunt.core.kit import Kit

if TYPE_CHECKING:
    from manhunt.core.game import AnyGame

ENTRY_POINTS = "manhunt.games"
BUILT_IN = ("pursuit", "scotland_yard", "fugitive", "shortest_path")
"""The games of this package; commands take the first one that fits when no game is named."""


def game_names() -> tuple[str, ...]:
    """The names of all games: those of this package, then those of installed ones.

    Examples:
        >>> BUILT_IN == game_names()[: len(BUILT_IN)]
        True
    """
    return (*BUILT_IN, *sorted(_outside()))


def find_name(text: str) -> str | None:
    """The name of the game, with hyphens and underscores treated alike; None if there is no such game."""
    meant = text.replace("-", "_")
    return next((name for name in game_names() if name.replace("-", "_") == meant), None)


@cache
def kit_of(name: str) -> Kit:
    """The kit of a game; BadConfig if there is no such game.

    Examples:
        >>> kit_of(game_names()[0]).has("game")
        True
    """
    if name in BUILT_IN:
        kit: Kit = import_module(f"manhunt.games.{name}").KIT
        return kit
    if name not in _outside():
        raise BadConfig(unknown("game", name, game_names()))
    try:
        kit = _outside()[name].load()
    except ManhuntError:
        raise
    except Exception as error:  # whatever an outsider's package does when it is imported
        raise BadConfig(f"game {name} does not load: {' '.join(f'{type(error).__name__}: {error}'.split())}") from None
    if not isinstance(kit, Kit) or kit.name != name:
        raise BadConfig(f"game {name} does not load: its entry point must be a Kit named {name!r}")
    return kit


def kits() -> tuple[Kit, ...]:
    """All kits that load, the built-in ones first; `kit_of` says why one of another package does not."""
    found = [kit_of(name) for name in BUILT_IN]
    for name in sorted(_outside()):
        with suppress(ManhuntError):
            found.append(kit_of(name))
    return tuple(found)


def kits_with(part: str) -> tuple[Kit, ...]:
    """All kits that bring a part, such as `solver` or `encoder`."""
    return tuple(kit for kit in kits() if kit.has(part))


def make_game(name: str) -> AnyGame:
    """The game of this name."""
    return kit_of(name).game


@cache
def _outside() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=ENTRY_POINTS) if point.name not in BUILT_IN}
