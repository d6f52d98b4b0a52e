"""The settings of minimax: how wide and deep it looks, and what it finds good."""

import math
from dataclasses import dataclass, field, fields
from typing import NamedTuple

from manhunt.core.errors import BadAgent, unknown


class Weights(NamedTuple):
    """What the kernels read; see `MinimaxSettings` for the meaning."""

    cornered: float
    squeezed: float
    covered: float
    near: float
    centroid: float
    entropy: float
    tickets: float
    clump: float
    choke: float
    forecast: float
    reach: float
    caution: float
    secrecy: float
    doubling: float
    pressure: float
    entropy_drop: float


@dataclass(frozen=True, slots=True)
class MinimaxSettings:
    """The options of the agent `minimax`. Ranges are in `RANGES`; the defaults were tried with
    benchmarks/minimax_tuning.py."""

    model: str = "soft"
    """How Mr X is thought to move."""
    iterations: int = 100
    """Positions looked at for a decision that nobody bounds."""
    seconds: float = math.inf

    horizon: int = 3
    """Detectives' turns looked ahead at most; the adaptive horizon may be shorter."""
    hypotheses: int = 8
    """So many of the likeliest nodes stand for the belief when Mr X replies."""
    beam: int = 16
    """Joint plans kept while the first turn is put together."""
    width: int = 6
    """Joint plans of the first turn that are searched deeper; later turns take half."""
    adversity: float = 0.3
    """From 0 (Mr X replies as the model expects) to 1 (his worst reply is certain)."""
    discount: float = 0.95
    """What a catch one turn later is worth."""

    cornered: float = 3.0
    """How badly Mr X's best exit is covered, over the belief."""
    squeezed: float = 1.0
    """How badly his exits are covered on average."""
    covered: float = 1.0
    """Share of likely exits that a detective can reach at once."""
    near: float = 3.0
    """Expected capture time: hops of the nearest detective to the belief."""
    centroid: float = 1.0
    """Hops of all detectives to the belief's centroid."""
    entropy: float = 1.0
    """How little uncertainty the next turn leaves."""
    tickets: float = 0.6
    """Ticket pressure: what the turn costs the detectives and gives to Mr X."""
    clump: float = 0.3
    """Penalty for detectives who stand together."""
    choke: float = 0.2
    """Standing where many ways meet."""
    forecast: float = 0.5
    """Two detectives near where Mr X will have to show himself."""
    reach: float = 0.6
    """How fast the danger of a detective fades with each hop."""
    caution: float = 3.0
    """How strongly the model's Mr X prefers safe exits."""
    secrecy: float = 0.3
    """How readily the model's Mr X pays a secret ticket, where 1 is as readily as any other."""
    doubling: float = 0.1
    """How likely the model's Mr X makes a double move."""

    escape: float = 3.0
    """Mr X: the safety of his best way on."""
    distance: float = 2.0
    """Mr X: hops to the nearest and the second detective."""
    hiding: float = 0.8
    """Mr X: entropy of the detectives' belief after his move."""
    blame: float = 4.0
    """Mr X: chance that a detective who can reach him also looks for him there."""
    saving: float = 1.0
    """Mr X: worth of the tickets he keeps."""

    pressure: float = 0.0
    """Ticket pressure: how scarce the ticket is that Mr X needs for an exit no detective can reach at once."""
    entropy_drop: float = 0.0
    """How much less uncertain the turn leaves the belief than it was a turn before."""
    scarcity: float = 0.0
    """How much longer a way counts for the scarce tickets it takes; 0: in moves alone."""
    dominance: str = "cover"
    """Which moves are left out because of a colleague: cover (he is as near to all likely nodes), speed (he could go
    there as fast and has as many tickets) or none."""
    ordering: str = "chance"
    """Which reply of Mr X is searched first: the likeliest (chance) or the one that leaves him safest (escape)."""
    certainty: str = "gap"
    """What confidence is: the utility gap to the second plan (gap), or its share of the gap to the last (share)."""

    def __post_init__(self) -> None:
        for option in fields(self)[3:]:
            least, most = RANGES.get(option.name, (0.0, 100.0))
            value = getattr(self, option.name)
            if option.name in CHOICES:
                if value not in CHOICES[option.name]:
                    raise BadAgent(f"minimax: {unknown(option.name, str(value), CHOICES[option.name])}")
                continue
            whole = option.type is int
            if whole and (isinstance(value, bool) or not isinstance(value, int)):
                raise BadAgent(f"minimax: {option.name} must be a whole number, not {value!r}")
            if not (isinstance(value, int | float) and math.isfinite(value) and least <= value <= most):
                raise BadAgent(f"minimax: {option.name} must be from {least:g} to {most:g}, not {value}")
        if self.iterations < 1:
            raise BadAgent(f"minimax: iterations must be 1 or more, not {self.iterations}")
        if not self.seconds > 0:
            raise BadAgent(f"minimax: seconds must be more than 0, not {self.seconds}")

    @property
    def weights(self) -> Weights:
        return Weights(*(float(getattr(self, name)) for name in Weights._fields))


@dataclass(frozen=True, slots=True)
class PureMinimaxSettings(MinimaxSettings):
    """The options of the agent `minimax-pure`: all but `adversity`, which is 1."""

    adversity: float = field(default=1.0, init=False)


CHOICES: dict[str, tuple[str, ...]] = {
    "dominance": ("cover", "speed", "none"),
    "ordering": ("chance", "escape"),
    "certainty": ("gap", "share"),
}
RANGES: dict[str, tuple[float, float]] = {
    "horizon": (1, 6),
    "hypotheses": (1, 64),
    "beam": (1, 64),
    "width": (1, 32),
    "adversity": (0.0, 1.0),
    "discount": (0.0, 1.0),
    "reach": (0.01, 0.99),
    "secrecy": (0.0, 10.0),
    "doubling": (0.0, 1.0),
}
