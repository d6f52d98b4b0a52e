"""Adversarial Shortest Path small enough for exact algorithms."""

from collections.abc import Mapping
from typing import Any

MINIATURES: Mapping[str, Mapping[str, Any]] = {
    "tiny": {"board": "path:2", "source": "1", "target": "2"},
    "small": {"board": "grid:3x3", "source": "1", "target": "9"},
}
