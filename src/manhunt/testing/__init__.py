"""Checks for games, agents and bots, ours and yours."""

from typing import TYPE_CHECKING

from manhunt.core.lazy import lazy_names

if TYPE_CHECKING:
    from manhunt.testing.agents import Report, check_agent, examine_agent
    from manhunt.testing.bots import BotReport, Violation, check_bot
    from manhunt.testing.games import ContractBroken, check_game
    from manhunt.testing.lessons import check_lessons
    from manhunt.testing.worlds import OtherWorlds

_HOME = {
    "BotReport": "manhunt.testing.bots",
    "ContractBroken": "manhunt.testing.games",
    "OtherWorlds": "manhunt.testing.worlds",
    "Report": "manhunt.testing.agents",
    "Violation": "manhunt.testing.bots",
    "check_agent": "manhunt.testing.agents",
    "check_bot": "manhunt.testing.bots",
    "check_game": "manhunt.testing.games",
    "check_lessons": "manhunt.testing.lessons",
    "examine_agent": "manhunt.testing.agents",
}
__all__ = [
    "BotReport", "ContractBroken", "OtherWorlds", "Report", "Violation", "check_agent", "check_bot", "check_game",
    "check_lessons", "examine_agent",
]  # fmt: skip
__getattr__, __dir__ = lazy_names(__name__, _HOME)
