"""Other games that look the same to one seat, drawn as chance and players who move by lot would have played them.

The general way follows every state that fits what the seat saw, ply by ply, with its probability, and then walks back
from one of the last ones. It is right for all games whose secrets are few enough to list, such as one hidden piece. A
kit may bring a quicker way of its own, the part `pasts`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from manhunt.adapters.openspiel.positions import Position
from manhunt.core.errors import ManhuntError
from manhunt.core.game import Setup
from manhunt.core.ids import Seat

MOST_WORLDS = 50_000


class Ply(NamedTuple):
    """What a seat saw of one ply, and its own action in it; None where another seat acted."""

    looks: list[dict[str, Any]]
    action: Any


@dataclass(slots=True)
class World:
    """A state that fits what was seen so far, with its weight and the worlds it can come from."""

    state: Any
    weight: float = 0.0
    setup: Setup | None = None
    origins: list[tuple[World, Any, float]] = field(default_factory=list)


Worlds = dict[Any, World]


def resample(position: Position, seat: Seat, rng: Random) -> list[Position]:
    """The positions of another game, or of this one, in which the seat saw and did the same."""
    rules, pasts = position.rules, position.rules.kit.part("pasts")
    if pasts is None:
        setup, actions = _walk_back(_worlds_at(position, seat), rng)
    else:
        plies = [Ply(at.looks(seat), at.own_action(seat)) for at in position.past()]
        setup, actions = pasts.sample_past(position.view(seat), plies, rng)
    found = [Position(rules, rules.game.start(rules.config, setup), setup=setup)]
    for action in actions:
        found.append(found[-1].after_action(action))
    assert found[-1].told(seat) == position.told(seat), "the resampled game looks different"
    return found


def _worlds_at(position: Position, seat: Seat) -> Worlds:
    """Worked out from the newest position before this one for which it is known."""
    missing, at = [position], position.parent
    while seat not in missing[-1].worlds and at is not None:
        missing.append(at)
        at = at.parent
    if seat not in missing[-1].worlds:
        missing[-1].worlds[seat] = _first_worlds(missing[-1], seat)
    worlds: Worlds = missing[-1].worlds[seat]
    for after in reversed(missing[:-1]):
        worlds = after.worlds[seat] = _next_worlds(worlds, after, seat)
    return worlds


def _first_worlds(position: Position, seat: Seat) -> Worlds:
    rules = position.rules
    worlds: Worlds = {}
    for setup, weight in rules.dealing.alike(position.setup, seat):
        other = Position(rules, rules.game.start(rules.config, setup), setup=setup)
        if weight and _look_the_same(other, position, seat):
            worlds.setdefault(other.state, World(other.state, setup=setup)).weight += weight
    return _scaled(worlds)


def _next_worlds(worlds: Worlds, position: Position, seat: Seat) -> Worlds:
    """Every world tries all actions, and those stay that look like the one that was made."""
    before, rules = position.parent, position.rules
    assert before is not None
    may_look_alike = getattr(rules.kit.part("worlds"), "may_look_alike", None)
    found: Worlds = {}
    for world in worlds.values():
        for action, chance in _odds(world, position, seat):
            if may_look_alike is not None and not may_look_alike(position.action, action):
                continue
            source = before if world.state is before.state else Position(rules, world.state)
            other = Position(rules, rules.game.apply_action(world.state, action), source, action)
            if _look_the_same(other, position, seat):
                made = found.setdefault(other.state, World(other.state))
                made.weight += world.weight * chance
                made.origins.append((world, action, world.weight * chance))
    if len(found) > MOST_WORLDS:
        raise ManhuntError(
            f"{rules.game.title}: more than {MOST_WORLDS:,} states fit what the {seat.value} saw, too many to resample"
        )
    return _scaled(found)


def _odds(world: World, position: Position, seat: Seat) -> list[tuple[Any, float]]:
    """What could have been done: the seat's own action is known, others move by lot."""
    own = position.own_action(seat)
    if own is not None:
        return [(own, 1.0)]
    game = position.rules.game
    if game.to_act(world.state) is Seat.CHANCE:
        return list(game.chance_odds(world.state))
    legal = game.legal_actions(world.state)
    return [(action, 1 / len(legal)) for action in legal]


def _look_the_same(one: Position, other: Position, seat: Seat) -> bool:
    return one.looks(seat) == other.looks(seat) and one.view(seat) == other.view(seat)


def _scaled(worlds: Worlds) -> Worlds:
    total = sum(world.weight for world in worlds.values())
    for world in worlds.values():
        world.weight /= total
        world.origins = [(origin, action, weight / total) for origin, action, weight in world.origins]
    return worlds


def _walk_back(worlds: Worlds, rng: Random) -> tuple[Setup, list[Any]]:
    every = list(worlds.values())
    world = rng.choices(every, [world.weight for world in every])[0]
    actions = []
    while world.setup is None:
        world, action, _ = rng.choices(world.origins, [weight for _, _, weight in world.origins])[0]
        actions.append(action)
    return world.setup, actions[::-1]
