"""A game as readable text for reviewing: truth, views, candidates, legal actions and events, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from manhunt.core.belief import Belief
from manhunt.core.events import Event, number_events
from manhunt.core.game import AnyGame
from manhunt.core.ids import EVERYBODY, Seat
from manhunt.core.registry import kit_of
from manhunt.play.record import ReplayedGame

_INITIAL = {Seat.EVADER: "E", Seat.PURSUERS: "P", Seat.SPECTATOR: "S"}


def format_transcript(replayed: ReplayedGame) -> str:
    """Every step of a replayed game: what is true, what each seat knows, what was offered, what was told."""
    game, config = replayed.game, replayed.config
    opening = number_events(game.opening_events(replayed.states[0]), 1)
    lines = [f"# {game.name}: {len(replayed.actions)} plies", *_events(opening)]
    version = len(opening) + 1
    kit = kit_of(game.name)
    belief = kit.belief() if kit.belief is not None and kit.lists_candidates else None
    if belief is not None:
        belief.start(game.view(replayed.states[0], Seat.PURSUERS))
    for before, action, after in zip(replayed.states, replayed.actions, replayed.states[1:], strict=False):
        lines += _situation(game, before) + _candidates(config, belief)
        lines.append("legal  " + " ".join(game.format_action(config, a) for a in game.legal_actions(before)))
        lines.append(f"> {game.format_action(config, action)}")
        events = number_events(game.events(before, action, after), version)
        version += len(events)
        lines += _events(events)
        if belief is not None:
            for event in events:
                belief.update(event.seen_by(Seat.PURSUERS))
    lines += _situation(game, replayed.states[-1]) + _candidates(config, belief)
    lines.append(f"outcome {game.outcome(replayed.states[-1]) or 'unfinished'}")
    return "\n".join(lines) + "\n"


def _situation(game: AnyGame, state: Any) -> list[str]:
    lines = ["", f"truth  {game.format_state(state)}"]
    for seat in (Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR):
        lines.append(f"  {_INITIAL[seat]} sees {game.format_view(game.view(state, seat))}")
    return lines


def _candidates(config: Any, belief: Belief[Any] | None) -> list[str]:
    """Where the quarry can be for all that the pursuers know; nothing in games without a secret place."""
    if belief is None:
        return []
    nodes = sorted(belief.candidates)
    return [f"  P knows {len(nodes)} candidates: {config.board.text(nodes)}"]


def _events(events: Iterable[Event]) -> list[str]:
    return [f"  event {e.version} {_audience(e)} {e.kind} {_body(e.body)}".rstrip() for e in events]


def _audience(event: Event) -> str:
    if event.audience == EVERYBODY:
        return "{all}"
    return "{" + "".join(sorted(_INITIAL[seat] for seat in event.audience)) + "}"


def _body(body: Mapping[str, Any]) -> str:
    return " ".join(f"{key}={_plain(value)}" for key, value in body.items())


def _plain(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ",".join(map(_plain, value))
    if isinstance(value, Mapping):
        return f"({_body(value)})"
    return "-" if value is None else str(value)
