"""The kit that checks games and agents, ours and yours."""

from manhunt.testing.games import ContractBroken, check_game

__all__ = ["ContractBroken", "check_game"]
