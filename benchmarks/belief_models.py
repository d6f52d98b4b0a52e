"""Fit the soft model of Mr X on some opponents and score all models on others.

    python benchmarks/belief_models.py --games 40 --seed 1 [--write] [--keep FOLDER]

Plays the games and prints one table for each kind of Mr X. First the shipped recipe: fitted on four kinds, scored on
two others that it never saw and on other games of the four. Then with one kind left out of the fit, scored on that
kind.
`--write` makes the first fit the shipped model. Games of one seed are the same on every machine.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random
from typing import Any

import measure  # noqa: F401  (finds the helpers of the tests)
import numpy as np

from manhunt.agents.registry import make_agent
from manhunt.beliefs.score import Mean, gain_over
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.ids import Seat
from manhunt.core.kernel_random import new_rng
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.beliefs import models
from manhunt.games.scotland_yard.beliefs.fit import Fit, History, decisions_of, fit_soft
from manhunt.games.scotland_yard.beliefs.models import CategoryModel, Model, UniformModel
from manhunt.games.scotland_yard.beliefs.public import PublicState
from manhunt.games.scotland_yard.beliefs.score import score_model
from manhunt.games.scotland_yard.rules.actions import Double
from manhunt.games.scotland_yard.rules.packed import OUTCOMES, pack, pack_table
from manhunt.games.scotland_yard.rules.playouts import new_scratch
from manhunt.games.scotland_yard.rules.rules import apply_action
from manhunt.play.record import replay
from manhunt.play.referee import play_game
from scotland_yard_policy import greedy_policy, playouts

KINDS = {
    "random": ("random",),
    "runs": ("greedy:temperature=0.5", "greedy:temperature=1.5"),
    "hides": ("greedy:style=hide", "greedy:style=hide,temperature=1"),
    "monte-carlo": ("monte-carlo",),
}
HELD_OUT = ("scotfish", "scotfish-lookahead")
DETECTIVES = ("greedy", "greedy:model=uniform")
N_PLAYOUTS = 24


class MonteCarloMrX(Agent):
    """Tries each move in some quick games against detectives who chase him, and takes the one that survives most.

    It has no taste in distances, only in surviving.
    """

    games = ("scotland_yard",)
    seats = (Seat.EVADER,)

    def start(self, view: Any) -> None:
        self.table, self.scratch = pack_table(view.config), new_scratch(view.config)
        self.policy = greedy_policy(view.config, mrx_draws=3, detective_draws=3)

    def act(self, view: Any, limit: Limit, rng: Random) -> Advice:
        state, bits = PublicState(view).state(view.quarry), new_rng(rng.getrandbits(32))
        wins = [self.n_wins(pack(apply_action(state, action)), bits) for action in view.legal]
        worth = [n - N_PLAYOUTS / 4 * isinstance(a, Double) for n, a in zip(wins, view.legal, strict=True)]
        return Advice(rng.choice([a for a, w in zip(view.legal, worth, strict=True) if w == max(worth)]))

    def n_wins(self, packed: Any, bits: Any) -> int:
        counts = np.zeros(len(OUTCOMES), np.int64)
        playouts(self.table, packed, N_PLAYOUTS, bits, self.policy, self.scratch, counts)
        return sum(int(n) for n, end in zip(counts, OUTCOMES, strict=True) if end is not None and end.value > 0)


def play(specs: tuple[str, ...], n_games: int, seed: int, keep: Path | None) -> list[History]:
    """`n_games` for each Mr X against each detectives' agent."""
    game = make_game("scotland_yard")
    config = game.make_config("standard")
    played = []
    for mrx in specs:
        for hunt in DETECTIVES:
            for number in range(n_games):
                evader = MonteCarloMrX() if mrx == "monte-carlo" else make_agent(mrx, "scotland_yard")
                agents = {Seat.EVADER: evader, Seat.PURSUERS: make_agent(hunt, "scotland_yard")}
                record = play_game(game, config, agents, seed=seed * 100_000 + number)
                if keep is not None:
                    name = f"{mrx}-{hunt}-{seed}-{number}".translate(str.maketrans(":=,", "___"))
                    record.save(keep / f"{name}.txt")
                again = replay(record)
                played.append((again.states, again.actions))
    return played


def fit(kinds: list[str], games: dict[str, list[History]], command: str) -> Fit:
    used = [game for kind in kinds for game in games[kind]]
    decisions = decisions_of(used)
    specs = [spec for kind in kinds for spec in KINDS[kind]]
    provenance = {"command": command, "mrx": specs, "detectives": DETECTIVES, "games": len(used)}
    fitted = fit_soft(decisions, provenance={**provenance, "decisions": decisions.n})
    losses = f"log-loss of a move {fitted.loss:.3f}, of all moves alike {fitted.uniform_loss:.3f}"
    print(f"\nfitted on {', '.join(kinds)}: {len(used)} games, {decisions.n} decisions, {losses}")
    return fitted


def text(mean: Mean, digits: int) -> str:
    return f"{mean.value:.{digits}f} ± {mean.high - mean.value:.{digits}f}"


def print_rows(kind: str, fitted: Fit, games: list[History]) -> None:
    models: list[Model] = [UniformModel(), CategoryModel(), fitted.model]
    scores = [score_model(model, games) for model in models]
    for score in scores:
        gain = "" if score is scores[-1] else text(gain_over(scores[-1], score), 3)
        cells = (text(score.log_loss, 3), text(score.brier, 3), text(score.rank, 1), text(score.top, 3), gain)
        print(f"| {kind} ({score.n_positions}) | {score.model} | {' | '.join(cells)} |", flush=True)


HEAD = """| Mr X (positions) | model | log-loss | Brier | rank of the truth | likeliest is true | soft saves |
|---|---|---|---|---|---|---|"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--games",
        type=int,
        default=40,
        help="per pair of opponents; four times as many to score monte-carlo, where models differ least",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="ship the fitted model")
    parser.add_argument("--keep", type=Path, help="save the records in this folder")
    options = parser.parse_args()
    command = f"python benchmarks/belief_models.py --games {options.games} --seed {options.seed} --write"
    for part in ("fit", "score"):
        if options.keep is not None:
            (options.keep / part).mkdir(parents=True, exist_ok=True)
    kept = {part: options.keep and options.keep / part for part in ("fit", "score")}
    fitting = {kind: play(specs, options.games, options.seed, kept["fit"]) for kind, specs in KINDS.items()}
    everybody = {**{spec: (spec,) for spec in HELD_OUT}, **KINDS}
    scoring = {
        kind: play(specs, options.games * (4 if kind == "monte-carlo" else 1), options.seed + 1, kept["score"])
        for kind, specs in everybody.items()
    }
    fitted = fit(list(KINDS), fitting, command)
    if options.write:
        path = Path(models.__file__).parent / "data" / "soft.json"
        path.write_text(fitted.model.format(), encoding="utf-8")
    print(HEAD)
    for kind, games in scoring.items():
        print_rows(kind + (", never fitted on" if kind in HELD_OUT else ""), fitted, games)
    for left_out in KINDS:
        partial = fit([kind for kind in KINDS if kind != left_out], fitting, command)
        print(HEAD)
        print_rows(f"{left_out}, left out", partial, scoring[left_out])


if __name__ == "__main__":
    main()
