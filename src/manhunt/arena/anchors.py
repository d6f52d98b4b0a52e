"""Frozen agents of each game that ratings of different days are measured from.

An anchor is named `name@version`. Its fingerprint is a hash of the actions it plays in three fixed games against
random play, so that a change in the agent (or in the rules below it) is noticed: then give it a new version. A game
whose kit freezes nothing has random play alone.
"""

import hashlib

from manhunt.agents.registry import make_agent
from manhunt.core.agent import Limit
from manhunt.core.errors import BadAgent, one_of
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.kit import Anchor
from manhunt.core.registry import kit_of, make_game
from manhunt.play.referee import Referee

N_GAMES = 3
LIMIT = Limit(iterations=50)
RANDOM = tuple(Anchor(seat, "random", 1, "random") for seat in PLAYERS)


def anchors_of(game: str, seat: Seat) -> tuple[Anchor, ...]:
    """The anchors of a role, the weakest first; ratings are counted from the first that takes part."""
    return tuple(anchor for anchor in kit_of(game).anchors or RANDOM if anchor.seat is seat)


def anchor_of(game: str, seat: Seat, spec: str) -> Anchor | None:
    """The anchor meant by `random@1`, or the one that the plain spec `random` is."""
    return next((anchor for anchor in anchors_of(game, seat) if spec in (anchor.label, anchor.spec)), None)


def spec_of(spec: str, game: str, seat: Seat) -> str:
    """The agent's spec as the registry knows it: `random@1` is `random`."""
    if "@" not in spec or ".py" in spec:
        return spec
    specs = {anchor.label: anchor.spec for anchor in anchors_of(game, seat)}
    if spec not in specs:
        raise BadAgent(f"unknown anchor {spec!r} for the seat {seat.value}; known: {one_of(specs)}")
    return specs[spec]


def check_anchor(spec: str, game: str, seat: Seat) -> None:
    """Refuse an anchor, named with its version, that no longer plays as it did when it was frozen."""
    for anchor in anchors_of(game, seat):
        if anchor.label == spec and anchor.fingerprint and fingerprint(anchor, game) != anchor.fingerprint:
            raise BadAgent(f"anchor {spec} no longer plays {game} as it did when it was frozen; it needs a new version")


def fingerprint(anchor: Anchor, game: str) -> str:
    """A hash of what the agent does in three fixed games of the game's default config against random play."""
    rules = make_game(game)
    config = rules.make_config()
    digest = hashlib.sha256()
    for seed in range(N_GAMES):
        agents = {seat: make_agent(anchor.spec if seat is anchor.seat else "random", game, seat) for seat in PLAYERS}
        referee = Referee(rules, config, agents, seed=seed, limit=LIMIT)
        while not referee.over:
            acting = referee.to_act
            action = referee.step()
            if acting is anchor.seat:
                digest.update(f"{rules.format_action(config, action)} ".encode())
        digest.update(f"{referee.outcome}\n".encode())
    return digest.hexdigest()[:16]
