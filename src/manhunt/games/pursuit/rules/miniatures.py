"""Pursuit small enough for exact algorithms: the detectives see Mr X only from nearby."""

from collections.abc import Mapping
from typing import Any

MINIATURES: Mapping[str, Mapping[str, Any]] = {
    "tiny": {"board": "path:5", "n_detectives": 1, "max_rounds": 2, "visibility": "sight"},
    "small": {"board": "grid:3x3", "n_detectives": 1, "max_rounds": 3, "visibility": "sight"},
}
