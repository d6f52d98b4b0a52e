"""Whether Mr X is surely caught in one turn, by the rules alone: all orders in which the detectives may go."""

from __future__ import annotations

from dataclasses import replace

from manhunt.core.ids import Node
from manhunt.games.scotland_yard.rules import rules
from manhunt.games.scotland_yard.rules.actions import Single
from manhunt.games.scotland_yard.rules.state import ScotlandYardState

Places = frozenset[Node]


def surely_caught(some: ScotlandYardState, places: Places) -> bool:
    """Whether the detectives, who cannot tell at which of these places he is, catch Mr X wherever he is."""
    return _surely_caught(some, places, {})


def _surely_caught(some: ScotlandYardState, places: Places, known: dict[object, bool]) -> bool:
    if not places:
        return True
    if len(places) > len(some.waiting):  # a move rules out one place at most
        return False
    key = (some.pursuers, some.waiting, places)
    if key not in known:
        known[key] = any(_catches(some, places, move, known) for move in rules.detective_moves(some))
    return known[key]


def _catches(some: ScotlandYardState, places: Places, move: Single, known: dict[object, bool]) -> bool:
    left = places - {move.to}
    if not left:
        return rules.outcome(rules.apply_action(replace(some, quarry=move.to), move)) == rules.CAPTURE
    return _surely_caught(rules.apply_action(replace(some, quarry=min(left)), move), left, known)


def by_brute_force(state: ScotlandYardState) -> bool:
    """Whether Mr X, who is to move and whose place is known, is surely caught in the next turn."""
    by_look: dict[tuple[object, ...], list[ScotlandYardState]] = {}
    for action in rules.legal_actions(state):
        after = rules.apply_action(state, action)
        shown = tuple((entry.ticket, entry.node) for entry in after.log)
        by_look.setdefault(shown, []).append(after)
    return all(surely_caught(worlds[0], frozenset(world.quarry for world in worlds)) for worlds in by_look.values())
