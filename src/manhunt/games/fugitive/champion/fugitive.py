"""The Fugitive who foresees the Marshal's next guess."""

from collections import defaultdict
from collections.abc import Sequence
from random import Random

import numpy as np

from manhunt.core.arrays import Floats
from manhunt.games.fugitive.agents import planners
from manhunt.games.fugitive.agents.search_fugitive import SearchFugitive, TurnOption, gap_of
from manhunt.games.fugitive.agents.supposed_marshal import SupposedHunter
from manhunt.games.fugitive.beliefs.models import SensiblePlay
from manhunt.games.fugitive.champion.features import N_FEATURES, Trail, hand_features
from manhunt.games.fugitive.champion.foresight import ForeseenMarshal
from manhunt.games.fugitive.champion.hands import likely_hand
from manhunt.games.fugitive.champion.feature_kernels import N_BELIEF
from manhunt.games.fugitive.rules.card_bits import bits_of
from manhunt.games.fugitive.rules.views import FugitiveView

MODEL = SensiblePlay()


class ChampionFugitive(SearchFugitive):
    def __init__(self, net, hands: int = 8, bluffs: int = 3, noise: float = 0.0, tempo: float = 0.0) -> None:
        super().__init__(bluffs)
        self.net, self.n_hands, self.noise, self.tempo = net, hands, noise, tempo

    def choose(self, view: FugitiveView, options: Sequence[TurnOption], rng: Random) -> TurnOption:
        values = self.foresee(view, options, rng)
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

    def foresee(self, view: FugitiveView, options: Sequence[TurnOption], rng: Random) -> Floats:
        config = view.config
        hands = [likely_hand(view, rng) for _ in range(self.n_hands)]
        marshals = [ForeseenMarshal(view, hand, MODEL, rng) for hand in hands]
        tables = defaultdict(list)
        values = np.zeros(len(options))
        for i, option in enumerate(options):
            if option.newest == config.last:
                hunters = [SupposedHunter(hand, MODEL) for hand in hands]
                values[i] = self.survival(view, option, hunters)
            else:
                tables[tuple(spot.n_sprints for spot in option.public.row)].append(i)
        n_left = sum(view.pile_sizes)
        for lines in tables.values():
            public = options[lines[0]].public
            trails = [Trail(bits_of(options[i].hidden), options[i].newest, options[i].rest) for i in lines]
            plain = np.array([hand_features(config, t, public.way_is_clear, view.round, n_left) for t in trails])
            opens = None
            if not public.way_is_clear:
                opens = np.array([hand_features(config, t, True, view.round, n_left) for t in trails])
            high = bits_of(range(config.manhunt_below, config.last))
            total = np.zeros(len(lines))
            x = np.zeros((len(lines), N_FEATURES), np.float32)
            for marshal in marshals:
                seen = marshal.after(public, len(trails[0].rest))
                if seen is None:
                    total += 0.5
                    continue
                caught = np.zeros(len(lines), bool)
                for j, trail in enumerate(trails):
                    left = seen.describe(trail.hidden, x[j])
                    caught[j] = left == 0
                    opened = opens is not None and seen.hits(trail.hidden) and seen.guess & high
                    x[j, N_BELIEF:] = opens[j] if opened else plain[j]
                total += np.where(caught, 0.0, self.net(x))
            values[lines] = total / len(marshals)
        return np.clip(values, 1e-4, 1 - 1e-4)
