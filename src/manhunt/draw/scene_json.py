"""A scene as JSON with labels, for the web page."""

from __future__ import annotations

from typing import Any

from manhunt.core.outcome import Outcome
from manhunt.core.scene import Scene, SceneOffer, ScenePiece
from manhunt.draw.look import look_of
from manhunt.draw.page_style import PAGE


def scene_json(scene: Scene) -> dict[str, Any]:
    """Title, round, turn, outcome, marks, and what else the page of this game shows; `offers_json` has the rest."""
    end = scene.outcome
    return {
        "title": scene.title,
        "round": scene.round,
        "turn": scene.turn and scene.turn.value,
        "turnWords": scene.turn_words,
        "outcome": end and _outcome(end, scene.ending),
        **scene.page,
        "marks": {} if scene.board is None else _marks(scene),
    }


def _outcome(end: Outcome, words: str) -> dict[str, Any]:
    return {"winner": end.winner.value, "how": end.termination.value, "words": words, "cost": end.cost}


def offers_json(scene: Scene) -> list[dict[str, Any]]:
    """What the seat may do now. Every legal action is reached by exactly one way."""
    return [_offer(offer) for offer in scene.offers]


def _marks(scene: Scene) -> dict[str, Any]:
    label, seen = scene.board.label, scene.last_seen
    return {
        "pieces": [piece_json(piece, label(piece.node)) for piece in scene.pieces if piece is not seen],
        "lastSeen": seen and {"at": label(seen.node), "name": seen.name, "words": seen.text},
        "candidates": [label(node) for node in scene.candidates],
        "arrows": [[label(a), label(b)] for a, b in scene.arrows],
        "danger": [label(node) for node in scene.danger],
        **scene.page.get("marks", {}),
    }


def piece_json(piece: ScenePiece, at: str | None) -> dict[str, Any]:
    look = look_of(piece, PAGE)
    return {
        "id": piece.key if piece.kind == "pursuer" else piece.kind,
        "at": at,
        "kind": piece.kind,
        "letter": look.letter,
        "name": look.name,
        "colour": look.colour,
        "on": look.on_colour,
    }


def _offer(offer: SceneOffer) -> dict[str, Any]:
    if not offer.action:
        return {"words": offer.words, **offer.more}
    return {"action": offer.action, "words": offer.words, "picks": list(offer.picks), **offer.more}
