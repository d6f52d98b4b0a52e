"""What tasks of the lessons ask for, and why a move is not it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from manhunt.analysis.lessons import Check, Trial
from manhunt.games.shortest_path.rules.actions import EmptyMove
from manhunt.games.shortest_path.rules.costs import cheapest_ways
from manhunt.games.shortest_path.rules.labels import cost_text
from manhunt.games.shortest_path.rules.state import ShortestPathState

SLACK = 1e-9
STAYED = "Waiting costs nothing, but one more line is raised meanwhile."


def _left(state: ShortestPathState) -> float:
    """What the cheapest way from here costs now."""
    return cheapest_ways(state.config, state.raises).distance[state.quarry]


def _at(state: ShortestPathState) -> str:
    return state.config.board.label(state.quarry)


def is_cheapest(trial: Trial, _: bool) -> str | None:
    """The step begins a cheapest way at current costs."""
    if isinstance(trial.last, EmptyMove):
        return STAYED
    before, after = trial.before.state, trial.after.state
    paid = after.total - before.total
    if paid + _left(after) <= _left(before) + SLACK:
        return None
    whole = f"{cost_text(paid)} for this step and {cost_text(_left(after))} from {_at(after)} on"
    return f"That costs {whole}; the cheapest way costs {cost_text(_left(before))} in all."


def worst(state: ShortestPathState) -> tuple[float, str]:
    """What the traveller pays in all after the worst raise, and which line that is."""
    found = []
    for i, edge in enumerate(state.config.board.edges):
        raised = replace(state, raises=(*state.raises[:i], state.raises[i] + 1, *state.raises[i + 1 :]))
        label = state.config.board.label
        found.append((state.total + _left(raised), f"{label(edge.a)}-{label(edge.b)}"))
    return max(found)


def stays_cheap(trial: Trial, most: float) -> str | None:
    """Whatever line is raised next, the traveller can arrive for at most this much in all."""
    if isinstance(trial.last, EmptyMove):
        return STAYED
    cost, line = worst(trial.after.state)
    if cost <= most + SLACK:
        return None
    return f"If {line} is raised now, you pay at least {cost_text(cost)} in all."


def arrives(trial: Trial, most: float) -> str | None:
    """The traveller is on the target, and has paid at most this much."""
    state: ShortestPathState = trial.after.state
    target = state.config.board.label(state.config.target)
    if state.quarry != state.config.target:
        return f"You are on {_at(state)}, and not on {target}."
    paid, allowed = cost_text(state.total), cost_text(most)
    return None if state.total <= most + SLACK else f"You arrive, but you pay {paid}; {allowed} is enough."


def costs_at_least(trial: Trial, least: float) -> str | None:
    """After the raise the cheapest way of the traveller costs at least this much."""
    state: ShortestPathState = trial.after.state
    left = _left(state)
    if left >= least - SLACK:
        return None
    way = cheapest_ways(state.config, state.raises).from_node(state.quarry)
    return f"The rest still costs {cost_text(left)}, by {'-'.join(map(state.config.board.label, way))}."


CHECKS: Mapping[str, Check] = {
    "is_cheapest": is_cheapest,
    "stays_cheap": stays_cheap,
    "arrives": arrives,
    "costs_at_least": costs_at_least,
}
