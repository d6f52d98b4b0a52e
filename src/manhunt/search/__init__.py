"""Parts that agents are made of: players that look one step ahead, time control, trees, nets."""

from typing import TYPE_CHECKING

from manhunt.core.lazy import lazy_names

if TYPE_CHECKING:
    from manhunt.search.bank import BankKeeper
    from manhunt.search.one_step import Hunters, OneStepAgent, Player, Runner
    from manhunt.search.time_control import iterate_within

_HOME = {
    "BankKeeper": "manhunt.search.bank",
    "Hunters": "manhunt.search.one_step",
    "OneStepAgent": "manhunt.search.one_step",
    "Player": "manhunt.search.one_step",
    "Runner": "manhunt.search.one_step",
    "iterate_within": "manhunt.search.time_control",
}
__all__ = [
    "BankKeeper", "Hunters", "OneStepAgent", "Player", "Runner", "iterate_within",
]  # fmt: skip
__getattr__, __dir__ = lazy_names(__name__, _HOME)
