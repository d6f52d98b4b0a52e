"""What everybody sees of a crossing: costs of edges as width and level, the cheapest way, what was paid, the moves."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from manhunt.boards.build import build_board
from manhunt.boards.layout import place
from manhunt.core.ids import Node, Seat, Side
from manhunt.core.outcome import Outcome, Termination, forfeit_words
from manhunt.core.scene import Scene, SceneOffer, ScenePiece
from manhunt.games.shortest_path.rules.actions import OnEdge, ShortestPathAction
from manhunt.games.shortest_path.rules.config import ShortestPathConfig
from manhunt.games.shortest_path.rules.costs import (
    CheapestWays,
    cheapest_ways,
    cost_of,
    edge_index,
    factors,
    hops_to,
    raised_cost,
)
from manhunt.games.shortest_path.rules.labels import cost_text, edge_text
from manhunt.games.shortest_path.rules.notation import format_action
from manhunt.games.shortest_path.rules.rules import moves_left
from manhunt.games.shortest_path.rules.views import ShortestPathView

LEVELS = (1.0, 2.0, 4.0, 8.0, 32.0)
"""An edge has the level of the first of these that it does not exceed; above the last one the next level."""
WIDTHS = (2.0, 4.0, 5.5, 7.0, 9.0, 11.0)
MOST_LISTED = 60
"""Raises that are offered one by one, the most interesting first; further ones are offered together, in short."""
MOST_DEAR = 12
MOST_RAISED = 4
MOST_EDGES = 150
"""With more edges a drawing of all of them cannot be read."""
SLACK = 1e-9


def scene(view: ShortestPathView) -> Scene:
    """The arrows are the cheapest way at current costs."""
    config, label = view.config, view.config.board.label
    ways = ways_of(config, view.raises)
    way = ways.from_node(view.quarry)
    steps = tuple(zip(way, way[1:], strict=False))
    return Scene(
        title=f"Adversarial Shortest Path, round {round_played(view)}: {turn_of(view)}",
        round=round_played(view),
        turn=view.to_act,
        outcome=view.outcome,
        turn_words=turn_of(view),
        ending="" if view.outcome is None else ending(view, view.outcome),
        board=config.board,
        pieces=(
            ScenePiece(config.target, "target", letter="Y", name="target"),
            ScenePiece(view.quarry, "quarry", letter="P", name="traveller"),
        ),
        arrows=steps,
        offers=offers(view),
        caption=_caption(view),
        page={
            "marks": _edge_marks(view, steps),
            "at": label(view.quarry),
            "source": label(config.source),
            "target": label(config.target),
            "rule": config.rule.value,
            "paid": view.total,
            "cheapest": {"cost": ways.distance[view.quarry], "way": [label(node) for node in way]},
            "hops": hops_to(config.board, config.target)[view.quarry],
            "here": [_step(view, to) for to in config.board.neighbours(view.quarry)],
            "dear": [{"edge": f"{label(a)}-{label(b)}", "cost": cost} for a, b, cost in raised_edges(view)[:MOST_DEAR]],
            "nRaised": sum(1 for n in view.raises if n),
            "movesLeft": {seat.value: moves_left(view.state, seat) for seat in (Seat.EVADER, Seat.PURSUERS)},
            "hidden": False,
            "crowded": len(config.board.edges) > MOST_EDGES,
        },
    )


def excerpt(view: ShortestPathView) -> Scene:
    """The scene, and of a graph too crowded to be read the part that matters: the edges here, at the target, on the
    cheapest way, and those that were raised."""
    whole, board = scene(view), view.config.board
    if len(board.edges) <= MOST_EDGES:
        return whole
    pairs = {(min(a, b), max(a, b)) for a, b in whole.arrows}
    for node in (view.quarry, view.config.target):
        pairs |= {(min(node, to), max(node, to)) for to in board.neighbours(node)}
    pairs |= {(a, b) for a, b, _ in raised_edges(view)[:MOST_EDGES]}
    nodes = sorted({node for pair in pairs for node in pair})
    places = place(board)
    part = build_board(
        board.name,
        [(board.label(a), board.label(b), None) for a, b in sorted(pairs)],
        (),
        {board.label(node): places[node] for node in nodes},
    )

    def moved(node: Node) -> Node:
        return part.node(board.label(node))

    return replace(
        whole,
        board=part,
        pieces=tuple(replace(piece, node=moved(piece.node)) for piece in whole.pieces),
        offers=tuple(replace(offer, to=tuple(map(moved, offer.to))) for offer in whole.offers),
        arrows=tuple((moved(a), moved(b)) for a, b in whole.arrows),
    )


# -- words ---------------------------------------------------------------------------------------------


def round_played(view: ShortestPathView) -> int:
    """The round that is being played, or the last one: a round is a step and the raise after it."""
    begins = view.outcome is None and view.to_act is Seat.EVADER
    return max(1, view.round + begins)


def turn_of(view: ShortestPathView) -> str:
    """Who acts now, or how the game ended."""
    if view.outcome is not None:
        return ending(view, view.outcome)
    return "the traveller to move" if view.to_act is Seat.EVADER else "the adversary to raise an edge"


def ending(view: ShortestPathView, outcome: Outcome) -> str:
    """How it ended, with what was paid where nobody gave up or failed."""
    if outcome.termination is Termination.ARRIVAL:
        return f"the traveller arrives and pays {cost_text(outcome.cost or 0.0)}"
    if outcome.winner is Side.PURSUERS and outcome.why is None and view.round >= view.config.move_limit:
        return f"the traveller paid {cost_text(view.total)} without reaching the target"
    return forfeit_words(outcome, "the adversary" if outcome.winner is Side.EVADER else "the traveller")


def _caption(view: ShortestPathView) -> tuple[str, ...]:
    """What was paid, the cheapest way, and the edges that cost most."""
    config = view.config
    lines = [f"paid {cost_text(view.total)}"]
    if view.quarry != config.target:
        lines[0] += f"; cheapest now {cheapest_words(view)}"
    raised = raised_edges(view)
    if raised:
        texts = [f"{edge_text(config.board, a, b)} {cost_text(cost)}" for a, b, cost in raised[:MOST_RAISED]]
        more = f", {len(raised) - MOST_RAISED} more" if len(raised) > MOST_RAISED else ""
        lines.append(f"raised: {', '.join(texts)}{more}")
    return tuple(lines)


def cheapest_words(view: ShortestPathView) -> str:
    """`for 3: 2 3 4`."""
    ways = ways_of(view.config, view.raises)
    return f"for {cost_text(ways.distance[view.quarry])}: {view.config.board.text(ways.from_node(view.quarry))}"


# -- costs ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def ways_of(config: ShortestPathConfig, raises: tuple[int, ...]) -> CheapestWays:
    """As `cheapest_ways`, remembered for one position's pictures and texts."""
    return cheapest_ways(config, raises)


