"""Pursuit: exact where the game is open and small enough to be solved, else by games between quick agents."""

from dataclasses import replace
from random import Random
from typing import Any

from manhunt.agents.registry import make_agent
from manhunt.analysis.engine_lines import EngineLine, EngineLines
from manhunt.analysis.findings import Effort, SeatPast
from manhunt.analysis.quick_games import QuickGames
from manhunt.core.agent import Limit
from manhunt.core.ids import PLAYERS, Seat
from manhunt.games.pursuit.rules.game import PursuitGame
from manhunt.games.pursuit.show.analysis import MOST_TABLE_BYTES, Exact, _others, sampler
from manhunt.games.pursuit.solvers.tables import FOREVER, can_solve, solved_table

GAME = PursuitGame()
MORE_ROUNDS = 30
"""Of a quick game in a game without an end."""


def find_lines(past: SeatPast, ply: int, n: int, effort: Effort) -> EngineLines:
    view: Any = past.views[ply]
    if can_solve(view.config, MOST_TABLE_BYTES):
        return _solved(past, view, n)
    if view.placing:
        action = make_agent("greedy", GAME.name, past.seat).act(view, Limit(), Random(ply)).action
        return EngineLines([EngineLine((action,))], "One step ahead only: this is where greedy would begin.")
    config = view.config
    if config.max_rounds is None:
        config = replace(config, max_rounds=view.round + MORE_ROUNDS)
    agents = {seat: make_agent("greedy", GAME.name, seat) for seat in PLAYERS}
    most = effort.played[1]
    rated = QuickGames(GAME, config, agents, effort).rate(ply, _others(view, ply), sampler(past, ply, config), most)
    sign = 1.0 if past.seat is Seat.EVADER else -1.0
    rated.sort(key=lambda pair: -sign * pair[1].mean)
    how = f"The chance is the share of {most} quick games won between two greedy agents, with its 95 % interval."
    return EngineLines([EngineLine(steps, value) for steps, value in rated[:n]], how)


def _solved(past: SeatPast, view: Any, n: int) -> EngineLines:
    """All is open, so that the view is the state."""
    totals = Exact(solved_table(view.config)).action_totals(view.state)
    sign = 1 if past.seat is Seat.EVADER else -1
    best = sorted(totals.items(), key=lambda pair: -sign * pair[1])[:n]
    lines = [EngineLine((action,), worth=_worth(total)) for action, total in best]
    return EngineLines(lines, "Solved: this is what happens with best play of both sides.")


def _worth(total: int) -> str:
    return "never caught" if total >= FOREVER else f"caught in round {total + 1}"
