"""What a seat can submit in Fugitive: small steps, so that there are never many to choose from."""

from dataclasses import dataclass

from manhunt.games.fugitive.rules.public import Card


@dataclass(frozen=True, slots=True, order=True)
class TakeFrom:
    """Draw the top card of a pile (a number into `config.piles`)."""

    pile: int


@dataclass(frozen=True, slots=True, order=True)
class Hide:
    """The Fugitive begins to place this card as his next hideout."""

    card: Card


@dataclass(frozen=True, slots=True, order=True)
class Sprint:
    """He adds a sprint card to the hideout that he is placing; sprint cards are named in ascending order."""

    card: Card


@dataclass(frozen=True, slots=True, order=True)
class Done:
    """The hideout goes on the row with its sprint cards."""


@dataclass(frozen=True, slots=True, order=True)
class Pass:
    """The Fugitive places no hideout, or no second one in the opening, or does not want the bonus card."""


@dataclass(frozen=True, slots=True, order=True)
class Name:
    """The Marshal adds a number to her guess, in ascending order; in the manhunt it is the whole guess."""

    number: Card


@dataclass(frozen=True, slots=True, order=True)
class Ask:
    """The guess is complete."""


Action = TakeFrom | Hide | Sprint | Done | Pass | Name | Ask
"""What a seat can submit: one step of a turn."""


def number_of(action: Action) -> int:
    """The card, number or pile of an action; 0 where there is none."""
    if isinstance(action, Hide | Sprint):
        return action.card
    return action.number if isinstance(action, Name) else action.pile if isinstance(action, TakeFrom) else 0
