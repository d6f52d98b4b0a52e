"""Compiled: how a hideout can be paid for, what can follow, how far a hand reaches. Sets of cards are bits.

    cost(S) = sum over the sprint cards c in S of 4 + 3 [c above the hideout], + 2 (value(S) - need), in quarters

`pay` finds the MOST cheapest payments of two kinds: LOW ones are worth the least total that can be paid, EXTRA ones
more. A hand of twenty cards has a million sets, so it goes by totals as a knapsack does: scratch.sets[t] has the best
sets worth t of the cards so far, in order, scratch.keys[t] their cost without overpay times 64, plus the number of
cards. A card is added to the sets worth t - value to get sets worth t, from the largest total down so that it is added
once (`add_card`). Only MOST sets of a total can ever be part of MOST best ones, because a further card changes the keys
of all sets of that total alike. Totals are looked at up to `most`, which grows until nothing above can be cheap enough.
Cost: cards * totals * MOST.
"""

from typing import NamedTuple

from manhunt.core.arrays import Floats, Int64s
from manhunt.core.jit import kernel
from manhunt.games.fugitive.rules.kernels import lowest, n_cards, value_of

MOST = 8
"""Payments that are kept of each kind."""
LOW, EXTRA = 0, 1
ODD = 0x2AAAAAAAAAAAAAAA


class Deck(NamedTuple):
    """The last card, how far a hideout may lie without sprints, and the payments by odd cards, even cards and need."""

    last: int
    reach: int
    n_payments: Int64s


class Scratch(NamedTuple):
    """Per total value the best sets so far with their keys; two rows of MOST for the kept ones."""

    n: Int64s
    keys: Int64s
    sets: Int64s
    cost: Int64s
    kept: Int64s


class Plays(NamedTuple):
    """Placements: hideout, sprint cards, LOW or EXTRA, and four times the cost."""

    hideout: Int64s
    sprints: Int64s
    kind: Int64s
    cost: Int64s


@kernel
def comes_before(key: int, cards: int, other_key: int, other: int) -> bool:
    """By key, then as ascending tuples of the same length."""
    if key != other_key:
        return key < other_key
    different = cards ^ other
    return (cards & different & -different) != 0


@kernel
def add_card(card: int, above: bool, n_total: int, scratch: Scratch) -> None:
    """Let the card be in or out of each set of the smaller cards; keep the best of each total."""
    value = 2 - card % 2
    more = (7 if above else 4) * 64 + 1
    for total in range(n_total, value - 1, -1):
        n_with, n_without = scratch.n[total - value], scratch.n[total]
        if n_with == 0:
            continue
        for j in range(n_with):
            key, cards = scratch.keys[total - value, j] + more, scratch.sets[total - value, j] | 1 << card
            place = n_without
            while place > 0:
                if not comes_before(key, cards, scratch.keys[total, place - 1], scratch.sets[total, place - 1]):
                    break
                place -= 1
            if place >= MOST:
                break
            n_without = min(n_without + 1, MOST)
            for i in range(n_without - 1, place, -1):
                scratch.keys[total, i] = scratch.keys[total, i - 1]
                scratch.sets[total, i] = scratch.sets[total, i - 1]
            scratch.keys[total, place], scratch.sets[total, place] = key, cards
        scratch.n[total] = n_without


@kernel
def pay(cards: int, hideout: int, need: int, scratch: Scratch) -> tuple[int, int]:
    """Payments worth at least `need`, cheapest first: how many LOW and how many EXTRA ones are in `scratch.kept`.

    Costs in quarters: 4 a card, 3 more if it lies above the hideout, 2 for each point paid too much. Ties go to fewer
    cards, less overpay, smaller cards.
    """
    total = value_of(cards)
    least = need if need % 2 == 0 or cards & ODD else need + 1
    if least > total:
        return 0, 0
    most = least + least // 4 + 4
    while True:
        most = min(most, total)
        fill_sets(cards, hideout, most, scratch)
        n_extra = keep_extra(least, most, need, scratch)
        # a set worth w has at least w / 2 cards, so it costs 2 w and 2 (w - need) quarters or more
        if most == total or (n_extra == MOST and scratch.cost[EXTRA, MOST - 1] < 4 * (most + 1) - 2 * need):
            break
        most += most // 2
    n_low = scratch.n[least]
    for j in range(n_low):
        scratch.kept[LOW, j] = scratch.sets[least, j]
        scratch.cost[LOW, j] = scratch.keys[least, j] // 64 + 2 * (least - need)
    return n_low, n_extra


@kernel
def fill_sets(cards: int, hideout: int, most: int, scratch: Scratch) -> None:
    """The best sets of each total up to `most`."""
    scratch.n[: most + 1] = 0
    scratch.n[0], scratch.keys[0, 0], scratch.sets[0, 0] = 1, 0, 0
    so_far = 0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        so_far += 2 - card % 2
        add_card(card, card > hideout, min(so_far, most), scratch)


