"""Training of the Fugitive's net: generations of games against a pool of Marshals, each followed by a new fit.

A generation plays games with the net as it is; then a net is fitted from scratch to who won the games of the last
generations. Everything is drawn from (seed, generation, number of the game), so a run that was stopped and resumed ends
with the same net as one that was not. A folder holds the plan, the games of each generation, and the net after the last
whole generation. The first generation has no net: `fugitive-search` plays. In the next ones the net is not yet to be
trusted with the pace: a term for nearness to the escape helps, drawn anew for each game and smaller each time.
"""

import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from manhunt.core.arrays import Float32s
from manhunt.games.fugitive.agents.search_fugitive import SearchFugitive
from manhunt.games.fugitive.champion.features import FEATURES, N_FEATURES
from manhunt.games.fugitive.champion.selfplay import POOL, Exploration, ExploringFugitive, play
from manhunt.games.fugitive.rules.config import Config, config_to_json
from manhunt.search.training_folder import TrainingFolder, load_arrays, save_arrays
from manhunt.search.value_net import Adam, ValueNet, fit_batch, load_net, new_net, save_net, win_chances

PLAN_FORMAT = "manhunt fugitive training 1"
NET = "net.npz"
N_PARTS, PART_HIDDEN = 2, 32
"""A net is the mean of so many, each of so many hidden units; side by side they are one net."""
BATCH, EPOCHS = 256, 30
RATE, LAST_RATE = 2e-3, 1e-5
HELD_OUT = 10
"""One of so many games is kept to see when a fit is at its best."""
KEPT_GENERATIONS = 3
SOFT = 0.08
TEMPI = ((0.4, 1.6), (0.0, 0.6), (0.0, 0.25))
"""From the second generation on, from where to where the pull towards the escape goes; the last one stays."""


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """What fixes the result."""

    seed: int = 1
    games: int = 3600
    generation_games: int = 900
    marshals: tuple[str, ...] = ("exact",)
    """Names of the pool that he meets; with more than one he hedges."""

    @property
    def generations(self) -> int:
        return -(-self.games // self.generation_games)


class PlayedGames(NamedTuple):
    """Tables with their features, who won in the end, and the game that they belong to."""

    rows: Float32s
    has_won: Float32s
    game: Float32s


@dataclass(frozen=True, slots=True)
class GenerationReport:
    """How far the training is; `wins` has the Fugitive's wins and games by Marshal."""

    generation: int
    games: int
    seconds: float
    loss: float
    wins: dict[str, tuple[int, int]]


class Trainer:
    """A training run in a folder, new or resumed."""

    def __init__(self, config: Config, plan: TrainingPlan, folder: Path) -> None:
        self.config, self.plan, self.folder = config, plan, folder
        self.generation = self.games = 0
        self.seconds = 0.0
        self.net, self._files = blank_net(), TrainingFolder(folder)
        self._kept: list[PlayedGames] = []
        self._open()

    @property
    def is_done(self) -> bool:
        return self.generation >= self.plan.generations

    def run(self, tell: Callable[[GenerationReport], None], limit_seconds: float = math.inf) -> None:
        """Generations until the plan is done or the time is used up; one that has begun is finished."""
        began, before = time.monotonic(), self.seconds
        while not self.is_done and time.monotonic() - began < limit_seconds:
            wins = self._play()
            seed = (self.plan.seed, self.generation, 1)
            self.net, loss = fit(self._replay(), seed)
            self.generation += 1
            self.seconds = before + time.monotonic() - began
            report = GenerationReport(self.generation, self.games, self.seconds, loss, wins)
            self._save(report)
            tell(report)

    def _play(self) -> dict[str, tuple[int, int]]:
        n = min(self.plan.generation_games, self.plan.games - self.games)
        low, high = TEMPI[min(self.generation, len(TEMPI)) - 1]
        names = self.plan.marshals
        wins = dict.fromkeys(names, (0, 0))
        rows, has_won, numbers = list[Float32s](), list[float](), list[int]()
        for i, seed in enumerate(np.random.SeedSequence((self.plan.seed, self.generation)).generate_state(n).tolist()):
            name = names[seed % len(names)]
            tempo = low + (high - low) * (seed >> 8) % 1000 / 1000
            game = play(self.config, self._fugitive(tempo), POOL[name](), seed)
            wins[name] = wins[name][0] + game.has_won, wins[name][1] + 1
            rows.append(game.rows)
            has_won += [float(game.has_won)] * len(game.rows)
            numbers += [i] * len(game.rows)
        self.games += n
        self._kept.append(
            PlayedGames(np.concatenate(rows), np.array(has_won, np.float32), np.array(numbers, np.float32))
        )
        return wins

    def _fugitive(self, tempo: float) -> SearchFugitive:
        if not self.generation:
            return SearchFugitive()
        return ExploringFugitive(self.net, Exploration(SOFT, tempo), hedge=len(self.plan.marshals) > 1)

    def _replay(self) -> PlayedGames:
        return PlayedGames(*(np.concatenate(parts) for parts in zip(*self._kept[-KEPT_GENERATIONS:], strict=True)))

    def _save(self, report: GenerationReport) -> None:
        """The games first: a net without its games could not be resumed."""
        save_arrays(self._files.games_file(self.generation - 1), self._kept[-1]._asdict())
        save_net(self.net, self.folder / NET, FEATURES, self.card(report))

    def card(self, report: GenerationReport) -> dict[str, Any]:
        """What the net was made of."""
        return {
            "plan": asdict(self.plan),
            "generations": report.generation,
            "games": report.games,
            "seconds": round(report.seconds, 1),
            "loss": round(report.loss, 4),
            "last_generation": {name: {"fugitive_wins": won, "games": n} for name, (won, n) in report.wins.items()},
        }

    def _open(self) -> None:
        self._files.open({"format": PLAN_FORMAT, "plan": asdict(self.plan), "config": config_to_json(self.config)})
        if (self.folder / NET).exists():
            self._load()
        else:
            save_net(self.net, self.folder / NET, FEATURES, self.card(GenerationReport(0, 0, 0.0, 0.0, {})))

    def _load(self) -> None:
        self.net, card = load_net(self.folder / NET, FEATURES)
        self.generation, self.games, self.seconds = card["generations"], card["games"], card["seconds"]
        for generation in range(max(0, self.generation - KEPT_GENERATIONS), self.generation):
            self._kept.append(PlayedGames(**load_arrays(self._files.games_file(generation))))


def blank_net() -> ValueNet:
    """A net that says a half of everything."""
    net = new_net(N_FEATURES, 1, np.random.default_rng(0))
    return ValueNet(*map(np.zeros_like, net))


def fit(games: PlayedGames, seed: tuple[int, ...]) -> tuple[ValueNet, float]:
    """The mean of some nets, each at its best on games that it was not fitted to, and their mean loss on those."""
    parts = [fit_part(games, (*seed, part)) for part in range(N_PARTS)]
    nets, losses = zip(*parts, strict=True)
    joined = ValueNet(
        np.concatenate([net.w1 for net in nets], axis=1),
        np.concatenate([net.b1 for net in nets]),
        np.concatenate([net.w2 / np.float32(len(nets)) for net in nets]),
        np.asarray(sum(net.b2 for net in nets) / np.float32(len(nets)), np.float32),
    )
    return joined, float(np.mean(losses))


def fit_part(games: PlayedGames, seed: tuple[int, ...]) -> tuple[ValueNet, float]:
    rng = np.random.default_rng(seed)
    is_out = games.game.astype(np.int64) % HELD_OUT == seed[-1] % HELD_OUT
    if is_out.all() or not is_out.any():
        is_out = np.arange(len(is_out)) % HELD_OUT == 0
    rows, targets = games.rows[~is_out], games.has_won[~is_out]
    net = new_net(N_FEATURES, PART_HIDDEN, rng)
    adam, best, least = Adam(net), net, math.inf
    for epoch in range(EPOCHS):
        adam.rate = LAST_RATE + RATE * (1 + math.cos(math.pi * epoch / EPOCHS)) / 2
        order = rng.permutation(len(rows))
        for begin in range(0, len(order), BATCH):
            chosen = order[begin : begin + BATCH]
            fit_batch(net, adam, rows[chosen], targets[chosen])
        loss = log_loss(win_chances(net, games.rows[is_out]), games.has_won[is_out])
        if loss < least:
            best, least = ValueNet(*(array.copy() for array in net)), loss
    return best, least


def log_loss(chances: Float32s, targets: Float32s) -> float:
    sure = np.clip(chances, 1e-6, 1 - 1e-6)
    return float(-(targets * np.log(sure) + (1 - targets) * np.log(1 - sure)).mean())
