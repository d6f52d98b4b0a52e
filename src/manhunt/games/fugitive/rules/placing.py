"""Paragraphs 3 and 4: which cards can be placed, and with which sprint cards."""

from bisect import bisect
from collections.abc import Iterable

from manhunt.games.fugitive.rules.config import MOST_CARDS, Config, Opening, sprint_value
from manhunt.games.fugitive.rules.public import Card
from manhunt.games.fugitive.rules.state import State

_VALUES = tuple(map(sprint_value, range(MOST_CARDS + 1)))


def total_value(cards: Iterable[Card]) -> int:
    return sum(map(_VALUES.__getitem__, cards))


def need_of(config: Config, before: Card, card: Card) -> int:
    """What the sprint cards must be worth for `card` to follow `before`."""
    return max(0, card - before - config.reach)


def sprint_cards(config: Config, hand: tuple[Card, ...], hideout: Card, after: Card = 0) -> list[Card]:
    """The cards that may still go under a hideout when those up to `after` were named or left out."""
    last = -1 if config.allow_last_sprint else config.last
    return [card for card in hand[bisect(hand, after) :] if card != hideout and card != last]


def hideouts_of(state: State) -> list[Card]:
    """The cards that the Fugitive can begin to place in the opening, ascending; later they are the reachable ones."""
    if _demands_second(state):
        return [card for card in reachable(state) if _leaves_second(state, (card,))]
    return reachable(state)


def reachable(state: State) -> list[Card]:
    """Paragraph 3 alone: cards that some of his other cards pay for. The escape needs a hideout before it."""
    config, hand, row = state.config, state.fugitive, state.row
    before = row[-1].card if row else 0
    values, most = config.sprint_values, before + config.reach
    for card in hand:
        most += values[card]
    found = [card for card in hand[bisect(hand, before) : bisect(hand, most)] if card <= most - values[card]]
    if found and found[-1] == config.last and not row:
        found.pop()
    return found


def goes_on(state: State) -> tuple[list[Card], bool]:
    """`sprints_of` and `is_complete` in one."""
    config, pending, hand, row = state.config, state.pending, state.fugitive, state.row
    values, missing = config.sprint_values, pending[0] - (row[-1].card if row else 0) - config.reach
    for card in pending[1:]:
        missing -= values[card]
    options = sprint_cards(config, hand, pending[0], pending[-1] if len(pending) > 1 else 0)
    if state.round == 1 and _demands_second(state):
        cards = [card for card in options if _leaves_second(state, (*pending, card))]
        return cards, missing <= 0 and _keeps_opening(state)
    if missing <= 0:
        return options, True
    # A card that can be added pays, with those after it, for what is missing.
    n = len(options)
    while n and missing > 0:
        n -= 1
        missing -= values[options[n]]
    return (options[: n + 1] if missing <= 0 else []), False


def sprints_of(state: State) -> list[Card]:
    """The cards that can be added to the hideout being placed so that it can still be completed."""
    return goes_on(state)[0]


def is_complete(state: State) -> bool:
    """Whether the sprint cards named so far are enough, and the opening is kept."""
    return goes_on(state)[1]


def _keeps_opening(state: State) -> bool:
    """Paragraph 4, `exactly_two`: whether what was named so far leaves a second hideout."""
    hideout, *named = state.pending
    return _second_after(state, hideout, total_value(named), set(named))


def _demands_second(state: State) -> bool:
    """Paragraph 4, `exactly_two`, in the opening: the first hideout must leave a second one, if any first one does."""
    if state.row or state.config.opening_hideouts is not Opening.EXACTLY_TWO:
        return False
    return any(_leaves_second(state, (card,)) for card in reachable(state))


def _leaves_second(state: State, pending: tuple[Card, ...]) -> bool:
    """Whether some completion of this first placement leaves cards for a second one.

    For each second hideout the cheapest completion without it is enough to look at.
    """
    hideout, *named = pending
    config, spent = state.config, total_value(named)
    missing = need_of(config, state.last_card, hideout) - spent
    options = sprint_cards(config, state.fugitive, hideout, named[-1] if named else 0)
    for second in state.fugitive:
        if second <= hideout or second in named:
            continue
        more = least_payment(missing, [card for card in options if card != second])
        if more is not None and _pays_second(state, hideout, second, spent + more):
            return True
    return False


def _second_after(state: State, hideout: Card, spent: int, named: set[Card]) -> bool:
    seconds = [card for card in state.fugitive if card > hideout and card not in named]
    return any(_pays_second(state, hideout, second, spent) for second in seconds)


def _pays_second(state: State, hideout: Card, second: Card, spent: int) -> bool:
    """Whether what is left after spending so much reaches a second hideout."""
    config = state.config
    left = total_value(card for card in sprint_cards(config, state.fugitive, hideout) if card != second) - spent
    return left >= need_of(config, hideout, second)


def least_payment(missing: int, cards: list[Card]) -> int | None:
    """The smallest total of some of the cards that is at least `missing`; None if all together are too little."""
    if missing <= 0:
        return 0
    total, n_odd = total_value(cards), sum(card % 2 for card in cards)
    least = missing if n_odd or missing % 2 == 0 else missing + 1
    return least if least <= total else None
