"""The process that works out a server's bounds: a job as JSON on standard input, the bounds on standard output."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from manhunt.games.shortest_path.config import config_from_json
from manhunt.games.shortest_path.rules import start
from manhunt.solvers.shortest_path.bounds import find_bounds

NICE = 10
"""The players' programs may run on the same machine: they go first."""


def work(job: dict[str, Any]) -> dict[str, Any]:
    config = config_from_json(job["config"])
    return find_bounds(start(config), job["seconds"]).to_json(config.board)


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(NICE)
    json.dump(work(json.load(sys.stdin)), sys.stdout)
