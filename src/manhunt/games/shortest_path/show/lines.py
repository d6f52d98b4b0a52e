"""Adversarial Shortest Path: moves by certified bounds on what the whole journey costs after them."""

from __future__ import annotations

from random import Random
from typing import Any

from manhunt.agents.registry import make_agent
from manhunt.analysis.engine_lines import EngineLine, EngineLines
from manhunt.analysis.findings import Effort, SeatPast
from manhunt.core.agent import ClockFace, Limit
from manhunt.core.ids import Seat
from manhunt.games.shortest_path.rules.game import ShortestPathGame
from manhunt.games.shortest_path.rules.rules import moves_left
from manhunt.games.shortest_path.show.insights import ADVISERS
from manhunt.games.shortest_path.solvers.bounds import compile_searches, find_bounds, rounded_down, rounded_up
from manhunt.games.shortest_path.solvers.lower import find_lower

GAME = ShortestPathGame()
OTHER_RAISERS = ("greedy", "next-edge", "last-edge", "min-cut")
MOST_COMPARED = 6


def find_lines(past: SeatPast, ply: int, n: int, effort: Effort) -> EngineLines:
    view: Any = past.views[ply]
    best = _advised(ADVISERS[past.seat], past, view, effort)
    if moves_left(view.state, Seat.EVADER) <= view.config.board.n_nodes:
        return EngineLines(
            [EngineLine((best,))], "Few moves are left, and bounds do not hold there: this is an agent's move."
        )
    compile_searches()
    if past.seat is Seat.EVADER:
        return _steps(view, best, n, effort)
    others = [_advised(name, past, view, effort) for name in OTHER_RAISERS]
    return _raises(view, list(dict.fromkeys([best, *others]))[:MOST_COMPARED], n, effort)


def _advised(name: str, past: SeatPast, view: Any, effort: Effort) -> Any:
    agent = make_agent(name, GAME.name, past.seat)
    agent.start(past.views[0])
    agent.observe([event for heard in past.events for event in heard])
    return agent.act(view, Limit(seconds=effort.seconds, clock=ClockFace(cap_seconds=effort.seconds)), Random(1)).action


def _steps(view: Any, best: Any, n: int, effort: Effort) -> EngineLines:
    """After a step the adversary raises, and only the lower bound can be certified before that."""
    options = list(dict.fromkeys([best, *view.legal]))[:MOST_COMPARED]
    rated = []
    for action in options:
        after = GAME.apply_action(view.state, action)
        over = GAME.outcome(after) is not None
        least = after.total if over else after.total + find_lower(after, effort.seconds).value
        worth = f"costs {rounded_up(least)} in all" if over else f"costs {rounded_down(least)} or more in all"
        rated.append((least, action is not best, EngineLine((action,), worth=worth)))
    rated.sort(key=lambda row: row[:2])
    how = "Certified: whatever the traveller does later, the adversary can make the journey cost at least this."
    return EngineLines([line for *_, line in rated[:n]], how)


def _raises(view: Any, options: list[Any], n: int, effort: Effort) -> EngineLines:
    rated = []
    for action in options:
        after = GAME.apply_action(view.state, action)
        bounds = find_bounds(after, effort.seconds)
        low, high = (after.total + bound.value for bound in (bounds.lower, bounds.upper))
        least, most = rounded_down(low), rounded_up(high)
        worth = f"costs {least if least == most else f'{least} to {most}'} in all"
        rated.append((-low, -high, EngineLine((action,), worth=worth)))
    rated.sort(key=lambda row: row[:2])
    return EngineLines(
        [line for *_, line in rated[:n]], "Certified bounds on what the whole journey costs with best play."
    )
