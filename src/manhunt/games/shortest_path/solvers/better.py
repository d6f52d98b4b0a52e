"""A move that would certainly have been better than one that certainly lost something, from a certificate.

A step is better if it leads along the arcs of the upper certificate and keeps its value: the traveller then pays no
more than that, and the step that was made costs more in all. A raise is better if the adversary then forces more than
what the traveller pays at most after the raise that was made.
"""

import numpy as np

from manhunt.games.shortest_path.rules import rules
from manhunt.games.shortest_path.rules.actions import OnEdge
from manhunt.games.shortest_path.solvers.bounds import TOLERANCE, lower_now
from manhunt.games.shortest_path.solvers.review import Round


def better_step(each: Round, seconds: float) -> OnEdge | None:
    """Of the traveller; None where nothing was surely lost, or the time does not suffice."""
    from manhunt.games.shortest_path.solvers.upper import upper_value
    from manhunt.solvers.memory import TooLarge

    at, upper = each.before.quarry, each.bounds.upper
    first = [arc for arc in upper.arcs if arc[0] == at]
    if not each.traveller_lost:
        return None
    if len(first) == 1:
        return OnEdge(*first[0])
    rest, enough = [arc for arc in upper.arcs if arc[0] != at], upper.value * (1 + TOLERANCE)
    for arc in first:
        try:
            if upper_value(each.before, (arc, *rest), seconds / len(first), at_most=enough) <= enough:
                return OnEdge(*arc)
        except TooLarge:
            continue
    return None


def better_raise(each: Round, seconds: float) -> OnEdge | None:
    """Of the adversary, after the step of the round; None as above."""
    from manhunt.games.shortest_path.solvers.lower import LowerBudget, find_memory, options

    if not each.adversary_lost or each.upper_next is None:
        return None
    memory = find_memory(each.after, LowerBudget(seconds / 2))
    raises = options(memory, np.zeros(len(memory.edges), dtype=np.int64), int(each.after.quarry))
    found = [(option.value, option.edge) for option in raises]
    ends, lower = each.before.config.board.edges, each.bounds.lower
    if lower.horizon is None:
        time = seconds / 2 / max(1, len(lower.edges))
        for edge in lower.edges:
            after = rules.apply_action(each.after, OnEdge(ends[edge].a, ends[edge].b))
            found.append((lower_now(after, lower, time), edge))
    value, edge = max(found)
    return OnEdge(ends[edge].a, ends[edge].b) if value > each.upper_next * (1 + TOLERANCE) else None
