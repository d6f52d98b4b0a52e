"""What one finished game says about the questions, read from its last state."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from manhunt.core.ids import Side
from manhunt.core.outcome import Termination
from manhunt.games.fugitive.rules.config import sprint_value
from manhunt.games.fugitive.rules.placing import need_of, total_value
from manhunt.games.fugitive.rules.public import Guess
from manhunt.games.fugitive.rules.state import State


class Ending(Enum):
    """How a game ends; the first two are the Marshal's."""

    CAUGHT = "caught on the way"
    HUNTED = "caught in the manhunt"
    FREE = "escaped with a clear way"
    OUTRAN = "escaped the manhunt"
    GAVE_UP = "gave up"


@dataclass(frozen=True, slots=True)
class Step:
    """One card of the row: how far from the one before, what it needed and what was paid."""

    round: int
    card: int
    length: int
    n_sprints: int
    need: int
    paid: int
    is_bluff: bool
    """A sprint card could have been left out."""
    is_escape: bool

    @property
    def overpay(self) -> int:
        return self.paid - self.need


@dataclass(frozen=True, slots=True)
class Facts:
    """One game."""

    ending: Ending
    rounds: int
    steps: tuple[Step, ...]
    guesses: tuple[Guess, ...]
    """Without those of the manhunt."""
    ages: tuple[int, ...]
    """For each number that a right guess named, how many hideouts had been placed after it."""
    marshal_draws: tuple[tuple[int, int], ...]
    """Round and pile."""
    fugitive_draws: tuple[tuple[int, int], ...]
    n_passes: int

    @property
    def fugitive_wins(self) -> bool:
        return self.ending in (Ending.FREE, Ending.OUTRAN)


def facts_of(state: State) -> Facts:
    """Of a game that is over."""
    hunt_round = state.row[-1].round if state.row and state.last_card == state.config.last else None
    guesses = tuple(guess for guess in state.guesses if guess.round != hunt_round)
    draws = {side: tuple((d.round, d.pile) for d in state.draws if d.side is side) for side in Side}
    return Facts(
        _ending(state),
        state.round,
        tuple(_steps(state)),
        guesses,
        tuple(_ages(state, guesses)),
        draws[Side.PURSUERS],
        draws[Side.EVADER],
        state.n_passes,
    )


def _ending(state: State) -> Ending:
    assert state.end is not None
    escaped = state.last_card == state.config.last
    if state.end.termination is Termination.CAPTURE:
        return Ending.HUNTED if escaped else Ending.CAUGHT
    if state.end.termination is not Termination.ARRIVAL:
        return Ending.GAVE_UP
    hunted = any(guess.round == state.row[-1].round for guess in state.guesses)
    return Ending.OUTRAN if hunted else Ending.FREE


def _steps(state: State) -> Iterator[Step]:
    before = 0
    for hideout in state.row:
        need, paid = need_of(state.config, before, hideout.card), total_value(hideout.sprints)
        is_bluff = any(paid - sprint_value(card) >= need for card in hideout.sprints)
        length, escapes = hideout.card - before, hideout.card == state.config.last
        yield Step(hideout.round, hideout.card, length, len(hideout.sprints), need, paid, is_bluff, escapes)
        before = hideout.card


def _ages(state: State, guesses: tuple[Guess, ...]) -> Iterator[int]:
    place = {hideout.card: number for number, hideout in enumerate(state.row, 1)}
    for guess in guesses:
        if guess.hit:
            yield from (guess.n_placed - place[number] for number in guess.numbers)
