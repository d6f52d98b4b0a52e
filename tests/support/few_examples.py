"""Fewer examples of a property where one is expensive; never more than the run asks for."""

from hypothesis import settings


def at_most(n: int) -> settings:
    return settings(max_examples=min(n, settings.default.max_examples))
