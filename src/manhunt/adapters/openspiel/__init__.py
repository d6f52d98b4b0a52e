"""All games in OpenSpiel: `register()` makes them known to `pyspiel.load_game` as `manhunt_NAME`."""

from __future__ import annotations

from typing import Any

from manhunt.adapters.openspiel.options import format_options
from manhunt.core.errors import missing_extra
from manhunt.core.registry import kit_of, kits

PREFIX = "manhunt_"


def register() -> tuple[str, ...]:
    """Register every game that pyspiel does not know yet; returns the short names of all of ours."""
    try:
        import pyspiel
    except ImportError:
        raise missing_extra("OpenSpiel is not installed; get it with", "openspiel") from None
    from manhunt.adapters.openspiel.game import game_class

    names = []
    for kit in kits():
        names.append(PREFIX + kit.name)
        if names[-1] not in pyspiel.registered_names():
            made = game_class(kit, names[-1])
            pyspiel.register_game(made.kind, made)
    return tuple(names)


def load(name: str, preset: str = "", board: str = "", max_plies: int = 0, **options: Any) -> Any:
    """A game as a `pyspiel.Game`: its name without the prefix, a preset or miniature, a board, and what differs."""
    register()
    import pyspiel

    parameters = {"preset": preset, "board": board, "max_plies": max_plies, "options": format_options(options)}
    return pyspiel.load_game(PREFIX + kit_of(name).name, parameters)
