"""Short ways to set up a game of Fugitive and to play text."""

from collections.abc import Iterable

from manhunt.games.fugitive.rules import rules
from manhunt.games.fugitive.rules.config import Config, make_config
from manhunt.games.fugitive.rules.notation import format_action, parse_action
from manhunt.games.fugitive.rules.state import State

STANDARD = make_config()


def dealt(low: Iterable[int] = (4, 6, 8), middle: Iterable[int] = (15, 16), config: Config = STANDARD) -> State:
    """The standard deck, every pile ascending, with these random cards for the Fugitive."""
    given = [list(low), list(middle), []]
    rest = [[card for card in config.cards_of(pile) if card not in given[pile]] for pile in range(3)]
    return rules.start(config, given, rest)


def small(**options: object) -> State:
    """A deck of any kind: the lowest cards are dealt and each pile is ascending."""
    config = make_config(**options)
    every = [list(config.cards_of(pile)) for pile in range(len(config.piles))]
    given = [cards[:n] for cards, n in zip(every, config.dealt, strict=True)]
    rest = [cards[n:] for cards, n in zip(every, config.dealt, strict=True)]
    return rules.start(config, given, rest)


def play(state: State, text: str) -> State:
    """Play words such as `hide:3 done pass draw:low`."""
    for word in text.split():
        state = rules.apply_action(state, parse_action(state.config, word))
    return state


def offered(state: State) -> list[str]:
    return [format_action(state.config, action) for action in rules.legal_actions(state)]


def cards(state: State) -> list[int]:
    """Every card of the table, wherever it lies."""
    row = [card for hideout in state.row for card in (hideout.card, *hideout.sprints)]
    return sorted([*row, *state.fugitive, *state.marshal, *(card for pile in state.piles for card in pile)])
