"""The games of a pair: played, kept in a folder of their own, and read again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from manhunt.arena.folder import RECORDS, load_ledger, record_name
from manhunt.arena.ledger import Cell, Ledger
from manhunt.arena.players import Warn, no_warning
from manhunt.arena.stats import Interval, PairCounts, count_pairs, wilson
from manhunt.arena.tournament import run_tournament
from manhunt.core.errors import ManhuntError
from manhunt.core.ids import Side
from manhunt.games.fugitive.study.facts import Ending, Facts, facts_of
from manhunt.games.fugitive.study.setup import Pair, StudySetup
from manhunt.play.record import load_record, replay


@dataclass(frozen=True)
class Games:
    """All games of one pair, in the order of the deals."""

    pair: Pair
    winners: tuple[Side | None, ...]
    facts: tuple[Facts, ...]
    """Of the games that were not forfeited."""
    mean_seconds: dict[str, float]
    """By agent, for a decision."""

    @property
    def n_played(self) -> int:
        return sum(winner is not None for winner in self.winners)

    @property
    def n_forfeited(self) -> int:
        """Games that ended by a fault; they count as lost."""
        return self.n_played - len(self.facts)

    def rate(self, side: Side) -> Interval:
        return wilson(sum(winner is side for winner in self.winners), self.n_played)

    def against(self, other: Games, side: Side) -> PairCounts:
        """The same deals: `other` is the first, this the second."""
        return count_pairs(side, other.winners, self.winners)

    @cached_property
    def endings(self) -> Counter[Ending]:
        return Counter(each.ending for each in self.facts)

    @property
    def mean_rounds(self) -> float:
        return sum(each.rounds for each in self.facts) / max(1, len(self.facts))

    def bar(self, fugitive: str, marshal: str) -> Cell:
        """How they ended, to be drawn."""
        n = {side: sum(winner is side for winner in self.winners) for side in Side}
        ends = Counter({slug(end.value): count for end, count in self.endings.items()})
        return Cell(fugitive, marshal, n[Side.EVADER], n[Side.PURSUERS], endings=ends)


def slug(text: str) -> str:
    """A name for style sheets."""
    return text.replace(" ", "-")


def play(
    setup: StudySetup,
    pair: Pair,
    *,
    workers: int | None = None,
    watch: Callable[[Ledger], object] | None = None,
    warn: Warn = no_warning,
) -> None:
    """Play what is missing of a pair; every finished game is kept at once."""
    folder = setup.folder_of(pair)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ManhuntError(f"cannot make the folder {folder.parent}: {error.strerror}") from None
    run_tournament(setup.plan(pair), out=folder, workers=workers, watch=watch, warn=warn)


def n_missing(setup: StudySetup, pair: Pair) -> int:
    folder = setup.folder_of(pair)
    if not (folder / "config.json").exists():
        return setup.n_games
    return setup.n_games - load_ledger(folder).n_finished


def load(setup: StudySetup, pair: Pair) -> Games:
    folder, plan = setup.folder_of(pair), setup.plan(pair)
    ledger = load_ledger(folder)
    winners = tuple(ledger.winners(0))
    if not any(winners):
        raise ManhuntError(f"no game of {pair.fugitive} against {pair.marshal} could be played; see {folder}")
    seconds = {agent: spent.mean_seconds or 0.0 for (_, agent), spent in ledger.thinking.items()}
    return Games(pair, winners, tuple(_facts(setup, pair, plan.n_games)), seconds)


def _facts(setup: StudySetup, pair: Pair, n_games: int) -> Iterator[Facts]:
    folder, plan = setup.folder_of(pair) / RECORDS, setup.plan(pair)
    for number in range(n_games):
        path = folder / record_name(plan, number)
        if path.exists():
            last = replay(load_record(path), str(path)).states[-1]
            if last.end is not None:
                yield facts_of(last)
