"""The Fugitive who foresees the Marshal's next guess."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import ClassVar, NamedTuple

import numpy as np

from manhunt.core import thinking_time
from manhunt.core.agent import Advice, Alternative, Limit
from manhunt.core.arrays import Floats, Int64s
from manhunt.core.game import View as AnyView
from manhunt.games.fugitive.agents import planners
from manhunt.games.fugitive.agents.planners import Placement
from manhunt.games.fugitive.agents.search_fugitive import SearchFugitive, TurnOption
from manhunt.games.fugitive.agents.supposed_marshal import SupposedHunter
from manhunt.games.fugitive.champion.feature_kernels import N_BELIEF
from manhunt.games.fugitive.champion.features import FEATURES, Trail, hand_features
from manhunt.games.fugitive.champion.foresight import ForeseenMarshal
from manhunt.games.fugitive.champion.habits import SLY, THRIFTY
from manhunt.games.fugitive.champion.hands import likely_hand
from manhunt.games.fugitive.champion.rivals import Foreseen, RivalSigns
from manhunt.games.fugitive.rules.actions import Action, Pass
from manhunt.games.fugitive.rules.card_bits import bits_of
from manhunt.games.fugitive.rules.config import Opening
from manhunt.games.fugitive.rules.public import Card, Phase, Public, with_draw
from manhunt.games.fugitive.rules.views import FugitiveView
from manhunt.search.value_net import ValueNet, win_chances

N_CARDS = 5
"""Cards of a pile by which it is judged."""
MOST_HUNTS = 8
N_ALTERNATIVES = 3
SURE = 1e-4
"""No chance is quite 0 or 1."""


class TurnTable(NamedTuple):
    """Turns that look alike from outside: the Marshal does the same after each of them."""

    public: Public
    lines: list[int]
    """Which of the turns."""
    trails: list[Trail]
    hands: Floats
    """Features of his hands by his way (as it is, opened), trail and feature."""


class ChampionFugitive(SearchFugitive):
    """Rates every turn by what Marshals with likely hands would guess after it, and by a net for what follows."""

    usual_seconds: ClassVar[float] = 0.02

    def __init__(
        self, net: ValueNet, hands: int = 6, pile_hands: int = 2, bluffs: int = 3, *, hedge: bool = True
    ) -> None:
        super().__init__(bluffs)
        self.net, self.n_hands, self.n_pile_hands = net, hands, pile_hands
        self.hedges = hedge
        self._alternatives: tuple[Alternative, ...] = ()
        self.signs = RivalSigns()
        self._opens_with_one = False
        self._looked_at = self._longest = 0.0

    def start(self, view: AnyView) -> None:
        super().start(view)
        self.signs = RivalSigns()

    def act(self, view: AnyView, limit: Limit, rng: Random) -> Advice:
        if not self._steps:
            self._alternatives = ()
        return replace(super().act(view, limit, rng), alternatives=self._alternatives)

    def pile(self, view: FugitiveView, piles: tuple[int, ...], rng: Random) -> int:
        """Where the best turn after a draw is worth most, by some of the unseen cards."""
        self.signs.look(view.public)
        marshals = self.marshals(view, self.n_pile_hands, rng)
        values: list[float] = []
        began, end = thinking_time.now(), self._deadline
        for pile in piles:
            self._deadline = began + (end - began) * (len(values) + 1) / len(piles)  # an equal part for each
            cards = planners.unseen_of(view, pile)
            drawn = rng.sample(cards, min(len(cards), N_CARDS))
            after = replace(view, public=with_draw(view.public, pile, view.round))
            options: list[TurnOption] = []
            news: list[Card] = []
            for card in drawn:
                found = self.turns(replace(after, fugitive=tuple(sorted((*view.hand, card)))), min(1, self.bluffs))
                options += found
                news += [card] * len(found)
            rated = self.foresee(after, options, marshals, np.array(news))
            values.append(float(np.mean([rated[np.array(news) == card].max(initial=0.0) for card in drawn])))
        best = int(np.argmax(values))
        self.note(values[best], planners.lead(values, best))
        return piles[best]

    def plan(self, view: FugitiveView, rng: Random) -> Sequence[Action]:
        """An opening of one hideout ends with a pass."""
        is_opening = view.phase is Phase.FUGITIVE_PLAY and not view.row
        steps = super().plan(view, rng)
        return [*steps, Pass()] if is_opening and self._opens_with_one else steps

    def openings(self, view: FugitiveView) -> list[TurnOption]:
        """All pairs of hideouts, and single ones where the rules allow them."""
        pairs = super().openings(view)
        if view.config.opening_hideouts is Opening.EXACTLY_TWO:
            return pairs
        return [*self.turns(view, self.bluffs), *pairs]

    def choose(self, view: FugitiveView, options: Sequence[TurnOption], rng: Random) -> TurnOption:
        self.signs.look(view.public)
        marshals = self.marshals(view, self.n_hands, rng)
        values = self.foresee(view, options, marshals)
        best = self.pick(view, options, values, rng)
        table = tuple(spot.n_sprints for spot in options[best].public.row)
        self.signs.expect(
            view.round, [Foreseen(m.expects_sly, m.guesses[table]) for m in marshals if table in m.guesses]
        )
        self._opens_with_one = not view.row and len(options[best].placements) == 1
        self.note(float(values[best]), planners.lead(values.tolist(), best))
        others = [i for i in np.argsort(-values, kind="stable").tolist() if i != best]
        self._alternatives = tuple(
            Alternative(tuple(steps_of(options[i].placements)), 2 * float(values[i]) - 1)
            for i in others[:N_ALTERNATIVES]
        )
        self.counted = {"options": len(options)}
        return options[best]

    def take_limit(self, limit: Limit) -> None:
        super().take_limit(limit)
        self._looked_at, self._longest = thinking_time.now(), 0.0

    def spend(self) -> bool:
        """Whether there is time for one that takes as long as the longest before."""
        now = thinking_time.now()
        self._longest, self._looked_at = max(self._longest, now - self._looked_at), now
        return now + self._longest < self._deadline and super().spend()

    def pick(self, view: FugitiveView, options: Sequence[TurnOption], values: Floats, rng: Random) -> int:
        """The best one."""
        return int(np.argmax(values))

    def marshals(self, view: FugitiveView, n: int, rng: Random) -> list[ForeseenMarshal]:
        """With likely hands; as many of them expect him to be sly as she is likely to, but one of each kind."""
        share = self.signs.sly_share if self.hedges else 0.0
        n_sly = min(n - 1, max(1, round(n * share))) if self.hedges and n > 1 else 0
        found = []
        for i in range(n):
            is_sly = (i + 1) * n_sly // n > i * n_sly // n
            weight = share / n_sly if is_sly else (1 - share) / (n - n_sly)
            found.append(ForeseenMarshal(view, likely_hand(view, rng), rng, weight, sly=is_sly))
        return found

    def foresee(
        self,
        view: FugitiveView,
        options: Sequence[TurnOption],
        marshals: Sequence[ForeseenMarshal],
        news: Int64s | None = None,
    ) -> Floats:
        """Of each turn, his chance to win against these Marshals, as many of them as the budget allows.

        `news` are the cards that he would draw before each turn; a Marshal who holds it does not count.
        """
        values, tables = np.zeros(len(options)), self.tables(view, options)
        counts = np.zeros(len(options))
        for marshal in marshals:
            for table in tables:
                if counts.any() and not self.spend():
                    break
                fits = np.ones(len(table.lines), np.bool_)
                found = self.chances_after(view, table, marshal)
                if news is not None:
                    fits = ~np.isin(news[table.lines], marshal.cards)
                values[table.lines] += marshal.weight * fits * found
                counts[table.lines] += marshal.weight * fits
        values /= np.where(counts > 0, counts, 1.0)
        likely = [m for m in marshals if not self.hedges or m.expects_sly == (self.signs.sly_share > 0.5)]
        hunters = [SupposedHunter(m.hand, SLY if m.expects_sly else THRIFTY) for m in likely or marshals]
        for i, option in enumerate(options):
            if option.newest == view.config.last:
                values[i] = self.survival(view, option, hunters[:MOST_HUNTS] if self.spend() else hunters[:1])
        return np.clip(values, SURE, 1 - SURE)

    def tables(self, view: FugitiveView, options: Sequence[TurnOption]) -> list[TurnTable]:
        """Those turns that are not escapes."""
        found = defaultdict(list)
        for i, option in enumerate(options):
            if option.newest != view.config.last:
                found[tuple(spot.n_sprints for spot in option.public.row)].append(i)
        return [self._table(view, options, lines) for lines in found.values()]

    def _table(self, view: FugitiveView, options: Sequence[TurnOption], lines: list[int]) -> TurnTable:
        public, n_left = options[lines[0]].public, sum(view.pile_sizes)
        trails = [Trail(bits_of(options[i].hidden), options[i].newest, options[i].rest) for i in lines]
        ways = (public.way_is_clear, True)
        hands = [[hand_features(view.config, each, way, view.round, n_left) for each in trails] for way in ways]
        return TurnTable(public, lines, trails, np.array(hands))

    def chances_after(self, view: FugitiveView, table: TurnTable, marshal: ForeseenMarshal) -> Floats:
        """Of each trail of a table, his chance to win once this Marshal has guessed."""
        config = view.config
        seen = marshal.guess(table.public, len(table.trails[0].rest))
        opens = bool(seen.guess & bits_of(range(config.manhunt_below, config.last)))
        rows = np.empty((len(table.trails), len(FEATURES)), np.float32)
        is_free = np.ones(len(table.trails))
        for i, trail in enumerate(table.trails):
            is_free[i] = seen.describe(trail.hidden, rows[i]) != 0 or not trail.hidden
            rows[i, N_BELIEF:] = table.hands[int(opens and seen.hits(trail.hidden)), i]
        return np.asarray(is_free * win_chances(self.net, rows))


def steps_of(placements: Sequence[Placement]) -> list[object]:
    """A turn as actions."""
    return [step for each in placements for step in each.steps] or [Pass()]
