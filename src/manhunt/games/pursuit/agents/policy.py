"""Plays the quarry from a policy file."""

from pathlib import Path
from random import Random
from typing import Any, ClassVar

from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.errors import BadAgent
from manhunt.core.game import View
from manhunt.core.ids import Seat
from manhunt.games.pursuit.rules.actions import PursuitMove
from manhunt.games.pursuit.solvers.policy_file import format_key, load_policy
from manhunt.games.pursuit.solvers.tables import rules_of


class PolicyAgent(Agent):
    """Plays from a file: a policy written by `manhunt solve --dump-policy`."""

    games: ClassVar[tuple[str, ...]] = ("pursuit",)
    seats: ClassVar[tuple[Seat, ...]] = (Seat.EVADER,)

    def __init__(self, file: str | None = None) -> None:
        if not file:
            raise BadAgent(
                "agent policy needs a file; write policy:file=NAME, made by manhunt solve --dump-policy NAME"
            )
        self.path = Path(file)
        self.policy: Any = None

    def start(self, view: View) -> None:
        self.policy = load_policy(self.path, view.config.board)
        mine, theirs = self.policy.config, view.config
        if mine.max_rounds != theirs.max_rounds:
            raise BadAgent(f"policy {self.path} is for {mine.max_rounds} rounds; this game has {theirs.max_rounds}")
        for key, value in rules_of(mine).items():
            if rules_of(theirs)[key] != value:
                raise BadAgent(f"policy {self.path} is for {key} {value}; in this game it is {rules_of(theirs)[key]}")

    def act(self, view: Any, limit: Limit, rng: Random) -> Advice:
        if self.policy is None:
            self.start(view)
        to = self.policy.moves.get((view.round, view.quarry, view.pursuers))
        if to is None:
            board = view.config.board
            key = format_key(board, view.round, view.quarry, view.pursuers)
            start = f"Mr X {board.label(self.policy.start.quarry)}, detectives {board.text(self.policy.start.pursuers)}"
            raise BadAgent(f"policy {self.path} has no entry {key}; it is for the start {start}")
        value = 1.0 if self.policy.forced_escape else None
        return Advice(PursuitMove(to), value, 1.0, (PursuitMove(to),), {"entries": float(len(self.policy.moves))})
