"""Masked PPO for every game with an encoder; training needs the extra `learn`, playing what was learned does not."""
