"""Training of the champion's nets by self-play: generations of games, TD(lambda) targets, replay, checkpoints.

A generation plays games with the nets as they are, then fits them to the games of the last generations. Everything is
drawn from (seed, generation, number of the game), so a run that was killed and resumed ends with the same nets as one
that was not. A folder holds `state.npz` (nets and optimiser after the last whole generation) and one file with the
games of each generation that is still replayed.

Most trainings have two stages. The first trains both nets on who wins, against detectives without Mr X's net, then also
against some that plan with it. The second, `informed`, trains the net alone that Mr X chooses by, half of it against
detectives whose belief assumes that net; there he nearly always loses, so a loss counts half the share of rounds that
he lasted.

A training that *responds* begins with given nets and trains one side's net against the other side of the agent
`champion`, which holds the given nets and does not learn: how well can a player do who has nothing else to think of?
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from manhunt.core.arrays import Float32s
from manhunt.core.errors import ManhuntError
from manhunt.games.scotland_yard.champion.nets import (
    ChampionNets,
    copy_of,
    net_copy,
    nets_from_arrays,
    nets_to_arrays,
    new_nets,
    save_nets,
)
from manhunt.games.scotland_yard.champion.selfplay import POOL, Choice, GameRows, SelfPlay, Strategist, Team
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig, config_to_json
from manhunt.search.training_folder import TrainingFolder, load_arrays, save_arrays
from manhunt.search.value_net import Adam, ValueNet, fit_batch

PLAN_FORMAT = "manhunt champion training 1"
STATE, NETS = "state.npz", "nets.npz"
BATCH = 1024
MOST_ROWS = 250_000
"""Positions kept for replay, at most."""
LAMBDA = 0.9
ROWS_PER_STEP, LEAST_STEPS, MOST_STEPS = 60, 100, 400
LAST_PART = 0.7
"""From this share of a stage on, the learning rate is lower."""
RATES = ((1e-3, 3e-4), (2e-4, 1e-4))
"""Learning rates of each stage, at first and in its last part."""
NETS_IN_POOL = 0.4
"""From this share of the first stage on, some detectives plan with the net."""
EARLY_GAMES = 3000
DECAYS = (1e-5, 0.0)
CHOICE = ChampionNets._fields.index("choice")
STEPS = {"mrx": 60, "detectives": 400}
"""Steps of the search of `champion` while this side learns to beat it (and its own, where it searches)."""
SHAPED = 0.5


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """What fixes the result: the seed, the games of both stages, and how many games make a generation."""

    seed: int = 1
    games: int = 24_000
    informed_games: int = 0
    generation_games: int = 400
    responds: str = ""
    """"mrx" or "detectives": the side that learns to beat the other side of `champion`."""
    begins_with: str = ""
    """The hash of the nets that the training begins with, if not with random ones."""

    @property
    def generations(self) -> int:
        return sum(self.stages)

    @property
    def stages(self) -> tuple[int, int]:
        """Generations of each stage."""
        size = self.generation_games
        return -(-self.games // size), -(-self.informed_games // size)

    def place_of(self, generation: int) -> tuple[bool, float]:
        """Whether lost games count by how long Mr X lasted, and how far the stage of a generation is."""
        first, second = self.stages
        if generation < first:
            return self.responds == "mrx", generation / first
        return True, (generation - first) / max(second, 1)


class Replay(NamedTuple):
    """Positions after Mr X's move and before it, with what they turned out to be worth."""

    after: Float32s
    before: Float32s
    after_targets: Float32s
    before_targets: Float32s


@dataclass(frozen=True, slots=True)
class GenerationReport:
    """How far the training is; `wins` has Mr X's wins and games of the last generation by kind of detectives."""

    generation: int
    games: int
    seconds: float
    losses: tuple[float, ...]
    wins: dict[str, tuple[int, int]]


