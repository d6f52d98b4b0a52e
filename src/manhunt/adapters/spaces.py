"""The spaces of Gymnasium that all our environments have."""

from __future__ import annotations

from typing import Any

import numpy as np

from manhunt.core.encoding import Encoder
from manhunt.core.errors import missing_extra
from manhunt.core.outcome import Outcome

try:
    from gymnasium import spaces
except ImportError:
    raise missing_extra("Gymnasium is not installed; get it with", "rl") from None


def action_space(encoder: Encoder) -> spaces.Discrete:
    return spaces.Discrete(encoder.n_actions)


def observation_space(encoder: Encoder, belief: bool = False, *, waits: bool = False) -> spaces.Dict:
    """The vector, with the belief's planes at its end if they are wanted, and the mask, with waiting at its end."""
    size = encoder.observation_size + (encoder.belief_size if belief else 0)
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, (size,), np.float32),
            "action_mask": spaces.Box(0, 1, (encoder.n_actions + waits,), np.int8),
        }
    )


def info_of(outcome: Outcome | None) -> dict[str, Any]:
    """What `info` tells when a game is over: how it ended, and the cost where games have one."""
    if outcome is None:
        return {}
    return {"outcome": str(outcome), **({} if outcome.cost is None else {"cost": outcome.cost})}
