"""The kit that checks games and agents, ours and yours."""

from manhunt.testing.agents import Report, check_agent, examine_agent
from manhunt.testing.games import ContractBroken, check_game
from manhunt.testing.lessons import check_lessons

__all__ = ["ContractBroken", "Report", "check_agent", "check_game", "check_lessons", "examine_agent"]
