"""Perfect play from a table file, for both sides of Pursuit."""

from pathlib import Path
from random import Random
from typing import Any, ClassVar

from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.errors import BadAgent
from manhunt.core.game import View
from manhunt.games.pursuit.rules.actions import PursuitAction, PursuitMove
from manhunt.games.pursuit.rules.config import Visibility
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.games.pursuit.solvers.probe import Probe, rounds_done
from manhunt.games.pursuit.solvers.tables import FOREVER, PursuitTable, open_table

LINE_ROUNDS = 2
SHOWN_AS_FOREVER = -1.0


class TableAgent(Agent):
    """Plays perfectly from a solved table; on ties it takes the smallest node.

    `file` is a table written by `manhunt solve --all-starts --table`.
    """

    games: ClassVar[tuple[str, ...]] = ("pursuit",)

    def __init__(self, file: str | None = None) -> None:
        if not file:
            raise BadAgent(
                "agent table needs a file; write table:file=NAME, made by manhunt solve --all-starts --table NAME"
            )
        self.table = open_table(Path(file))

    def start(self, view: View) -> None:
        self.table.check_game(view.config)
        if view.config.visibility is not Visibility.ALWAYS:
            raise BadAgent(f"agent table plays open games only; visibility is {view.config.visibility.value}")

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        self.start(view)
        return look_up(self.table, view)


def look_up(table: PursuitTable, view: Any) -> Advice:
    """What a table of the viewed game advises."""
    state: PursuitState = view.state
    probe = Probe(table)
    action: PursuitAction
    line: tuple[Any, ...] = ()
    if state.placing:
        action, rounds = _place(table, state, view)
    else:
        action, rounds = probe.best_action(state)
        line = tuple(probe.line(state, LINE_ROUNDS * (1 + state.config.n_detectives)))
    counters = {"rounds": SHOWN_AS_FOREVER if rounds >= FOREVER else float(rounds), "states": float(probe.n_states)}
    return Advice(action, _value(table, state, rounds), 1.0, line, counters)


def _place(table: PursuitTable, state: PursuitState, view: View) -> tuple[PursuitMove, int]:
    placed = state.pursuers
    if len(placed) < state.config.n_detectives:
        rounds, nodes = table.worst_for_pursuers(placed)
        return PursuitMove(nodes[len(placed)], len(placed)), rounds
    values = [(table.rounds_survived(move.to, placed), move) for move in view.legal]
    best = max(value for value, _ in values)
    return next(move for value, move in values if value == best), best


def _value(table: PursuitTable, state: PursuitState, rounds: int) -> float | None:
    """1 if the quarry lasts to the end of the game, -1 if not; None where the table does not reach that far."""
    limit = state.config.max_rounds
    known = rounds < FOREVER or table.fixpoint
    if limit is not None and rounds_done(state) + (rounds if known else table.rounds) >= limit:
        return 1.0
    if not known:
        return None
    return 1.0 if rounds >= FOREVER else -1.0
