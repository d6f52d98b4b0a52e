"""Fugitive: the choices that strong agents propose, each valued by quick games on worlds of the seat to act."""

from random import Random

from manhunt.agents.registry import make_agent
from manhunt.analysis.engine_lines import EngineLine, EngineLines
from manhunt.analysis.findings import Effort, SeatPast
from manhunt.analysis.quick_games import QuickGames
from manhunt.core.ids import Seat
from manhunt.games.fugitive.rules.game import FugitiveGame
from manhunt.games.fugitive.rules.views import FugitiveView
from manhunt.games.fugitive.show.analysis import QUICK_AGENTS, _sampler, proposals

GAME = FugitiveGame()
ASKED = 3
"""How often everybody is asked: those who draw lots propose several things."""
TIMES = 4
"""So many times the games of a judged move."""


def find_lines(past: SeatPast, ply: int, n: int, effort: Effort) -> EngineLines:
    view = past.views[ply]
    assert isinstance(view, FugitiveView)
    found = [steps for i in range(ASKED) for steps in proposals(view, Random(100 * ply + i))]
    choices = list(dict.fromkeys(found)) or [(action,) for action in view.legal[:n]]
    agents = {seat: make_agent(name, GAME.name, seat) for seat, name in QUICK_AGENTS.items()}
    most = TIMES * effort.played[1]
    rated = QuickGames(GAME, view.config, agents, effort).rate(ply, choices, _sampler(view), most)
    sign = 1.0 if past.seat is Seat.EVADER else -1.0
    rated.sort(key=lambda pair: -sign * pair[1].mean)
    who = f"{QUICK_AGENTS[Seat.EVADER]} against {QUICK_AGENTS[Seat.PURSUERS]}"
    how = f"Proposed by strong agents; the chance is the share of {most} quick games won ({who}), with a 95 % interval."
    return EngineLines([EngineLine(steps, value) for steps, value in rated[:n]], how)
