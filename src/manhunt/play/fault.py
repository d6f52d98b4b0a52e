"""What went wrong in a game: a turn without a legal action, or a game that nobody could play; and what follows."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from manhunt.core.errors import BadConfig, unknown
from manhunt.core.ids import Seat
from manhunt.core.turns import FAILED, TurnEnd

MOST_DETAIL = 300
_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
_ENDS = {word: end for end in FAILED for word in (end.value, end.why)}


class FaultPolicy(Enum):
    """What to do about a turn that did not end with a legal action."""

    FORFEIT = "forfeit"
    """The seat loses the game."""
    PASS = "pass"
    """The game's way of doing nothing, or a random legal action where it has none."""
    RANDOM = "random"
    """A random legal action, drawn by the referee."""


Policies = Mapping[TurnEnd, FaultPolicy]
"""A kind that is not named goes by the rule book: a pass for an illegal action where it says so, else a forfeit."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that went wrong in a game. `seat` is None if neither seat is to blame."""

    seat: Seat | None
    why: str
    """The reason in a word or two: how the turn ended, or what happened instead (`worker died`)."""
    detail: str = ""
    """The details. Only the seat may read them during the game, because they may hold secrets."""
    ply: int | None = None
    """How many actions had been played."""
    policy: FaultPolicy | None = None
    """What was done about it."""
    stderr: str = ""
    """The last lines that the bot wrote to stderr."""

    @property
    def end(self) -> TurnEnd | None:
        """How the turn ended; None if it was not an agent's turn that failed."""
        return _ENDS.get(self.why)

    def to_json(self) -> dict[str, Any]:
        """The fault as JSON, the same in every process; unknown values are left out."""
        detail = _ADDRESS.sub("0x", " ".join(self.detail.split()))[:MOST_DETAIL]
        more = {"ply": self.ply, "policy": self.policy and self.policy.value, "stderr": self.stderr or None}
        known = {key: value for key, value in more.items() if value is not None}
        return {"seat": self.seat and self.seat.value, "why": self.why, "detail": detail, **known}


def fault_from_json(data: Mapping[str, Any]) -> Fault:
    """The inverse of `to_json`; KeyError or ValueError if it is none."""
    seat = None if data["seat"] is None else Seat(data["seat"])
    policy = FaultPolicy(data["policy"]) if "policy" in data else None
    return Fault(seat, data["why"], data["detail"], data.get("ply"), policy, data.get("stderr", ""))


def parse_policies(data: Mapping[str, Any]) -> dict[TurnEnd, FaultPolicy]:
    """`{"timeout": "random", "crash": "forfeit"}`; BadConfig names the word that is wrong."""
    policies = {}
    for kind, policy in data.items():
        if kind not in [end.value for end in FAILED]:
            raise BadConfig(unknown("end of a turn", str(kind), [end.value for end in FAILED]))
        if policy not in [known.value for known in FaultPolicy]:
            raise BadConfig(f"{kind}: " + unknown("policy", str(policy), [known.value for known in FaultPolicy]))
        policies[TurnEnd(kind)] = FaultPolicy(policy)
    return policies
