"""Steps per second of vector environments, beside PettingZoo's and OpenSpiel's random play.

    python benchmarks/vector_environments.py [--envs 1024] [--seconds 2] [--json]

One core; seconds of processor time, the best of three runs. A step is one action of one game; beginning a new game is
not counted as one, but the time it takes is. All actions are uniformly random among the legal. For our environment
everything is timed that a caller does: `sample_actions` (chosen by compiled code), the check that the actions are
legal, `step` with masks and, where it says so, observations, new deals, and the sums over the results. `copy` hands
out arrays that are the caller's to keep. With one seat, the moves that the other side makes inside the call are not
counted.

The peers are driven from Python, one game at a time, as their documents show: PettingZoo by its agent loop, with the
mask that comes with every observation; OpenSpiel's games, which are written in C++, by `legal_actions` (or its mask and
the tensor of the player to act) and `apply_action`. Our plain rules with the readable encoder stand for a loop of the
same kind over the same game. Peak memory is that of the whole process after each row, so it never falls.
"""

import argparse
import json
import random
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
from measure import print_machine

from manhunt.adapters.vector import GameVectorEnv
from manhunt.core.ids import Seat
from manhunt.core.registry import kit_of
from manhunt.solvers.memory import peak_rss_mb

Run = Callable[[], int]
"""Plays a while and returns how many steps it made."""


def best_rate(run: Run, seconds: float, n_runs: int = 3) -> float:
    run()
    best = 0.0
    for _ in range(n_runs):
        began, n_steps = time.process_time(), 0
        while time.process_time() - began < seconds / n_runs:
            n_steps += run()
        best = max(best, n_steps / (time.process_time() - began))
    return best


def vector_run(n_envs: int, **options: Any) -> Run:
    env = GameVectorEnv("scotland_yard", n_envs, **options)
    env.reset(seed=1)
    running = np.ones(n_envs, np.bool_)

    def run() -> int:
        nonlocal running
        n_steps = 0
        for _ in range(50):
            _, rewards, over, _, _ = env.step(env.sample_actions())
            n_steps += int(running.sum())
            running = ~over
            assert abs(rewards.sum()) <= over.sum()
        return n_steps

    return run


def rules_run() -> Run:
    kit = kit_of("scotland_yard")
    game, config, rng = kit.game, kit.game.make_config(), random.Random(1)
    encoder = kit.encoder(config)

    def run() -> int:
        state, n_steps = game.new(config, rng), 0
        while (seat := game.to_act(state)) is not None:
            view = game.view(state, seat)
            mask, _ = encoder.mask(view), encoder.observe(view)
            number = int(rng.choice(np.flatnonzero(mask).tolist()))
            state, n_steps = game.apply_action(state, encoder.action_of(number, view)), n_steps + 1
        assert game.view(state, Seat.SPECTATOR).outcome is not None
        return n_steps

    return run


def pettingzoo_run(name: str) -> Run:
    try:
        import pygame  # noqa: F401
    except ImportError:
        sys.modules["pygame"] = ModuleType("pygame")  # they import it to draw with, and nothing is drawn here
    env = import_module(f"pettingzoo.classic.{name}").env()
    rng = random.Random(1)

    def run() -> int:
        env.reset(seed=rng.randrange(2**31))
        n_steps = 0
        for _ in env.agent_iter():
            observation, _, over, truncated, _ = env.last()
            if over or truncated:
                env.step(None)
                continue
            env.step(rng.choice(observation["action_mask"].nonzero()[0].tolist()))
            n_steps += 1
        return n_steps

    return run


def openspiel_run(name: str, *, tensors: bool) -> Run:
    import pyspiel

    game, rng = pyspiel.load_game(name), random.Random(1)

    def run() -> int:
        state, n_steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, weights)[0])
                continue
            if tensors:
                state.legal_actions_mask()
                state.observation_tensor(state.current_player())
            state.apply_action(rng.choice(state.legal_actions()))
            n_steps += 1
        return n_steps

    return run


def rows(n_envs: int) -> Iterator[tuple[str, Callable[[], Run]]]:
    with_masks = f"Scotland Yard on London, {n_envs} games, masks"
    yield with_masks, lambda: vector_run(n_envs, observations=False, copy=False)
    yield f"{with_masks}, copied", lambda: vector_run(n_envs, observations=False)
    yield f"{with_masks}, observations", lambda: vector_run(n_envs, copy=False)
    yield f"{with_masks}, observations, copied", lambda: vector_run(n_envs)
    yield f"{with_masks}, observations, belief", lambda: vector_run(n_envs, belief=True, copy=False)
    for seat in ("evader", "pursuers"):
        name = f"{with_masks}, observations, {seat} against random"
        yield name, lambda seat=seat: vector_run(n_envs, seat=seat, copy=False)
    yield "Scotland Yard on London, plain rules, masks, observations", rules_run
    for name in ("tictactoe_v3", "connect_four_v3"):
        yield f"PettingZoo {name}, masks, observations", lambda name=name: pettingzoo_run(name)
    for name in ("phantom_ttt", "dark_hex", "connect_four", "dark_chess"):
        make = lambda name=name, tensors=False: openspiel_run(name, tensors=tensors)  # noqa: E731
        yield f"OpenSpiel {name}, legal actions alone", make
        yield f"OpenSpiel {name}, masks, observations", lambda make=make: make(tensors=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--envs", type=int, default=1024)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # of the peers
    if not options.json:
        print_machine()
        print("| what | steps a second | of the first row | peak memory |\n|---|---|---|---|")
    found: list[dict[str, Any]] = []
    for name, make in rows(options.envs):
        rate = best_rate(make(), options.seconds)
        found.append({"what": name, "rate": rate, "peak_mb": peak_rss_mb()})
        if not options.json:
            share = rate / found[0]["rate"]
            print(f"| {name} | {rate:,.0f} | {share:.3g} | {found[-1]['peak_mb']:,.0f} MB |", flush=True)
    if options.json:
        print(json.dumps(found))


if __name__ == "__main__":
    main()
