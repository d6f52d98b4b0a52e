"""The study as a whole: its parts, what is still to do, and the sections that are ready to be written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from manhunt.arena.ledger import Ledger
from manhunt.arena.study.balance import Balance
from manhunt.arena.study.bluffs import Bluffs
from manhunt.arena.study.endings import Endings
from manhunt.arena.study.games import Games, load, n_missing, play
from manhunt.arena.study.guesses import Guesses
from manhunt.arena.study.hideouts import Hideouts
from manhunt.arena.study.mini import Mini
from manhunt.arena.study.piles import Piles
from manhunt.arena.study.section import Part, Section
from manhunt.arena.study.setting import Pair, Setting
from manhunt.arena.tournament import no_warning
from manhunt.arena.workers import Warn
from manhunt.errors import BadConfig, unknown

PARTS: Sequence[Part] = (Balance(), Piles(), Guesses(), Endings(), Hideouts(), Bluffs(), Mini())
"""In the order of the page."""
PART_NAMES = tuple(part.name for part in PARTS)
Watch = Callable[[int, int, str], object]
"""Games done, games in all, and what is being worked on."""


def parts_named(names: Iterable[str]) -> tuple[Part, ...]:
    """All parts if none is named."""
    wanted = tuple(names)
    for name in wanted:
        if name not in PART_NAMES:
            raise BadConfig(unknown("part of the study", name, PART_NAMES))
    return tuple(part for part in PARTS if not wanted or part.name in wanted)


def pairs_of(setting: Setting, parts: Iterable[Part]) -> list[Pair]:
    """Each pair once, in the order of the parts."""
    return list(dict.fromkeys(pair for part in parts for pair in part.pairs(setting)))


def run_study(
    setting: Setting,
    parts: Sequence[Part],
    *,
    workers: int | None = None,
    watch: Watch | None = None,
    warn: Warn = no_warning,
) -> None:
    """Play and solve what is missing; whatever is finished is kept, game by game and deck by deck."""
    pairs = pairs_of(setting, parts)
    for pair in pairs:
        setting.plan(pair)  # a bad agent is found before the first game
    total = setting.n_games * len(pairs)
    done = 0
    for pair in pairs:
        if n_missing(setting, pair):
            play(setting, pair, workers=workers, watch=_teller(pair, done, total, watch), warn=warn)
        done += setting.n_games
    for part in parts:
        part.prepare(setting, lambda note: watch(done, total, note) if watch else None)


def _teller(pair: Pair, before: int, total: int, watch: Watch | None) -> Callable[[Ledger], object]:
    def tell(ledger: Ledger) -> None:
        if watch is not None:
            watch(before + ledger.n_finished, total, f"{pair.fugitive} against {pair.marshal}")

    return tell


def sections_of(setting: Setting) -> dict[str, Section]:
    """By part, those whose games are all played."""
    library: dict[Pair, Games] = {}
    found = {}
    for part in PARTS:
        pairs = list(part.pairs(setting))
        if not part.is_ready(setting) or any(n_missing(setting, pair) for pair in pairs if pair not in library):
            continue
        for pair in pairs:
            if pair not in library:
                library[pair] = load(setting, pair)
        found[part.name] = part.section(setting, library)
    return found
