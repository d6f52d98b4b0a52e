"""The Fugitive who foresees the Marshal's next guess."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import ClassVar

import numpy as np

from manhunt.core.agent import Advice, Alternative, Limit
from manhunt.core.arrays import Floats, Int64s
from manhunt.core.game import View as AnyView
from manhunt.games.fugitive.agents import planners
from manhunt.games.fugitive.agents.search_fugitive import SearchFugitive, TurnOption, gap_of
from manhunt.games.fugitive.agents.supposed_marshal import SupposedHunter
from manhunt.games.fugitive.beliefs.models import PlayModel, SensiblePlay
from manhunt.games.fugitive.champion.feature_kernels import N_BELIEF
from manhunt.games.fugitive.champion.features import N_FEATURES, Trail, hand_features
from manhunt.games.fugitive.champion.foresight import ForeseenMarshal
from manhunt.games.fugitive.champion.hands import likely_hand
from manhunt.games.fugitive.rules.actions import Pass
from manhunt.games.fugitive.rules.card_bits import bits_of
from manhunt.games.fugitive.rules.public import Card, with_draw
from manhunt.games.fugitive.rules.views import FugitiveView

MODELS: tuple[PlayModel, ...] = (SensiblePlay(),)
N_CARDS = 5
"""Cards of a pile by which it is judged."""
N_ALTERNATIVES = 3


class ChampionFugitive(SearchFugitive):
    """Rates every turn by what Marshals with likely hands would guess after it, and by a net for what follows."""

    usual_seconds: ClassVar[float] = 0.02

    def __init__(self, net, hands: int = 8, bluffs: int = 3, noise: float = 0.0, tempo: float = 0.0, pile_hands: int = 2) -> None:
        super().__init__(bluffs)
        self.net, self.n_hands, self.noise, self.tempo, self.pile_hands = net, hands, noise, tempo, pile_hands
        self._alternatives: tuple[Alternative, ...] = ()

    def act(self, view: AnyView, limit: Limit, rng: Random) -> Advice:
        if not self._steps:
            self._alternatives = ()
        return replace(super().act(view, limit, rng), alternatives=self._alternatives)

    def pile(self, view: FugitiveView, piles: tuple[int, ...], rng: Random) -> int:
        """Where the best turn after a draw is worth most, by some of the unseen cards."""
        if self.pile_hands == 0:
            return super().pile(view, piles, rng)
        marshals = self.marshals(view, self.pile_hands, rng)
        values = []
        for pile in piles:
            cards = planners.unseen_of(view, pile)
            drawn = rng.sample(cards, min(len(cards), N_CARDS))
            after = replace(view, public=with_draw(view.public, pile, view.round))
            options: list[TurnOption] = []
            news: list[Card] = []
            for card in drawn:
                held = replace(after, fugitive=tuple(sorted((*view.hand, card))), legal=(Pass(),))
                turns = self.turns(held, min(1, self.bluffs))
                options += turns
                news += [card] * len(turns)
            found = self.foresee(after, options, marshals, np.array(news))
            best = [max(found[i] for i in range(len(news)) if news[i] == card) for card in drawn]
            values.append(float(np.mean(best)))
        best_pile = int(np.argmax(values))
        self.note(values[best_pile], planners.lead(values, best_pile))
        return piles[best_pile]

    def choose(self, view: FugitiveView, options: Sequence[TurnOption], rng: Random) -> TurnOption:
        values = self.foresee(view, options, self.marshals(view, self.n_hands, rng))
        if self.tempo:
            z = np.log(values / (1 - values))
            for i, o in enumerate(options):
                if o.newest != view.config.last:
                    z[i] -= self.tempo * max(gap_of(view.config, o), -3) / 3
            values = 1 / (1 + np.exp(-z))
        if self.noise and rng.random() < self.noise:
            z = np.log(values / (1 - values)) / 0.5
            p = np.exp(z - z.max())
            best = rng.choices(range(len(options)), p.tolist())[0]
        else:
            best = int(np.argmax(values))
        self.note(float(values[best]), planners.lead(values.tolist(), best))
        self.counted = {"options": len(options)}
        return options[best]

    def marshals(self, view: FugitiveView, n: int, rng: Random) -> list[ForeseenMarshal]:
        return [ForeseenMarshal(view, likely_hand(view, rng), MODELS[i % len(MODELS)], rng) for i in range(n)]

    def foresee(
        self,
        view: FugitiveView,
        options: Sequence[TurnOption],
        marshals: Sequence[ForeseenMarshal],
        news: Int64s | None = None,
    ) -> Floats:
        """Of each turn, his chance to win, against these Marshals; `news` are the cards that he would draw first.

        A Marshal who has such a card does not count.
        """
        config = view.config
        tables = defaultdict(list)
        for i, option in enumerate(options):
            tables[tuple(spot.n_sprints for spot in option.public.row), option.newest == config.last].append(i)
        total, n = np.zeros(len(options)), np.zeros(len(options))
        hunters = [SupposedHunter(marshal.hand, marshal.model) for marshal in marshals]
        for (_, escapes), lines in tables.items():
            public = options[lines[0]].public
            if escapes:
                for i in lines:
                    total[i] = self.survival(view, options[i], hunters)
                n[lines] = 1
                continue
            trails = [Trail(bits_of(options[i].hidden), options[i].newest, options[i].rest) for i in lines]
            x = _by_way(view, trails, public.way_is_clear)
            for marshal in marshals:
                found = self.after(view, trails, marshal, x, public)
                fits = np.ones(len(lines), bool) if news is None else ~np.isin(news[lines], marshal.cards)
                total[lines] += fits * found
                n[lines] += fits
        return np.clip(total / np.maximum(n, 1), 1e-4, 1 - 1e-4)

    def after(self, view, trails, marshal, x, public) -> Floats:
        """Of each trail, his chance to win once this Marshal has guessed."""
        config = view.config
        seen = marshal.guess(public, len(trails[0].rest))
        high = bits_of(range(config.manhunt_below, config.last))
        rows = np.empty((len(trails), N_FEATURES), np.float32)
        is_caught = np.zeros(len(trails), bool)
        for j, trail in enumerate(trails):
            is_caught[j] = seen.describe(trail.hidden, rows[j]) == 0
            rows[j, N_BELIEF:] = x[1 if seen.guess & high and seen.hits(trail.hidden) else 0, j]
        is_caught &= np.array([t.hidden != 0 for t in trails])
        return np.where(is_caught, 0.0, self.net(rows))


def _by_way(view: FugitiveView, trails: Sequence[Trail], is_clear: bool) -> Floats:
    """The features of his hands, with his way as it is and opened."""
    n_left = sum(view.pile_sizes)
    return np.array(
        [[hand_features(view.config, t, way, view.round, n_left) for t in trails] for way in (is_clear, True)]
    )
