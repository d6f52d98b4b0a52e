"""The agent that everything else is measured from."""

from collections.abc import Mapping
from random import Random
from typing import Any

from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.game import View


class RandomAgent(Agent):
    """Any legal action, all equally likely."""

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        return Advice(rng.choice(view.legal), confidence=1 / len(view.legal), counters={"legal": len(view.legal)})

    def probabilities(self, view: View, limit: Limit) -> Mapping[Any, float]:
        return dict.fromkeys(view.legal, 1 / len(view.legal))
