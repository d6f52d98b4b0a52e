"""All numbers of a training run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from manhunt.agents.registry import make_agent
from manhunt.core.errors import BadConfig
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import kit_of

SNAPSHOTS = "snapshots"
"""The opponent that is an older policy of the same run."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides a run; the same settings give the same policy, update by update."""

    game: str
    config: Mapping[str, Any]
    """As the game's `config_to_json` writes it."""
    seats: tuple[Seat, ...]
    """Who learns; with both seats one net plays both, and may meet its own snapshots."""
    opponents: tuple[str, ...] = ("random",)
    """Agents by their specs, and SNAPSHOTS. Each has its own games."""
    seed: int = 1
    n_games: int = 64
    """Games that are played side by side against each opponent."""
    n_steps: int = 64
    """Plies in each of these games between two updates."""
    block: int = 8
    """Updates between two checkpoints; games begin anew after each, so that nothing of them has to be kept."""
    width: int = 128
    epochs: int = 4
    minibatch: int = 512
    learning_rate: float = 7e-4
    discount: float = 0.995
    trace: float = 0.95
    """Lambda of the generalised advantage estimate."""
    clip: float = 0.2
    entropy: float = 0.01
    value_weight: float = 0.5
    max_gradient: float = 0.5
    max_kl: float = 0.03
    """An update ends early when the policy has moved so far."""

    def __post_init__(self) -> None:
        if not self.seats or not set(self.seats) <= set(PLAYERS):
            raise BadConfig("who learns must be the evader, the pursuers or both")
        if not self.opponents:
            raise BadConfig("a learner needs at least one opponent")
        if SNAPSHOTS in self.opponents and len(self.seats) < 2:
            raise BadConfig(f"{SNAPSHOTS} play the other seat, too: let both seats learn")
        for name in ("n_games", "n_steps", "block", "width", "epochs", "minibatch"):
            if getattr(self, name) < 1:
                raise BadConfig(f"{name} is {getattr(self, name)}; it must be 1 or more")

    def check_opponents(self) -> None:
        """Refuse agents that do not exist or do not play the other seat, before any work."""
        for seat in self.seats:
            for spec in self.opponents:
                if spec != SNAPSHOTS:
                    make_agent(spec, self.game, PLAYERS[1 - PLAYERS.index(seat)])

    @property
    def has_belief(self) -> bool:
        """Whether observations end with belief planes: only pursuers get them, the evader sees zeros there."""
        kit = kit_of(self.game)
        known = kit.has("belief") and kit.encoder(self.make_config()).belief_size > 0
        return Seat.PURSUERS in self.seats and known

    def make_config(self) -> Any:
        return kit_of(self.game).game.config_from_json(self.config)

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "seats": [seat.value for seat in self.seats], "opponents": list(self.opponents)}
