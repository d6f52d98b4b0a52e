"""Masked PPO for every game with an encoder; training needs the extra `rl`, playing what was learned does not."""
