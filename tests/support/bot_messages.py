"""What bots hear in whole games: every message as it goes over the wire, and mutants of it that are wrong."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from manhunt.agents.bot import new_message
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.game import AnyGame, View
from manhunt.core.ids import PLAYERS
from manhunt.core.turns import TurnEnd, TurnFailed
from manhunt.play.fault import Policies
from manhunt.play.referee import Referee
from manhunt.protocol.codec import encode
from manhunt.protocol.messages import Clock, Go, Observe

Message = dict[str, Any]


class Listener(Agent):
    """Moves as examples/bots/plain_bot.py does, and keeps what that would have been sent; may fail now and then."""

    def __init__(self, game: AnyGame, failures: Mapping[int, TurnEnd]) -> None:
        self.game, self.failures = game, failures
        self.heard: list[Message] = []
        self._events: list[Any] = []
        self._n = 0

    def start(self, view: View) -> None:
        self._hear(new_message(view, {}))

    def observe(self, events: Sequence[Any]) -> None:
        self._events += events

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        self._n += 1
        self._observed(self.game.view_to_json(view))
        legal = [self.game.format_action(view.config, action) for action in view.legal]
        seed = rng.getrandbits(32)
        self._hear(Go(self._n, seed, len(legal), legal, Clock()))
        if self._n in self.failures:
            raise TurnFailed(self.failures[self._n], "on purpose")
        return Advice(view.legal[legal.index(Random(seed).choice(legal))])

    def stop(self) -> None:
        self._observed(None)

    def _observed(self, view: Any) -> None:
        self._hear(Observe([dict(event) for event in self._events], view, Clock(60, None, 0.0, 60)))
        self._events = []

    def _hear(self, message: Any) -> None:
        self.heard.append(json.loads(encode(message)))


def heard_in_a_game(
    game: AnyGame,
    config: Any,
    seed: Any,
    failures: Mapping[int, TurnEnd] | None = None,
    policies: Policies | None = None,
) -> dict[str, list[Message]]:
    """By seat, what its bot hears from `new` to the end."""
    agents = {seat: Listener(game, failures or {}) for seat in PLAYERS}
    Referee(game, config, dict(agents), seed=seed, policies=policies).run()
    return {seat.value: agent.heard for seat, agent in agents.items()}


def mutants(observe: Message) -> Iterator[tuple[str, Message]]:
    """The message with one field missing, or of another type, in its events or its view."""
    for path, value in _fields({"events": observe["events"], "view": observe["view"]}, ()):
        if isinstance(path[-1], str):
            yield f"without {path}", _changed(observe, path, None, is_gone=True)
        yield f"{path} of another type", _changed(observe, path, _of_another_type(value))


def _fields(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        if inner is not None or path:
            yield (*path, key), inner
        yield from _fields(inner, (*path, key))


def _of_another_type(value: Any) -> Any:
    if isinstance(value, str):
        return 7.5
    if isinstance(value, bool) or value is None:
        return {"strange": 1}
    return str(value) if isinstance(value, int | float) else "strange"


def _changed(message: Message, path: tuple[Any, ...], value: Any, *, is_gone: bool = False) -> Message:
    changed = copy.deepcopy(message)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    if is_gone:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return changed
