"""Perfect play in Pursuit wherever the game can be solved at once, for both sides."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.errors import BadAgent
from manhunt.core.game import View
from manhunt.games.pursuit.agents.greedy import PursuitGreedyAgent
from manhunt.games.pursuit.agents.table import look_up
from manhunt.games.pursuit.rules.config import PursuitConfig
from manhunt.games.pursuit.solvers.tables import PursuitTable, can_solve, solved_table

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
        self._greedy = PursuitGreedyAgent()

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

    def table_of(self, config: PursuitConfig) -> PursuitTable | None:
        """None where the game is not solved."""
        widest = max(len(config.board.neighbours(node)) for node in config.board.nodes()) + 1
        solvable = widest**config.n_detectives <= MOST_ANSWERS and can_solve(config, 1_000_000 * self.megabytes)
        return solved_table(config) if solvable else None
