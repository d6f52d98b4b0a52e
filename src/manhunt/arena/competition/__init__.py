"""Tournaments of bots from one file: who plays whom, on what, and what became of it."""
