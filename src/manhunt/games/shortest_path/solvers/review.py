"""A game of Adversarial Shortest Path gone through round by round: what was still to be paid, and what was surely lost.

Let V be the value before the traveller's step, c what he pays, W the value after it (the adversary is to move) and V'
the value when the traveller is to move again. He loses c + W - V, and the adversary loses W - V'; neither is ever below
0. Only bounds are known, so c + lower of W - upper of V is certain for the one, lower of W - upper of V' for the other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from manhunt.core.ids import Seat
from manhunt.games.shortest_path.rules.actions import ShortestPathAction
from manhunt.games.shortest_path.rules.rules import moves_left
from manhunt.games.shortest_path.rules.state import ShortestPathState
from manhunt.games.shortest_path.solvers.bounds import TOLERANCE, Bounds, carry_bounds, find_bounds, lower_now, tighter

SHARE_OF_REPLY = 0.5
"""Time for the position after a step, as a part of that for the one before the next."""


@dataclass(frozen=True, slots=True)
class Round:
    """A step of the traveller and the raise after it, if there was one."""

    before: ShortestPathState
    step: ShortestPathAction
    after: ShortestPathState
    reply: ShortestPathAction | None
    bounds: Bounds
    """Before the step."""
    lower_after: float
    """At least so much is still to be paid after the step, before the raise."""
    upper_next: float | None
    """At most so much is still to be paid after the raise; None without one."""

    @property
    def cost(self) -> float:
        return self.after.total - self.before.total

    @property
    def traveller_lost(self) -> float:
        """At least so much; 0 where nothing is certain."""
        return self._certain(self.cost + self.lower_after - self.bounds.upper.value)

    @property
    def adversary_lost(self) -> float:
        if self.upper_next is None:
            return 0.0
        known = max(self.lower_after, self.bounds.lower.value - self.cost)  # c + W is never below V
        return self._certain(known - self.upper_next)

    def _certain(self, lost: float) -> float:
        return lost if lost > TOLERANCE * max(1.0, self.bounds.upper.value) else 0.0


def review(
    states: Sequence[ShortestPathState], actions: Sequence[ShortestPathAction], first: Bounds, seconds: float
) -> Iterator[Round]:
    """Round by round; `first` bounds the start, every later position gets `seconds`.

    It ends where so few moves are left that a side may run out of them: there the bounds do not hold.
    """
    bounds = first
    for i in range(0, len(actions), 2):
        if moves_left(states[i], Seat.EVADER) <= states[i].config.board.n_nodes:
            return
        after, reply = states[i + 1], actions[i + 1] if i + 1 < len(actions) else None
        if reply is None:
            yield Round(states[i], actions[i], after, None, bounds, _lower(after, bounds, seconds), None)
            return
        following = _bound(states[i + 2], bounds, seconds)
        # A raise helps nobody but the adversary, so what is certain after it was certain before.
        least = max(_lower(after, bounds, seconds), following.lower.value)
        yield Round(states[i], actions[i], after, reply, bounds, least, following.upper.value)
        bounds = following


def _bound(state: ShortestPathState, before: Bounds, seconds: float) -> Bounds:
    """A fresh search, and what the certificates of the position before are worth here."""
    carried = carry_bounds(state, before, seconds)
    if carried is not None and carried.solved:
        return carried
    found = find_bounds(state, seconds)
    return found if carried is None else tighter(found, carried)


def _lower(state: ShortestPathState, before: Bounds, seconds: float) -> float:
    """What the adversary, to move now, can surely make him pay."""
    from manhunt.games.shortest_path.solvers.lower import find_lower

    if state.quarry == state.config.target:
        return 0.0
    carried = lower_now(state, before.lower, SHARE_OF_REPLY * seconds)
    return max(carried, find_lower(state, SHARE_OF_REPLY * seconds).value)
