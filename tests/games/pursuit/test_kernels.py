"""The kernels say what the rules say: same actions, same order, same next state, same end; and counted move trees."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.boards.build import build_board
from manhunt.boards.catalog import load_board
from manhunt.games.pursuit import kernels, packed, rules
from manhunt.games.pursuit.config import Config, Order, Visibility, make_config
from manhunt.games.pursuit.notation import format_action
from manhunt.games.pursuit.state import State
from manhunt.ids import Node, Side

PERFT = sorted((Path(__file__).parent / "perft").glob("*.txt"))


@st.composite
def configs(draw: st.DrawFn) -> Config:
    """Small boards of any shape, and every switch."""
    n = draw(st.integers(4, 8))
    pairs = [(a, b) for a in range(1, n + 1) for b in range(a + 1, n + 1)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=2 * n))
    board = build_board("drawn", [(a, b, None) for a, b in edges], nodes=range(1, n + 1))
    return Config(
        board,
        n_detectives=draw(st.integers(1, 3)),
        max_rounds=draw(st.sampled_from((None, 1, 2, 5))),
        first=draw(st.sampled_from(Side)),
        quarry_may_stay=draw(st.booleans()),
        detectives_may_stay=draw(st.booleans()),
        may_share=draw(st.booleans()),
        order=draw(st.sampled_from(Order)),
        may_step_onto=draw(st.booleans()),
        reach_hops=draw(st.integers(0, 1)),
        visibility=draw(st.sampled_from(Visibility)),
        reveal_rounds=tuple(draw(st.sets(st.integers(1, 5)))),
        sight_hops=draw(st.integers(0, 2)),
    )


def random_start(config: Config, rng: Random) -> State:
    nodes = range(config.board.n_nodes)
    pursuers = rng.choices(nodes, k=config.n_detectives) if config.may_share else rng.sample(nodes, config.n_detectives)
    return rules.begun(State(config, Node(rng.choice(nodes)), tuple(Node(d) for d in pursuers)))


def assert_same(state: State) -> None:
    config, game, numbers = state.config, packed.pack_game(state.config), packed.pack(state)
    assert packed.unpack(config, numbers) == state
    actions = np.empty(packed.most_actions(game), dtype=np.int64)
    after = np.empty_like(numbers)
    n = kernels.legal(game, numbers, actions)
    legal = rules.legal_actions(state)
    assert [packed.decode(config, int(code)) for code in actions[:n]] == list(legal)
    assert packed.OUTCOMES[kernels.outcome(game, numbers)] == rules.outcome(state)
    assert kernels.is_caught(game, numbers) == rules.is_caught(state)
    assert kernels.is_seen(game, numbers) == rules.is_seen(state)
    for action, code in zip(legal, actions[:n], strict=True):
        assert packed.encode(config, action) == code
        kernels.apply(game, numbers, code, after)
        assert packed.unpack(config, after) == rules.apply_action(state, action)


@given(configs(), st.integers(0, 2**32))
def test_kernel_agrees_with_rules_along_random_games(config: Config, seed: int) -> None:
    rng = Random(seed)
    state = random_start(config, rng)
    for _ in range(12):
        assert_same(state)
        legal = rules.legal_actions(state)
        if not legal:
            break
        state = rules.apply_action(state, rng.choice(legal))


def count_by_rules(state: State, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(count_by_rules(rules.apply_action(state, action), depth - 1) for action in rules.legal_actions(state))


def count_by_kernel(state: State, depth: int) -> int:
    game = packed.pack_game(state.config)
    return int(kernels.perft(game, packed.pack(state), depth, packed.most_actions(game)))


def read_perft(path: Path) -> tuple[State, list[tuple[int, int]]]:
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
    place = State(config, board.node(quarry), tuple(board.node(d) for d in pursuers))
    return rules.begun(place), counts


@pytest.mark.parametrize("path", PERFT, ids=lambda path: path.stem)
def test_counted_move_trees(path: Path) -> None:
    state, counts = read_perft(path)
    assert counts
    for depth, leaves in counts:
        under = {
            format_action(state.config, action): count_by_kernel(rules.apply_action(state, action), depth - 1)
            for action in rules.legal_actions(state)
        }
        assert count_by_kernel(state, depth) == leaves == sum(under.values()), f"under each first action: {under}"
        if leaves <= 3000:
            assert count_by_rules(state, depth) == leaves


def test_there_are_counted_trees_for_every_order() -> None:
    orders = {read_perft(path)[0].config.order for path in PERFT}
    assert orders == set(Order)
