"""What best play would have cost, for finished games that count costs: worked out once, then kept with the game."""

from __future__ import annotations

from manhunt.core.registry import kit_of
from manhunt.play.record import parse_record
from manhunt.server.endings import BEST
from manhunt.server.site import Site
from manhunt.store.attachments import load_attachment, save_attachment

SECONDS = 3.0
LIMIT_SECONDS = 90.0
"""With the time to compile the search, where nobody has used it yet."""
FIND = f"{__name__}:find_best"


def find_best(record: str) -> str:
    """Task of a worker: one sentence, empty where the game has no bounds on best play."""
    played = parse_record(record)
    kit = kit_of(played.game)
    part = kit.part("bounds")
    if part is None:
        return ""
    bounds = played.bounds or part.find_bounds(kit.game.config_from_json(played.config), SECONDS)
    words: str = part.bounds_text(bounds)
    return words


def kept_best(site: Site, uid: str) -> str | None:
    return load_attachment(site.store, uid, BEST)


def keep_best(site: Site, uid: str, words: str) -> None:
    save_attachment(site.store, uid, BEST, words)
    site.endings.read_again(uid)
