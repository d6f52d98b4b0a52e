"""A training run in a folder: blocks of updates, with a checkpoint after each.

Everything random in a block comes from the seed and the block's number, and its games begin anew. So the folder keeps
the net and its optimiser but no games, and a run that was stopped ends with the same net as one that was not.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from manhunt.core.errors import BadConfig, BadText
from manhunt.core.files import write_atomically
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.reading import parse_json, read_bytes, read_text
from manhunt.core.registry import kit_of
from manhunt.core.seeds import seeded
from manhunt.learning.curves import Point, draw_curves, read_points, write_points
from manhunt.learning.network import make_network
from manhunt.learning.ppo import update
from manhunt.learning.pytorch import torch
from manhunt.learning.rollout import Match, joined, make_matches, roll_out
from manhunt.learning.settings import SNAPSHOTS, Settings
from manhunt.search.policy_net import PolicyNet, load_policy, save_policy

SETTINGS, CHECKPOINT, POLICY, CURVES, PLOT = (
    "settings.json",
    "checkpoint.pt",
    "policy.npz",
    "curves.jsonl",
    "curves.svg",
)
SNAPSHOT_EVERY = 5
"""Blocks between two snapshots."""
MAY_CHANGE = "opponents"
"""The setting that a later run of the folder may change: first easy opponents, then better ones."""
Tell = Callable[["Training"], None]


@dataclass
class Training:
    """Trains until enough updates or minutes are done; both count all runs of the folder."""

    settings: Settings
    folder: Path
    points: list[Point] = field(default_factory=list)

    def __post_init__(self) -> None:
        settings = self.settings
        self.kit, self.config = kit_of(settings.game), settings.make_config()
        encoder = self.kit.encoder(self.config)
        self.n_inputs = encoder.observation_size + (encoder.belief_size if settings.has_belief else 0)
        torch.manual_seed(seeded(settings.seed, "net").getrandbits(48))
        self.network = make_network(self.kit, self.config, self.n_inputs, settings.width)
        self.optimiser = torch.optim.Adam(self.network.parameters(), settings.learning_rate, eps=1e-5)
        self.n_blocks = 0
        self.seconds = self.processor_seconds = 0.0
        self._open()

    @property
    def n_updates(self) -> int:
        return self.n_blocks * self.settings.block

    @property
    def n_decisions(self) -> int:
        return sum(point.decisions for point in self.points)

    def run(self, *, updates: int | None = None, seconds: float | None = None, tell: Tell | None = None) -> None:
        while not self.is_done(updates, seconds):
            self._run_block()
            if tell is not None:
                tell(self)

    def is_done(self, updates: int | None, seconds: float | None) -> bool:
        return (updates is not None and self.n_updates >= updates) or (seconds is not None and self.seconds >= seconds)

    def _run_block(self) -> None:
        began, worked = time.monotonic(), time.process_time()
        settings, chance = self.settings, seeded(self.settings.seed, f"block {self.n_blocks}")
        rng = np.random.default_rng(chance.getrandbits(63))
        matches = make_matches(settings, self.config, self._draw_snapshots(chance.random))
        for match in matches:
            match.batch.reset(rng.integers(2**63, size=match.batch.n_games, dtype=np.uint64))
        losses, n_decisions = [], 0
        for _ in range(settings.block):
            net = self.network.to_numpy()
            decisions = joined([roll_out(match, net, settings, rng) for match in matches])
            losses.append(update(self.network, self.optimiser, decisions, settings, rng))
            n_decisions += len(decisions.values)
        self.n_blocks += 1
        self.seconds += time.monotonic() - began
        self.processor_seconds += time.process_time() - worked
        entropy, value_loss, kl, clipped = map(float, np.mean(losses, axis=0))
        wins = _count_wins(matches)
        self.points.append(Point(self.n_updates, self.seconds, n_decisions, entropy, value_loss, kl, clipped, wins))
        self._save()

    # -- the folder ------------------------------------------------------------------------------

    def _open(self) -> None:
        self.folder.mkdir(exist_ok=True)
        wanted, file = parse_json(json.dumps(self.settings.to_json()), "the settings"), self.folder / SETTINGS
        if file.exists():
            known = parse_json(read_text(file, "the settings"), f"{file} does not parse")
            same = [key for key in wanted if isinstance(known, dict) and known.get(key) == wanted[key]]
            different = [key for key in wanted if key not in same and key != MAY_CHANGE]
            if different:
                raise BadConfig(f"{self.folder} holds a run with another {different[0]}; take another folder")
        write_atomically(file, json.dumps(wanted, indent=1) + "\n")
        if (self.folder / CHECKPOINT).exists():
            self._load()

    def _load(self) -> None:
        file = self.folder / CHECKPOINT
        try:
            kept = torch.load(BytesIO(read_bytes(file, "the checkpoint")), weights_only=True)
            self.network.load_state_dict(kept["network"])
            self.optimiser.load_state_dict(kept["optimiser"])
            self.n_blocks, self.seconds, self.processor_seconds = kept["blocks"], kept["seconds"], kept["processor"]
        except Exception as error:  # whatever a broken file does
            raise BadText(
                f"{file} is not a checkpoint of this run: {type(error).__name__}; remove it to start again"
            ) from None
        self.points = [point for point in read_points(self.folder / CURVES) if point.update <= self.n_updates]

    def _save(self) -> None:
        """The checkpoint is written last: whatever is newer than it belongs to no finished block."""
        net = self.network.to_numpy()
        save_policy(net, self.folder / POLICY, self.card())
        if SNAPSHOTS in self.settings.opponents and self.n_blocks % SNAPSHOT_EVERY == 1:
            save_policy(net, self._snapshot(self.n_blocks), self.card())
        write_points(self.folder / CURVES, self.points)
        write_atomically(self.folder / PLOT, draw_curves(f"Learning {self.kit.title}", self.points))
        buffer = BytesIO()
        kept = {
            "network": self.network.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "blocks": self.n_blocks,
            "seconds": self.seconds,
            "processor": self.processor_seconds,
        }
        torch.save(kept, buffer)
        write_atomically(self.folder / CHECKPOINT, buffer.getvalue())

    def card(self) -> dict[str, Any]:
        """What the policy plays, and what made it."""
        last = self.points[-1] if self.points else None
        return {
            **self.settings.to_json(),
            "belief": self.settings.has_belief,
            "updates": self.n_updates,
            "decisions": self.n_decisions,
            "seconds": round(self.seconds, 1),
            "processor_seconds": round(self.processor_seconds, 1),
            "wins": {} if last is None else {name: list(row) for name, row in last.wins.items()},
        }

    # -- snapshots -------------------------------------------------------------------------------

    def _snapshot(self, block: int) -> Path:
        return self.folder / f"snapshot-{block:04}.npz"

    def _draw_snapshots(self, draw: Callable[[], float]) -> dict[Seat, PolicyNet] | None:
        """For each learning seat an older policy to meet; half of the time it is one of the newest quarter."""
        known = [block for block in range(1, self.n_blocks + 1) if self._snapshot(block).exists()]
        if SNAPSHOTS not in self.settings.opponents or not known:
            return None
        found = {}
        for seat in PLAYERS:
            some = known if draw() < 0.5 else known[-1 - len(known) // 4 :]
            found[seat] = load_policy(self._snapshot(some[int(draw() * len(some))]))[0]
        return found


def _count_wins(matches: list[Match]) -> dict[str, tuple[int, int]]:
    return {f"{match.seat.value} against {match.opponent}": (match.wins, match.games) for match in matches}


def check_folder(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise BadConfig(f"cannot write {folder}: it is a file; give the name of a folder")
    if not folder.absolute().parent.is_dir():
        raise BadConfig(f"cannot write {folder}: the folder {folder.parent} does not exist")
    if not os.access(folder if folder.exists() else folder.absolute().parent, os.W_OK):
        raise BadConfig(f"cannot write {folder}: permission denied")
