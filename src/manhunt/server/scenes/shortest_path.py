"""A crossing for a page: costs of edges as width and level, the cheapest way, what was paid, steps and raises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from manhunt.draw.shortest_path import MOST_EDGES, ending, raised_edges, title_of, turn_of, ways_of
from manhunt.games.shortest_path.actions import Action, OnEdge
from manhunt.games.shortest_path.costs import cost_of, edge_index, factors, hops_to, raised_cost
from manhunt.games.shortest_path.notation import format_action
from manhunt.games.shortest_path.rules import moves_left
from manhunt.games.shortest_path.views import View
from manhunt.ids import Node, Seat
from manhunt.server.scenes import pieces

LEVELS = (1.0, 2.0, 4.0, 8.0, 32.0)
"""An edge has the level of the first of these that it does not exceed; above the last one the next level."""
WIDTHS = (2.0, 4.0, 5.5, 7.0, 9.0, 11.0)
MOST_LISTED = 60
"""Raises that are offered one by one, the most interesting first; further ones are offered together, in short."""
MOST_DEAR = 12
SLACK = 1e-9


def scene(view: View) -> dict[str, Any]:
    config, board = view.config, view.config.board
    ways = ways_of(config, view.raises)
    way = ways.from_node(view.quarry)
    return {
        **pieces.head(view, view.round, title_of(view), ending),
        "turnWords": turn_of(view),
        "marks": _marks(view, way),
        "at": board.label(view.quarry),
        "source": board.label(config.source),
        "target": board.label(config.target),
        "rule": config.rule.value,
        "paid": view.total,
        "cheapest": {"cost": ways.distance[view.quarry], "way": [board.label(node) for node in way]},
        "hops": hops_to(board, config.target)[view.quarry],
        "here": [_step(view, to) for to in board.neighbours(view.quarry)],
        "dear": _dear(view),
        "nRaised": sum(1 for n in view.raises if n),
        "movesLeft": {seat.value: moves_left(view.state, seat) for seat in (Seat.EVADER, Seat.PURSUERS)},
        "crowded": len(board.edges) > MOST_EDGES,
    }


def offers(view: View) -> list[dict[str, Any]]:
    """One for each step; of many raises the interesting ones in full and all others in one offer, `edges`."""
    if view.to_act is Seat.EVADER:
        return [_offer_step(view, action) for action in view.legal]
    ordered = _by_interest(view)
    edges = [action for action in ordered if isinstance(action, OnEdge)]
    n_listed = len(edges)
    if n_listed > MOST_LISTED:
        n_listed = min(MOST_LISTED, sum(_interest(view, action)[0] < _NO_INTEREST for action in edges))
    made = [_offer_raise(view, action, rank) for rank, action in enumerate(edges[:n_listed])]
    if edges[n_listed:]:
        others = {format_action(view.config, action): _shortly(view, action) for action in edges[n_listed:]}
        made.append({"kind": "others", "words": f"any of {len(others)} other edges", "edges": others})
    return made + [_pass(view, action) for action in ordered if not isinstance(action, OnEdge)]


def level_of(cost: float) -> int:
    return sum(cost > limit * (1 + SLACK) for limit in LEVELS)


def _marks(view: View, way: Sequence[Node]) -> dict[str, Any]:
    """`edges` has those that were raised; `matter` names what must be seen on a crowded board."""
    board, target = view.config.board, view.config.target
    raised = {}
    index = edge_index(board)
    for a, b, cost in raised_edges(view):
        level = level_of(cost)
        n = view.raises[index[a, b]]
        raised[_key(view, a, b)] = {"cost": cost, "raises": n, "level": level, "width": WIDTHS[level]}
    near = [(node, to) for node in (view.quarry, target) for to in board.neighbours(node)]
    steps = list(zip(way, way[1:], strict=False))
    return {
        "pieces": [
            _target(board.label(target)),
            pieces.quarry(board.label(view.quarry), "traveller", "P"),
        ],
        "lastSeen": None,
        "candidates": [],
        "danger": [],
        "arrows": [[board.label(a), board.label(b)] for a, b in steps],
        "edges": raised,
        "matter": sorted({_key(view, a, b) for a, b in (*near, *steps)} | set(raised)),
    }


def _target(at: str) -> dict[str, Any]:
    colours = {"colour": "var(--offer)", "on": "#14171D"}
    return {"id": "target", "at": at, "kind": "target", "letter": "Y", "name": "target", **colours}


def _key(view: View, a: Node, b: Node) -> str:
    """As in the board's drawing: the labels in the order of their nodes."""
    board = view.config.board
    return f"{board.label(min(a, b))} {board.label(max(a, b))}"


