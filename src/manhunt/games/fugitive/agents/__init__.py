"""Opponents for Fugitive: how each of them draws, places, passes and guesses, and the tools that they share."""
