"""Which moves of Pursuit win: looked ahead to the end of the round, and from there on known from a solver."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manhunt.core.errors import BadConfig
from manhunt.core.ids import Node, Seat, Side
from manhunt.games.pursuit.rules import rules
from manhunt.games.pursuit.rules.actions import PursuitAction
from manhunt.games.pursuit.rules.config import Visibility
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.games.pursuit.rules.views import PursuitView

if TYPE_CHECKING:
    from manhunt.games.pursuit.solvers.tables import PursuitTable

MOST_ENTRIES = 2_000_000
Oracle = Callable[[PursuitState], bool]
"""Whether the quarry escapes from a state at the beginning of a round."""


class PursuitHints:
    """For each legal action of a view whether it wins; works where everybody sees everything."""

    def __init__(self, oracle: Oracle) -> None:
        self.oracle = oracle
        self._known: dict[PursuitState, bool] = {}

    def __call__(self, view: Any) -> dict[PursuitAction, bool]:
        if view.quarry is None:
            return {}
        state = PursuitState(view.config, view.quarry, view.pursuers, view.round, view.waiting)
        wanted = view.seat is Seat.EVADER
        return {action: self._escapes(rules.apply_action(state, action)) is wanted for action in view.legal}

    def _escapes(self, state: PursuitState) -> bool:
        if state not in self._known:
            self._known[state] = self._look(state)
        return self._known[state]

    def _look(self, state: PursuitState) -> bool:
        end = rules.outcome(state)
        if end is not None:
            return end.winner is Side.EVADER
        if begins_round(state):
            return self.oracle(state)
        after = (self._escapes(rules.apply_action(state, action)) for action in rules.legal_actions(state))
        return any(after) if rules.to_act(state) is Seat.EVADER else all(after)


def begins_round(state: PursuitState) -> bool:
    """Whether the side that moves first has its whole turn before it."""
    n_waiting = len(state.waiting)
    return n_waiting == (0 if state.config.first is Side.EVADER else state.config.n_detectives)


def check_open(view: PursuitView) -> None:
    if view.config.visibility is not Visibility.ALWAYS:
        raise BadConfig(
            f"solved hints need a game that everybody sees; visibility here is {view.config.visibility.value}"
        )


def solver_hints(view: PursuitView) -> PursuitHints:
    """Hints from the exhaustive solver; the start is solved now, so that moves need not wait."""
    check_open(view)
    return PursuitHints(_SolverOracle(view))


class _SolverOracle:
    def __init__(self, opening: PursuitView) -> None:
        self.survives: dict[tuple[int, Node, tuple[Node, ...]], int] = {}
        state = PursuitState(opening.config, opening.quarry, opening.pursuers, opening.round, opening.waiting)
        if state.placing or opening.config.first is not Side.EVADER or rules.outcome(state) is not None:
            return
        from manhunt.games.pursuit.solvers.exhaustive import solve_one_start

        if not begins_round(state):
            return
        answer = solve_one_start(state)
        if answer.policy_size > MOST_ENTRIES:
            size = f"{answer.policy_size:,} positions"
            raise BadConfig(f"this start has {size}, too many for --hints; solve a table and give --table FILE")
        for entry in answer.policy(with_survival=True):
            self.survives[entry.round, entry.quarry, entry.pursuers] = entry.survives or 0

    def __call__(self, state: PursuitState) -> bool:
        from manhunt.games.pursuit.solvers.exhaustive import solve_one_start

        assert state.quarry is not None
        limit = state.config.max_rounds
        if limit is None:
            raise BadConfig("--hints need a limit of rounds, or a table; give --max-rounds R or --table FILE")
        left = limit - state.round
        known = self.survives.get((state.round, state.quarry, state.pursuers))
        if known is not None:
            return known >= left
        config = replace(state.config, max_rounds=left)
        return solve_one_start(replace(state, config=config, round=0)).forced_escape


def table_hints(view: PursuitView, path: Path) -> TableHints:
    """Hints from a table of all starts."""
    from manhunt.games.pursuit.solvers.tables import open_table

    check_open(view)
    table = open_table(path)
    table.check_game(view.config)
    return TableHints(table)


class TableHints:
    """As `PursuitHints`, looked up; actions that the table cannot judge are left out."""

    def __init__(self, table: PursuitTable) -> None:
        from manhunt.games.pursuit.solvers.probe import Probe

        self.probe = Probe(table)

    def __call__(self, view: Any) -> dict[PursuitAction, bool]:
        if view.quarry is None:
            return {}
        state = PursuitState(view.config, view.quarry, view.pursuers, view.round, view.waiting)
        wanted = view.seat is Seat.EVADER
        verdicts = {action: self._escapes(state, rounds) for action, rounds in self.probe.action_values(state)}
        return {action: escapes is wanted for action, escapes in verdicts.items() if escapes is not None}

    def _escapes(self, state: PursuitState, rounds: int) -> bool | None:
        """Whether so many rounds from the beginning of this one reach the end of the game."""
        from manhunt.games.pursuit.solvers.probe import rounds_done
        from manhunt.games.pursuit.solvers.tables import FOREVER

        table, limit = self.probe.table, state.config.max_rounds
        known = rounds < FOREVER or table.fixpoint
        if limit is not None and rounds_done(state) + (rounds if known else table.rounds) >= limit:
            return True
        if not known:
            return None
        return rounds >= FOREVER
