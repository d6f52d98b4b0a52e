"""Small decks of Fugitive solved: value, equilibrium policies, and what they do."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from manhunt.games.fugitive.rules.config import Config
from manhunt.games.fugitive.solvers.public_tree import FREE, EventTag, PublicTree, Restrictions
from manhunt.solvers.equilibrium import cfr_kernels as kernels
from manhunt.solvers.equilibrium.cfr import Equilibrium, OnProgress, solve_by_cfr
from manhunt.solvers.equilibrium.game import BilinearGame
from manhunt.solvers.equilibrium.sequence_form import solve_exactly

DEFAULT_ITERATIONS = 2000
DEFAULT_INFOSETS = 3_000_000
_PLACEMENTS = (
    "Fugitive places",
    "Fugitive places with sprints",
    "Fugitive places with a bluff",
    "Fugitive escapes",
    "Fugitive escapes with a bluff",
)
_BLUFFS = ("Fugitive bluffs with the first hideout", "Fugitive places with a bluff", "Fugitive escapes with a bluff")


@dataclass(frozen=True)
class MiniSolution:
    """The solution of a small deck. The Fugitive's policy wins at least `low`; against the Marshal's nobody wins more
    than `high`.
    """

    config: Config
    game: BilinearGame
    equilibrium: Equilibrium
    happenings: Mapping[EventTag, float]
    """How often each thing happens per game when both sides play the solution."""
    n_public: int
    build_seconds: float
    solve_seconds: float

    @property
    def value(self) -> float:
        """The Fugitive's winning chance, the middle of `low` and `high`."""
        return self.equilibrium.value

    @property
    def low(self) -> float:
        """What the Fugitive's policy wins at least."""
        return self.equilibrium.low

    @property
    def high(self) -> float:
        """What any Fugitive wins at most against the Marshal's policy."""
        return self.equilibrium.high

    @property
    def exploitability(self) -> float:
        """What both sides together could still gain; 0 in equilibrium."""
        return self.equilibrium.exploitability

    @property
    def n_infosets(self) -> int:
        """Infosets of both sides."""
        return self.game.evader.n_infosets + self.game.pursuers.n_infosets

    @property
    def n_sequences(self) -> int:
        """Sequences of both sides."""
        return self.game.evader.n_sequences + self.game.pursuers.n_sequences

    def how_often(self, start: str) -> dict[str, float]:
        """How often per game each happening whose name starts with this occurs, over all rounds, the most frequent
        first.
        """
        sums: dict[str, float] = defaultdict(float)
        for tag, times in self.happenings.items():
            if tag.name.startswith(start):
                sums[tag.name.removeprefix(start).strip()] += times
        return dict(sorted(sums.items(), key=lambda item: -item[1]))

    @property
    def openings(self) -> dict[str, float]:
        """His first hideout with its sprint cards, by probability."""
        return self.how_often("Fugitive opens ")

    @property
    def bluff_share(self) -> float:
        """The share of placements (including the escape) with a sprint card that was not needed."""
        made = sum(map(self.happenings_of, _PLACEMENTS)) + sum(self.openings.values())
        bluffs = sum(map(self.happenings_of, _BLUFFS))
        return bluffs / made if made else 0.0

    @property
    def pass_share(self) -> float:
        """The share of passes among turns after the first in which the Fugitive could still escape."""
        return self.happenings_of("Fugitive passes") / self.n_later_turns if self.n_later_turns else 0.0

    @property
    def n_later_turns(self) -> float:
        """The Fugitive's turns per game after the first, while the Fugitive could still escape."""
        placed = sum(times for tag, times in self.happenings.items() if tag.round > 1 and tag.name in _PLACEMENTS)
        return self.happenings_of("Fugitive passes") + placed

    @property
    def n_guesses(self) -> float:
        """The Marshal's guesses per game while the Fugitive could still escape, without those in the manhunt."""
        return sum(self.how_often("Marshal guesses ").values())

    @property
    def guesses(self) -> dict[str, float]:
        """Shares of the Marshal's guesses by size (`2 of 3`: two numbers with three hideouts hidden)."""
        return _shares(self.how_often("Marshal guesses "))

    def draws(self, who: str) -> dict[str, float]:
        """Shares of the piles that `Fugitive` or `Marshal` draws from."""
        return _shares(self.how_often(f"{who} draws "))

    def happenings_of(self, name: str) -> float:
        """How often per game one happening occurs, over all rounds."""
        return sum(times for tag, times in self.happenings.items() if tag.name == name)


def solve_mini(
    config: Config,
    iterations: int = DEFAULT_ITERATIONS,
    *,
    restrictions: Restrictions = FREE,
    seconds: float | None = None,
    target: float = 0.0,
    exactly: bool = False,
    most_infosets: int = DEFAULT_INFOSETS,
    on_build: Callable[[int], None] | None = None,
    on_progress: OnProgress | None = None,
) -> MiniSolution:
    """Build the game and solve it by CFR+, or `exactly` by linear programs (small decks only)."""
    began = perf_counter()
    tree = PublicTree(config, restrictions, most_infosets, on_progress=on_build)
    game = tree.build()
    built = perf_counter()
    if exactly:
        found = solve_exactly(game)
    else:
        found = solve_by_cfr(game, iterations, seconds=seconds, target=target, on_progress=on_progress)
    happenings = _count_happenings(tree, found)
    return MiniSolution(config, game, found, happenings, tree.n_public, built - began, perf_counter() - built)


def _count_happenings(tree: PublicTree, found: Equilibrium) -> dict[EventTag, float]:
    events = tree.finish_events()
    sizes = events.pursuers.end - events.pursuers.first
    times = np.zeros(len(events.weight))
    kernels.block_payoffs(events, found.evader, found.pursuers, np.empty(max(1, int(sizes.max(initial=1)))), times)
    sums = np.bincount(np.array(tree.tag_of_block, dtype=np.int64), weights=times, minlength=len(tree.tags))
    return {tag: float(sums[i]) for tag, i in tree.tags.items()}


def _shares(times: Mapping[str, float]) -> dict[str, float]:
    total = sum(times.values())
    return {name: each / total for name, each in times.items()} if total else {}
