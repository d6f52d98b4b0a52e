"""The folder of a training run: its plan, and the games of each generation. A run that was killed goes on from here."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from manhunt.core.errors import ManhuntError
from manhunt.core.files import atomic_path, write_atomically
from manhunt.core.reading import parse_json, read_text

PLAN = "plan.json"


@dataclass(frozen=True, slots=True)
class TrainingFolder:
    path: Path

    def open(self, plan: Mapping[str, Any]) -> None:
        """A new folder, or one with the same plan, which is resumed."""
        self.path.mkdir(parents=True, exist_ok=True)
        file, text = self.path / PLAN, json.dumps(plan, indent=1) + "\n"
        if not file.exists():
            if any(self.path.iterdir()):
                raise ManhuntError(f"{self.path} is neither empty nor a training folder")
            write_atomically(file, text)
        known = parse_json(read_text(file, "the training plan"), f"{file} does not parse as a training plan")
        if known != parse_json(text, "the plan"):
            raise ManhuntError(f"{self.path} was begun with other options; use them, or another folder")

    def games_file(self, generation: int) -> Path:
        return self.path / f"games-{generation:06d}.npz"


def save_arrays(path: Path, arrays: Mapping[str, Any]) -> None:
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        np.savez(file, **arrays)


def load_arrays(path: Path) -> dict[str, Any]:
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return dict(arrays)
    except (OSError, ValueError, EOFError) as error:
        raise ManhuntError(f"{path} does not parse: {error}") from None