@kernel
def keep_extra(least: int, most: int, need: int, scratch: Scratch) -> int:
    """The best of those that pay more than the least, but not more than `most`."""
    n = 0
    for worth in range(least + 1, most + 1):
        over = worth - need
        for j in range(scratch.n[worth]):
            key, cards = scratch.keys[worth, j], scratch.sets[worth, j]
            cost = key // 64 + 2 * over
            rank = (cost * 64 + key % 64) * 128 + over
            place = n
            while place > 0 and comes_before(rank, cards, scratch.keys[-1, place - 1], scratch.kept[EXTRA, place - 1]):
                place -= 1
            if place >= MOST:
                break
            n = min(n + 1, MOST)
            for i in range(n - 1, place, -1):
                scratch.keys[-1, i] = scratch.keys[-1, i - 1]
                scratch.kept[EXTRA, i] = scratch.kept[EXTRA, i - 1]
                scratch.cost[EXTRA, i] = scratch.cost[EXTRA, i - 1]
            scratch.keys[-1, place], scratch.kept[EXTRA, place], scratch.cost[EXTRA, place] = rank, cards, cost
    return n


@kernel
def list_plays(deck: Deck, hand: int, before: int, scratch: Scratch, out: Plays) -> int:
    """All placements after `before`, hideouts ascending, LOW payments first; returns how many."""
    n, above = 0, hand & ~((1 << (before + 1)) - 1)
    sprints = hand & ~(1 << deck.last)
    while above:
        card = lowest(above)
        above &= above - 1
        n_low, n_extra = pay(sprints & ~(1 << card), card, max(0, card - before - deck.reach), scratch)
        for j in range(n_low + n_extra):
            kind, k = (LOW, j) if j < n_low else (EXTRA, j - n_low)
            out.hideout[n], out.sprints[n] = card, scratch.kept[kind, k]
            out.kind[n], out.cost[n] = kind, scratch.cost[kind, k]
            n += 1
    return n


@kernel
def count_plays(deck: Deck, hand: int, before: int) -> int:
    """How many placements `list_plays` would list."""
    n, above = 0, hand & ~((1 << (before + 1)) - 1)
    sprints = hand & ~(1 << deck.last)
    n_odd, n_even = n_cards(sprints & ODD), n_cards(sprints & ~ODD)
    while above:
        card = lowest(above)
        above &= above - 1
        need = max(0, card - before - deck.reach)
        odd = n_odd - (1 if card % 2 == 1 and card != deck.last else 0)
        even = n_even - (1 if card % 2 == 0 and card != deck.last else 0)
        n += deck.n_payments[odd, even, need]
    return n


@kernel
def count_ahead(deck: Deck, hands: Int64s, befores: Int64s, scratch: Scratch, out: Int64s) -> None:
    """Continuations of two placements: each first one counts 1 and what can follow it, the escape 1."""
    for k in range(hands.shape[0]):
        hand, before, total = hands[k], befores[k], 0
        above = hand & ~((1 << (before + 1)) - 1)
        sprints = hand & ~(1 << deck.last)
        while above:
            card = lowest(above)
            above &= above - 1
            n_low, n_extra = pay(sprints & ~(1 << card), card, max(0, card - before - deck.reach), scratch)
            total += n_low + n_extra
            if card == deck.last:
                continue
            for j in range(n_low + n_extra):
                kind, i = (LOW, j) if j < n_low else (EXTRA, j - n_low)
                total += count_plays(deck, hand & ~scratch.kept[kind, i] & ~(1 << card), card)
        out[k] = total


@kernel
def list_seconds(deck: Deck, hand: int, firsts: Plays, scratch: Scratch, first_of: Int64s, out: Plays) -> int:
    """After each first placement all second ones; `first_of` tells which first; returns how many pairs there are."""
    n = 0
    for f in range(firsts.hideout.shape[0]):
        rest = hand & ~firsts.sprints[f] & ~(1 << firsts.hideout[f])
        room = Plays(out.hideout[n:], out.sprints[n:], out.kind[n:], out.cost[n:])
        found = list_plays(deck, rest, firsts.hideout[f], scratch, room)
        first_of[n : n + found] = f
        n += found
    return n


@kernel
def within_reach(deck: Deck, hand: int, before: int) -> int:
    """The cards above `before` that all other cards together can pay for."""
    found, above = 0, hand & ~((1 << (before + 1)) - 1)
    total = value_of(hand & ~(1 << deck.last))
    while above:
        card = lowest(above)
        above &= above - 1
        own = 0 if card == deck.last else 2 - card % 2
        if card - before <= deck.reach + total - own:
            found |= 1 << card
    return found


@kernel
def highest(bits: int) -> int:
    """The highest card of a set that is not empty."""
    top = 0
    while bits:
        top = lowest(bits)
        bits &= bits - 1
    return top


@kernel
def mobilities(deck: Deck, hands: Int64s, befores: Int64s, out: Floats) -> None:
    """Half the share of higher cards within reach, half how far they reach."""
    for k in range(hands.shape[0]):
        near = within_reach(deck, hands[k], befores[k])
        out[k] = 0.0
        if near:
            n_above = n_cards(hands[k] & ~((1 << (befores[k] + 1)) - 1))
            far = (highest(near) - befores[k]) / (deck.last - befores[k])
            out[k] = 0.5 * n_cards(near) / n_above + 0.5 * far


@kernel
def quick_values(deck: Deck, hands: Int64s, before: int, out: Floats) -> None:
    """A rough value of each hand, for passing."""
    for k in range(hands.shape[0]):
        near = within_reach(deck, hands[k], before)
        out[k] = -0.5
        if near:
            far = (highest(near) - before) / (deck.last - before)
            out[k] = 2 * far + 0.6 * n_cards(near) / n_cards(hands[k])
