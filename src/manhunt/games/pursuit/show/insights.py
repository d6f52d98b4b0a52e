"""Pursuit: solved values of moves and nodes, candidates where the quarry is hidden, hints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from manhunt.analysis.insights import Help, Maker, ask_adviser, needs, take_number, takes
from manhunt.analysis.seat_log import SeatLog
from manhunt.core.agent import Limit
from manhunt.core.errors import BadConfig
from manhunt.core.ids import Seat
from manhunt.games.pursuit.beliefs.candidates import PursuitCandidates
from manhunt.games.pursuit.rules import rules
from manhunt.games.pursuit.rules.actions import JointMove, PursuitAction, PursuitMove
from manhunt.games.pursuit.rules.config import PursuitConfig
from manhunt.games.pursuit.rules.notation import format_action
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.games.pursuit.rules.views import PursuitView
from manhunt.games.pursuit.show.scene import words_of

if TYPE_CHECKING:
    from manhunt.games.pursuit.solvers.probe import Probe

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
    state = view.state
    left = _rounds_left(state)
    moves = {}
    if rules.outcome(state) is None:
        for action, rounds in probe.action_values(state):
            moves[format_action(view.config, action)] = _verdict(rounds, left)
    after = {
        format_action(view.config, action): _heat(probe, rules.apply_action(state, action), left)
        for action in view.legal
        if isinstance(action, PursuitMove) and action.piece is not None and not view.placing
    }
    words = _summary(probe, state, left)
    return {"known": True, "words": words, "moves": moves, "heat": _heat(probe, state, left), "after": after}


def _unsolvable(view: PursuitView) -> str | None:
    """Why no table can be asked now, in words; None if one can."""
    from manhunt.games.pursuit.solvers.all_starts import check_solvable
    from manhunt.games.pursuit.solvers.tables import table_bytes

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
        return "Solved values appear once all pieces are placed."
    if len(view.legal) > MOST_JUDGED:
        return f"No solved values: {len(view.legal):,} joint moves are too many to look up."
    return None


def _probe(config: PursuitConfig) -> Probe:
    """Solved once in a worker."""
    from manhunt.games.pursuit.solvers.probe import Probe
    from manhunt.games.pursuit.solvers.tables import solved_table

    return Probe(solved_table(config))


def _rounds_left(state: PursuitState) -> int | None:
    from manhunt.games.pursuit.solvers.probe import rounds_done

    limit = state.config.max_rounds
    return None if limit is None else limit - rounds_done(state)


def _verdict(rounds: int, left: int | None) -> dict[str, Any]:
    """Rounds survived from the beginning of this round, as a page shows them; `rounds` is None if he gets away."""
    from manhunt.games.pursuit.solvers.tables import FOREVER

    if left is not None and rounds >= left:
        return {"rounds": None, "words": "gets away: the rounds are over first"}
    if rounds >= FOREVER:
        return {"rounds": None, "words": "never caught"}
    n = rounds + 1
    return {"rounds": n, "words": "caught in this round" if n == 1 else f"caught in {n} rounds"}


def _heat(probe: Probe, state: PursuitState, left: int | None) -> dict[str, int | None]:
    """For each node: in how many rounds a quarry on it would be caught, all else being as it is; None if never."""
    label = state.config.board.label
    out: dict[str, int | None] = {}
    for node in state.config.board.nodes():
        there = replace(state, quarry=node)
        out[label(node)] = 0 if rules.is_caught(there) else _verdict(probe.value(there), left)["rounds"]
    return out


def _summary(probe: Probe, state: PursuitState, left: int | None) -> str:
    if rules.outcome(state) is not None:
        return "The game is over."
    verdict = _verdict(probe.value(state), left)
    return f"With best play of both sides Mr X is {verdict['words']}.".replace("is gets away:", "gets away:")


# -- hint ----------------------------------------------------------------------------------------------------------


@takes("seconds")
def _hint(log: SeatLog, params: Mapping[str, str]) -> dict[str, Any]:
    """A best move where the game is solved, else what `greedy` would do."""
    view = _view(log)
    if not view.legal:
        return {"action": None, "arrows": [], "words": "There is nothing to advise now; ask when it is your turn."}
    if _unsolvable(view) is None:
        probe, state = _probe(view.config), view.state
        action, rounds = probe.best_action(state)
        line = list(probe.line(state, 1 + len(view.waiting) if view.seat is Seat.PURSUERS else 1))
        how, confidence = f"Solved: {_verdict(rounds, _rounds_left(state))['words']}.", 1.0
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


def _arrows(view: PursuitView, line: Iterable[PursuitAction]) -> list[list[str]]:
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


@needs(Help.CANDIDATES)
def _belief(log: SeatLog, params: Mapping[str, str], level: Help = Help.ALL) -> dict[str, Any]:
    """Where Mr X can be for all that the detectives were told; all of these nodes alike."""
    view = _view(log)
    followed = followed_candidates(log)
    label = view.config.board.label
    weights = {label(node): float(f"{p:.4g}") for node, p in sorted(followed.probabilities.items())}
    return {"candidates": list(weights), "belief": weights, "words": _places_words(log.seat, list(weights))}


def _places_words(seat: Seat, places: list[str]) -> str:
    """How many nodes Mr X can be on, or which one, for him or for those who look for him."""
    is_his = seat is Seat.EVADER
    if len(places) == 1:
        return f"The detectives know that you are on {places[0]}." if is_his else f"Mr X can only be on {places[0]}."
    return f"{'The detectives think you could be on' if is_his else 'Mr X can be on'} {len(places)} nodes."


def followed_candidates(log: SeatLog) -> PursuitCandidates:
    opening = log.opening
    assert isinstance(opening, PursuitView)
    candidates = PursuitCandidates()
    seen = rules.is_seen(opening.state)
    quarry = opening.quarry if seen else None
    candidates.start(replace(opening, seat=Seat.SPECTATOR, quarry=quarry, legal=()))
    candidates.observe(public_events(log.events, seen))
    return candidates


def public_events(events: Iterable[Mapping[str, Any]], seen_at_start: bool) -> list[Mapping[str, Any]]:
    """What everybody was told: where the detectives did not see Mr X, the number alone."""
    public = list(events)
    for i, event in enumerate(public):
        following = public[i + 1] if i + 1 < len(public) else {}
        unseen = following.get("t") == "sighting" and following.get("at") is None
        if (event.get("piece") == "quarry" and unseen) or (event.get("t") == "quarry" and not seen_at_start):
            public[i] = {"v": event["v"]}
    return public


def _view(log: SeatLog) -> PursuitView:
    assert isinstance(log.view, PursuitView)
    return log.view


MAKERS: dict[str, Maker] = {"solved": _solved, "hint": _hint, "belief": _belief}
