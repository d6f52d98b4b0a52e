"""Using everything once, so that its kernels are compiled and kept: the topics of the games, one by one.

`python -m manhunt.cli.warm_topics` reads topics from standard input, a line each, and writes lines of JSON: one for
each kernel that was compiled, and one at the end of each topic.
"""

import io
import json
import os
import shlex
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, TextIO

from manhunt.agents.random import RandomAgent
from manhunt.agents.registry import make_agent
from manhunt.analysis.analyse import analyse
from manhunt.analysis.findings import Effort
from manhunt.analysis.insights import insight_of
from manhunt.analysis.seat_log import SeatLog
from manhunt.analysis.worth import game_worth
from manhunt.core.agent import Limit
from manhunt.core.errors import BadAgent
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.jit import COMPILED_MODE, MODE_VARIABLE
from manhunt.core.kernel_cache import compilations_told
from manhunt.core.kit import Kit
from manhunt.core.registry import kit_of
from manhunt.core.warm import ANALYSIS, COMPILED, PAGE, TOUR, WATCH, WORTH
from manhunt.play.referee import Referee

PLIES = 12
"""Enough for both sides to have moved, in small steps too."""
LIMIT = Limit(seconds=1.0)
LITTLE_EFFORT = Effort(iterations=40, screened=2, sampled=8, played=(2, 2), seconds=0.1)


def main() -> int:
    os.environ[MODE_VARIABLE] = COMPILED_MODE
    with open(os.dup(1), "w", buffering=1, encoding="utf-8") as answers:
        os.dup2(2, 1)  # what is used may print
        with compilations_told(lambda module, seconds: _say(answers, kernel=module, seconds=seconds)):
            for line in sys.stdin:
                began = time.process_time()
                use_topic(line.strip())
                _say(answers, work=line.strip(), seconds=time.process_time() - began)
    return 0


def _say(answers: TextIO, **what: object) -> None:
    answers.write(json.dumps(what) + "\n")


def use_topic(work: str) -> None:
    """Use what `game/topic` uses, on something small."""
    name, _, topic = work.partition("/")
    kit = kit_of(name)
    if topic in kit.warm_up:
        run_quietly(kit.warm_up[topic])
    elif topic == WATCH:
        run_quietly(f"watch {name} --seed 1 --no-viz")
    elif topic == PAGE:
        play_and_ask(kit)
    elif topic == TOUR:
        kit.part(TOUR).act(1)
    elif topic == ANALYSIS:
        analyse(_random_game(kit).record().format(), LITTLE_EFFORT)
    elif topic == WORTH:
        game_worth(_random_game(kit).record(), pairs=2)
    elif topic == COMPILED:
        kit.part(COMPILED).play(_usual_config(kit), (1, 2))
    else:
        play_agent(kit, topic)


def run_quietly(line: str) -> None:
    """A command of ours, in this process, with nothing to read and nobody who reads."""
    from manhunt.cli.main import run

    nobody, sys.stdin = sys.stdin, io.StringIO()
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            run(shlex.split(line))
    finally:
        sys.stdin = nobody


def play_agent(kit: Kit, name: str) -> None:
    """Some plies of the usual game against a random opponent, in every seat that the agent plays."""
    for seat in PLAYERS:
        try:
            agent = make_agent(name, kit.name, seat)
        except BadAgent:
            continue  # plays the other seat only, or needs an option such as a file
        agents = {seat: agent, **{other: RandomAgent() for other in PLAYERS if other is not seat}}
        _play(Referee(kit.game, _usual_config(kit), agents, seed=1, limit=LIMIT), seat)
        agent.stop()


def play_and_ask(kit: Kit) -> dict[str, dict[str, object]]:
    """The answers to each question of a game's page, after some plies of the game that one click starts."""
    quick = kit.lobby.quick
    assert quick is not None
    other = next(seat for seat in PLAYERS if seat is not quick.you)
    agents = {quick.you: RandomAgent(), other: make_agent(quick.agent, kit.name, other)}
    referee = Referee(kit.game, _usual_config(kit), agents, seed=1, limit=LIMIT)
    opening = referee.view(quick.you)
    _play(referee, quick.you)
    log = SeatLog(kit.name, quick.you, opening, referee.events_for(quick.you), referee.view(quick.you))
    return {what: insight_of(what, log, {}) for what in kit.questions}


def _play(referee: Referee, seat: Seat) -> None:
    """To the seat's next turn after some plies, or to the end."""
    while not referee.over and (len(referee.actions) < PLIES or referee.to_act is not seat):
        referee.step()


def _random_game(kit: Kit) -> Referee:
    referee = Referee(kit.game, _usual_config(kit), {seat: RandomAgent() for seat in PLAYERS}, seed=1)
    while not referee.over:
        referee.step()
    return referee


def _usual_config(kit: Kit) -> Any:
    quick = kit.lobby.quick
    if quick is None:
        return kit.game.make_config()
    return kit.game.make_config(quick.preset, **({} if quick.board is None else {"board": quick.board}))


if __name__ == "__main__":
    sys.exit(main())
