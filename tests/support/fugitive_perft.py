"""Counted trees as text: reading them, and `python perft_counts.py` to count them anew with the rules."""

import json
from functools import cache
from pathlib import Path

from manhunt.games.fugitive.rules.config import config_from_json
from manhunt.games.fugitive.rules.game import FugitiveGame
from manhunt.games.fugitive.rules.notation import format_action, parse_action
from manhunt.games.fugitive.rules.rules import apply_action, legal_actions
from manhunt.games.fugitive.rules.state import State

FILES = sorted((Path(__file__).parents[1] / "games/fugitive/rules/perft").glob("*.txt"))


def read(path: Path) -> tuple[State, dict[int, int]]:
    """`config` and `setup` as JSON, `after` some steps, then a line `perft DEPTH COUNT` for each depth."""
    words: dict[str, str] = {}
    counts: dict[int, int] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        key, _, rest = line.partition(" ")
        if key == "perft":
            depth, _, count = rest.partition(" ")
            counts[int(depth)] = int(count)
        elif not line.startswith("#"):
            words[key] = rest
    config = config_from_json(json.loads(words["config"]))
    state = FugitiveGame().start(config, json.loads(words["setup"]))
    for step in words["after"].split():
        state = apply_action(state, parse_action(config, step))
    return state, counts


def perft(state: State, depth: int) -> int:
    """The number of sequences of steps of this length, by the rules."""
    legal = legal_actions(state)
    return len(legal) if depth == 1 else sum(perft(apply_action(state, action), depth - 1) for action in legal)


@cache
def divided(state: State, depth: int) -> dict[str, int]:
    """The count under each first step."""
    return {
        format_action(state.config, a): perft(apply_action(state, a), depth - 1) if depth > 1 else 1
        for a in legal_actions(state)
    }


def main() -> None:
    for path in FILES:
        state, counts = read(path)
        kept = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("perft ")]
        lines = [f"perft {depth} {perft(state, depth)}" for depth in counts]
        path.write_text("\n".join([*kept, *lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