class Trainer:
    """A training run in a folder, new or resumed."""

    def __init__(
        self, config: ScotlandYardConfig, plan: TrainingPlan, folder: Path, begin: ChampionNets | None = None
    ) -> None:
        self.config, self.plan, self.folder = config, plan, folder
        self.generation = self.games = 0
        self.seconds = 0.0
        self.frozen, self._files = begin, TrainingFolder(folder)
        self.nets = copy_of(begin) if begin else new_nets(plan.seed)
        self.optimisers = [Adam(net) for net in self.nets]
        self._kept: list[Replay] = []
        self._open()

    @property
    def is_done(self) -> bool:
        return self.generation >= self.plan.generations

    def run(self, tell: Callable[[GenerationReport], None], limit_seconds: float = math.inf) -> None:
        """Generations until the plan is done or the time is used up; one that has begun is finished."""
        began, before = time.monotonic(), self.seconds
        player, opponents = SelfPlay(self.config), self._opponents()
        while not self.is_done and time.monotonic() - began < limit_seconds:
            wins = self._play(player, opponents)
            losses = self._fit()
            self.generation += 1
            self.seconds = before + time.monotonic() - began
            report = GenerationReport(self.generation, self.games, self.seconds, losses, wins)
            self._save(report)
            tell(report)

    def _opponents(self) -> dict[str, Strategist]:
        """The sides that `champion` plays, if the training responds to it."""
        if self.frozen is None or not self.plan.responds:
            return {}
        levels = {"mrx": (1,), "detectives": (2,) if self.plan.responds == "mrx" else (1, 3)}
        sides = ("detectives",) if self.plan.responds == "mrx" else ("mrx", "detectives")
        return {side: Strategist(self.config, self.frozen, levels[side], STEPS[self.plan.responds]) for side in sides}

    def _play(self, player: SelfPlay, opponents: dict[str, Strategist]) -> dict[str, tuple[int, int]]:
        is_informed, _ = self.plan.place_of(self.generation)
        pool, choice = self._pool(), self._choice()
        games, wins = list[GameRows](), dict[str, tuple[int, int]]()
        for seed in np.random.SeedSequence((self.plan.seed, self.generation)).generate_state(self._n_games()).tolist():
            team = pool[seed % len(pool)]
            games.append(player.play(self.nets.choice, team, choice, seed, **opponents))
            name = "champion" if opponents else team.name
            won, n = wins.get(name, (0, 0))
            wins[name] = won + games[-1].has_won, n + 1
        self.games += len(games)
        if self.generation == self.plan.stages[0]:
            self._kept.clear()  # targets of the two stages do not mix
        self._kept.append(targets_of(games, self.config.n_rounds if is_informed else None))
        while sum(len(part.after) for part in self._kept) > MOST_ROWS:
            del self._kept[0]
        return dict(sorted(wins.items()))

    def _n_games(self) -> int:
        first, size = self.plan.stages[0], self.plan.generation_games
        if self.generation < first:
            return min(size, self.plan.games - self.generation * size)
        return min(size, self.plan.informed_games - (self.generation - first) * size)

    def _choice(self) -> Choice:
        """Much exploration at first, little later."""
        is_early = self.games < EARLY_GAMES and self.frozen is None
        return Choice(0.05, 0.03) if is_early else Choice(0.02, 0.01)

    def _pool(self) -> Sequence[Team]:
        is_informed, progress = self.plan.place_of(self.generation)
        if self.plan.responds:
            return (Team("net", self.nets if self.plan.responds == "detectives" else None),)
        team = Team("net", self.nets)
        if is_informed:
            return (*POOL, team, *[Team("net", self.nets, informed=True)] * (len(POOL) + 1))
        return (*POOL, team, team) if progress >= NETS_IN_POOL else POOL

    def _fit(self) -> tuple[float, ...]:
        """Steps on batches of what is kept; returns the mean loss of each net (0: it was not fitted)."""
        is_informed, progress = self.plan.place_of(self.generation)
        rng = np.random.default_rng((self.plan.seed, self.generation, 1))
        steps = max(LEAST_STEPS, min(MOST_STEPS, len(self._kept[-1].after) // ROWS_PER_STEP))
        replay = Replay(*(np.concatenate(parts) for parts in zip(*self._kept, strict=True)))
        pairs = ((replay.after, replay.after_targets), (replay.before, replay.before_targets))
        losses = [0.0] * len(self.nets)
        for i in self._learners():
            rows, targets = pairs[i % 2]
            self.optimisers[i].rate = RATES[self.frozen is not None or is_informed][progress >= LAST_PART]
            for _ in range(steps):
                chosen = rng.integers(0, len(rows), BATCH)
                losses[i] += fit_batch(self.nets[i], self.optimisers[i], rows[chosen], targets[chosen], DECAYS) / steps
        if self._learners() == (0, 1):
            self.nets = self.nets._replace(choice=net_copy(self.nets.after_mrx))
        return tuple(losses)

    def _learners(self) -> tuple[int, ...]:
        """The numbers of the nets that are fitted."""
        is_informed, _ = self.plan.place_of(self.generation)
        return (1,) if self.plan.responds == "detectives" else (CHOICE,) if is_informed else (0, 1)

    def _save(self, report: GenerationReport) -> None:
        """The games first: a state without its games could not be resumed."""
        save_arrays(self._files.games_file(self.generation - 1), self._kept[-1]._asdict())
        arrays = nets_to_arrays(self.nets)
        for i, adam in enumerate(self.optimisers):
            for name, moments in (("first", adam.first), ("second", adam.second)):
                arrays |= {f"adam{i}.{name}.{key}": array for key, array in moments._asdict().items()}
            arrays[f"adam{i}.steps"] = np.array(adam.n_steps)
        arrays["progress"] = np.array([self.generation, self.games, self.seconds])
        save_arrays(self.folder / STATE, arrays)
        save_nets(self.nets, self.folder / NETS, self.card(report))
        first = self.generation - len(self._kept)
        for file in self.folder.glob("games-*.npz"):
            if file < self._files.games_file(first):
                file.unlink()

    def card(self, report: GenerationReport) -> dict[str, Any]:
        """What the nets were made of."""
        return {
            "plan": asdict(self.plan),
            "preset": self.config.preset,
            "board": self.config.board.name,
            "detectives": self.config.n_detectives,
            "generations": report.generation,
            "games": report.games,
            "seconds": round(report.seconds, 1),
            "loss": {name: round(loss, 4) for name, loss in zip(ChampionNets._fields, report.losses, strict=False)},
            "last_generation": {name: {"mrx_wins": won, "games": n} for name, (won, n) in report.wins.items()},
        }

    def _open(self) -> None:
        self._files.open({"format": PLAN_FORMAT, "plan": asdict(self.plan), "config": config_to_json(self.config)})
        if (self.folder / STATE).exists():
            self._load()
        else:
            save_nets(self.nets, self.folder / NETS, self.card(GenerationReport(0, 0, 0.0, (), {})))

    def _load(self) -> None:
        arrays = load_arrays(self.folder / STATE)
        try:
            self.nets = nets_from_arrays(arrays, str(self.folder / STATE))
            self.optimisers = [Adam(net) for net in self.nets]
            for i, adam in enumerate(self.optimisers):
                adam.first = ValueNet(*(arrays[f"adam{i}.first.{key}"] for key in ValueNet._fields))
                adam.second = ValueNet(*(arrays[f"adam{i}.second.{key}"] for key in ValueNet._fields))
                adam.n_steps = int(arrays[f"adam{i}.steps"])
            self.generation, self.games = int(arrays["progress"][0]), int(arrays["progress"][1])
            self.seconds = float(arrays["progress"][2])
        except (KeyError, IndexError, ValueError) as error:
            raise ManhuntError(f"{self.folder / STATE} does not parse: {error}") from None
        first, n_rows = self.generation, 0
        begin = self.plan.stages[0] if self.generation > self.plan.stages[0] else 0
        while first > begin and self._files.games_file(first - 1).exists():
            part = Replay(**load_arrays(self._files.games_file(first - 1)))
            n_rows += len(part.after)
            if n_rows > MOST_ROWS:
                break
            self._kept.insert(0, part)
            first -= 1


def targets_of(games: Sequence[GameRows], n_rounds: int | None) -> Replay:
    """TD(lambda): each position is worth a mixture of what the net said later and of how the game ended.

    With `n_rounds`, a lost game counts `SHAPED` times the share of rounds that Mr X lasted, else nothing.
    """
    after_targets, before_targets = list[float](), list[float]()
    for game in games:
        worth = 1.0 if game.has_won else SHAPED * game.n_logged / n_rounds if n_rounds else 0.0
        after, before = list[float](), list[float]()
        for value, is_best in zip(game.values[::-1].tolist(), game.is_best[::-1].tolist(), strict=True):
            after.append(worth)
            worth = (1 - LAMBDA) * value + LAMBDA * worth if is_best else value
            before.append(worth)
        after_targets += after[::-1]
        before_targets += before[::-1]
    return Replay(
        np.concatenate([game.after for game in games]),
        np.concatenate([game.before for game in games]),
        np.array(after_targets, np.float32),
        np.array(before_targets, np.float32),
    )
