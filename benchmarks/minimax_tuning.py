"""Tune the weights of minimax by paired games, one weight at a time.

Every try plays the same seeds against the same opponents as the best setting so far. A try is taken over when its
mean gain is more than --accept standard errors of the paired differences above 0. Prints one line a try, and at the
end the setting as an agent's spec. A game counts 1 for a win plus up to 1/4 for winning early or losing late.

    python benchmarks/minimax_tuning.py --side pursuers --opponents greedy:style=hide scotfish-lookahead --games 40
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from manhunt.agents.registry import make_agent
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.agents.minimax_search.config import RANGES, MinimaxSettings, Weights
from manhunt.games.scotland_yard.agents.minimax_search.hideouts import Tastes
from manhunt.play.referee import Referee

WEIGHTS_OF = {
    Seat.PURSUERS: (*Weights._fields, "adversity", "discount", "hypotheses"),
    Seat.EVADER: (*Tastes._fields, "reach", "caution", "adversity"),
}
FACTORS = (0.5, 2.0)


def play(pair: tuple[str, str], seed: int, side: Seat) -> float:
    """One game of `pair` (Mr X, detectives) and what it counts for the side."""
    game = make_game("scotland_yard")
    agents = dict(zip((Seat.EVADER, Seat.PURSUERS), map(make_agent, pair), strict=True))
    referee = Referee(game, game.make_config("standard"), agents, seed=seed)
    outcome = referee.run()
    length = referee.state.round / referee.config.n_rounds
    worth = 1.0 + 0.25 * (1.0 - length) if outcome.winner is Seat.PURSUERS.side else 0.25 * (1.0 - length)
    return worth if side is Seat.PURSUERS else 1.25 - worth


def spec_of(settings: dict[str, float], common: str) -> str:
    return "minimax:" + ",".join([*filter(None, [common]), *(f"{name}={value:g}" for name, value in settings.items())])


def measure(
    spec: str, side: Seat, opponents: Sequence[str], n_games: int, first: int, pool: ProcessPoolExecutor
) -> list[float]:
    pairs = [(spec, other) if side is Seat.EVADER else (other, spec) for other in opponents]
    seeds = range(first, first + n_games)
    jobs = [pool.submit(partial(play, pair, seed, side)) for pair in pairs for seed in seeds]
    return [job.result() for job in jobs]


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / max(len(values) - 1, 1)
    return mean, math.sqrt(variance / len(values))


def tries_of(name: str, value: float) -> list[float]:
    least, most = RANGES.get(name, (0.0, 100.0))
    wanted = {min(max(value * factor, least), most) for factor in FACTORS} | ({0.0} if least == 0.0 else set())
    return sorted(round(v) if name == "hypotheses" else v for v in wanted if v != value)


def tune(args: argparse.Namespace) -> str:
    side, settings = Seat(args.side), {}
    if args.start:
        settings = {key: float(value) for key, value in (item.split("=") for item in args.start.split(","))}
    names = args.names or WEIGHTS_OF[side]
    with ProcessPoolExecutor(args.workers) as pool:
        best = measure(spec_of(settings, args.common), side, args.opponents, args.games, args.seed, pool)
        print(f"start {spec_of(settings, args.common)}: {mean_and_error(best)[0]:.3f}", flush=True)
        for name in names:
            for value in tries_of(name, settings.get(name, getattr(MinimaxSettings(), name))):
                spec = spec_of({**settings, name: value}, args.common)
                found = measure(spec, side, args.opponents, args.games, args.seed, pool)
                gain, error = mean_and_error([a - b for a, b in zip(found, best, strict=True)])
                taken = gain > args.accept * error and gain > 0
                mark = "taken" if taken else ""
                print(
                    f"{name}={value:g}: {mean_and_error(found)[0]:.3f} ({gain:+.3f} ± {error:.3f}) {mark}", flush=True
                )
                if taken:
                    settings, best = {**settings, name: value}, found
    return spec_of(settings, args.common)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--side", choices=["pursuers", "evader"], default="pursuers")
    parser.add_argument("--opponents", nargs="+", default=["greedy:style=hide", "scotfish-lookahead"])
    parser.add_argument("--games", type=int, default=40, help="games against each opponent")
    parser.add_argument("--names", nargs="*", help="weights to try, in this order; all if left out")
    parser.add_argument("--common", default="horizon=1", help="options that stay, as horizon=1")
    parser.add_argument("--start", default="", help="settings to begin with, as near=2,clump=0")
    parser.add_argument("--accept", type=float, default=1.0, help="standard errors that a gain must exceed")
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    print(tune(parser.parse_args()))


if __name__ == "__main__":
    main()
