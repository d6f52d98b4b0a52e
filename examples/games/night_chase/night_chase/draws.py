"""The deal of Night Chase, one piece after the other: the runner, then the hunters."""

from collections.abc import Sequence

from manhunt.core.game import Setup
from night_chase.config import Config


def lists(config: Config) -> Sequence[Sequence[str]]:
    return [config.board.labels] * (config.hunters + 1)


def setup_of(config: Config, drawn: Sequence[str]) -> Setup:
    return {"runner": drawn[0], "hunters": list(drawn[1:])}


def drawn_of(config: Config, setup: Setup) -> Sequence[str]:
    return (setup["runner"], *setup["hunters"])
