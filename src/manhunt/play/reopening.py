"""Going back to an earlier moment of a game, and on with one that was stored: its plies are played again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from manhunt.core.agent import Agent
from manhunt.core.ids import Seat
from manhunt.play.fault import Fault, FaultPolicy
from manhunt.play.referee import Bookmark, PendingPly, Referee


def plies_before(seat: Seat, movers: Sequence[Seat], is_persons: Callable[[int], bool]) -> int | None:
    """How many plies stay when this seat takes back the last turn in which its people moved; None if there is none.

    `movers` has the seat that made each ply; `is_persons` tells whether a person made it.
    """
    last = next((i for i in reversed(range(len(movers))) if movers[i] is seat and is_persons(i)), None)
    if last is None:
        return None
    first = last
    while first > 0 and movers[first - 1] is seat:
        first -= 1
    return next(i for i in range(first, last + 1) if is_persons(i))


def prepare_stored(referee: Referee, text: str, fault: Fault | None = None, seconds: float | None = None) -> PendingPly:
    """A ply that was stored, also one that stood for a failed turn."""
    if fault is None or fault.seat is None or fault.end is None:
        ply = referee.prepare_text(text)
    else:
        chosen = fault.policy in (None, FaultPolicy.RANDOM)
        action = referee.game.parse_action(referee.config, text) if chosen else None
        ply = referee.prepare_failed(fault.seat, fault.end, fault.detail, policy=fault.policy, instead=action)
    return replace(ply, seconds=seconds)


def play_again(referee: Referee, texts: Sequence[str], faults: Mapping[int, Fault] | None = None) -> None:
    """Plies of a record or a store, which its agents only hear of; `faults` are failed turns, by ply.

    Chance draws as it did then, so that what it draws afterwards is not what it drew at the start.
    """
    for ply, text in enumerate(texts, 1):
        if referee.to_act is Seat.CHANCE:
            referee.draw_chance()
        referee.commit(prepare_stored(referee, text, (faults or {}).get(ply)))


def reopen(referee: Referee, mark: Bookmark, agents: Mapping[Seat, Agent]) -> Referee:
    """A new referee at an earlier moment of the game of this one, with new agents, who are told what happened.

    Agents that decide by what they were told and by their generator then play as they would have played.
    """
    again = Referee(
        referee.game,
        referee.config,
        agents,
        seed=referee.seed,
        setup=referee.setup,
        limit=referee.limit,
        time_control=referee.clock.control,
        names=referee.names,
        policies=referee.policies,
        nonce=referee.nonce,
    )
    texts = [referee.game.format_action(referee.config, action) for action in referee.actions[: mark.n_plies]]
    play_again(again, texts, {fault.ply + 1: fault for fault in referee.faults if fault.ply is not None})
    again.restore(mark)
    return again
