"""Puzzles of Pursuit against whole tables of the game, filled backwards round by round from the rule book alone."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, reduce
from typing import Any

import numpy as np

from manhunt.analysis.puzzles import position_of
from manhunt.core.ids import Side
from manhunt.core.puzzle import Puzzle
from manhunt.games.pursuit.rules.config import PursuitConfig, PursuitOrder
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.play.position import Position
from puzzle_samples import some_puzzles

MOST_ROUNDS = 10
Table = np.ndarray[Any, Any]


class Rounds:
    """In how many rounds Mr X is caught, by place (his, then the detectives') and by who still moves in this round."""

    def __init__(self, config: PursuitConfig) -> None:
        assert config.first is Side.EVADER
        assert config.order is PursuitOrder.IN_ORDER
        loose = (config.may_share, config.may_step_onto, config.quarry_may_stay, config.detectives_may_stay)
        assert not any((*loose, config.reach_hops))
        n, self.n = config.board.n_nodes, config.n_detectives
        self.near = [list(config.board.neighbours(node)) for node in config.board.nodes()]
        place = np.ogrid[(slice(n),) * (self.n + 1)]
        self.caught = np.zeros((n,) * (self.n + 1), bool)
        for k in range(1, self.n + 1):
            self.caught |= place[0] == place[k]
        pairs = [[place[k] == place[j] for j in range(1, self.n + 1) if j != k] for k in range(1, self.n + 1)]
        self.shared = [np.broadcast_to(reduce(np.logical_or, each), self.caught.shape) for each in pairs]
        self.survived = [np.zeros(self.caught.shape, np.uint8) for _ in range(self.n)]
        """By the first detective who waits: rounds that he survives, the one that is being played counted."""
        free = ~self.caught
        for _ in range(MOST_ROUNDS):
            for k in reversed(range(self.n)):
                free = self._detective_moves(free, k)
                self.survived[k] += free
            free = self._quarry_moves(free)

    def _detective_moves(self, free: Table, k: int) -> Table:
        """Whether he survives whatever detective k does; who has no free way stays."""
        now, taken = np.moveaxis(free, k + 1, 0), np.moveaxis(self.shared[k], k + 1, 0)
        out = np.empty_like(now)
        for node, ways in enumerate(self.near):
            barred = taken[ways]
            out[node] = np.where(barred.all(axis=0), now[node], (now[ways] | barred).all(axis=0))
        return np.moveaxis(out, 0, k + 1) & ~self.caught

    def _quarry_moves(self, free: Table) -> Table:
        """Whether a way is left after which he survives; `free` is False where a detective stands."""
        return np.stack([free[ways].any(axis=0) for ways in self.near]) & ~self.caught

    def after(self, state: PursuitState) -> int | None:
        """The round that he is caught in, this one counted; None if he lasts longer than we look."""
        (first, *_) = state.waiting
        found = int(self.survived[first][(state.quarry, *state.pursuers)])
        return None if found == MOST_ROUNDS else found + 1


@lru_cache(maxsize=1)
def rounds_of(config: PursuitConfig) -> Rounds:
    return Rounds(config)


def values_of(position: Position) -> dict[str, int | None]:
    table = rounds_of(replace(position.config, max_rounds=None))
    return {position.text_of(action): table.after(position.act(action).state) for action in position.legal}


def within_view(puzzle: Puzzle) -> dict[str, int | None]:
    """The values of the file as far as the tables go."""
    return {answer: None if n is None or n > MOST_ROUNDS else n for answer, n in puzzle.values.items()}


def test_puzzles_are_right_by_the_rule_book_alone() -> None:
    for puzzle in sorted(some_puzzles("pursuit", 5), key=lambda puzzle: str(puzzle.config["board"])):
        print(puzzle.id)
        values = values_of(position_of(puzzle))
        assert values == within_view(puzzle), puzzle.id
        lasts = {answer: MOST_ROUNDS + 1 if rounds is None else rounds for answer, rounds in values.items()}
        if puzzle.kind == "catch":
            assert [answer for answer in lasts if lasts[answer] <= puzzle.config["max_rounds"]] == [puzzle.best]
        else:
            best, second = sorted(lasts, key=lambda answer: -lasts[answer])[:2]
            assert best == puzzle.best
            assert lasts[best] >= lasts[second] + 2
