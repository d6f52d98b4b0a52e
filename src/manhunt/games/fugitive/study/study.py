"""The study as a whole: its parts, what is still to do, and the sections that are ready to be written."""

from collections.abc import Callable, Iterable, Sequence

from manhunt.arena.ledger import Ledger
from manhunt.arena.players import Warn, no_warning
from manhunt.core.errors import BadConfig, unknown
from manhunt.games.fugitive.study.balance import BalancePart
from manhunt.games.fugitive.study.games import Games, load, n_missing, play
from manhunt.games.fugitive.study.hideouts import HideoutsPart
from manhunt.games.fugitive.study.mini import MiniPart
from manhunt.games.fugitive.study.rule_parts import BluffsPart, EndingsPart, GuessesPart, PilesPart
from manhunt.games.fugitive.study.section import Section, StudyPart
from manhunt.games.fugitive.study.setup import Pair, StudySetup

PARTS: Sequence[StudyPart] = tuple(
    part() for part in (BalancePart, PilesPart, GuessesPart, EndingsPart, HideoutsPart, BluffsPart, MiniPart)
)
"""In the order of the page."""
PART_NAMES = tuple(part.name for part in PARTS)
Watch = Callable[[int, int, str], object]
"""Games done, games in all, and what is being worked on."""


def parts_named(names: Iterable[str]) -> tuple[StudyPart, ...]:
    """All parts if none is named."""
    wanted = tuple(names)
    for name in wanted:
        if name not in PART_NAMES:
            raise BadConfig(unknown("part of the study", name, PART_NAMES))
    return tuple(part for part in PARTS if not wanted or part.name in wanted)


def pairs_of(setup: StudySetup, parts: Iterable[StudyPart]) -> list[Pair]:
    """Each pair once, in the order of the parts."""
    return list(dict.fromkeys(pair for part in parts for pair in part.pairs(setup)))


def run_study(
    setup: StudySetup,
    parts: Sequence[StudyPart],
    *,
    workers: int | None = None,
    watch: Watch | None = None,
    warn: Warn = no_warning,
) -> None:
    """Play and solve what is missing; whatever is finished is kept, game by game and deck by deck."""
    pairs = pairs_of(setup, parts)
    for pair in pairs:
        setup.plan(pair)  # a bad agent is found before the first game
    total = setup.n_games * len(pairs)
    done = 0
    for pair in pairs:
        if n_missing(setup, pair):
            play(setup, pair, workers=workers, watch=_teller(pair, done, total, watch), warn=warn)
        done += setup.n_games
    for part in parts:
        part.prepare(setup, lambda note: watch(done, total, note) if watch else None)


def _teller(pair: Pair, before: int, total: int, watch: Watch | None) -> Callable[[Ledger], object]:
    def tell(ledger: Ledger) -> None:
        if watch is not None:
            watch(before + ledger.n_finished, total, f"{pair.fugitive} against {pair.marshal}")

    return tell


def sections_of(setup: StudySetup) -> dict[str, Section]:
    """By part, those whose games are all played."""
    library: dict[Pair, Games] = {}
    found = {}
    for part in PARTS:
        pairs = list(part.pairs(setup))
        if not part.is_ready(setup) or any(n_missing(setup, pair) for pair in pairs if pair not in library):
            continue
        for pair in pairs:
            if pair not in library:
                library[pair] = load(setup, pair)
        found[part.name] = part.section(setup, library)
    return found