def raised_edges(view: ShortestPathView) -> list[tuple[Node, Node, float]]:
    """The raised edges with their present costs, those that cost most first."""
    edges = view.config.board.edges
    found = [(edges[i].a, edges[i].b, cost_of(view.config, view.raises, i)) for i, n in enumerate(view.raises) if n]
    return sorted(found, key=lambda entry: (-entry[2], entry[0], entry[1]))


def level_of(cost: float) -> int:
    return sum(cost > limit * (1 + SLACK) for limit in LEVELS)


def _edge_marks(view: ShortestPathView, steps: tuple[tuple[Node, Node], ...]) -> dict[str, Any]:
    """`edges` has those that were raised; `matter` names what must be seen on a crowded board."""
    board, index, raised = view.config.board, edge_index(view.config.board), {}
    for a, b, cost in raised_edges(view):
        level = level_of(cost)
        n = view.raises[index[a, b]]
        raised[_key(view, a, b)] = {"cost": cost, "raises": n, "level": level, "width": WIDTHS[level]}
    near = [(node, to) for node in (view.quarry, view.config.target) for to in board.neighbours(node)]
    return {"edges": raised, "matter": sorted({_key(view, a, b) for a, b in (*near, *steps)} | set(raised))}


def _key(view: ShortestPathView, a: Node, b: Node) -> str:
    """As in the board's drawing: the labels in the order of their nodes."""
    board = view.config.board
    return f"{board.label(min(a, b))} {board.label(max(a, b))}"