def _step(view: View, to: Node) -> dict[str, Any]:
    """What the step costs, and the cheapest way from there by present costs."""
    edge = edge_index(view.config.board)[view.quarry, to]
    left = ways_of(view.config, view.raises).distance[to]
    return {"to": view.config.board.label(to), "cost": cost_of(view.config, view.raises, edge), "left": left}


def _dear(view: View) -> list[dict[str, Any]]:
    label = view.config.board.label
    return [{"edge": f"{label(a)}-{label(b)}", "cost": cost} for a, b, cost in raised_edges(view)[:MOST_DEAR]]


def _offer_step(view: View, action: Action) -> dict[str, Any]:
    if not isinstance(action, OnEdge):
        return _pass(view, action)
    step = _step(view, action.to)
    words = f"go to {step['to']} for {step['cost']:.4g}"
    return {
        "action": format_action(view.config, action),
        "kind": "step",
        "words": words,
        "picks": [step["to"]],
        "cost": step["cost"],
        "left": step["left"],
    }


def _pass(view: View, action: Action) -> dict[str, Any]:
    words = "pass: stay here" if view.to_act is Seat.EVADER else "pass: raise nothing"
    return {"action": format_action(view.config, action), "kind": "pass", "words": words, "picks": []}


def _offer_raise(view: View, action: OnEdge, rank: int) -> dict[str, Any]:
    a, b, cost, after, factor = _brief(view, action)
    return {
        "action": format_action(view.config, action),
        "kind": "raise",
        "words": f"raise {a}-{b} from {cost:.4g} to {after:.4g}",
        "picks": [a, b],
        "cost": cost,
        "after": after,
        "factor": factor,
        "why": _interest(view, action)[1],
        "rank": rank,
    }


def _brief(view: View, action: OnEdge) -> tuple[str, str, float, float, float]:
    """Both ends, what the edge costs now and after a raise, and the factor."""
    board = view.config.board
    edge = edge_index(board)[action.start, action.to]
    factor, n = factors(view.config)[edge], view.raises[edge]
    costs = raised_cost(factor, n), raised_cost(factor, n + 1)
    return board.label(action.start), board.label(action.to), *costs, factor


def _shortly(view: View, action: OnEdge) -> list[str | float]:
    """Ends and costs with few digits: there may be thousands."""
    a, b, cost, after, _ = _brief(view, action)
    return [a, b, float(f"{cost:.4g}"), float(f"{after:.4g}")]


_NO_INTEREST = 9


def _interest(view: View, action: OnEdge) -> tuple[int, str]:
    way = ways_of(view.config, view.raises).from_node(view.quarry)
    ends = {action.start, action.to}
    if ends in [{a, b} for a, b in zip(way, way[1:], strict=False)]:
        return 0, "on the cheapest way"
    if view.config.target in ends:
        return 1, "at the target"
    if view.quarry in ends:
        return 2, "at the traveller"
    if view.raises[edge_index(view.config.board)[action.start, action.to]]:
        return 3, "raised before"
    return _NO_INTEREST, ""


def _by_interest(view: View) -> list[Action]:
    """The edges on the cheapest way in its order, then those at the target, at the traveller, raised ones, all others;
    a pass comes last."""
    hops = hops_to(view.config.board, view.config.target)

    def rank(action: Action) -> tuple[int, int]:
        if not isinstance(action, OnEdge):
            return _NO_INTEREST + 1, 0
        far = [h for h in (hops[action.start], hops[action.to]) if h is not None]
        return _interest(view, action)[0], -max(far, default=0)

    return sorted(view.legal, key=rank)
