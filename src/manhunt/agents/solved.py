"""Perfect play in Pursuit wherever the game can be solved at once, for both sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from manhunt.agents.base import Advice, Agent, Limit
from manhunt.agents.greedy import GreedyAgent
from manhunt.agents.table import look_up
from manhunt.errors import BadAgent, BadConfig
from manhunt.games.base import View
from manhunt.games.pursuit.config import Config, Visibility
from manhunt.solvers.retrograde import check_solvable
from manhunt.solvers.tables import Table, solved_table, table_bytes

MOST_MEGABYTES = 1_000
MOST_ANSWERS = 20_000
"""Ways of all detectives to move that are looked through for a move."""


class SolvedAgent(Agent):
    """Solves the game before its first move and plays without a mistake; where that cannot be done, as `greedy`.

    It cannot be done where Mr X is hidden, where the table would take more than `megabytes`, or where the detectives
    have too many moves together. London with two detectives takes 8 MB and less than a second.
    """

    games: ClassVar[tuple[str, ...]] = ("pursuit",)

    def __init__(self, megabytes: int = 32) -> None:
        if not 1 <= megabytes <= MOST_MEGABYTES:
            raise BadAgent(f"solved: megabytes must be from 1 to {MOST_MEGABYTES}, not {megabytes}")
        self.megabytes = megabytes
        self._greedy = GreedyAgent()

    def start(self, view: View) -> None:
        if self.table_of(view.config) is None:
            self._greedy.start(view)

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        self._greedy.observe(events)

    def stop(self) -> None:
        self._greedy.stop()

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        table = self.table_of(view.config)
        return self._greedy.act(view, limit, rng) if table is None else look_up(table, view)

    def table_of(self, config: Config) -> Table | None:
        """None where the game is not solved."""
        if config.visibility is not Visibility.ALWAYS or table_bytes(config) > 1_000_000 * self.megabytes:
            return None
        widest = max(len(config.board.neighbours(node)) for node in config.board.nodes()) + 1
        if widest**config.n_detectives > MOST_ANSWERS:
            return None
        try:
            check_solvable(config)
        except BadConfig:
            return None
        return solved_table(config)
