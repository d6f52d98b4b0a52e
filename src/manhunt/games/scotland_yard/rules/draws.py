"""The deal of Scotland Yard, one piece after the other: Mr X, then the detectives (paragraph 4)."""

from collections.abc import Sequence

from manhunt.core.game import Setup
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig
from manhunt.games.scotland_yard.rules.game import make_setup


def lists(config: ScotlandYardConfig) -> Sequence[Sequence[str]]:
    anywhere = config.board.labels
    return (config.mrx_starts or anywhere, *[config.detective_starts or anywhere] * config.n_detectives)


def setup_of(config: ScotlandYardConfig, drawn: Sequence[str]) -> Setup:
    return make_setup(drawn[0], drawn[1:], free=not config.mrx_starts)


def drawn_of(config: ScotlandYardConfig, setup: Setup) -> Sequence[str]:
    return (setup["mrx"]["at"], *(detective["at"] for detective in setup["detectives"]))
