"""Two Fugitive opponents without chance of their own, l1 against l2, on deals that other programs can repeat.

    python benchmarks/fugitive_deterministic_pair.py [--games 10000] [--sprints 1] [--mode certain_plus_argmax]
                                                     [--guard no] [--workers 2] [--json]

Published for sprints 1, certain_plus_argmax, no guard, seeds 0 to 9,999 (no game of them has a manhunt, so that every
count must come out): 9,998 games for the Marshal, 2 for the Fugitive, 5.0121 rounds, 16,493 guesses of as many numbers
as lie face down, 8,872 of certain numbers and one other, of which 2,930 fail and lose 3,504 certain cards.
Other modes sample worlds in the manhunt, so that they agree only roughly.
"""

import argparse
import json
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random

from measure import print_machine

from manhunt.core.agent import Limit
from manhunt.core.ids import Seat, Side
from manhunt.core.registry import make_game
from manhunt.games.fugitive.agents.l1 import L1Fugitive
from manhunt.games.fugitive.agents.l2 import GUARDS, MODES, L2Marshal
from manhunt.games.fugitive.rules import rules, views
from manhunt.games.fugitive.rules.actions import Name
from manhunt.games.fugitive.rules.config import make_config
from manhunt.games.fugitive.rules.public import Phase
from reference_deals import lowest_pile_deal

PUBLISHED = {
    "marshal": 9998,
    "fugitive": 2,
    "rounds": 50121,
    "guesses of all": 16493,
    "certain and other": 8872,
    "of these failed": 2930,
    "certain cards lost": 3504,
}
BATCH = 250


def play(seed: int, sprints: int, mode: str, guard: str) -> Counter[str]:
    """One game, counted."""
    game, config = make_game("fugitive"), make_config("exactly-two")
    state = game.start(config, lowest_pile_deal(seed))
    agents = {Seat.EVADER: L1Fugitive(sprints), Seat.PURSUERS: L2Marshal(mode, guard)}
    rng, seen = Random(seed), Counter[str]()
    while (seat := rules.to_act(state)) is not None:
        view = views.view(state, seat)
        advice = agents[seat].act(view, Limit(), rng)
        if view.phase is Phase.MARSHAL_GUESS and not view.pending:
            numbers = [step.number for step in advice.line if isinstance(step, Name)]
            n_certain, n_hidden = advice.counters["certain"], advice.counters["hidden"]
            hidden = {hideout.card for hideout in state.row if not hideout.face_up}
            seen["guesses of all"] += len(numbers) == n_hidden
            if 0 < n_certain < len(numbers):
                seen["certain and other"] += 1
                if not hidden.issuperset(numbers):
                    seen["of these failed"] += 1
                    seen["certain cards lost"] += int(n_certain)
        seen["manhunts"] += view.phase is Phase.MANHUNT and state.guesses[-1].round < state.round
        state = rules.apply_action(state, advice.action)
    assert state.end is not None
    seen["marshal" if state.end.winner is Side.PURSUERS else "fugitive"] += 1
    seen["rounds"] += state.round
    seen["escapes placed"] += state.last_card == config.last
    return seen


def play_some(seeds: range, sprints: int, mode: str, guard: str) -> Counter[str]:
    total = Counter[str]()
    for seed in seeds:
        total.update(play(seed, sprints, mode, guard))
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--sprints", type=int, default=1)
    parser.add_argument("--mode", choices=MODES, default=MODES[0])
    parser.add_argument("--guard", choices=GUARDS, default="no")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    began = time.perf_counter()
    work = partial(play_some, sprints=options.sprints, mode=options.mode, guard=options.guard)
    lots = [range(i, min(i + BATCH, options.games)) for i in range(0, options.games, BATCH)]
    total = Counter[str]()
    with ProcessPoolExecutor(options.workers) as pool:
        for part in pool.map(work, lots):
            total.update(part)
    seconds = time.perf_counter() - began
    if options.json:
        print(json.dumps({**total, "games": options.games, "seconds": seconds}))
        return
    print_machine()
    exact = (options.games, options.sprints, options.mode, options.guard) == (10_000, 1, MODES[0], "no")
    for name in (*PUBLISHED, "escapes placed", "manhunts"):
        note = f"   published {PUBLISHED[name]:>7,}" if exact and name in PUBLISHED else ""
        print(f"{name:<20}{total[name]:>9,}{note}")
    print(f"{options.games:,} games, {total['rounds'] / options.games:.4f} rounds a game, {seconds:.0f} s")
    if exact:
        print("all as published" if all(total[name] == n for name, n in PUBLISHED.items()) else "NOT as published")


if __name__ == "__main__":
    main()
