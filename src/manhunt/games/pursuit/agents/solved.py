"""Perfect play in Pursuit wherever the game can be solved at once, for both sides."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

import numpy as np

from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.errors import BadAgent
from manhunt.core.game import View
from manhunt.core.ids import Seat
from manhunt.games.pursuit.agents.greedy import PursuitGreedyAgent
from manhunt.games.pursuit.agents.table import look_up
from manhunt.games.pursuit.rules.config import PursuitConfig
from manhunt.games.pursuit.solvers.probe import Probe
from manhunt.games.pursuit.solvers.tables import PursuitTable, can_solve, solved_table

MOST_MEGABYTES = 1_000
MOST_ANSWERS = 20_000
"""Ways of all detectives to move that are looked through for a move."""


class SolvedAgent(Agent):
    """Solves the game before its first move and plays perfectly; if that is not possible, it plays like `greedy`.

    It is not possible if Mr X is hidden, if the table would take more than `megabytes`, or if the detectives have too
    many joint moves. London with two detectives takes 8 MB and less than a second.

    With `rounds` it sees only that many rounds ahead; among the moves that are equally good as far as it sees, `greedy`
    chooses with this `temperature`.
    """

    games: ClassVar[tuple[str, ...]] = ("pursuit",)

    def __init__(self, megabytes: int = 32, rounds: int = 0, temperature: float = 0.0) -> None:
        if not 1 <= megabytes <= MOST_MEGABYTES:
            raise BadAgent(f"solved: megabytes must be from 1 to {MOST_MEGABYTES}, not {megabytes}")
        if rounds < 0:
            raise BadAgent(f"solved: rounds must be 0 (all of them) or more, not {rounds}")
        self.megabytes, self.rounds = megabytes, rounds
        self._greedy = PursuitGreedyAgent(temperature=temperature)

    def start(self, view: View) -> None:
        self._greedy.start(view)

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        self._greedy.observe(events)

    def stop(self) -> None:
        self._greedy.stop()

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        table = self.table_of(view.config)
        if table is None:
            return self._greedy.act(view, limit, rng)
        return self._look_ahead(table, view, limit, rng) if self.rounds else look_up(table, view)

    def _look_ahead(self, table: PursuitTable, view: Any, limit: Limit, rng: Random) -> Advice:
        """As `greedy`, among the moves that are best as far as can be seen."""
        if view.state.placing:
            return self._greedy.act(view, limit, rng)
        sign = 1 if view.seat is Seat.EVADER else -1
        seen = [sign * min(rounds, self.rounds) for _, rounds in Probe(table).action_values(view.state)]
        return self._greedy.act(view, limit, rng, among=np.array(seen) == max(seen))

    def table_of(self, config: PursuitConfig) -> PursuitTable | None:
        """The solved table of a game; None if it cannot be solved."""
        widest = max(len(config.board.neighbours(node)) for node in config.board.nodes()) + 1
        solvable = widest**config.n_detectives <= MOST_ANSWERS and can_solve(config, 1_000_000 * self.megabytes)
        return solved_table(config) if solvable else None
