"""What can be found out about a crossing: the route and its costs, certified bounds, and an agent's advice."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from manhunt.analysis.insights import Help, Maker, ask_adviser, needs, take_number, takes
from manhunt.analysis.seat_log import SeatLog
from manhunt.core.agent import Advice, ClockFace, Limit
from manhunt.core.errors import BadText, ManhuntError
from manhunt.core.game import View
from manhunt.core.ids import Seat
from manhunt.games.shortest_path.rules.actions import OnEdge
from manhunt.games.shortest_path.rules.costs import edge_index
from manhunt.games.shortest_path.rules.notation import format_action
from manhunt.games.shortest_path.rules.rules import moves_left
from manhunt.games.shortest_path.rules.views import ShortestPathView
from manhunt.games.shortest_path.show.scene import ways_of
from manhunt.games.shortest_path.solvers.bounds import compile_searches, find_bounds, rounded_down, rounded_up
from manhunt.games.shortest_path.solvers.verdict import verdict

ADVISERS = {Seat.EVADER: "navigator", Seat.PURSUERS: "blocker"}
BOUNDS_SECONDS, HINT_SECONDS, MOST_SECONDS = 2.0, 1.0, 20.0
MOST_WORK = 150_000
"""Plies times edges up to which the cheapest way is worked out for every moment of the game so far."""


def _seen(view: View) -> ShortestPathView:
    assert isinstance(view, ShortestPathView)
    return view


@needs(Help.NONE)
def _route(log: SeatLog, params: Mapping[str, str], level: Help = Help.ALL) -> dict[str, Any]:
    """Where the traveller went, what each step cost, and, as a help, what the rest would have cost at each moment."""
    opening = _seen(log.opening)
    board, index = opening.config.board, edge_index(opening.config.board)
    acts = [event for event in log.events if event.get("t") in ("moved", "raised", "passed")]
    follow = level is Help.ALL and len(acts) * len(board.edges) <= MOST_WORK
    quarry, raises, paid = opening.quarry, list(opening.raises), opening.total
    nodes, steps = [board.label(quarry)], list[dict[str, Any]]()
    points = [_point(opening, 0, paid, follow)]
    for ply, event in enumerate(acts, 1):
        if event["t"] == "moved":
            quarry, paid = board.node(event["to"]), event["total"]
            nodes.append(event["to"])
            steps.append({"from": event["from"], "to": event["to"], "cost": event["cost"], "total": paid})
        elif event["t"] == "raised":
            raises[index[board.node(event["from"]), board.node(event["to"])]] += 1
        points.append(_point(replace(opening, quarry=quarry, raises=tuple(raises)), ply, paid, follow))
    raised = [{"edge": f"{e['from']}-{e['to']}", "cost": e["cost"]} for e in acts if e["t"] == "raised"]
    return {"nodes": nodes, "steps": steps, "points": points, "raised": raised}


def _point(view: ShortestPathView, ply: int, paid: float, follow: bool) -> dict[str, Any]:
    """`likely` is what was paid together with the cheapest way by the costs of that moment."""
    rest = ways_of(view.config, view.raises).distance[view.quarry] if follow else None
    return {"ply": ply, "paid": paid, "likely": None if rest is None else paid + rest}


@takes("seconds", "of")
def _bounds(log: SeatLog, params: Mapping[str, str]) -> dict[str, Any]:
    """Certified bounds on what best play costs: from now on, or (`of=start`) in the whole game."""
    seconds = take_number(params, "seconds", BOUNDS_SECONDS, 0.05, MOST_SECONDS)
    of = params.get("of", "now")
    if of not in ("now", "start"):
        raise BadText(f"of={of}: expected now or start")
    view = _seen(log.view if of == "now" else log.opening)
    if view.outcome is not None or view.quarry == view.config.target:
        return _bounds_json(view, of, 0.0, 0.0, "the traveller has arrived; nothing is left to pay")
    if moves_left(view.state, Seat.EVADER) <= view.config.board.n_nodes:
        raise ManhuntError("few moves are left, and bounds do not hold where a side may run out of them")
    if view.to_act is Seat.PURSUERS:
        return _lower_alone(view, seconds)
    bounds = find_bounds(view.state, seconds)
    lower, upper = bounds.lower.value, bounds.upper.value
    words = f"best play from {'here' if of == 'now' else 'the start'} costs {bounds}"
    answer = _bounds_json(view, of, lower, upper, words)
    end = log.view.outcome
    judged = None if of == "now" or end is None else verdict(bounds, end.cost)
    return answer | {"solved": bounds.solved, "certificate": bounds.to_json(view.config.board), "verdict": judged}


def _lower_alone(view: ShortestPathView, seconds: float) -> dict[str, Any]:
    """Before a raise only the adversary's side can be certified."""
    from manhunt.games.shortest_path.solvers.lower import find_lower

    compile_searches()
    lower = find_lower(view.state, seconds).value
    words = f"with the raise to come the traveller still pays at least {rounded_down(lower)}"
    return _bounds_json(view, "now", lower, None, words) | {"solved": False, "certificate": None}


def _bounds_json(view: ShortestPathView, of: str, lower: float, upper: float | None, words: str) -> dict[str, Any]:
    total = {"lower": view.total + lower, "upper": None if upper is None else view.total + upper}
    return {"of": of, "lower": lower, "upper": upper, "paid": view.total, "total": total, "words": words}


@takes("seconds")
def _hint(log: SeatLog, params: Mapping[str, str]) -> dict[str, Any]:
    """An agent's advice for the seat that is to act, with what it certifies."""
    view = _seen(log.view)
    if view.to_act is not log.seat or not view.legal:
        raise ManhuntError("there is no hint now: it is not this seat's turn")
    seconds = take_number(params, "seconds", HINT_SECONDS, 0.05, MOST_SECONDS)
    limit = Limit(seconds=seconds, clock=ClockFace(cap_seconds=seconds))
    advice = ask_adviser(ADVISERS[log.seat], log, limit)
    return {
        "agent": ADVISERS[log.seat],
        "action": format_action(view.config, advice.action),
        "picks": _picks(view, advice),
        "words": _advice_words(view, advice),
        "value": advice.value,
        "confidence": advice.confidence,
        "certified": {key: float(n) for key, n in advice.counters.items() if key in ("lower", "upper")},
    }


def _picks(view: ShortestPathView, advice: Advice) -> list[str]:
    label, action = view.config.board.label, advice.action
    if not isinstance(action, OnEdge):
        return []
    return [label(action.to)] if view.to_act is Seat.EVADER else [label(action.start), label(action.to)]


def _advice_words(view: ShortestPathView, advice: Advice) -> str:
    picks = _picks(view, advice)
    if not picks:
        return "pass"
    if view.to_act is Seat.EVADER:
        promise = advice.counters.get("upper")
        sure = "" if promise is None else f": you will pay at most {rounded_up(promise)} in all, whatever is raised"
        return f"go to {picks[0]}{sure}"
    promise = advice.counters.get("lower")
    sure = (
        "" if promise is None else f": the traveller will pay at least {rounded_down(promise)} in all, wherever they go"
    )
    return f"raise {picks[0]}-{picks[1]}{sure}"


MAKERS: dict[str, Maker] = {"route": _route, "bounds": _bounds, "hint": _hint}
