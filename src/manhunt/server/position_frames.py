"""A position as pages draw it: what one seat sees there, what it was told since, and what it may do."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from manhunt.core.ids import Seat
from manhunt.draw.scene_json import offers_json, scene_json
from manhunt.draw.scenes import scene_of
from manhunt.play.position import Position
from manhunt.server.event_sentences import sentences_of


def frame_of(position: Position, seat: Seat, since: int | None = None) -> dict[str, Any]:
    """The scene of a seat, and sentences about what happened after so many actions."""
    told = () if since is None else position.events(seat, since)
    sentences = sentences_of(position.game.name, [event for event in told if len(event) > 1])
    return {"v": len(position.actions), "scene": scene_json(scene_of(position.view(seat))), "sentences": sentences}


def frames_of(before: Position, positions: tuple[Position, ...], seat: Seat) -> list[dict[str, Any]]:
    """One frame for each of these positions, which come after each other."""
    return [frame_of(now, seat, len(last.actions)) for last, now in pairwise((before, *positions))]


def offers_of(position: Position, seat: Seat) -> list[dict[str, Any]]:
    """What the seat may do; nothing when it is not its turn."""
    return offers_json(scene_of(position.view(seat))) if position.to_act is seat else []
