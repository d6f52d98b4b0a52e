"""Where the puzzles of Adversarial Shortest Path come from, and how they are checked: by the exact solver."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from manhunt.agents.registry import make_agent
from manhunt.boards.catalog import load_board
from manhunt.core.agent import Limit
from manhunt.core.errors import BadBoard
from manhunt.core.ids import Seat
from manhunt.core.puzzle import Puzzle
from manhunt.draw.scenes import scene_of
from manhunt.games.shortest_path.rules import rules
from manhunt.games.shortest_path.rules.actions import EmptyMove
from manhunt.games.shortest_path.rules.config import make_config
from manhunt.games.shortest_path.rules.game import ShortestPathGame
from manhunt.games.shortest_path.rules.notation import format_action
from manhunt.games.shortest_path.rules.state import ShortestPathState
from manhunt.games.shortest_path.solvers.exact import solve
from manhunt.play.position import Position

TRAVELLERS, ADVERSARIES = ("forward", "committed"), ("next-edge", "min-cut", "greedy")
LEAST_GAP = 0.05
"""The second-best answer is worse by so much of the best value at least."""
CLOSE = 1e-6
"""Values of two runs of the solver differ by less."""
LONGEST_GAME = 6
EASY_SHARE = 0.15
"""Of the games in which the best road may be the one that costs least now."""
GAME = ShortestPathGame()


def is_exact(puzzle: Puzzle, position: Position) -> bool:
    """Whether the values are those of the solver, and one answer is clearly the best."""
    values = values_of(position)
    same = values.keys() == puzzle.values.keys() and all(abs(values[k] - puzzle.values[k]) < CLOSE for k in values)
    return same and clear_best(puzzle.seat, values) == puzzle.best


def values_of(position: Position) -> dict[str, float]:
    """By answer, what is still to be paid from here on when both play best, its own step included."""
    state: ShortestPathState = position.state
    values = {}
    for action in rules.legal_actions(state):
        after = rules.apply_action(state, action)
        values[format_action(state.config, action)] = round(after.total - state.total + solve(after).value, 6)
    return values


def clear_best(seat: Seat, values: Mapping[str, float]) -> str | None:
    """The best answer, where the second-best is clearly worse."""
    sign = 1 if seat is Seat.EVADER else -1
    best, second = sorted(values, key=lambda text: sign * values[text])[:2]
    is_clear = abs(values[second] - values[best]) >= LEAST_GAP * values[best]
    return best if is_clear else None


def find_in_game(wanted: Seat, rng: Random) -> list[dict[str, Any]]:
    """At most one puzzle in a game between two agents on a small graph."""
    separation, cut = rng.choice(((3, 2), (4, 2), (3, 3)))
    n = rng.randint(9, 13)
    n_edges, seed = rng.randint(int(1.5 * n), 2 * n), rng.randrange(10_000)
    try:
        board = load_board(f"contest:{n}:{n_edges}:separation={separation}:cut={cut}:seed={seed}")
    except BadBoard:  # so many edges do not fit
        return []
    config = make_config(rng.choice(("sqrt", "double")), board)
    may_be_easy = rng.random() < EASY_SHARE
    position = Position.begin(GAME, config, {})
    agents = {
        seat: make_agent(rng.choice(names), GAME.name, seat)
        for seat, names in ((Seat.EVADER, TRAVELLERS), (Seat.PURSUERS, ADVERSARIES))
    }
    for seat, agent in agents.items():
        agent.start(position.view(seat))
    for _ in range(LONGEST_GAME):
        acting = GAME.to_act(position.state)
        if acting is None:
            return []
        is_asked = acting is wanted and position.state.ply > 1 and (may_be_easy or not is_easy(position))
        if is_asked and (made := _draft(wanted, position)):
            return [made]
        position = position.act(agents[acting].act(position.view(acting), Limit(), rng).action)
    return []


def is_easy(position: Position) -> bool:
    """Whether the road that costs least now, and no other, is the best one; no raise is thought to be easy."""
    view = position.view(Seat.EVADER)
    if view.to_act is not Seat.EVADER:
        return False
    now = {o.action: o.more["cost"] + o.more["left"] for o in scene_of(view).offers if o.more["kind"] == "step"}
    cheapest = [text for text, cost in now.items() if cost < min(now.values()) + CLOSE]
    return cheapest == [clear_best(Seat.EVADER, values_of(position))]


def _draft(seat: Seat, position: Position) -> dict[str, Any] | None:
    """None where it is too easy to see: a step onto the target, or fewer than three answers."""
    state: ShortestPathState = position.state
    roads = state.config.board.neighbours(state.quarry)
    if state.config.target in roads or len(roads) < 3:
        return None
    values = values_of(position)
    best = clear_best(seat, values)
    if best is None or isinstance(GAME.parse_action(state.config, best), EmptyMove):
        return None
    return {
        "seat": seat.value,
        "config": GAME.config_to_json(state.config),
        "setup": {},
        "actions": list(position.texts),
        "best": best,
        "values": values,
    }