def _step(view: ShortestPathView, to: Node) -> dict[str, Any]:
    """What the step costs, and the cheapest way from there at current costs."""
    edge = edge_index(view.config.board)[view.quarry, to]
    left = ways_of(view.config, view.raises).distance[to]
    return {"to": view.config.board.label(to), "cost": cost_of(view.config, view.raises, edge), "left": left}


# -- offers ------------------------------------------------------------------------------------------------


def offers(view: ShortestPathView) -> tuple[SceneOffer, ...]:
    """One for each step; of many raises the interesting ones in full and all others in one offer, `edges`."""
    if view.to_act is Seat.EVADER:
        return tuple(_offer_step(view, action) for action in view.legal)
    ordered = by_interest(view)
    edges = [action for action in ordered if isinstance(action, OnEdge)]
    n_listed = len(edges)
    if n_listed > MOST_LISTED:
        n_listed = min(MOST_LISTED, sum(_interest(view, action)[0] < _NO_INTEREST for action in edges))
    made = [_offer_raise(view, action, rank) for rank, action in enumerate(edges[:n_listed])]
    if edges[n_listed:]:
        others = {format_action(view.config, action): _shortly(view, action) for action in edges[n_listed:]}
        words = f"any of {len(others)} other edges"
        made.append(SceneOffer("", words, more={"kind": "others", "edges": others}))
    return (*made, *(_pass(view, action) for action in ordered if not isinstance(action, OnEdge)))


def _offer_step(view: ShortestPathView, action: ShortestPathAction) -> SceneOffer:
    if not isinstance(action, OnEdge):
        return _pass(view, action)
    step = _step(view, action.to)
    words, more = f"go to {step['to']} for {cost_text(step['cost'])}", {"cost": step["cost"], "left": step["left"]}
    text = format_action(view.config, action)
    return SceneOffer(text, words, (step["to"],), (action.to,), {"kind": "step", **more})


def _pass(view: ShortestPathView, action: ShortestPathAction) -> SceneOffer:
    words = "pass: stay here" if view.to_act is Seat.EVADER else "pass: raise nothing"
    return SceneOffer(format_action(view.config, action), words, more={"kind": "pass"})


def _offer_raise(view: ShortestPathView, action: OnEdge, rank: int) -> SceneOffer:
    a, b = (view.config.board.label(node) for node in (action.start, action.to))
    cost, after, factor = costs_of(view, action)
    words = f"raise {a}-{b} from {cost_text(cost)} to {cost_text(after)}"
    more = {"cost": cost, "after": after, "factor": factor, "why": _interest(view, action)[1], "rank": rank}
    return SceneOffer(format_action(view.config, action), words, (a, b), more={"kind": "raise", **more})


def costs_of(view: ShortestPathView, action: OnEdge) -> tuple[float, float, float]:
    """What an edge costs now and after a raise, and the factor."""
    edge = edge_index(view.config.board)[action.start, action.to]
    factor, n = factors(view.config)[edge], view.raises[edge]
    return raised_cost(factor, n), raised_cost(factor, n + 1), factor


def _shortly(view: ShortestPathView, action: OnEdge) -> list[str | float]:
    """Ends and costs with few digits: there may be thousands."""
    label, (cost, after, _) = view.config.board.label, costs_of(view, action)
    return [label(action.start), label(action.to), float(f"{cost:.4g}"), float(f"{after:.4g}")]


_NO_INTEREST = 9


def _interest(view: ShortestPathView, action: OnEdge) -> tuple[int, str]:
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


def by_interest(view: ShortestPathView) -> list[ShortestPathAction]:
    """The edges on the cheapest way in its order, then those at the target, at the traveller, raised ones, all others;
    a pass comes last."""
    hops = hops_to(view.config.board, view.config.target)

    def rank(action: ShortestPathAction) -> tuple[int, int]:
        if not isinstance(action, OnEdge):
            return _NO_INTEREST + 1, 0
        far = [h for h in (hops[action.start], hops[action.to]) if h is not None]
        return _interest(view, action)[0], -max(far, default=0)

    return sorted(view.legal, key=rank)
