"""What a study is made of: the agents in question, how many games, and where they are kept."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from manhunt.agents.registry import agent_names
from manhunt.arena.schedule import Plan, make_plan

GAME = "fugitive"
BEST_MARSHALS = ("exact", "bir-2u")
BEST_FUGITIVES = ("fugitive-search", "continuation")
"""The agents that are studied unless others are named: the first that is there."""
SECOND_MARSHAL, SECOND_FUGITIVE = "bir-2u", "continuation"
_SLUG = re.compile(r"[^A-Za-z0-9.=-]+")


class Pair(NamedTuple):
    """A Fugitive against a Marshal, as the registry names them."""

    fugitive: str
    marshal: str


@dataclass(frozen=True)
class StudySetup:
    """All pairs play the same deals, so that any two of them can be compared deal by deal."""

    fugitive: str
    marshal: str
    n_games: int
    seed: int
    folder: Path
    second_fugitive: str | None = SECOND_FUGITIVE
    second_marshal: str | None = SECOND_MARSHAL
    preset: str = "standard"

    @property
    def fugitives(self) -> tuple[str, ...]:
        """Opponents of a Marshal in question."""
        return _distinct(self.fugitive, self.second_fugitive)

    @property
    def marshals(self) -> tuple[str, ...]:
        return _distinct(self.marshal, self.second_marshal)

    def plan(self, pair: Pair) -> Plan:
        """Its games; the first thing wrong with it is raised as one line."""
        return _plan(pair, self.n_games, self.seed, self.preset)

    def folder_of(self, pair: Pair) -> Path:
        slug = _SLUG.sub("_", f"{pair.fugitive}-vs-{pair.marshal}")[:90]
        return self.folder / f"{slug}-{self.plan(pair).run_id[:8]}"


@lru_cache(maxsize=256)
def _plan(pair: Pair, n_games: int, seed: int, preset: str) -> Plan:
    return make_plan(GAME, [pair.fugitive], [pair.marshal], n_games, options={"preset": preset}, seed=seed)


def _distinct(first: str, second: str | None) -> tuple[str, ...]:
    return (first,) if second is None or second == first else (first, second)


def best_of(names: tuple[str, ...]) -> str:
    known = agent_names()
    return next((name for name in names if name in known), names[-1])


def bound_marshal(inner: str, rule: str, value: str) -> str:
    """The spec of a Marshal bound to a rule; her own choice is the Marshal herself."""
    return inner if value == "own" else f"bound-marshal:inner={inner.replace(',', ';')},{rule}={value}"


def bound_fugitive(inner: str, bluff: str) -> str:
    return inner if bluff == "own" else f"bound-fugitive:inner={inner.replace(',', ';')},bluff={bluff}"
