"""Pursuit: exact where the game is open and small enough to be solved, else by games between quick agents."""

import math
from dataclasses import replace
from random import Random
from typing import Any

from manhunt.agents.registry import make_agent
from manhunt.analysis.findings import (
    BLUNDER,
    MISTAKE,
    NOTHING_BETTER,
    SLIP,
    Curve,
    CurveAxis,
    Effort,
    Findings,
    Judged,
    SeatPast,
    Verdicts,
    judge_seats,
    stated_words,
)
from manhunt.analysis.progress import report
from manhunt.analysis.quick_games import MoveChoice, QuickGames, Sampler
from manhunt.core.agent import Agent, Limit
from manhunt.core.ids import Seat
from manhunt.games.pursuit.beliefs.candidates import PursuitCandidates
from manhunt.games.pursuit.rules import rules
from manhunt.games.pursuit.rules.actions import PursuitMove
from manhunt.games.pursuit.rules.config import PursuitConfig, Visibility
from manhunt.games.pursuit.rules.game import PursuitGame
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.games.pursuit.solvers.probe import Probe, is_between_rounds, rounds_done
from manhunt.games.pursuit.solvers.tables import FOREVER, PursuitTable, can_solve, solve_table
from manhunt.play.hindsight import Hindsight

GAME = PursuitGame()
MOST_TABLE_BYTES = 48 << 20
NEVER_MARGIN = 3
HALF_ROUNDS = 2.0
"""A loss of so many rounds counts half as an accurate decision."""
FEW_ROUNDS = 2
"""Where nobody is caught, the curve runs so many rounds above the last round played."""
MOST_OTHERS = 8


def analyse(past: Hindsight, effort: Effort) -> Findings:
    if can_solve(past.config, MOST_TABLE_BYTES):
        report(0, past.last + 1, "solving the board")
        return by_table(past, solve_table(past.config))
    return by_games(past, effort)


def by_table(past: Hindsight, table: PursuitTable) -> Findings:
    """All is open, so that what a seat could know is the state."""
    exact = Exact(table)
    totals = [exact.total(state) for state in past.states]
    finite = [total for total in totals if total < FOREVER]
    top = max([*finite, *(past.round(ply) for ply in range(past.last + 1))]) + NEVER_MARGIN
    limit = past.config.max_rounds
    top = top if limit is None else min(top, limit)
    found = Findings(
        CurveAxis("rounds", "rounds survived with best play", 0.0, float(top)),
        [
            "The board is solved. The curve is the number of rounds that Mr X survives in all if both sides play best"
            " from here on; at the top he is never caught.",
            "It falls when Mr X makes a mistake and rises when the detectives do. Nothing is estimated.",
        ],
        "?!: lost one or two rounds; ?: lost more; ??: lost the game; !: the only move that does not lose the game,"
        " where a greedy player would have gone elsewhere",
        surprise_how="Nothing is hidden in this game.",
        is_open=True,
        half=HALF_ROUNDS,
    )
    greedy = {seat: make_agent("greedy:temperature=0", GAME.name, seat) for seat in (Seat.EVADER, Seat.PURSUERS)}
    points = [(ply, float(min(total, top))) for ply, total in enumerate(totals)]
    title = "Rounds that Mr X survives if both play best from here"
    found.curves.append(Curve(title, None, [(ply, value, value, value) for ply, value in points]))
    found.truth, found.payoff = points[:-1] or points, points[-1][1]
    for ply, (state, action) in enumerate(zip(past.states, past.actions, strict=False)):
        acting = past.acting(ply)
        if acting is not None and len(past.options(ply)) > 1:
            found.moves.append(_judge_exactly(exact, ply, state, action, top, greedy[acting]))
        report(ply + 1, past.last, f"round {past.round(ply)}")
    return found


class Exact:
    """The table's word on whole games."""

    def __init__(self, table: PursuitTable) -> None:
        self.table, self.probe = table, Probe(table)

    def total(self, state: PursuitState) -> int:
        """Rounds survived from the start of the game under best play; FOREVER if never caught."""
        rounds = self._placing_value(state) if state.placing else self.probe.value(state)
        if rounds < FOREVER and not state.placing:
            rounds += rounds_done(state)
            if rules.is_caught(state) and is_between_rounds(state):
                rounds = max(0, rounds - 1)  # the round of the capture was not survived
        return self._limited(state, rounds)

    def action_totals(self, state: PursuitState) -> dict[Any, int]:
        if state.placing:
            return {action: self.total(GAME.apply_action(state, action)) for action in GAME.legal_actions(state)}
        done = rounds_done(state)
        values = self.probe.action_values(state)
        return {a: self._limited(state, v + done if v < FOREVER else v) for a, v in values}

    @staticmethod
    def _limited(state: PursuitState, rounds: int) -> int:
        """Who lasts as many rounds as are played is never caught."""
        limit = state.config.max_rounds
        return FOREVER if limit is not None and rounds >= limit else rounds

    def _placing_value(self, state: PursuitState) -> int:
        if len(state.pursuers) < state.config.n_detectives:
            return self.table.worst_for_pursuers(state.pursuers)[0]
        moves = [action for action in GAME.legal_actions(state) if isinstance(action, PursuitMove)]
        return max(self.table.rounds_survived(move.to, state.pursuers) for move in moves)


