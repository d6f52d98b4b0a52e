"""Fugitive: placements, guesses and draws compared by games between quick agents, on worlds of the acting seat."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np

from manhunt.agents.registry import make_agent
from manhunt.analysis import findings
from manhunt.analysis.findings import CurveAxis, Effort, Findings, SeatPast, Verdicts
from manhunt.analysis.quick_games import MoveChoice, QuickGames, Sampler, Steps
from manhunt.core.agent import Limit
from manhunt.core.ids import PLAYERS, Seat
from manhunt.games.fugitive.beliefs.seats import sample_states
from manhunt.games.fugitive.beliefs.worlds import Worlds
from manhunt.games.fugitive.rules.actions import Ask, Done, Name, Pass, TakeFrom
from manhunt.games.fugitive.rules.game import FugitiveGame
from manhunt.games.fugitive.rules.public import Phase
from manhunt.games.fugitive.rules.state import State
from manhunt.games.fugitive.rules.views import FugitiveView
from manhunt.play.hindsight import Hindsight

GAME = FugitiveGame()
QUICK_AGENTS = {Seat.EVADER: "hr-1", Seat.PURSUERS: "notepad"}
ADVISERS = {Seat.EVADER: ("continuation", "hr-1", "hr-1"), Seat.PURSUERS: ("exact", "notepad", "hr-1.1c")}
"""Who is asked for something better; who is named twice draws lots."""


def analyse(past: Hindsight, effort: Effort) -> Findings:
    agents = {seat: make_agent(name, GAME.name, seat) for seat, name in QUICK_AGENTS.items()}
    quick = QuickGames(GAME, past.config, agents, effort)
    few, many = effort.played
    found = Findings(
        CurveAxis("chance", "the Fugitive's winning chance", 0.0, 1.0),
        [
            "Every placement, guess and draw is judged as one choice, by what its seat could know at the time. The"
            " Marshal considers all deals and trails that fit what they saw, the Fugitive all hands that the Marshal"
            " may have.",
            f"The value of a choice is the share of quick games ({QUICK_AGENTS[Seat.EVADER]} against"
            f" {QUICK_AGENTS[Seat.PURSUERS]}) that the Fugitive wins after it. Stronger agents propose"
            f" alternatives, which are compared with what was played in {few} to {many} pairs of games with the same"
            " cards and the same luck.",
        ],
        findings.stated_words(99),
        surprise=surprise(past),
        surprise_how="How unlikely the true trail was to a Marshal who counts every one, in bits; 0 is certain.",
    )

    def true_value(ply: int, steps: Steps) -> float:
        played = steps or choices[ply]
        return quick.true_value(ply, past.states[ply], played, shuffled)

    choices = {ply: steps for seat in PLAYERS for ply, steps in turns(findings.past_of(past, seat))}
    return findings.judge_seats(found, past, lambda each: _verdicts(each, quick), true_value)


def shuffled(state: State, rng: Random) -> State:
    """The same with other cards to be drawn: nobody knows their order."""
    return state._replace(piles=tuple(tuple(rng.sample(pile, len(pile))) for pile in state.piles))


def _verdicts(past: SeatPast, quick: QuickGames) -> Verdicts:
    for ply, played in turns(past):
        view = past.views[ply]
        assert isinstance(view, FugitiveView)
        is_free = len(view.legal) > 1
        others = proposals(view, Random(ply)) if is_free else []
        judged, value = quick.judge(MoveChoice(ply, past.seat, played, others, _sampler(view)))
        yield ply, judged if is_free else None, value


def turns(past: SeatPast) -> Iterator[tuple[int, Steps]]:
    """A seat's choices: its first ply and all its steps. One that the game's end cut short counts as well."""
    begun, steps = 0, list[Any]()
    for ply, action in past.actions.items():
        begun = ply if not steps else begun
        steps.append(action)
        if _ends(action, past.views[ply]):
            yield begun, tuple(steps)
            steps = []


def _ends(action: Any, view: Any) -> bool:
    return isinstance(action, Done | Ask | Pass | TakeFrom) or (
        isinstance(action, Name) and view.phase is Phase.MANHUNT
    )


def proposals(view: FugitiveView, rng: Random) -> list[Steps]:
    """What others would do; of a longer plan the first choice."""
    if isinstance(view.legal[0], TakeFrom) and len(view.legal) <= 4:
        return [(option,) for option in view.legal]
    found = []
    for name in ADVISERS[view.seat]:
        agent = make_agent(name, GAME.name, view.seat)
        agent.start(view)
        line: Sequence[Any] = agent.act(view, Limit(), rng).line
        end = next((i for i, step in enumerate(line) if _ends(step, view)), None)
        if end is not None:
            found.append(tuple(line[: end + 1]))
    return found


def _sampler(view: FugitiveView) -> Sampler:
    worlds = Worlds(view.public, view.marshal or ()) if view.seat is Seat.PURSUERS else None
    return lambda rng, n: sample_states(view, rng, n, worlds)


def surprise(past: Hindsight) -> list[tuple[int, float]]:
    points: list[tuple[int, float]] = []
    known, bits = None, 0.0
    for ply in range(past.last + 1):
        view: Any = past.view(ply, Seat.PURSUERS)
        if view.outcome is not None and ply == past.last:
            points.append((ply, 0.0))
        elif view.row:
            seen = (view.public, view.marshal)
            if seen != known:
                known, bits = seen, _bits(view, [hideout.card for hideout in past.states[ply].row])
            points.append((ply, bits))
    return points


def _bits(view: FugitiveView, row: list[int]) -> float:
    trails = Worlds(view.public, view.marshal or ()).trails
    fits = (trails.rows == np.array(row, trails.rows.dtype)).all(axis=1)
    return findings.bits_of(float(trails.weights[fits].sum()))
