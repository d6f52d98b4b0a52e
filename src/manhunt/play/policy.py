"""What a match makes of a turn that did not end with a legal action."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from manhunt.agents.turns import FAILED, TurnEnd
from manhunt.errors import BadConfig, unknown


class Policy(Enum):
    FORFEIT = "forfeit"
    """The seat loses the game."""
    PASS = "pass"
    """The game's way of doing nothing, or a random legal action where it has none."""
    RANDOM = "random"
    """A random legal action, drawn by the referee."""


Policies = Mapping[TurnEnd, Policy]
"""A kind that is not named goes by the rule book: a pass for an illegal action where it says so, else a forfeit."""


def parse_policies(data: Mapping[str, Any]) -> dict[TurnEnd, Policy]:
    """`{"timeout": "random", "crash": "forfeit"}`; BadConfig names the word that is wrong."""
    policies = {}
    for kind, policy in data.items():
        if kind not in [end.value for end in FAILED]:
            raise BadConfig(unknown("end of a turn", str(kind), [end.value for end in FAILED]))
        if policy not in [known.value for known in Policy]:
            raise BadConfig(f"{kind}: " + unknown("policy", str(policy), [known.value for known in Policy]))
        policies[TurnEnd(kind)] = Policy(policy)
    return policies
