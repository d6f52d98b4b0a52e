"""What the fitted model of Mr X looks at in a move; public facts of the position and the move alone."""

from collections.abc import Sequence

import numpy as np

from manhunt.boards.distance import NO_WAY_HOPS, hops_or_far
from manhunt.core.arrays import Floats, Int16s
from manhunt.core.ids import Node
from manhunt.games.scotland_yard.rules.actions import Double, ScotlandYardAction, Ticket
from manhunt.games.scotland_yard.rules.rules import steps_of
from manhunt.games.scotland_yard.rules.state import ScotlandYardState

FEATURES = (
    "near_1",  # the nearest detective is this many hops from where the move ends; more is the zero
    "near_2",
    "near_3",
    "near_4",
    "second",  # hops to the second nearest detective, up to FAR_HOPS, as a share of that
    "exits",  # log(1 + neighbours without a detective) of where the move ends
    "bus",  # steps paid with this ticket; taxi is the zero
    "underground",
    "secret",
    "secret_after_shown",  # secret steps from a place that everybody has just seen
    "secret_on_shown",  # secret steps to a place that everybody will see
    "double",
    "double_in_danger",  # a double move while a detective is one hop away
    "double_over_shown",  # a double move with a shown round in it
    "near_by_shown",  # hops to the nearest detective (share of FAR_HOPS) by how soon the next shown round comes
    "exits_by_shown",
)
N_FEATURES = len(FEATURES)
FAR_HOPS = 6


def two_nearest(hops: Int16s, pursuers: Sequence[Node]) -> tuple[Int16s, Int16s]:
    """For every node the hops from the nearest and the second nearest detective."""
    rows = np.sort(hops[list(pursuers)], axis=0)
    return rows[0], rows[1] if len(pursuers) > 1 else np.full_like(rows[0], NO_WAY_HOPS)


def soon_shown(rounds: Sequence[bool], round_: int) -> float:
    """1 if round `round_` (counted from 1) is shown, 1/2 if the next is, ...; 0 if no more are."""
    for wait, shown in enumerate(rounds[round_ - 1 :]):
        if shown:
            return 1.0 / (1 + wait)
    return 0.0


def feature_table(state: ScotlandYardState, actions: Sequence[ScotlandYardAction]) -> Floats:
    """One row of FEATURES for each action of Mr X in this state."""
    nearest, second = two_nearest(hops_or_far(state.config.board), state.pursuers)
    in_danger = nearest[state.quarry] <= 1
    out = np.zeros((len(actions), N_FEATURES))
    for row, action in zip(out, actions, strict=True):
        _end_features(row, state, action.to, int(nearest[action.to]), int(second[action.to]))
        _step_features(row, state, action, bool(in_danger))
    return out


def _end_features(row: Floats, state: ScotlandYardState, to: Node, nearest: int, second: int) -> None:
    exits = float(np.log1p(sum(node not in state.pursuers for node in state.config.board.neighbours(to))))
    if nearest <= 4:
        row[max(nearest, 1) - 1] = 1.0
    row[FEATURES.index("second")] = min(second, FAR_HOPS) / FAR_HOPS
    row[FEATURES.index("exits")] = exits
    row[FEATURES.index("near_by_shown")] = min(nearest, FAR_HOPS) / FAR_HOPS
    row[FEATURES.index("exits_by_shown")] = exits


def _step_features(row: Floats, state: ScotlandYardState, action: ScotlandYardAction, in_danger: bool) -> None:
    rounds, steps = state.config.rounds, steps_of(action)
    for i, (ticket, _) in enumerate(steps):
        slot = state.round + i
        if ticket is not Ticket.TAXI:
            row[FEATURES.index(str(ticket))] += 1
        if ticket is Ticket.SECRET:
            row[FEATURES.index("secret_after_shown")] += slot > 0 and rounds[slot - 1]
            row[FEATURES.index("secret_on_shown")] += rounds[slot]
    soon = soon_shown(rounds, state.round + len(steps))
    row[FEATURES.index("near_by_shown")] *= soon
    row[FEATURES.index("exits_by_shown")] *= soon
    if isinstance(action, Double):
        row[FEATURES.index("double")] = 1
        row[FEATURES.index("double_in_danger")] = in_danger
        row[FEATURES.index("double_over_shown")] = any(rounds[state.round : state.round + 2])
