"""A judged move for people: in words, with the arrows of what was played and of what was better."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from manhunt.analysis.findings import FOUND, Judged, is_find
from manhunt.core.errors import ManhuntError
from manhunt.core.ids import Seat
from manhunt.core.registry import kit_of
from manhunt.draw.scenes import has_scene, scene_of
from manhunt.play.hindsight import Hindsight, truth_for

JOINTS = frozenset({"at", "by", "from", "the", "to", "with", "and"})
"""Words that the rest of a phrase may begin with."""


@dataclass(frozen=True)
class DressedMove:
    judged: Judged
    end: int
    """The ply after the choice, which may be several plies."""
    played_words: str
    best_words: str | None
    played_arrows: tuple[tuple[str, str], ...]
    best_arrows: tuple[tuple[str, str], ...]

    def to_json(self) -> dict[str, Any]:
        made = asdict(self.judged)
        del made["margin"], made["plain"]
        return {
            **made,
            "end": self.end,
            "played_words": self.played_words,
            "best_words": self.best_words,
            "arrows": {"played": self.played_arrows, "best": self.best_arrows},
        }


def dress(past: Hindsight, judged: Judged) -> DressedMove:
    game, state = past.game, past.states[judged.ply]
    played = past.actions[judged.ply : judged.ply + len(judged.action.split())]
    best = [game.parse_action(past.config, text) for text in (judged.best or "").split()]
    words = game.phrase_choice(state, played)
    better = game.phrase_choice(state, best) if best else None
    said = f"{words} instead of {without_repeat(words, better)}" if better else words
    if is_find(judged):
        judged = replace(judged, mark=FOUND, words=f"the only good move: {_points(judged)} better than any other")
    judged = replace(judged, words=f"{said}: {judged.words}")
    end = judged.ply + len(played)
    arrows = (_arrows(past, judged.ply, played), _arrows(past, judged.ply, best))
    return DressedMove(judged, end, words, better, *arrows)


def _points(judged: Judged) -> str:
    return f"surely {100 * (judged.margin or 0.0):.0f} points"


def without_repeat(words: str, other: str) -> str:
    """The second phrase without the words that both begin with: `by bus to 9`, `by taxi to 4` of the same piece."""
    mine, theirs = words.split(), other.split()
    n = next((i for i, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b), min(len(mine), len(theirs)))
    if n == len(theirs):
        return other
    while n and theirs[n - 1] in JOINTS:
        n -= 1
    return " ".join(theirs[n:])


def _arrows(past: Hindsight, ply: int, actions: Any) -> tuple[tuple[str, str], ...]:
    """From where to where pieces go and what else is drawn of moves, as labels; nothing where there is no board."""
    game, state = past.game, past.states[ply]
    if not actions or not game.capabilities.board or not has_scene(kit_of(game.name)):
        return ()
    before, drawn = scene_of(truth_for(game, state, Seat.EVADER)), []
    try:
        for action in actions:
            drawn += [arrow] if (arrow := game.arrow_of(state, action)) else []
            state = game.apply_action(state, action)
    except ManhuntError:  # legal as far as the seat knew, but not in truth
        return ()
    after = scene_of(truth_for(game, state, Seat.EVADER))
    label = before.board.label
    return tuple((label(a), label(b)) for a, b in (*drawn, *after.moves_since(before)))
