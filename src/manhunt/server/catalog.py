"""What the home page offers, from the games' kits: presets, boards, and agents with their strength as measured."""

from functools import lru_cache
from typing import Any

from manhunt.boards.catalog import catalogue, generators
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.kit import Kit, Level, Quick
from manhunt.core.registry import kit_of
from manhunt.draw.scenes import kits_with_scene
from manhunt.server.game_files import address_of, lessons_address


@lru_cache(maxsize=1)
def build_catalog() -> dict[str, Any]:
    """The body of `GET /api/catalog`; the caller must not change it."""
    return {"games": [_game(kit) for kit in sorted(kits_with_scene(), key=lambda kit: kit.lobby.order)]}


def opponents(game: str, seat: Seat) -> tuple[Level, ...]:
    """The strongest first."""
    return tuple(level for level in kit_of(game).levels if level.seat is seat)


def _game(kit: Kit) -> dict[str, Any]:
    game, lobby = kit.game, kit.lobby
    return {
        "name": kit.name,
        "title": kit.title,
        "summary": kit.summary,
        "picture": address_of(kit, "picture.svg"),
        "lessons": lessons_address(kit),
        "presets": [{"name": preset, "summary": kit.presets.get(preset, "")} for preset in game.presets],
        "boards": [{"name": entry.name, "summary": entry.text} for entry in catalogue() if entry.name in lobby.boards],
        "generators": [
            {"form": g.form, "example": g.example, "summary": g.text}
            for g in generators()
            if g.kind in lobby.generators
        ],
        "uploads": lobby.uploads,
        "options": list(lobby.options),
        "seats": {
            seat.value: {
                "title": game.seat_names[seat][0].upper() + game.seat_names[seat][1:],
                "called": game.called(seat),
                "agents": [_shown(level) for level in opponents(kit.name, seat)],
            }
            for seat in PLAYERS
        },
        "quick": _quick(lobby.quick or _simplest(kit)),
    }


def _simplest(kit: Kit) -> Quick:
    """For games that name no quick game: you hide from the weakest agent."""
    return Quick(kit.game.presets[0], Seat.EVADER, opponents(kit.name, Seat.PURSUERS)[-1].spec)


def _quick(quick: Quick) -> dict[str, Any]:
    return {"preset": quick.preset, "you": quick.you.value, "agent": quick.agent, "board": quick.board}


def _shown(level: Level) -> dict[str, Any]:
    return {name: getattr(level, name) for name in ("spec", "strength", "summary", "source", "name", "title")}
