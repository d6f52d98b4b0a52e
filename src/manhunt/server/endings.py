"""How finished games ended, for lists: the round as the game's page counts it, and the result in words."""

from __future__ import annotations

from dataclasses import dataclass, replace

from manhunt.core.ids import Seat, Side
from manhunt.core.outcome import forfeit_words
from manhunt.draw.scenes import scene_of
from manhunt.play.hindsight import Hindsight
from manhunt.play.record import parse_record
from manhunt.server.recent import Recent
from manhunt.store.attachments import load_attachment
from manhunt.store.connect import Store
from manhunt.store.games import load_record

MOST_KEPT = 1000
BEST = "best"
"""The attachment that says what best play would have cost."""


@dataclass(frozen=True, slots=True)
class Ending:
    round: int
    words: str
    """A sentence without its full stop, as the game words it; or who resigned or ran out of time."""


def ending_of(past: Hindsight) -> Ending:
    scene = scene_of(past.view(past.last, None))
    outcome, words = past.record.outcome, scene.ending or str(past.record.outcome)
    if outcome is not None and outcome.why is not None:
        loser = Seat.PURSUERS if outcome.winner is Side.EVADER else Seat.EVADER
        words = forfeit_words(outcome, past.game.called(loser))
    return Ending(scene.round, words[0].upper() + words[1:])


class Endings:
    """Those of the games that were listed last; to read one takes some milliseconds, so it belongs into a thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: Recent[str, Ending] = Recent(MOST_KEPT)

    def get(self, uid: str) -> Ending:
        """BadStore if there is no such finished game."""
        return self._kept.get(uid) or self.read_again(uid)

    def read_again(self, uid: str) -> Ending:
        """With what became known since, such as the cost of best play."""
        ending = ending_of(Hindsight(parse_record(load_record(self._store, uid), f"game {uid}")))
        if best := load_attachment(self._store, uid, BEST):
            ending = replace(ending, words=f"{ending.words}; {best[0].lower()}{best[1:].removesuffix('.')}")
        self._kept.keep(uid, ending)
        return ending
