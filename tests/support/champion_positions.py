"""Positions of Scotland Yard with beliefs, for the tests of the champion."""

from dataclasses import replace
from random import Random

import numpy as np

from manhunt.core.arrays import Floats
from manhunt.games.scotland_yard.rules.rules import legal_actions, outcome
from manhunt.games.scotland_yard.rules.state import ScotlandYardState
from scotland_yard_games import History


def random_belief(state: ScotlandYardState, rng: Random) -> Floats:
    """Any belief in which Mr X's node is possible, and no node on which the game would be over."""
    nodes = list(state.config.board.nodes())
    weights = np.array([rng.random() * rng.choice((0, 1)) for _ in nodes])
    for node in nodes:
        if outcome(replace(state, quarry=node)) is not None:
            weights[node] = 0.0
    weights[state.quarry] += 0.01
    return np.asarray(weights / weights.sum())


def mrx_turns(history: History) -> list[ScotlandYardState]:
    """The states in which Mr X moves."""
    return [state for state in history[0] if not state.waiting and legal_actions(state)]


def detective_turns(history: History) -> list[ScotlandYardState]:
    """The states in which detectives move."""
    return [state for state in history[0] if state.waiting and legal_actions(state)]
