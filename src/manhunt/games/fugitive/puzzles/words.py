"""The words of Fugitive's puzzles."""

from collections.abc import Sequence

from manhunt.analysis.insights import percent
from manhunt.core.puzzle import Puzzle
from manhunt.games.fugitive.rules.words import listed

MOST_NAMED = 5


def right_words(solved: bool, numbers: Sequence[str], puzzle: Puzzle) -> str:
    if not numbers:
        return f"No: {puzzle.best} was the answer."
    if len(numbers) > 1:
        return f"No: with {listed(numbers)} all must be right, and that is less likely than {puzzle.best} alone."
    chance = puzzle.values.get(numbers[0], 0.0)
    is_worth = f"is a hideout with {percent(chance)}" if chance else "cannot be a hideout now"
    return f"{'Yes' if solved else 'No'}: {numbers[0]} {is_worth}."


def best_lines(puzzle: Puzzle) -> tuple[str, ...]:
    """The best numbers with their chances."""
    order = sorted(puzzle.values, key=lambda number: -puzzle.values[number])
    rest = ", ".join(f"{number} {percent(puzzle.values[number])}" for number in order[1 : 1 + MOST_NAMED])
    n_more = len(order) - 1 - MOST_NAMED
    more = f"; {n_more} more numbers are less likely" if n_more > 0 else ""
    best = percent(puzzle.values[puzzle.best])
    return (
        f"Best: {puzzle.best} with {best}, counting all ways the cards can lie.",
        f"Then {rest}{more}.",
    )
