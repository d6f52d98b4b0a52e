"""Counted move trees: as many ways to play so many plies as the text files say, small ones counted by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from manhunt.boards.catalog import load_board
from manhunt.games.pursuit.rules import rules
from manhunt.games.pursuit.rules.config import PursuitOrder, make_config
from manhunt.games.pursuit.rules.notation import format_action
from manhunt.games.pursuit.rules.state import PursuitState

PERFT = sorted((Path(__file__).parent / "perft").glob("*.txt"))


def n_leaves(state: PursuitState, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(n_leaves(rules.apply_action(state, action), depth - 1) for action in rules.legal_actions(state))


def read_perft(path: Path) -> tuple[PursuitState, list[tuple[int, int]]]:
    """Lines `game pursuit key=value ...`, `state X2 D5,7`, `perft DEPTH LEAVES`; `#` begins a comment."""
    options: dict[str, Any] = {}
    counts: list[tuple[int, int]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        word, *rest = line.partition("#")[0].split() or [""]
        if word == "game":
            options = dict(part.split("=") for part in rest[1:])
        elif word == "state":
            quarry, pursuers = rest[0].removeprefix("X"), rest[1].removeprefix("D").split(",")
        elif word == "perft":
            counts.append((int(rest[0]), int(rest[1])))
    board, preset = load_board(options.pop("board")), options.pop("preset", "seed")
    switches = {k: v == "yes" if v in ("yes", "no") else int(v) if v.isdigit() else v for k, v in options.items()}
    config = make_config(preset, board, n_detectives=len(pursuers), **switches)
    place = PursuitState(config, board.node(quarry), tuple(board.node(d) for d in pursuers))
    return rules.begun(place), counts


@pytest.mark.parametrize("path", PERFT, ids=lambda path: path.stem)
def test_counted_move_trees(path: Path) -> None:
    state, counts = read_perft(path)
    assert counts
    for depth, leaves in counts:
        under = {
            format_action(state.config, action): n_leaves(rules.apply_action(state, action), depth - 1)
            for action in rules.legal_actions(state)
        }
        assert sum(under.values()) == leaves, f"after {depth} plies, under each first action: {under}"


def test_there_are_counted_trees_for_every_order() -> None:
    orders = {read_perft(path)[0].config.order for path in PERFT}
    assert orders == set(PursuitOrder)
