"""Pursuit: solved values of moves and nodes, candidates where the quarry is hidden, hints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from manhunt.agents.base import Limit
from manhunt.beliefs.pursuit import PursuitCandidates
from manhunt.errors import BadConfig
from manhunt.games.pursuit import rules
from manhunt.games.pursuit.actions import Action, JointMove, Move
from manhunt.games.pursuit.config import Config, Visibility
from manhunt.games.pursuit.notation import format_action
from manhunt.games.pursuit.state import State
from manhunt.games.pursuit.views import View
from manhunt.ids import Seat
from manhunt.server.insights import take_number
from manhunt.server.insights.adviser import ask_adviser
from manhunt.server.insights.known_places import places_words
from manhunt.server.scenes.pursuit import words_of

if TYPE_CHECKING:
    from manhunt.server.insights import Maker
    from manhunt.server.seats import SeatLog
    from manhunt.solvers.probe import Probe

MOST_BYTES = 32_000_000
"""A table of all starts up to this size is solved while a page waits."""
MOST_JUDGED = 2_000
"""Moves that are looked up one by one."""


# -- solved --------------------------------------------------------------------------------------------------------


def _solved(log: SeatLog, params: Mapping[str, str]) -> dict[str, Any]:
    """How long Mr X lasts under best play: after each move offered now, and from each node he could stand on."""
    view = _view(log)
    why_not = _unsolvable(view)
    if why_not is not None:
        return {"known": False, "words": why_not, "moves": {}, "heat": {}, "after": {}}
    probe = _probe(view.config)
    state = _state(view)
    left = None if view.config.max_rounds is None else view.config.max_rounds - _done(state)
    moves = {}
    if rules.outcome(state) is None:
        for action, rounds in probe.action_values(state):
            moves[format_action(view.config, action)] = _verdict(rounds, left)
    after = {
        format_action(view.config, action): _heat(probe, rules.apply_action(state, action), left)
        for action in view.legal
        if isinstance(action, Move) and action.piece is not None and not view.placing
    }
    words = _summary(probe, state, left)
    return {"known": True, "words": words, "moves": moves, "heat": _heat(probe, state, left), "after": after}


def _unsolvable(view: View) -> str | None:
    """Why no table can be asked now, in words; None if one can."""
    from manhunt.solvers.retrograde import check_solvable
    from manhunt.solvers.tables import table_bytes

    config = view.config
    try:
        check_solvable(config)
    except BadConfig as error:
        return f"No solved values: {error}."
    size = table_bytes(config)
    if size > MOST_BYTES:
        pieces = f"{config.board.n_nodes} nodes with {config.n_detectives} detectives"
        most = f"more than the {MOST_BYTES / 1e6:.0f} MB that are solved while you wait"
        return f"No solved values: a table for {pieces} takes {size / 1e6:,.0f} MB, {most}."
    if view.quarry is None:
        return "Solved values are there once all pieces stand."
    if len(view.legal) > MOST_JUDGED:
        return f"No solved values: {len(view.legal):,} joint moves are too many to look up."
    return None


def _probe(config: Config) -> Probe:
    """Solved once in a worker."""
    from manhunt.solvers.probe import Probe
    from manhunt.solvers.tables import solved_table

    return Probe(solved_table(config))


def _state(view: View) -> State:
    return State(view.config, view.quarry, view.pursuers, view.round, view.waiting)


def _done(state: State) -> int:
    from manhunt.solvers.probe import rounds_done

    return rounds_done(state)


def _verdict(rounds: int, left: int | None) -> dict[str, Any]:
    """Rounds survived from the beginning of this round, as a page shows them; `rounds` is None if he gets away."""
    from manhunt.solvers.tables import FOREVER

    if left is not None and rounds >= left:
        return {"rounds": None, "words": "gets away: the rounds are over first"}
    if rounds >= FOREVER:
        return {"rounds": None, "words": "never caught"}
    n = rounds + 1
    return {"rounds": n, "words": "caught in this round" if n == 1 else f"caught in {n} rounds"}


def _heat(probe: Probe, state: State, left: int | None) -> dict[str, int | None]:
    """For each node: in how many rounds a quarry on it would be caught, all else being as it is; None if never."""
    label = state.config.board.label
    out: dict[str, int | None] = {}
    for node in state.config.board.nodes():
        there = replace(state, quarry=node)
        out[label(node)] = 0 if rules.is_caught(there) else _verdict(probe.value(there), left)["rounds"]
    return out


def _summary(probe: Probe, state: State, left: int | None) -> str:
    end = rules.outcome(state)
    if end is not None:
        return "The game is over."
    verdict = _verdict(probe.value(state), left)
    return f"With best play of both sides Mr X is {verdict['words']}.".replace("is gets away:", "gets away:")


# -- hint ----------------------------------------------------------------------------------------------------------


def _hint(log: SeatLog, params: Mapping[str, str]) -> dict[str, Any]:
    """A best move where the game is solved, else what `greedy` would do."""
    view = _view(log)
    if not view.legal:
        return {"action": None, "arrows": [], "words": "There is nothing to advise now; ask when it is your turn."}
    if _unsolvable(view) is None:
        probe, state = _probe(view.config), _state(view)
        action, rounds = probe.best_action(state)
        line = list(probe.line(state, 1 + len(view.waiting) if view.seat is Seat.PURSUERS else 1))
        left = None if view.config.max_rounds is None else view.config.max_rounds - _done(state)
        how, confidence = f"Solved: {_verdict(rounds, left)['words']}.", 1.0
        line = line[: max(1, len(view.waiting))]
    else:
        seconds = take_number(params, "seconds", 1.0, 0.05, 5.0)
        action = ask_adviser("greedy", log, Limit(seconds=seconds)).action
        line, how, confidence = [action], "One step ahead only: this is what greedy would do.", None
    plan = "; ".join(words_of(view, move) for move in line)
    return {
        "action": format_action(view.config, action),
        "arrows": _arrows(view, line),
        "confidence": confidence,
        "words": f"Best: {plan}. {how}" if confidence else f"Try: {plan}. {how}",
    }


def _arrows(view: View, line: Iterable[Action]) -> list[list[str]]:
    label = view.config.board.label
    out: list[list[str]] = []
    for move in line:
        if isinstance(move, JointMove):
            out += [[label(a), label(b)] for a, b in zip(view.pursuers, move.to_all, strict=True) if a != b]
        elif not view.placing:
            here = view.quarry if move.piece is None else view.pursuers[move.piece]
            if here is not None and here != move.to:
                out.append([label(here), label(move.to)])
    return out


# -- belief --------------------------------------------------------------------------------------------------------


def _belief(log: SeatLog, params: Mapping[str, str]) -> dict[str, Any]:
    """Where Mr X can be for all that the detectives were told; all of these nodes alike."""
    view = _view(log)
    followed = followed_candidates(log)
    label = view.config.board.label
    weights = {label(node): float(f"{p:.4g}") for node, p in sorted(followed.probabilities.items())}
    return {
        "candidates": list(weights),
        "belief": weights,
        "words": f"{places_words(log.seat, list(weights), 'node')}.",
    }


def followed_candidates(log: SeatLog) -> PursuitCandidates:
    opening = log.opening
    assert isinstance(opening, View)
    candidates = PursuitCandidates()
    seen = rules.is_seen(_state(opening))
    candidates.start(replace(opening, seat=Seat.PURSUERS, quarry=opening.quarry if seen else None, legal=()))
    candidates.observe(public_events(opening.config, log.events))
    return candidates


def public_events(config: Config, events: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """What the detectives were told: a hidden move of Mr X is left out, whether he is seen is told after it."""
    told = [event for event in events if event.get("t") is not None]
    if config.visibility is Visibility.ALWAYS:
        return told
    return [event for event in told if event.get("piece") != "quarry"]


def _view(log: SeatLog) -> View:
    assert isinstance(log.view, View)
    return log.view


MAKERS: dict[str, Maker] = {
    "solved": _solved,
    "hint": _hint,
    "belief": _belief,
}
