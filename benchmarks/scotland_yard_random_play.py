"""Random against random at Scotland Yard: Mr X's share of wins with its interval, as a Markdown table.

    python benchmarks/scotland_yard_random_play.py [--games 100000] [--seed 1] [--json]

Both sides choose uniformly among all moves offered; the pieces are dealt as the preset says.
"""

import argparse
import json
import math
from random import Random
from typing import Any

import measure  # noqa: F401  (finds the helpers of the tests)
import numpy as np

from manhunt.core.kernel_random import new_rng
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.rules.config import PRESETS, make_config
from manhunt.games.scotland_yard.rules.packed import OUTCOMES, pack, pack_table
from manhunt.games.scotland_yard.rules.playouts import new_scratch
from scotland_yard_policy import dealt_games, uniform_policy

GAME = make_game("scotland_yard")
Z95 = 1.959963984540054


def wilson(n_won: int, n_games: int, z: float = Z95) -> tuple[float, float]:
    """The 95 % interval of a share."""
    share, more = n_won / n_games, z * z / n_games
    middle = (share + more / 2) / (1 + more)
    half = z / (1 + more) * math.sqrt(share * (1 - share) / n_games + more / (4 * n_games))
    return middle - half, middle + half


def played(preset: str, n_detectives: int, n_games: int, seed: int) -> dict[str, Any]:
    config = make_config(preset, n_detectives=n_detectives)
    board, counts = config.board, np.zeros(len(OUTCOMES), np.int64)
    starts = tuple(
        np.array([board.node(label) for label in labels], np.int32)
        for labels in (config.mrx_starts, config.detective_starts)
    )
    n_plies = dealt_games(
        pack_table(config),
        pack(GAME.new(config, Random(seed))),
        starts,
        n_games,
        new_rng(seed * 100 + n_detectives),
        uniform_policy(),
        new_scratch(config),
        counts,
    )
    ends = {o.termination.value: int(n) for o, n in zip(OUTCOMES, counts, strict=True) if o is not None}
    n_won = ends["survival"] + ends["exhausted"]
    low, high = wilson(n_won, n_games)
    row = {"preset": preset, "detectives": n_detectives, "games": n_games, "share": n_won / n_games}
    return {**row, "low": low, "high": high, "plies": n_plies / n_games, **ends}


def table(rows: list[dict[str, Any]]) -> str:
    ends = ("capture", "stranded", "survival", "exhausted")
    lines = [
        "| preset | detectives | Mr X wins | 95 % interval | caught | stranded | survived | exhausted | plies a game |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        shares = " | ".join(f"{100 * row[end] / row['games']:.2f} %" for end in ends)
        interval = f"{100 * row['low']:.2f} to {100 * row['high']:.2f} %"
        head = f"| `{row['preset']}` | {row['detectives']} | {100 * row['share']:.2f} % | {interval}"
        lines.append(f"{head} | {shares} | {row['plies']:.1f} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = [played(preset, n, options.games, options.seed) for preset in PRESETS for n in range(1, 6)]
    print(json.dumps(rows) if options.json else table(rows))


if __name__ == "__main__":
    main()
