"""The games by name; each is imported when it is first asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from manhunt.errors import BadConfig, unknown
from manhunt.games.base import AnyGame

_HOME = {
    "fugitive": "manhunt.games.fugitive.game:FugitiveGame",
    "pursuit": "manhunt.games.pursuit.game:PursuitGame",
    "scotland_yard": "manhunt.games.scotland_yard.game:ScotlandYardGame",
    "shortest_path": "manhunt.games.shortest_path.game:ShortestPathGame",
}


def game_names() -> tuple[str, ...]:
    return tuple(_HOME)


@cache
def make_game(name: str) -> AnyGame:
    """The game of this name."""
    if name not in _HOME:
        raise BadConfig(unknown("game", name, _HOME))
    module, _, attribute = _HOME[name].partition(":")
    game: AnyGame = getattr(import_module(module), attribute)()
    return game
