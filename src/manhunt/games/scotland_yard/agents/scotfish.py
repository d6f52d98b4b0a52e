"""Mr X by a map of scores: every detective casts a shadow, ferries shine."""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from random import Random

from manhunt.boards.board import Board
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.errors import BadAgent
from manhunt.core.game import View
from manhunt.core.ids import Node, Seat, Transport
from manhunt.games.scotland_yard.rules.actions import Double, ScotlandYardAction, Ticket
from manhunt.games.scotland_yard.rules.rules import steps_of
from manhunt.games.scotland_yard.rules.views import ScotlandYardView

SHADOW = 100.0
FACTOR = 2.0
FERRY = 125.0
OWN_NODE = 5
CHANCES = {"normal": 0.8, "double": 0.1, "secret": 0.1}
FIRST = ("kind", "score")


class ScotfishAgent(Agent):
    """Mr X goes to the node with the best score: nearby detectives lower a node's score, ferries raise it.

    Special tickets last, because the kind of move is drawn first (normal with 80 %, double and secret with 10 % each,
    if there are such moves); then he makes the best move of that kind. `first=score` finds the best moves of all kinds
    first and draws a kind among those.
    """

    games = ("scotland_yard",)
    seats = (Seat.EVADER,)

    def __init__(
        self, shadow: float = SHADOW, factor: float = FACTOR, ferry: float = FERRY, first: str = "kind"
    ) -> None:
        check_number("scotfish", "shadow", shadow, 0.0, 1e6)
        check_number("scotfish", "factor", factor, 1e-3, 1e6)
        check_number("scotfish", "ferry", ferry, 0.0, 1e6)
        if first not in FIRST:
            raise BadAgent(f"scotfish: first is one of {', '.join(FIRST)}, not {first!r}")
        self.shadow, self.factor, self.ferry, self.first = shadow, factor, ferry, first

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        position = mrx_view(view)
        scores = score_map(position, self.shadow, self.factor, self.ferry)
        if self.first == "kind":
            lists = {kind: best_scored(moves, scores) for kind, moves in by_kind(position.legal).items()}
        else:
            lists = by_kind(best_scored(position.legal, scores), twice=True)
        action, chance = draw_by_kind(lists, rng)
        counters = {"iterations": 1.0, "best": float(sum(map(len, lists.values()))), "score": scores[action.to]}
        return Advice(action, squash(scores[action.to], self.shadow), chance, (action,), counters)


def mrx_view(view: View) -> ScotlandYardView:
    """The same view, if it is Mr X's turn on his own seat of Scotland Yard."""
    if not isinstance(view, ScotlandYardView):
        raise BadAgent(f"this agent does not play {view.game}; it plays scotland_yard")
    if view.seat is not Seat.EVADER or view.quarry is None:
        raise BadAgent(f"this agent does not play the seat {view.seat.value}; it plays evader")
    if not view.legal:
        raise BadAgent("Mr X is asked to move, but has no legal move now")
    return view


def check_number(agent: str, option: str, value: float, least: float, most: float) -> None:
    if not (math.isfinite(value) and least <= value <= most):
        raise BadAgent(f"{agent}: {option} must be from {least:g} to {most:g}, not {value}")


def score_map(view: ScotlandYardView, shadow: float, factor: float, ferry: float) -> list[float]:
    """The score of every node.

    "All nodes of distance one" are a detective's neighbours by any transport, each once. "For each of them all
    adjacent nodes" is read as the nested loop it describes: a node loses shadow / factor once for every neighbour it
    shares with the detective, and his own node and his other neighbours are among those adjacent nodes.
    So a ferry node two moves from a detective scores 125 - 50 = 75, and 25, the report's figure for it, with two ways
    there; 25 is also what is left next to a detective, 125 - 100.
    The malus of a ferry node on which Mr X stands does not ask for a secret ticket, as its sentence does not.
    """
    board = view.config.board
    scores = [0.0] * board.n_nodes
    for place in view.pursuers:
        scores[place] -= shadow * OWN_NODE
        for near in board.neighbours(place):
            scores[near] -= shadow
            for far in board.neighbours(near):
                scores[far] -= shadow / factor
    ferries = ferry_nodes(board)
    if view.mrx_tickets.secret:
        for node in ferries:
            scores[node] += ferry
    if view.quarry in ferries:
        scores[view.quarry] -= ferry
    return scores


@lru_cache(maxsize=64)
def ferry_nodes(board: Board) -> tuple[Node, ...]:
    return tuple(n for n in board.nodes() if any(kind is Transport.FERRY for _, kind in board.steps(n)))


def best_scored(moves: Sequence[ScotlandYardAction], scores: Sequence[float]) -> list[ScotlandYardAction]:
    """The moves whose last destination has the highest score that any move reaches."""
    top = max(scores[move.to] for move in moves)
    return [move for move in moves if scores[move.to] == top]


def by_kind(moves: Iterable[ScotlandYardAction], *, twice: bool = False) -> dict[str, list[ScotlandYardAction]]:
    """The moves of each kind that is there. A double move with a secret ticket is a double one; `twice` lists it as
    secret, too, as the report does."""
    lists: dict[str, list[ScotlandYardAction]] = {kind: [] for kind in CHANCES}
    for move in moves:
        is_double = isinstance(move, Double)
        is_secret = any(ticket is Ticket.SECRET for ticket, _ in steps_of(move))
        if is_double:
            lists["double"].append(move)
        if is_secret and (twice or not is_double):
            lists["secret"].append(move)
        if not (is_double or is_secret):
            lists["normal"].append(move)
    return {kind: listed for kind, listed in lists.items() if listed}


def draw_by_kind(lists: Mapping[str, Sequence[ScotlandYardAction]], rng: Random) -> tuple[ScotlandYardAction, float]:
    """A move, and how likely it was drawn; it may be in two of the lists."""
    total = sum(CHANCES[kind] for kind in lists)
    kind = rng.choices(list(lists), [CHANCES[kind] for kind in lists])[0]
    action = rng.choice(lists[kind])
    chance = sum(CHANCES[k] / total / len(listed) for k, listed in lists.items() if action in listed)
    return action, chance


def squash(score: float, shadow: float) -> float:
    """A score as a value in [-1, 1]: 0 where a lone detective is two moves away, -1 beside several."""
    return math.tanh(score / (2 * shadow) + 0.25) if shadow else 0.0
