"""Fugitive: a card game of hideouts and guesses."""