def _judge_exactly(exact: Exact, ply: int, state: PursuitState, action: Any, top: int, greedy: Agent) -> Judged:
    """`lost` counts rounds, as the curve does: never is `top`."""
    totals, seat = exact.action_totals(state), rules.to_act(state)
    assert seat is not None
    evades = seat is Seat.EVADER
    best = (max if evades else min)(totals, key=lambda option: totals[option])
    mine, other = totals[action], totals[best]
    text = GAME.format_action(state.config, action)
    value = float(min(mine, top))
    if mine == other:
        margin, plain = _find(exact, state, action, totals, greedy)
        words = "as good as any" if margin is None else NOTHING_BETTER
        return Judged(ply, seat.value, text, None, value, 0.0, 0.0, 0.0, None, words, margin, plain)
    better = GAME.format_action(state.config, best)
    decisive = (mine >= FOREVER) != (other >= FOREVER)
    lost = float(abs(min(mine, top) - min(other, top)))
    mark = BLUNDER if decisive else SLIP if lost <= FEW_ROUNDS else MISTAKE
    return Judged(ply, seat.value, text, better, value, lost, lost, lost, mark, _loss_words(evades, mine, other))


def _find(
    exact: Exact, state: PursuitState, action: Any, totals: dict[Any, int], greedy: Agent
) -> tuple[float | None, str | None]:
    """Whether every other move loses what this one keeps, and where a greedy player goes."""
    others = [total >= FOREVER for option, total in totals.items() if option != action]
    if state.placing or any(kept == (totals[action] >= FOREVER) for kept in others):
        return None, None
    view = GAME.view(state, rules.to_act(state) or Seat.EVADER)
    greedy.start(view)
    plain = greedy.act(view, Limit(), Random(0)).action
    return 1.0, GAME.format_action(state.config, plain)


def _loss_words(evades: bool, mine: int, other: int) -> str:
    if mine >= FOREVER or other >= FOREVER:
        return f"can be caught in round {mine + 1} now" if evades else "Mr X gets away with best play"
    n = abs(mine - other)
    return f"caught {n} round{'' if n == 1 else 's'} {'sooner' if evades else 'later'}"


def by_games(past: Hindsight, effort: Effort) -> Findings:
    agents = {seat: make_agent("greedy", GAME.name, seat) for seat in (Seat.EVADER, Seat.PURSUERS)}
    limited = past.config
    if limited.max_rounds is None:
        limited = replace(limited, max_rounds=2 * past.round(past.last) + 10)
    quick = QuickGames(GAME, limited, agents, effort)
    few, many = effort.played
    is_open = past.config.visibility is Visibility.ALWAYS
    found = Findings(
        CurveAxis("chance", "Mr X's winning chance", 0.0, 1.0),
        [
            "Every move is judged by what its seat could know then"
            + (": everything." if is_open else "; the detectives' worlds are all places that fit what they saw."),
            "The value of a move is the share of quick games between two greedy agents that Mr X wins after it;"
            f" the best alternative is compared with the played move in {few} to {many} pairs of games with the same"
            " place and the same luck.",
        ],
        stated_words(99),
        surprise=None if is_open else surprise(past),
        surprise_how="Nothing is hidden in this game."
        if is_open
        else "How unlikely Mr X's true place was to everybody else, all candidates alike, in bits; 0 is certain.",
    )

    def true_value(ply: int, steps: tuple[Any, ...]) -> float:
        state = replace(past.states[ply], config=limited)
        return quick.true_value(ply, state, steps, lambda state, rng: state)

    return judge_seats(found, past, lambda each: _verdicts(each, quick, limited), true_value)


def _verdicts(past: SeatPast, quick: QuickGames, config: PursuitConfig) -> Verdicts:
    for ply, action in past.actions.items():
        view: Any = past.views[ply]
        if not view.placing:
            choice = MoveChoice(ply, past.seat, (action,), _others(view, ply), sampler(past, ply, config))
            judged, value = quick.judge(choice)
            yield ply, judged if len(view.legal) > 1 else None, value


def _others(view: Any, ply: int) -> list[tuple[Any, ...]]:
    """All moves, or the greedy one and some of many."""
    rng = Random(ply)
    advised = make_agent("greedy", GAME.name, view.seat).act(view, Limit(), rng).action
    legal = list(view.legal) if len(view.legal) <= MOST_OTHERS else rng.sample(view.legal, MOST_OTHERS)
    return [(action,) for action in dict.fromkeys([advised, *legal])]


def sampler(past: SeatPast, ply: int, config: PursuitConfig) -> Sampler:
    """The quarry knows the state; the detectives draw from what they can have worked out."""
    view: Any = past.views[ply]
    if view.quarry is not None:
        return lambda rng, n: [replace(view.state, config=config)] * n
    belief = PursuitCandidates()
    belief.start(past.views[0])
    belief.observe(event for heard in past.events[: ply + 1] for event in heard)
    return lambda rng, n: [replace(belief.sample(rng), config=config) for _ in range(n)]


def surprise(past: Hindsight) -> list[tuple[int, float]]:
    belief, points = PursuitCandidates(), []
    belief.start(past.view(0, Seat.SPECTATOR))
    for ply, state in enumerate(past.states):
        belief.observe(event.seen_by(Seat.SPECTATOR) for event in past.happened[ply])
        if state.quarry is not None:
            points.append((ply, math.log2(max(1, len(belief.candidates)))))
    return points
