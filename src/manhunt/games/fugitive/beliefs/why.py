"""In words, why a position of the row cannot be a card: the first kind of reason that rules it out."""

from collections.abc import Callable
from dataclasses import replace

from manhunt.games.fugitive.beliefs.evidence import KEPT, Evidence
from manhunt.games.fugitive.beliefs.row_limits import list_rows, reachable, row_limits_of
from manhunt.games.fugitive.rules.public import Card


def explain(evidence: Evidence, position: int, card: Card, possible: bool) -> str:
    """Positions count from 1. `possible` is what the exact count says."""
    if possible:
        return f"position {position} can be {card}"
    if position == 0:
        return "position 0 is the start card 0"
    reasons: tuple[Callable[[Evidence, int, Card], str | None], ...] = (
        _shown, _not_a_hideout, _seen_elsewhere, _guessed, _not_drawn, _no_chain, _no_slots, _failed_sets,
    )  # fmt: skip
    for reason in reasons:
        text = reason(evidence, position - 1, card)
        if text is not None:
            return text
    return _no_sprints(evidence, position - 1, card)


def _shown(evidence: Evidence, i: int, card: Card) -> str | None:
    shown = evidence.shown[i]
    return None if shown is None else f"position {i + 1} lies face up: it is {shown}"


def _not_a_hideout(evidence: Evidence, i: int, card: Card) -> str | None:
    last = evidence.config.last
    if 0 < card < last:
        return None
    if card == last:
        return f"{last} is the escape, which is placed face up"
    return f"{card} is the start card" if card == 0 else f"there is no card {card} in this deck"


def _seen_elsewhere(evidence: Evidence, i: int, card: Card) -> str | None:
    if card in evidence.hand:
        return f"{card} is in your hand"
    for j, spot in enumerate(evidence.public.row):
        if spot.card == card:
            return f"{card} lies face up at position {j + 1}"
        if card in (spot.sprints or ()):
            return f"{card} lies face up as a sprint card under position {j + 1}"
    return None


def _guessed(evidence: Evidence, i: int, card: Card) -> str | None:
    if card not in evidence.barred[i]:
        return None
    guess = next(g for g in evidence.public.guesses if g.numbers == (card,) and not g.hit and g.n_placed > i)
    return f"you guessed {card} in round {guess.round} and failed, and this hideout lay there already"


def _not_drawn(evidence: Evidence, i: int, card: Card) -> str | None:
    group = evidence.group_of(card)
    if group == KEPT or evidence.slots[i][group - 1]:
        return None
    name = evidence.config.pile_names[group - 1]
    return f"{card} comes from the {name} pile, from which he had no card by then"


def _no_chain(evidence: Evidence, i: int, card: Card) -> str | None:
    """Steps alone, each unknown sprint card counted as 2."""
    alive = reachable(evidence)
    if alive[i] >> card & 1:
        return None
    cut = replace(evidence, public=replace(evidence.public, row=evidence.public.row[: i + 1]))
    farthest = sum(evidence.step(j) for j in range(i + 1))
    if card > farthest:
        return f"{card} is too far: {i + 1} steps with these sprint cards reach {farthest} at most"
    if card <= i:
        return f"{card} is too low: {i} hideouts lie below it"
    if not reachable(cut)[i] >> card & 1:
        return f"no chain of steps leads to {card} at position {i + 1}: what could come before it is ruled out"
    return f"from {card} at position {i + 1} no chain of steps leads on to the {_end(evidence)}"


def _end(evidence: Evidence) -> str:
    shown = evidence.shown[-1]
    return f"last position, {evidence.n}" if shown is None else f"{shown} at position {evidence.n}"


def _has_row(evidence: Evidence, i: int, card: Card) -> bool:
    shown = (*evidence.shown[:i], card, *evidence.shown[i + 1 :])
    return len(list_rows(row_limits_of(replace(evidence, shown=shown)))) > 0


def _no_slots(evidence: Evidence, i: int, card: Card) -> str | None:
    """Chains there are, but not with as few cards as he had of each pile."""
    if _has_row(replace(evidence, failed_sets=()), i, card):
        return None
    return f"every chain of steps through {card} needs more cards of a pile than he had drawn from it by then"


def _failed_sets(evidence: Evidence, i: int, card: Card) -> str | None:
    """Rows there are, but a failed set would have been right in each of them."""
    if _has_row(evidence, i, card):
        return None
    for numbers, n_placed in evidence.failed_sets:
        if not _has_row(replace(evidence, failed_sets=((numbers, n_placed),)), i, card):
            return f"then {_set_text(evidence, numbers)} would have been right"
    words = "; ".join(_set_text(evidence, numbers) for numbers, _ in evidence.failed_sets)
    return f"then one of the failed guesses would have been right: {words}"


def _set_text(evidence: Evidence, numbers: frozenset[Card]) -> str:
    guess = next(g for g in evidence.public.guesses if set(g.numbers) == numbers and not g.hit)
    return f"the failed guess {' '.join(map(str, guess.numbers))} of round {guess.round}"


def _no_sprints(evidence: Evidence, i: int, card: Card) -> str:
    """Rows there are, but no cards that he can have had to lie under them."""
    return (
        f"no row with {card} at position {i + 1} can be paid: the sprint cards that it needs (odd ones count 1, even "
        "ones 2) are more than he can have had by then of the cards that are left"
    )
