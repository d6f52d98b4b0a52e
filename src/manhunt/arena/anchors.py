"""Frozen agents, three for each role, that ratings of different days are measured from.

An anchor is named `name@version`. Its fingerprint is a hash of the actions it plays in three fixed games against
random play, so that a change in the agent (or in the rules below it) is noticed: then give it a new version.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from manhunt.agents.base import Limit
from manhunt.agents.registry import make_agent
from manhunt.errors import BadAgent, one_of
from manhunt.games.registry import make_game
from manhunt.ids import PLAYERS, Seat
from manhunt.play.referee import Referee

N_GAMES = 3
LIMIT = Limit(iterations=50)


@dataclass(frozen=True, slots=True)
class Anchor:
    """One frozen agent; `fingerprints` are by game."""

    seat: Seat
    name: str
    version: int
    spec: str
    fingerprints: Mapping[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return f"{self.name}@{self.version}"


def _frozen(pursuit: str, scotland_yard: str) -> dict[str, str]:
    return {"pursuit": pursuit, "scotland_yard": scotland_yard}


_GREEDY = "greedy:model=category,temperature=0,style=run"
_HIDE = "greedy:model=category,temperature=0,style=hide"
_UNIFORM = "greedy:model=uniform,temperature=0,style=run"
ANCHORS = (
    Anchor(Seat.EVADER, "random", 1, "random", _frozen("8ffeb92a801e5078", "01a2825458df2631")),
    Anchor(Seat.EVADER, "greedy", 1, _GREEDY, _frozen("fbdf34b671d1cde3", "d02eba99a91d04d4")),
    Anchor(Seat.EVADER, "greedy-hide", 1, _HIDE, _frozen("fbdf34b671d1cde3", "c1be4156222e0bc1")),
    Anchor(Seat.PURSUERS, "random", 1, "random", _frozen("649eb8679ee48202", "6aa5a8e211778fd8")),
    Anchor(Seat.PURSUERS, "greedy", 1, _GREEDY, _frozen("0da894462d6f1fe4", "6dea5ea9bb29a573")),
    Anchor(Seat.PURSUERS, "greedy-uniform", 1, _UNIFORM, _frozen("0da894462d6f1fe4", "65a403a31d542c15")),
)
_BY_LABEL = {(anchor.seat, anchor.label): anchor for anchor in ANCHORS}


def anchors_of(seat: Seat) -> tuple[Anchor, ...]:
    """The anchors of a role, the weakest first; ratings are counted from the first that takes part."""
    return tuple(anchor for anchor in ANCHORS if anchor.seat is seat)


def anchor_of(seat: Seat, spec: str) -> Anchor | None:
    """The anchor meant by `random@1`, or the one that the plain spec `random` is."""
    for anchor in anchors_of(seat):
        if spec in (anchor.label, anchor.spec):
            return anchor
    return None


def spec_of(spec: str, seat: Seat) -> str:
    """The agent's spec as the registry knows it: `random@1` is `random`."""
    if "@" not in spec or ".py" in spec:
        return spec
    if (seat, spec) not in _BY_LABEL:
        known = one_of(anchor.label for anchor in anchors_of(seat))
        raise BadAgent(f"unknown anchor {spec!r} for the seat {seat.value}; known: {known}")
    return _BY_LABEL[seat, spec].spec


def check_anchor(spec: str, seat: Seat, game: str) -> None:
    """Refuse an anchor, named with its version, that no longer plays as it did when it was frozen."""
    anchor = _BY_LABEL.get((seat, spec))
    wanted = anchor.fingerprints.get(game) if anchor else None
    if anchor is not None and wanted is not None and fingerprint(anchor, game) != wanted:
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
