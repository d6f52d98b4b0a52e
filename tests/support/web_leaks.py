"""No byte too much: what the web app sends to a seat must be the same in two worlds that the seat cannot tell apart.

A random game is played up to some ply. Then the same game is played with other secrets that look the same to the
detectives (`worlds.py`). Both go through a room of the web app, with everybody listening, and every message to the
detectives and to a spectator is compared, byte for byte; so is all that their insights are made from, and what they
hear when they try moves that are not theirs. In half of the games the detectives draft and confirm their turns.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from manhunt.core.errors import ManhuntError
from manhunt.core.game import AnyGame, Setup
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import make_game
from manhunt.server import wire
from manhunt.server.durable import GameWriter
from manhunt.server.limits import PERSON
from manhunt.server.room_registry import RoomRegistry
from manhunt.server.rooms import GamePlan, GameRoom, Holder, SpectatorPolicy
from manhunt.server.sockets import SeatConnection
from manhunt.server.table_options import TableOptions
from manhunt.store.connect import Store
from manhunt.testing.worlds import OtherWorlds
from manhunt.workers.pool import Lane, WorkerPool

MOST_TRIES = 3
WATCHERS = (Seat.PURSUERS, Seat.SPECTATOR)
TABLES: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("scotland_yard", {}),
    ("scotland_yard", {"preset": "ravensburger"}),
    ("pursuit", {"visibility": "rounds", "reveal_rounds": [3, 6], "board": "grid:5x5"}),
    ("pursuit", {"visibility": "sight", "board": "petersen", "n_detectives": 1}),
    ("fugitive", {}),
    ("fugitive", {"preset": "mini"}),
)


@dataclass
class Ear:
    """Everything that would go out over one socket."""

    bytes_heard: list[bytes] = field(default_factory=list)

    def put(self, text: str) -> None:
        self.bytes_heard.append(text.encode())

    def close(self, code: int) -> None:
        self.bytes_heard.append(f"closed {code}".encode())


@dataclass(frozen=True)
class Leaks:
    """How much was compared, and the first difference of each kind."""

    n_games: int
    n_compared: int
    n_bytes: int
    found: tuple[str, ...]


def look_for_leaks(
    store: Store, n_games: int, seed: int = 0, tables: Sequence[tuple[str, Mapping[str, Any]]] = TABLES
) -> Leaks:
    """Play so many random games, each in two worlds where there are two."""
    return asyncio.run(_look(store, n_games, seed, tables))


async def _look(store: Store, n_games: int, seed: int, tables: Sequence[tuple[str, Mapping[str, Any]]]) -> Leaks:
    rng = Random(seed)
    writer = GameWriter(store)
    rooms = RoomRegistry(store, writer, WorkerPool({Lane.GENERAL: 2, Lane.EXPRESS: 1}))
    n_compared, n_bytes, found = 0, 0, list[str]()
    try:
        for number in range(n_games):
            name, options = tables[number % len(tables)]
            game = make_game(name)
            config = game.make_config(**options)
            pair = two_worlds(game, config, rng)
            if pair is None:
                continue
            policy = rng.choice([SpectatorPolicy.LIVE, SpectatorPolicy.DELAYED, SpectatorPolicy.LIVE])
            tries = _tries(game, config, pair, rng)
            agreed = TableOptions(confirm=rng.random() < 0.5, take_backs=True)
            one, two = [await _play(rooms, game, config, *world, policy, tries, agreed) for world in pair]
            n_compared += 1
            n_bytes += sum(len(data) for data in one.sent)
            found += [f"game {number} ({name}): {difference}" for difference in one.differences(two)]
    finally:
        writer.close()
    return Leaks(n_games, n_compared, n_bytes, tuple(found))


World = tuple[Setup, tuple[Any, ...]]


def two_worlds(game: AnyGame, config: Any, rng: Random, seat: Seat = Seat.PURSUERS) -> tuple[World, World] | None:
    """A random game up to some ply, and another one that looks the same to a seat, the detectives' unless said."""
    setup = game.deal(config, rng)
    state, actions = game.start(config, setup), list[Any]()
    others = OtherWorlds(game, config, setup, seat, rng=rng, most=24)
    stop = rng.randrange(1, 40)
    pasts: list[Any] = []
    for _ in range(stop):
        if game.outcome(state) is not None:
            break
        action = rng.choice(game.legal_actions(state))
        after = game.apply_action(state, action)
        if game.outcome(after) is not None:
            break  # the end tells everything, as it may
        others.advance(action)
        state = after
        actions.append(action)
        pasts = others.pasts(1) or pasts
    if not pasts:
        return None
    other = pasts[0]
    return (setup, tuple(actions[: len(other.actions)])), (other.setup, other.actions)


