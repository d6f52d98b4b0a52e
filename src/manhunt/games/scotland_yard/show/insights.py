"""Scotland Yard: belief, candidates with reasons, the hunters' plan, the danger of Mr X's moves."""

from __future__ import annotations

import math
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from manhunt.analysis.board_insights import alike
from manhunt.analysis.insights import Help, ask_adviser, needs, percent, take_number, takes
from manhunt.boards.board import Board
from manhunt.core.agent import Advice, Alternative, Limit
from manhunt.core.errors import BadBoard, BadText
from manhunt.core.ids import Node, Seat
from manhunt.core.jit import is_plain
from manhunt.games.scotland_yard.beliefs.weighted import WeightedBelief
from manhunt.games.scotland_yard.rules.actions import Piece, ScotlandYardAction, Tickets
from manhunt.games.scotland_yard.rules.notation import format_action
from manhunt.games.scotland_yard.rules.rules import fares, legal_actions, steps_of
from manhunt.games.scotland_yard.rules.views import ScotlandYardView
from manhunt.games.scotland_yard.show.known_places import Chronicle, places_words, public_events, public_opening
from manhunt.games.scotland_yard.show.route import route_of
from manhunt.games.scotland_yard.show.scene import words_of

if TYPE_CHECKING:
    from manhunt.analysis.insights import Maker
    from manhunt.analysis.seat_log import SeatLog

MODEL = "soft"
"""How Mr X is thought to move: the model that was fitted to games."""
ADVISER, QUICK_ADVISER = "champion", "champion:knows=0"
"""The second while kernels are not compiled: a belief of another level takes it too long."""
CLEAR = {Seat.EVADER: (0.005, 0.02, 0.1), Seat.PURSUERS: (0.005, 0.03, 0.06)}
"""The adviser's lead in chance below which others are about as good, from which it is clear, and that fills a meter."""
MOST_OTHERS = 2
"""Alternatives that are named."""
DANGER_MODEL = (
    "The chance that a detective steps onto you in the detectives' next turn, if each goes to a station within reach, "
    "chosen by how likely they must think you are to be there."
)


# -- belief --------------------------------------------------------------------------------------------------------


@needs(Help.CANDIDATES)
def _belief(log: SeatLog, params: Mapping[str, str], level: Help = Help.ALL) -> dict[str, Any]:
    """What everybody can know about Mr X now; the same for all seats."""
    followed = followed_belief(log)
    label = _board(log).label
    weights = {label(node): float(f"{p:.4g}") for node, p in sorted(followed.probabilities.items())}
    words = places_words(log.seat, list(weights))
    if level is not Help.ALL:
        return {"candidates": list(weights), "belief": alike(weights), "own": None, "words": f"{words}."}
    likely = sorted(weights.items(), key=lambda pair: -pair[1])[:3]
    if len(weights) > 1:
        words += f"; likeliest {', '.join(f'{at} ({percent(p)})' for at, p in likely)}"
    own = None
    quarry = _view(log).quarry
    if log.seat is Seat.EVADER and quarry is not None:
        own = weights.get(label(quarry), 0.0)
        words += f"; your own has {percent(own)}" if len(weights) > 1 else ""
    return {"candidates": list(weights), "belief": weights, "own": own, "words": f"{words}."}


def followed_belief(log: SeatLog) -> WeightedBelief:
    belief = WeightedBelief(MODEL)
    belief.start(public_opening(_opening(log)))
    belief.observe(public_events(log.events))
    return belief


# -- why -----------------------------------------------------------------------------------------------------------


@needs(Help.CANDIDATES)
@takes("node")
def _why(log: SeatLog, params: Mapping[str, str], level: Help = Help.ALL) -> dict[str, Any]:
    node = _node(log, params)
    board = _board(log)
    chronicle = Chronicle(_opening(log), log.events)
    if node not in chronicle.candidates:
        return {"node": board.label(node), "possible": False, "words": chronicle.why_not(node), "way": []}
    way = [board.label(n) for n in chronicle.way_to(node)]
    paid = [str(layer.ticket) for layer in chronicle.layers[chronicle.known() + 1 :]]
    steps = "".join(f", {ticket} to {at}" for ticket, at in zip(paid, way[1:], strict=True))
    words = [f"Mr X can be on {board.label(node)}.", f"One way that fits: from {way[0]}{steps}."]
    answer = {"node": board.label(node), "possible": True, "words": words, "way": way}
    if level is Help.ALL:
        p = followed_belief(log).probabilities.get(node, 0.0)
        words[0] = f"Mr X can be on {board.label(node)}: about {percent(p)}."
        answer["probability"] = round(p, 4)
    return answer


