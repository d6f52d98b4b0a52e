"""Microseconds for one update of the candidates of Scotland Yard on London: in the kernel, and event by event.

    python benchmarks/scotland_yard_candidates.py [--games 40] [--json]

The kernel's update is a step with a ticket around five detectives, the dropping of their nodes, and of the nodes on
which Mr X would be stranded, over the candidate sets met in random games.
"""

import argparse
import json
import time
from random import Random

import numpy as np

from manhunt.beliefs.support import PackedSupport, Support
from manhunt.games.jit import kernel
from manhunt.games.registry import make_game
from manhunt.games.scotland_yard import kernels, rules
from manhunt.games.scotland_yard.config import make_config
from manhunt.games.scotland_yard.packed import pack_nodes, reach
from manhunt.games.scotland_yard.views import events, view
from manhunt.ids import Seat

GAME = make_game("scotland_yard")


@kernel
def update_all(ways, sets, tickets, holdings, blocked, out):  # type: ignore[no-untyped-def]
    for i in range(len(sets)):
        kernels.spread(ways, sets[i], tickets[i], blocked[i], out)
        kernels.keep_movable(ways, out, holdings[i], blocked[i])


def histories(n_games: int) -> list[list[tuple]]:
    """Random games as lists of (state before, events for the detectives, state after)."""
    config, rng, games = make_config(), Random(1), []
    for _ in range(n_games):
        state, plies = GAME.new(config, rng), []
        while legal := rules.legal_actions(state):
            action = rng.choice(legal)
            after = rules.apply_action(state, action)
            told = [event.seen_by(Seat.PURSUERS) for event in events(state, action, after)]
            plies.append((state, told, after))
            state = after
        games.append(plies)
    return games


def in_kernel(games: list[list[tuple]], n_runs: int = 50) -> tuple[float, float]:
    """Microseconds for an update, and how many candidates there were on average."""
    board, rows = make_config().board, []
    for plies in games:
        belief = Support()
        belief.start(view(plies[0][0], Seat.PURSUERS))
        for before, told, after in plies:
            known = belief.candidates
            belief.observe(told)
            if len(after.log) > len(before.log):
                held = sum(1 << t for t in range(4) if after.tickets[0][t])
                rows.append((known, int(after.log[-1].ticket), held, after.pursuers))
    sets = np.array([pack_nodes(board, known) for known, *_ in rows])
    blocked = np.array([pack_nodes(board, places) for *_, places in rows])
    tickets, holdings = (np.array([row[k] for row in rows]) for k in (1, 2))
    arguments = (reach(board), sets, tickets, holdings, blocked, np.zeros_like(sets[0]))
    update_all(*arguments)
    began = time.process_time()
    for _ in range(n_runs):
        update_all(*arguments)
    return (time.process_time() - began) / n_runs / len(rows) * 1e6, sum(len(r[0]) for r in rows) / len(rows)


def by_event(kind: type[Support], games: list[list[tuple]]) -> float:
    """Microseconds for an event, Python around it included."""
    n_events, seconds = 0, 0.0
    for plies in games:
        belief = kind()
        belief.start(view(plies[0][0], Seat.PURSUERS))
        began = time.process_time()
        for _, told, _ in plies:
            belief.observe(told)
            n_events += len(told)
        seconds += time.process_time() - began
    return seconds / n_events * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    games = histories(options.games)
    for kind in (Support, PackedSupport):
        by_event(kind, games[:1])
    update, size = in_kernel(games)
    found = {
        "update in the kernel": update,
        "event, compiled sets": by_event(PackedSupport, games),
        "event, plain Python": by_event(Support, games),
    }
    if options.json:
        print(json.dumps({"microseconds": found, "mean_candidates": size}))
        return
    for name, microseconds in found.items():
        print(f"{name:24} {microseconds:9.2f} us")
    print(f"{'candidates on average':24} {size:9.1f}")


if __name__ == "__main__":
    main()
