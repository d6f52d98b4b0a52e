"""Pursuit: the open hunt on a graph, and the cops-and-robbers family around it."""