def _node(log: SeatLog, params: Mapping[str, str]) -> Node:
    if "node" not in params:
        raise BadText("why needs a station: give node=46")
    try:
        return _board(log).node(params["node"])
    except BadBoard as error:
        raise BadText(f"node={params['node']}: {error}") from None


# -- hint ----------------------------------------------------------------------------------------------------------


@takes("seconds")
def _hint(log: SeatLog, params: Mapping[str, str]) -> dict[str, Any]:
    """What a strong agent would do here, from what this seat knows."""
    return hint_within(log, Limit(seconds=take_number(params, "seconds", 1.0, 0.05, 5.0)))


def hint_within(log: SeatLog, limit: Limit) -> dict[str, Any]:
    view = _asked_view(log)
    if view is None:
        return {"action": None, "arrows": [], "words": "There is no plan to show now; ask when it is your turn."}
    opening = log.opening if log.seat is view.seat else public_opening(_opening(log))
    asked = replace(log, seat=view.seat, opening=opening, view=view)
    return _advice_json(view, ask_adviser(QUICK_ADVISER if is_plain(__name__) else ADVISER, asked, limit))


def _asked_view(log: SeatLog) -> ScotlandYardView | None:
    """The view of the seat whose turn it is, where this one may think for it; spectators think for the detectives."""
    view = _view(log)
    if view.outcome is not None or view.to_act is None:
        return None
    if view.legal:
        return view
    if view.to_act is Seat.EVADER or log.seat is Seat.EVADER:
        return None
    chronicle = Chronicle(_opening(log), log.events)
    public = followed_belief(log).public
    legal = legal_actions(public.state(min(chronicle.candidates)))
    return replace(view, seat=Seat.PURSUERS, legal=legal)


def _advice_json(view: ScotlandYardView, advice: Advice) -> dict[str, Any]:
    label = view.config.board.label
    moves = list(advice.line)
    arrows: list[list[str]] = []
    places: dict[Piece, Node] = {d.piece: d.node for d in view.detectives}
    if view.quarry is not None:
        places[Piece.MRX] = view.quarry
    for move in moves:
        for _, to in steps_of(move):
            arrows.append([label(places[move.piece]), label(to)])
            places[move.piece] = to
    plan = [words_of(view, move) for move in moves]
    now, later = plan[0], plan[1:]
    words = f"{'Best' if view.seat is Seat.EVADER else 'Plan'}: {now}{'; then ' if later else ''}{'; '.join(later)}."
    reasons = _reasons(view, advice)
    assert advice.value is not None
    assert advice.confidence is not None
    return {
        # Who plays one detective of several may be waiting for a colleague of the plan.
        "action": format_action(view.config, next((move for move in moves if move in view.legal), advice.action)),
        "arrows": arrows,
        "plan": plan,
        "confidence": round(advice.confidence, 4),
        "clear": round(min(1.0, advice.confidence / CLEAR[view.seat][2]), 3),
        "value": round(advice.value, 3),
        "chance": round(_chance(view.seat, advice.value), 4),
        "believed": {label(node): round(p, 4) for node, p in advice.belief.items()},
        "reasons": reasons,
        "alternatives": [_alternative_json(view, advice, other) for other in advice.alternatives[:MOST_OTHERS]],
        "words": " ".join((words, *reasons)),
    }


def _reasons(view: ScotlandYardView, advice: Advice) -> list[str]:
    """What the adviser expects of it, how clear it is, and where Mr X is believed to be."""
    assert advice.value is not None
    assert advice.confidence is not None
    label, seat, lead = view.config.board.label, view.seat, advice.confidence
    goal = "get away" if seat is Seat.EVADER else "catch Mr X"
    ahead = f" (by {100 * lead:.1f} points)" if advice.alternatives and lead >= CLEAR[seat][0] else ""
    words = [
        f"Chance to {goal}: about {percent(_chance(seat, advice.value))} (agent {ADVISER}).",
        f"How clear: {_clear(seat, lead) if advice.alternatives else 'no other was compared'}{ahead}.",
    ]
    places = [f"{label(node)} ({percent(p)})" for node, p in advice.belief.items()]
    if len(places) == 1:
        (place,) = map(label, advice.belief)
        words.append(f"Mr X is on {place}." if seat is Seat.PURSUERS else f"The detectives know you are on {place}.")
    elif seat is Seat.PURSUERS:
        words.append(f"Mr X is most likely on {_listed(places)}.")
    elif view.log:
        words.append(f"Good detectives think you are on {_listed(places)}.")
    return words


