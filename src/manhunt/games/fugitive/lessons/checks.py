"""What tasks of the lessons ask for, and why a turn is not it."""

from __future__ import annotations

from collections.abc import Mapping

from manhunt.analysis.lesson_checks import ends, listed
from manhunt.analysis.lessons import Check, Trial
from manhunt.analysis.seat_log import SeatLog
from manhunt.core.ids import Seat
from manhunt.games.fugitive.beliefs.marshal import MarshalBelief
from manhunt.games.fugitive.rules import placing
from manhunt.games.fugitive.rules.actions import Hide, Name, Sprint, TakeFrom
from manhunt.games.fugitive.rules.public import Card, Phase
from manhunt.games.fugitive.rules.state import Hideout, State
from manhunt.play.position import Position

SURE = 1 - 1e-9
PASSED = "You placed no hideout. Choose a card, then the sprint cards that it needs."


def is_whole(position: Position) -> bool:
    """A placement is whole when it lies, a guess when it is asked; in the manhunt a number is a guess."""
    last = position.actions[-1]
    if isinstance(last, Name):
        return position.at(len(position.actions) - 1).state.phase is Phase.MANHUNT
    return not isinstance(last, Hide | Sprint)


def draws(trial: Trial, name: str) -> str | None:
    """A card is drawn from this pile."""
    names = trial.after.config.pile_names
    pile = names[trial.last.pile] if isinstance(trial.last, TakeFrom) else "no"
    low, high = trial.after.config.piles[names.index(name)]
    if pile == name:
        return None
    return f"That card came from the {pile} pile; the cards from {low} to {high} are in the {name} one."


def _placed(trial: Trial) -> tuple[Hideout, int] | None:
    """The hideout that was placed, and what its sprint cards had to be worth."""
    before, after = trial.before.state.row, trial.after.state.row
    if len(after) == len(before):
        return None
    last = before[-1].card if before else 0
    return after[-1], placing.need_of(trial.after.config, last, after[-1].card)


def is_free(trial: Trial, _: bool) -> str | None:
    """A hideout is placed without sprint cards."""
    placed = _placed(trial)
    if placed is None:
        return PASSED
    hideout, need = placed
    if not hideout.sprints:
        return None
    if need:
        return f"{hideout.card} is too far for a hideout without sprint cards: it needs cards worth {need}."
    return f"{hideout.card} needs no sprint cards; keep {listed(list(map(str, hideout.sprints)))} for later."


def goes_to(trial: Trial, least: Card) -> str | None:
    """A hideout of at least this number is placed."""
    placed = _placed(trial)
    if placed is None:
        return PASSED
    return None if placed[0].card >= least else f"You placed {placed[0].card}; this time go to {least} or farther."


def bluffs(trial: Trial, _: bool) -> str | None:
    """A hideout is placed with more than it needs."""
    placed = _placed(trial)
    if placed is None:
        return PASSED
    hideout, need = placed
    worth = placing.total_value(hideout.sprints)
    if worth > need:
        return None
    return f"{hideout.card} needs sprint cards worth {need}, and you paid {worth}: that tells her how far you went."


# -- guesses -----------------------------------------------------------------------------------------------


def _guessed(trial: Trial) -> tuple[Card, ...]:
    state: State = trial.after.state
    return state.guesses[-1].numbers


def asks(trial: Trial, n: int) -> str | None:
    """So many numbers are named in one guess."""
    named = len(_guessed(trial))
    return None if named == n else f"You named {named} number{'s' * (named != 1)}; name {n} in one guess."


def _belief(trial: Trial) -> MarshalBelief:
    """What the Marshal could know before her guess."""
    followed, log = MarshalBelief(), SeatLog.of(trial.before, Seat.PURSUERS)
    followed.start(log.opening)
    followed.observe(log.events)
    return followed


def can_be(trial: Trial, _: bool) -> str | None:
    """Every number of the guess can be a face-down hideout, from all that the Marshal has seen."""
    possible, hand = _belief(trial).candidates, trial.before.state.marshal
    for number in _guessed(trial):
        if number in hand:
            return f"{number} is in your own hand, so it cannot be a hideout."
        if number not in possible:
            return f"{number} cannot be a hideout: no way leads there from the cards that you see."
    return None


def is_sure(trial: Trial, _: bool) -> str | None:
    """Every number of the guess must be a face-down hideout."""
    weights = _belief(trial).probabilities
    for number in _guessed(trial):
        if weights.get(number, 0.0) < SURE:
            why_not = can_be(trial, True)
            return why_not or f"{number} could be a hideout, but it need not be one: other numbers fit as well."
    return None


def hits(trial: Trial, _: bool) -> str | None:
    """The guess is right."""
    state: State = trial.after.state
    if state.guesses[-1].hit:
        return None
    numbers = listed(list(map(str, _guessed(trial))))
    return can_be(trial, True) or f"Nothing is turned up: {numbers} is not right."


CHECKS: Mapping[str, Check] = {
    "draws": draws,
    "is_free": is_free,
    "goes_to": goes_to,
    "bluffs": bluffs,
    "asks": asks,
    "can_be": can_be,
    "is_sure": is_sure,
    "hits": hits,
    "ends": ends,
}
