"""What first visitors ask for is compiled ahead, once after an installation or a change, in a process that stands back.

Kernels are compiled at their first use and kept on disk. Here a few plies of every game that home offers are played,
and the questions of its page asked, so that the first person who does so need not wait for the compiler.
"""

import os
from pathlib import Path

from manhunt.agents.random import RandomAgent
from manhunt.agents.registry import make_agent
from manhunt.analysis.insights import insight_of
from manhunt.analysis.seat_log import SeatLog
from manhunt.arena.program import program_hash
from manhunt.core.agent import Limit
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.jit import cache_folder
from manhunt.core.registry import kit_of, kits
from manhunt.play.referee import Referee

PLIES = 12
"""Enough for both sides to have moved, in small steps too."""
LEAST_PRIORITY = 19


def compile_ahead() -> None:
    """Everything, one after the other, unless it was done before; what was compiled stays when this is ended."""
    if _done().exists():
        return
    for name in quick_games():
        play_and_ask(name)
    _done().parent.mkdir(parents=True, exist_ok=True)
    _done().touch()


def quick_games() -> tuple[str, ...]:
    """The games that two clicks begin."""
    return tuple(kit.name for kit in kits() if kit.lobby.quick is not None)


def play_and_ask(name: str, plies: int = PLIES) -> dict[str, dict[str, object]]:
    """The answers of each question of a game's page, after some plies of the game that two clicks begin."""
    kit = kit_of(name)
    game, quick = kit.game, kit.lobby.quick
    assert quick is not None
    config = game.make_config(quick.preset, **({} if quick.board is None else {"board": quick.board}))
    other = next(seat for seat in PLAYERS if seat is not quick.you)
    agents = {quick.you: RandomAgent(), other: make_agent(quick.agent, name, other)}
    referee = Referee(game, config, agents, seed=1, limit=Limit(seconds=1.0))
    opening = referee.view(quick.you)
    while not referee.over and (len(referee.actions) < plies or referee.to_act is not quick.you):
        referee.step()
    log = SeatLog(name, quick.you, opening, referee.events_for(quick.you), referee.view(quick.you))
    return {what: insight_of(what, log, {}) for what in kit.questions}


def _done() -> Path:
    """A sign that these sources were compiled for."""
    return cache_folder(Seat.__module__).parent / f"ahead-{program_hash()}"


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(LEAST_PRIORITY)
    compile_ahead()