def _listed(words: list[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _alternative_json(view: ScotlandYardView, advice: Advice, other: Alternative) -> dict[str, Any]:
    """Another plan; its words name only what differs from the best."""
    assert advice.value is not None
    changed = "; ".join(words_of(view, move) for move in other.line if move not in advice.line)
    less = 100 * (_chance(view.seat, advice.value) - _chance(view.seat, other.value))
    worth = f"{less:.1f} points less" if less >= 0.05 else "as good"
    return {
        "moves": [format_action(view.config, move) for move in other.line],
        "value": round(other.value, 3),
        "words": f"{worth} with {changed or 'the same moves'} instead",
    }


def _chance(seat: Seat, value: float) -> float:
    """A value of the evader's as a number from 0 (lost) to 1 (won) for the seat."""
    return (1 + value) / 2 if seat is Seat.EVADER else (1 - value) / 2


def _clear(seat: Seat, confidence: float) -> str:
    small, large, _ = CLEAR[seat]
    if confidence < small:
        return "others are about as good"
    return "somewhat better than the next" if confidence < large else "clearly the best"


# -- danger --------------------------------------------------------------------------------------------------------


def _danger(log: SeatLog, params: Mapping[str, str]) -> dict[str, Any]:
    """For every offered move of Mr X: how many detectives reach its end next turn, and the chance to be caught."""
    view = _view(log)
    if log.seat is not Seat.EVADER:
        raise BadText("only Mr X can ask for danger: it is about his own moves")
    if not view.legal:
        return {"moves": {}, "model": DANGER_MODEL}
    reach = [reachable(view.config.board, d.node, d.tickets) for d in view.detectives]
    judge = _MoveRater(view, followed_belief(log), reach)
    moves = {format_action(view.config, action): judge.rate(action) for action in view.legal}
    return {"moves": moves, "model": DANGER_MODEL}


def reachable(board: Board, node: Node, held: Tickets) -> frozenset[Node]:
    """Where a detective's next move can end; that another detective may be in the way is left out."""
    return frozenset(to for ticket, to in fares(board)[node] if ticket <= 2 and held[ticket])


class _MoveRater:
    """Rates moves that look alike with one belief."""

    def __init__(self, view: ScotlandYardView, belief: WeightedBelief, reach: list[frozenset[Node]]) -> None:
        self.view, self.belief, self.reach = view, belief, reach
        self._after: dict[tuple[str, ...], Mapping[Node, float]] = {}

    def rate(self, action: ScotlandYardAction) -> dict[str, Any]:
        free = 1.0
        near = [places for places in self.reach if action.to in places]
        believed = self._believed(action) if near else {}
        here = believed.get(action.to, 0.0)
        for places in near:
            share = sum(believed.get(node, 0.0) for node in places)
            free *= 1.0 - (min(1.0, here / share) if share > 0 else 0.0)
        return {"caught": round(1.0 - free, 3), "reach": len(near)}

    def _believed(self, action: ScotlandYardAction) -> Mapping[Node, float]:
        """What the detectives would believe after this move, before they move."""
        steps = steps_of(action)
        shown = self.view.config.rounds[len(self.view.log) :]
        if shown[len(steps) - 1]:
            return {action.to: 1.0}
        seen = [(str(ticket), self._label(node) if shown[i] else None) for i, (ticket, node) in enumerate(steps)]
        key = tuple(f"{ticket} {at}" for ticket, at in seen)
        if key not in self._after:
            belief = deepcopy(self.belief)
            belief.observe([{"t": "double"}] if len(steps) == 2 else [])
            first = len(self.view.log) + 1
            belief.observe(
                {"t": "logged", "round": first + i, "ticket": ticket, "at": at} for i, (ticket, at) in enumerate(seen)
            )
            assert math.isclose(sum(belief.probabilities.values()), 1.0, rel_tol=1e-6)
            self._after[key] = belief.probabilities
        return self._after[key]

    def _label(self, node: Node) -> str:
        return self.view.config.board.label(node)


# -- route ---------------------------------------------------------------------------------------------------------


@needs(Help.NONE)
def _route(log: SeatLog, params: Mapping[str, str], level: Help = Help.ALL) -> dict[str, Any]:
    """Mr X's stations as far as this seat was told them, his double moves, and how a finished game turned."""
    return route_of(log)


def _view(log: SeatLog) -> ScotlandYardView:
    assert isinstance(log.view, ScotlandYardView)
    return log.view


def _opening(log: SeatLog) -> ScotlandYardView:
    assert isinstance(log.opening, ScotlandYardView)
    return log.opening


def _board(log: SeatLog) -> Board:
    return _view(log).config.board


MAKERS: dict[str, Maker] = {
    "belief": _belief,
    "why": _why,
    "hint": _hint,
    "danger": _danger,
    "route": _route,
}
