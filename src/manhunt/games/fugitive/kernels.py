"""The rules of Fugitive again, compiled; must equal `rules.py`. Nothing here checks its input."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from manhunt.games.fugitive.packed import (
    ASK,
    BONUS,
    DONE,
    END,
    FUGITIVE_DRAW,
    FUGITIVE_PLAY,
    HAND,
    HAS_ESCAPED,
    HAS_GIVEN_UP,
    HIDDEN,
    HIDE,
    HIDEOUT,
    IS_CAUGHT,
    LAST_CARD,
    LOGS,
    MANHUNT,
    MARSHAL,
    MARSHAL_DRAW,
    MARSHAL_GUESS,
    N_DRAWS,
    N_GUESSES,
    N_LEFT,
    N_PASSES,
    N_ROW,
    N_UNDRAWN,
    NAME,
    NEXT,
    OVER,
    PASS,
    PENDING,
    PHASE,
    ROUND,
    SHOWN,
    SPRINT,
    STOP,
    TAKE,
    TOO_LATE,
    TOP,
    Table,
)
from manhunt.games.jit import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Row = NDArray[np.int64]

ODD = 0x2AAAAAAAAAAAAAAA
"""The odd cards; the even ones are the others up to 62."""
HIGHEST = 62
P1, P2, P4 = (np.uint64(n) for n in (0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F))
U1, U2, U4, U56 = (np.uint64(n) for n in (1, 2, 4, 56))
ONES = np.uint64(0x0101010101010101)


@kernel
def n_cards(bits: int) -> int:
    x = np.uint64(bits)
    x -= (x >> U1) & P1
    x = (x & P2) + ((x >> U2) & P2)
    x = (x + (x >> U4)) & P4
    return int(np.int64((x * ONES) >> U56))


@kernel
def lowest(bits: int) -> int:
    """The lowest card of a set that is not empty."""
    return n_cards((bits & -bits) - 1)


@kernel
def value_of(bits: int) -> int:
    """Paragraph 3: an odd card sprints 1, an even card 2."""
    return 2 * n_cards(bits) - n_cards(bits & ODD)


@kernel
def up_to(card: int) -> int:
    """All cards up to this one; none if it is below 0."""
    if card < 0:
        return 0
    return (1 << (min(card, HIGHEST) + 1)) - 1


@kernel
def reachable(table: Table, state: Row) -> int:
    """Paragraph 3: cards that some of his other cards pay for."""
    hand, before = state[HAND], state[LAST_CARD]
    most = before + table.reach + value_of(hand & table.sprints)
    found = hand & ((up_to(most - 1) & ODD) | (up_to(most - 2) & ~ODD)) & ~up_to(before)
    last = 1 << table.last
    if state[N_ROW] == 0:
        return int(found & ~last)
    if (table.sprints & last) == 0 and (hand & last) != 0 and table.last <= most:
        found |= last
    return int(found)


@kernel
def least_payment(missing: int, cards: int) -> int:
    """The smallest total of some cards that is at least `missing`; -1 if all together are too little."""
    if missing <= 0:
        return 0
    least = missing if (cards & ODD) != 0 or missing % 2 == 0 else missing + 1
    return least if least <= value_of(cards) else -1


@kernel
def pays_second(table: Table, state: Row, hideout: int, second: int, spent: int) -> bool:
    left = value_of(state[HAND] & table.sprints & ~(1 << hideout) & ~(1 << second)) - spent
    return left >= second - hideout - table.reach


@kernel
def leaves_second(table: Table, state: Row, hideout: int, named: int, top: int) -> bool:
    """Whether some completion of this first placement leaves cards for a second one."""
    hand = state[HAND]
    spent = value_of(named)
    missing = max(0, hideout - state[LAST_CARD] - table.reach) - spent
    options = hand & table.sprints & ~(1 << hideout) & ~up_to(top)
    seconds = hand & ~up_to(hideout) & ~named
    while seconds:
        second = lowest(seconds)
        seconds &= seconds - 1
        more = least_payment(missing, options & ~(1 << second))
        if more >= 0 and pays_second(table, state, hideout, second, spent + more):
            return True
    return False


@kernel
def leaving_second(table: Table, state: Row, firsts: int) -> int:
    """Of these first hideouts those that leave a second one."""
    found, left = 0, firsts
    while left:
        card = lowest(left)
        left &= left - 1
        if leaves_second(table, state, card, 0, 0):
            found |= 1 << card
    return found


@kernel
def demands_second(table: Table, state: Row) -> bool:
    """Paragraph 4, `exactly_two`: the first hideout must leave a second one, if any first one does."""
    if table.exactly_two == 0 or state[N_ROW] > 0 or state[ROUND] > 1:
        return False
    return leaving_second(table, state, reachable(table, state)) != 0


@kernel
def hideouts(table: Table, state: Row) -> int:
    """The cards that the Fugitive can begin to place."""
    found = reachable(table, state)
    if table.exactly_two == 0 or state[N_ROW] > 0 or state[ROUND] > 1:
        return found
    strict = leaving_second(table, state, found)
    return strict if strict != 0 else found


@kernel
def may_pass(table: Table, state: Row, can_hide: bool) -> bool:
    if state[ROUND] > 1 or not can_hide:
        return True
    return state[N_ROW] > 0 and table.exactly_two == 0


@kernel
def sprints(table: Table, state: Row) -> int:
    """The cards that can be added to the hideout being placed so that it can still be completed."""
    hideout = state[HIDEOUT]
    options = state[HAND] & table.sprints & ~(1 << hideout) & ~up_to(state[TOP])
    found = 0
    if demands_second(table, state):
        left = options
        while left:
            card = lowest(left)
            left &= left - 1
            if leaves_second(table, state, hideout, state[PENDING] | 1 << card, card):
                found |= 1 << card
        return found
    missing = hideout - state[LAST_CARD] - table.reach - value_of(state[PENDING])
    if missing <= 0:
        return int(options)
    left = value_of(options)
    while options and left >= missing:
        bit = options & -options
        options ^= bit
        found |= bit
        left -= 1 if bit & ODD else 2
    return found


@kernel
def is_complete(table: Table, state: Row) -> bool:
    """Whether the sprint cards named so far are enough, and the opening is kept."""
    hideout, named = state[HIDEOUT], state[PENDING]
    spent = value_of(named)
    if spent < hideout - state[LAST_CARD] - table.reach:
        return False
    if not demands_second(table, state):
        return True
    seconds = state[HAND] & ~up_to(hideout) & ~named
    while seconds:
        second = lowest(seconds)
        seconds &= seconds - 1
        if pays_second(table, state, hideout, second, spent):
            return True
    return False


@kernel
def is_left(state: Row, pile: int) -> bool:
    return bool(state[NEXT + pile] < state[STOP + pile])


@kernel
def write_cards(kind: int, bits: int, out: Row) -> int:
    n = 0
    while bits:
        out[n] = kind | lowest(bits)
        bits &= bits - 1
        n += 1
    return n


@kernel
def legal(table: Table, state: Row, out: Row) -> int:
    """Write all actions to `out` in the order of the rules; return how many."""
    phase = state[PHASE]
    n = 0
    if phase in (FUGITIVE_DRAW, MARSHAL_DRAW):
        for pile in range(table.n_piles):
            if is_left(state, pile) and not (state[BONUS] and n):
                out[n] = TAKE | pile
                n += 1
        if state[BONUS]:
            out[n] = PASS
            n += 1
    elif phase == FUGITIVE_PLAY:
        if state[HIDEOUT]:
            n = write_cards(SPRINT, sprints(table, state), out)
            if is_complete(table, state):
                out[n] = DONE
                n += 1
        else:
            n = write_cards(HIDE, hideouts(table, state), out)
            if may_pass(table, state, n > 0):
                out[n] = PASS
                n += 1
    elif phase != OVER:
        for number in range(state[TOP] + 1, table.last):
            out[n] = NAME | number
            n += 1
        if phase == MARSHAL_GUESS and (state[TOP] or not table.must_guess):
            out[n] = ASK
            n += 1
    return n


@kernel
def outcome(state: Row) -> int:
    """GOES_ON, IS_CAUGHT, HAS_ESCAPED or TOO_LATE."""
    return int(state[END])


@kernel
def advance(table: Table, deck: Row, state: Row, code: int) -> None:
    """Change the state by a legal action."""
    kind, number = code & ~63, code & 63
    if kind == TAKE:
        take(table, deck, state, number)
    elif kind == HIDE:
        state[HIDEOUT] = number
    elif kind == SPRINT or (kind == NAME and state[PHASE] != MANHUNT):
        state[PENDING] |= 1 << number
        state[TOP] = number
    elif kind == NAME:
        hunt(table, state, number)
    elif kind == DONE:
        place(table, state)
    elif kind == ASK:
        ask(table, state)
    else:
        pass_turn(table, state)


@kernel
def apply(table: Table, deck: Row, state: Row, code: int, out: Row) -> None:
    """The state after a legal action, into `out`."""
    out[:] = state
    advance(table, deck, out, code)


@kernel
def n_hideouts(table: Table, state: Row) -> int:
    return int(state[N_ROW]) - (1 if state[LAST_CARD] == table.last else 0)


@kernel
def take(table: Table, deck: Row, state: Row, pile: int) -> None:
    """Paragraphs 5 and 10."""
    card = deck[state[NEXT + pile]]
    state[NEXT + pile] += 1
    state[N_UNDRAWN] -= 1
    is_marshal = 1 if state[PHASE] == MARSHAL_DRAW else 0
    state[table.draws_at + state[N_DRAWS]] = is_marshal | pile << 1 | state[ROUND] << 8 | state[N_ROW] << 24
    state[N_DRAWS] += 1
    if is_marshal:
        state[MARSHAL] |= 1 << card
        state[N_LEFT] -= 1
        marshal_goes_on(table, state)
        return
    state[HAND] |= 1 << card
    if state[BONUS]:
        state[BONUS] = 0
        marshals_turn(table, state)
    else:
        state[PHASE] = FUGITIVE_PLAY


@kernel
def pass_turn(table: Table, state: Row) -> None:
    """Paragraphs 4, 5, 10 and 11."""
    if state[BONUS]:
        state[BONUS] = 0
    elif state[ROUND] > 1 or state[N_ROW] == 0:
        state[N_PASSES] += 1
        if state[N_UNDRAWN]:
            if table.pass_bonus:
                state[PHASE] = FUGITIVE_DRAW
                state[BONUS] = 1
                return
        elif table.idle_passes and state[ROUND] - newest_round(table, state) == table.idle_passes:
            finish(state, HAS_GIVEN_UP)
            return
    marshals_turn(table, state)


@kernel
def newest_round(table: Table, state: Row) -> int:
    """The last round in which a card was drawn or placed."""
    newest = 0
    if state[N_ROW]:
        newest = state[LOGS + 2 * state[N_ROW] - 2] >> 8 & 0xFFFF
    if state[N_DRAWS]:
        newest = max(newest, state[table.draws_at + state[N_DRAWS] - 1] >> 8 & 0xFFFF)
    return int(newest)


@kernel
def place(table: Table, state: Row) -> None:
    """Paragraphs 3, 4 and 8."""
    card, cards = state[HIDEOUT], state[PENDING]
    at = LOGS + 2 * state[N_ROW]
    state[at] = card | state[ROUND] << 8 | state[N_DRAWS] << 24
    state[at + 1] = cards
    state[N_ROW] += 1
    state[LAST_CARD] = card
    state[HAND] &= ~(cards | 1 << card)
    state[HIDEOUT] = 0
    state[PENDING] = 0
    state[TOP] = 0
    if card == table.last:
        if state[SHOWN] & ~up_to(table.manhunt_below - 1):
            finish(state, HAS_ESCAPED)
        else:
            state[PHASE] = MANHUNT
        state[SHOWN] |= 1 << card
        return
    state[HIDDEN] |= 1 << card
    if state[ROUND] > 1 or state[N_ROW] > 1:
        marshals_turn(table, state)


@kernel
def marshals_turn(table: Table, state: Row) -> None:
    state[PHASE] = MARSHAL_DRAW
    state[N_LEFT] = table.first_draws if state[ROUND] == 1 else 1
    marshal_goes_on(table, state)


@kernel
def marshal_goes_on(table: Table, state: Row) -> None:
    """Paragraph 5: with all piles empty the draw is skipped."""
    if state[N_LEFT] == 0 or not state[N_UNDRAWN]:
        state[PHASE] = MARSHAL_GUESS
        state[N_LEFT] = 0


@kernel
def ask(table: Table, state: Row) -> None:
    """Paragraphs 6, 7 and 11."""
    numbers = state[PENDING]
    if numbers:
        claim(table, state, numbers)
        state[PENDING] = 0
        state[TOP] = 0
        if state[HIDDEN] == 0 and state[N_ROW] > 0:
            finish(state, IS_CAUGHT)
            return
    if state[ROUND] == table.max_rounds:
        finish(state, TOO_LATE)
        return
    state[ROUND] += 1
    state[PHASE] = FUGITIVE_DRAW if state[N_UNDRAWN] else FUGITIVE_PLAY


@kernel
def hunt(table: Table, state: Row, number: int) -> None:
    """Paragraph 8: a miss loses, finding the last one wins."""
    if not claim(table, state, 1 << number):
        finish(state, HAS_ESCAPED)
    elif state[HIDDEN] == 0:
        finish(state, IS_CAUGHT)


@kernel
def claim(table: Table, state: Row, numbers: int) -> bool:
    """Paragraph 6: all of the numbers are turned up, or none."""
    hit = (numbers & ~state[HIDDEN]) == 0
    at = table.guesses_at + 2 * state[N_GUESSES]
    state[at] = numbers
    state[at + 1] = (1 if hit else 0) | state[ROUND] << 8 | n_hideouts(table, state) << 24
    state[N_GUESSES] += 1
    if hit:
        state[HIDDEN] &= ~numbers
        state[SHOWN] |= numbers
    return bool(hit)


@kernel
def finish(state: Row, end: int) -> None:
    state[PHASE] = OVER
    state[END] = end


@kernel
def perft(table: Table, deck: Row, states: NDArray[np.int64], actions: NDArray[np.int64], depth: int) -> int:
    """The number of action sequences of this length from states[0]; both arrays need a row for each ply."""
    if depth == 0:
        return 1
    n_left = np.zeros(depth, np.int64)
    total, ply = 0, 0
    n_left[0] = legal(table, states[0], actions[0])
    if depth == 1:
        return int(n_left[0])
    while ply >= 0:
        if n_left[ply] == 0:
            ply -= 1
            continue
        n_left[ply] -= 1
        apply(table, deck, states[ply], actions[ply, n_left[ply]], states[ply + 1])
        n = legal(table, states[ply + 1], actions[ply + 1])
        if ply + 2 == depth:
            total += n
        else:
            ply += 1
            n_left[ply] = n
    return total
