"""The deal of Pursuit, one piece after the other: Mr X, then the detectives."""

from collections.abc import Sequence

from manhunt.core.game import Setup
from manhunt.games.pursuit.rules.config import PlacementRule, PursuitConfig


def lists(config: PursuitConfig) -> Sequence[Sequence[str]]:
    """Any node without a piece; nothing where the sides choose their places."""
    return [config.board.labels] * (0 if config.placement is PlacementRule.CHOSEN else config.n_detectives + 1)


def setup_of(config: PursuitConfig, drawn: Sequence[str]) -> Setup:
    return {"mrx": drawn[0], "detectives": list(drawn[1:])} if drawn else {}


def drawn_of(config: PursuitConfig, setup: Setup) -> Sequence[str]:
    return (setup["mrx"], *setup["detectives"]) if setup else ()
