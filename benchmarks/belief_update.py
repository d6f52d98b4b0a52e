"""Microseconds for one move of Mr X in the belief on London: compiled and plain, by model; and the memory.

python benchmarks/belief_update.py [--games 20]
"""

from __future__ import annotations

import argparse
import tracemalloc
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

import measure  # noqa: F401  (finds the helpers of the tests)

from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.beliefs.models import MODELS, make_model
from manhunt.games.scotland_yard.beliefs.weighted import PosteriorBelief, WeightedBelief
from manhunt.games.scotland_yard.rules.rules import apply_action, legal_actions
from manhunt.games.scotland_yard.rules.views import events, opening_events, view
from scotland_yard_plain_belief import PlainWeightedBelief


def stories(n_games: int) -> list[tuple[Any, list[dict[str, Any]]]]:
    """Random games as the detectives hear them: the first view and all events."""
    game = make_game("scotland_yard")
    config, found = game.make_config(), []
    for seed in range(n_games):
        rng = Random(seed)
        first = state = game.new(config, rng)
        told = list(opening_events(state))
        while options := legal_actions(state):
            action = rng.choice(options)
            after = apply_action(state, action)
            told += events(state, action, after)
            state = after
        found.append((view(first, Seat.PURSUERS), [event.seen_by(Seat.PURSUERS) for event in told]))
    return found


N_REPEATS = 20


class Timed:
    """Times the filter's step.

    The compiled step is repeated on the same belief and the least time counts: other work on the machine only adds.
    """

    def __init__(self, belief: PosteriorBelief) -> None:
        self.belief = belief
        self.steps: list[float] = []
        step, n_repeats = belief._step, N_REPEATS if isinstance(belief, WeightedBelief) else 1

        def timed(seen: Any) -> float:
            before, times = dict(belief.probabilities), []
            for _ in range(n_repeats):
                belief._set(before)
                began = perf_counter()
                found = step(seen)
                times.append(perf_counter() - began)
            self.steps.append(min(times))
            return found

        belief._step = timed  # type: ignore[method-assign]

    def follow(self, first: Any, told: list[dict[str, Any]]) -> None:
        self.belief.start(first)
        self.belief.observe(told)


def seconds_per_event(belief: PosteriorBelief, games: list[tuple[Any, list[dict[str, Any]]]]) -> float:
    """All events, most of which are detectives' moves."""
    each = []
    for first, told in games:
        belief.start(first)
        began = perf_counter()
        belief.observe(told)
        each.append((perf_counter() - began) / len(told))
    return median(each)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20)
    options = parser.parse_args()
    games = stories(options.games)
    print(f"{len(games)} random games on London; median us for one move of Mr X (the model's factors and Bayes)")
    print(f"{'model':<10}{'compiled':>10}{'plain':>10}{'ratio':>8}{'us/event':>10}")
    for name in MODELS:
        model = make_model(name)
        WeightedBelief(model).start(games[0][0])
        fast, plain = Timed(WeightedBelief(model)), Timed(PlainWeightedBelief(model))
        Timed(WeightedBelief(model)).follow(*games[0])  # compiles
        for first, told in games:
            fast.follow(first, told)
        for first, told in games[: max(1, len(games) // 10)]:
            plain.follow(first, told)
        us, slow = median(fast.steps) * 1e6, median(plain.steps) * 1e6
        event = seconds_per_event(WeightedBelief(model), games) * 1e6
        print(f"{name:<10}{us:>10.1f}{slow:>10.0f}{slow / us:>8.0f}{event:>10.1f}")
    tracemalloc.start()
    belief = WeightedBelief("soft")
    for first, told in games:
        belief.start(first)
        belief.observe(told)
    print(f"peak memory of one belief while following the games: {tracemalloc.get_traced_memory()[1] / 1024:.0f} KiB")


if __name__ == "__main__":
    main()
