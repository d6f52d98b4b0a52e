"""When is Mr X surely caught in the next turn of the detectives? Exact, over all his places and all his moves.

After a move of Mr X the detectives know which tickets he paid, so they know a set of places: all ends of his moves
that look the same. They surely catch him if each of these places can get a detective of its own. Detectives move one
after the other, each one step; none stands on such a place before, and wherever they do not find him, the game goes on.
So this is a matching of places and detectives.
"""

from collections.abc import Iterable, Mapping

from manhunt.core.ids import Node
from manhunt.games.scotland_yard.rules import rules
from manhunt.games.scotland_yard.rules.actions import ScotlandYardAction, Ticket
from manhunt.games.scotland_yard.rules.state import ScotlandYardState

Look = tuple[tuple[Ticket, Node | None], ...]
"""What the travel log shows of a move: the tickets, and the places in rounds in which he shows himself."""


def look_of(state: ScotlandYardState, action: ScotlandYardAction) -> Look:
    shown = state.config.rounds[len(state.log) :]
    return tuple((ticket, node if shown[i] else None) for i, (ticket, node) in enumerate(rules.steps_of(action)))


def ends_by_look(worlds: Iterable[ScotlandYardState]) -> dict[Look, set[Node]]:
    """Where Mr X can be after his move, by what the log shows of it; `worlds` are alike but for his place."""
    found: dict[Look, set[Node]] = {}
    for state in worlds:
        for action in rules.legal_actions(state):
            found.setdefault(look_of(state, action), set()).add(action.to)
    return found


def n_covered(state: ScotlandYardState, places: Iterable[Node]) -> int:
    """To how many of these places the detectives can go in one turn, each to one: a largest matching."""
    reach = [_reach(state, seat) for seat in range(len(state.pieces))]
    taken: dict[int, Node] = {}
    return sum(_place(node, reach, taken, set()) for node in sorted(places))


def _reach(state: ScotlandYardState, seat: int) -> frozenset[Node]:
    held = state.tickets[seat + 1]
    row = rules.fares(state.config.board)[state.pursuers[seat]]
    return frozenset(to for ticket, to in row if ticket is not Ticket.SECRET and held[ticket])


def _place(node: Node, reach: list[frozenset[Node]], taken: dict[int, Node], tried: set[int]) -> bool:
    for seat, nodes in enumerate(reach):
        if node in nodes and seat not in tried:
            tried.add(seat)
            if seat not in taken or _place(taken[seat], reach, taken, tried):
                taken[seat] = node
                return True
    return False


def open_looks(worlds: list[ScotlandYardState]) -> Mapping[Look, set[Node]]:
    """The looks of his moves after which the detectives cannot be sure to catch him, with his places then."""
    ends = ends_by_look(worlds)
    return {look: nodes for look, nodes in ends.items() if n_covered(worlds[0], nodes) < len(nodes)}