def _tries(game: AnyGame, config: Any, pair: tuple[World, World], rng: Random) -> list[str]:
    """Some moves of both worlds, which the watchers try at all times."""
    texts = sorted({game.format_action(config, action) for _, actions in pair for action in actions})
    return ["", *rng.sample(texts, min(len(texts), MOST_TRIES))]


@dataclass
class _Sent:
    """What left one room."""

    sent: list[bytes]
    seats: list[str]
    logs: list[Any]

    def differences(self, other: _Sent) -> list[str]:
        if len(self.sent) != len(other.sent):
            return [f"{len(self.sent)} messages in one world, {len(other.sent)} in the other"]
        found = [
            f"message {i} to {self.seats[i]}: {one[:200]!r} and {two[:200]!r}"
            for i, (one, two) in enumerate(zip(self.sent, other.sent, strict=True))
            if one != two
        ][:1]
        return found + (["what insights are made from differs"] if self.logs != other.logs else [])


async def _play(
    rooms: RoomRegistry,
    game: AnyGame,
    config: Any,
    setup: Setup,
    actions: Sequence[Any],
    policy: SpectatorPolicy,
    tries: Sequence[str],
    options: TableOptions,
) -> _Sent:
    """A whole room with everybody in it. Its name is drawn by lot, so it is left out of what is compared."""
    plan = GamePlan(game, config, dict.fromkeys(PLAYERS, PERSON), 1, setup, spectators=policy, options=options)
    room = (await rooms.begin(plan)).room
    ears = {seat: Ear() for seat in (*WATCHERS, Seat.EVADER)}
    for seat, ear in ears.items():
        _connect(room, seat, ear)
    logs = []
    for action in actions:
        await _make(room, game.format_action(config, action))
        logs += [room.log(seat) for seat in WATCHERS]
        for seat in WATCHERS:
            for text in tries:
                ears[seat].put(await _refusal(room, seat, text))
    late = Ear()
    _connect(room, Seat.PURSUERS, late)
    sent = [(seat.value, data) for seat in WATCHERS for data in ears[seat].bytes_heard]
    sent += [("pursuers who come late", data) for data in late.bytes_heard]
    name = room.uid.encode()
    return _Sent([data.replace(name, b"UID") for _, data in sent], [who for who, _ in sent], logs)


async def _make(room: GameRoom, text: str) -> None:
    """A move; a team drafts it, undoes it, drafts it again, and confirms its turn when nobody can move any more."""
    acting = room.referee.to_act
    assert acting is not None
    await room.turns.play(Holder(acting), room.n, text)
    if room.turns.is_drafted and room.turns.present_draft.moves:
        await room.turns.undo(Holder(acting), room.turns.present_draft.moves[-1].place)
        await room.turns.play(Holder(acting), room.n, text)
        if not room.turns.drafted_view(room.view(acting)).legal:
            await room.turns.confirm(Holder(acting))


async def _refusal(room: GameRoom, seat: Seat, text: str) -> str:
    """What a seat hears of a move that it may not make; those that it may make are left out."""
    view = room.view(seat)
    legal = view.legal
    if seat is Seat.PURSUERS and room.turns.is_drafted:
        legal = (*legal, *room.turns.drafted_view(view).legal)
        if text[:2] in {move.action[:2] for move in room.turns.present_draft.moves}:
            return ""  # a piece whose move is drafted may choose another one
    if text in [room.game.format_action(room.plan.config, action) for action in legal]:
        return ""
    try:
        await room.turns.play(Holder(seat), room.n, text)
    except ManhuntError as error:
        return str(error)
    raise AssertionError(f"{seat.value} was allowed to play {text}")


def _connect(room: GameRoom, seat: Seat, ear: Ear) -> None:
    ear.put(wire.new_message(room, None))
    connection = SeatConnection(room, Holder(seat), 0, ear, wire.PageHello())  # type: ignore[arg-type]
    connection.moved(room)
    room.join(connection)
