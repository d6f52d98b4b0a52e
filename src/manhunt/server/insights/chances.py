"""Chances in words, the same on all pages."""

from __future__ import annotations


def percent(share: float) -> str:
    """`34 %`; never 0 for what is possible nor 100 for what is not certain."""
    if 0 < share < 0.005:
        return "less than 1 %"
    if 0.995 <= share < 1 - 1e-9:
        return "more than 99 %"
    return f"{share:.0%}".replace("%", " %")
