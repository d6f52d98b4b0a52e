"""The rules of Fugitive again, compiled; must equal `rules.py`. Nothing here checks its input."""

import numpy as np

from manhunt.core.arrays import Int64s
from manhunt.core.jit import kernel
from manhunt.games.fugitive.rules import packed
from manhunt.games.fugitive.rules.packed import PackedConfig

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
def reachable(table: PackedConfig, state: Int64s) -> int:
    """Paragraph 3: cards that some of his other cards pay for."""
    hand, before = state[packed.HAND], state[packed.LAST_CARD]
    most = before + table.reach + value_of(hand & table.sprints)
    found = hand & ((up_to(most - 1) & ODD) | (up_to(most - 2) & ~ODD)) & ~up_to(before)
    last = 1 << table.last
    if state[packed.N_ROW] == 0:
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
def pays_second(table: PackedConfig, state: Int64s, hideout: int, second: int, spent: int) -> bool:
    left = value_of(state[packed.HAND] & table.sprints & ~(1 << hideout) & ~(1 << second)) - spent
    return left >= second - hideout - table.reach


@kernel
def leaves_second(table: PackedConfig, state: Int64s, hideout: int, named: int, top: int) -> bool:
    """Whether some completion of this first placement leaves cards for a second one."""
    hand = state[packed.HAND]
    spent = value_of(named)
    missing = max(0, hideout - state[packed.LAST_CARD] - table.reach) - spent
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
def leaving_second(table: PackedConfig, state: Int64s, firsts: int) -> int:
    """Of these first hideouts those that leave a second one."""
    found, left = 0, firsts
    while left:
        card = lowest(left)
        left &= left - 1
        if leaves_second(table, state, card, 0, 0):
            found |= 1 << card
    return found


@kernel
def demands_second(table: PackedConfig, state: Int64s) -> bool:
    """Paragraph 4, `exactly_two`: the first hideout must leave a second one, if any first one does."""
    if table.exactly_two == 0 or state[packed.N_ROW] > 0 or state[packed.ROUND] > 1:
        return False
    return leaving_second(table, state, reachable(table, state)) != 0


@kernel
def hideouts(table: PackedConfig, state: Int64s) -> int:
    """The cards that the Fugitive can begin to place."""
    found = reachable(table, state)
    if table.exactly_two == 0 or state[packed.N_ROW] > 0 or state[packed.ROUND] > 1:
        return found
    strict = leaving_second(table, state, found)
    return strict if strict != 0 else found


@kernel
def may_pass(table: PackedConfig, state: Int64s, can_hide: bool) -> bool:
    if state[packed.ROUND] > 1 or not can_hide:
        return True
    return state[packed.N_ROW] > 0 and table.exactly_two == 0


@kernel
def sprints(table: PackedConfig, state: Int64s) -> int:
    """The cards that can be added to the hideout being placed so that it can still be completed."""
    hideout = state[packed.HIDEOUT]
    options = state[packed.HAND] & table.sprints & ~(1 << hideout) & ~up_to(state[packed.TOP])
    found = 0
    if demands_second(table, state):
        left = options
        while left:
            card = lowest(left)
            left &= left - 1
            if leaves_second(table, state, hideout, state[packed.PENDING] | 1 << card, card):
                found |= 1 << card
        return found
    missing = hideout - state[packed.LAST_CARD] - table.reach - value_of(state[packed.PENDING])
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
def is_complete(table: PackedConfig, state: Int64s) -> bool:
    """Whether the sprint cards named so far are enough, and the opening is kept."""
    hideout, named = state[packed.HIDEOUT], state[packed.PENDING]
    spent = value_of(named)
    if spent < hideout - state[packed.LAST_CARD] - table.reach:
        return False
    if not demands_second(table, state):
        return True
    seconds = state[packed.HAND] & ~up_to(hideout) & ~named
    while seconds:
        second = lowest(seconds)
        seconds &= seconds - 1
        if pays_second(table, state, hideout, second, spent):
            return True
    return False


@kernel
def is_left(state: Int64s, pile: int) -> bool:
    return bool(state[packed.NEXT + pile] < state[packed.STOP + pile])


@kernel
def write_cards(kind: int, bits: int, out: Int64s) -> int:
    n = 0
    while bits:
        out[n] = kind | lowest(bits)
        bits &= bits - 1
        n += 1
    return n


@kernel
def legal(table: PackedConfig, state: Int64s, out: Int64s) -> int:
    """Write all actions to `out` in the order of the rules; return how many."""
    phase = state[packed.PHASE]
    n = 0
    if phase in (packed.FUGITIVE_DRAW, packed.MARSHAL_DRAW):
        for pile in range(table.n_piles):
            if is_left(state, pile) and not (state[packed.BONUS] and n):
                out[n] = packed.TAKE | pile
                n += 1
        if state[packed.BONUS]:
            out[n] = packed.PASS
            n += 1
    elif phase == packed.FUGITIVE_PLAY:
        if state[packed.HIDEOUT]:
            n = write_cards(packed.SPRINT, sprints(table, state), out)
            if is_complete(table, state):
                out[n] = packed.DONE
                n += 1
        else:
            n = write_cards(packed.HIDE, hideouts(table, state), out)
            if may_pass(table, state, n > 0):
                out[n] = packed.PASS
                n += 1
    elif phase != packed.OVER:
        for number in range(state[packed.TOP] + 1, table.last):
            out[n] = packed.NAME | number
            n += 1
        if phase == packed.MARSHAL_GUESS and (state[packed.TOP] or not table.must_guess):
            out[n] = packed.ASK
            n += 1
    return n


@kernel
def outcome(state: Int64s) -> int:
    """GOES_ON, IS_CAUGHT, HAS_ESCAPED or TOO_LATE."""
    return int(state[packed.END])


@kernel
def advance(table: PackedConfig, deck: Int64s, state: Int64s, code: int) -> None:
    """Change the state by a legal action."""
    kind, number = code & ~63, code & 63
    if kind == packed.TAKE:
        take(table, deck, state, number)
    elif kind == packed.HIDE:
        state[packed.HIDEOUT] = number
    elif kind == packed.SPRINT or (kind == packed.NAME and state[packed.PHASE] != packed.MANHUNT):
        state[packed.PENDING] |= 1 << number
        state[packed.TOP] = number
    elif kind == packed.NAME:
        hunt(table, state, number)
    elif kind == packed.DONE:
        place(table, state)
    elif kind == packed.ASK:
        ask(table, state)
    else:
        pass_turn(table, state)


@kernel
def apply(table: PackedConfig, deck: Int64s, state: Int64s, code: int, out: Int64s) -> None:
    """The state after a legal action, into `out`."""
    out[:] = state
    advance(table, deck, out, code)


@kernel
def n_hideouts(table: PackedConfig, state: Int64s) -> int:
    return int(state[packed.N_ROW]) - (1 if state[packed.LAST_CARD] == table.last else 0)


@kernel
def take(table: PackedConfig, deck: Int64s, state: Int64s, pile: int) -> None:
    """Paragraphs 5 and 10."""
    card = deck[state[packed.NEXT + pile]]
    state[packed.NEXT + pile] += 1
    state[packed.N_UNDRAWN] -= 1
    is_marshal = 1 if state[packed.PHASE] == packed.MARSHAL_DRAW else 0
    state[table.draws_at + state[packed.N_DRAWS]] = (
        is_marshal | pile << 1 | state[packed.ROUND] << 8 | state[packed.N_ROW] << 24
    )
    state[packed.N_DRAWS] += 1
    if is_marshal:
        state[packed.MARSHAL] |= 1 << card
        state[packed.N_LEFT] -= 1
        marshal_goes_on(table, state)
        return
    state[packed.HAND] |= 1 << card
    if state[packed.BONUS]:
        state[packed.BONUS] = 0
        marshals_turn(table, state)
    else:
        state[packed.PHASE] = packed.FUGITIVE_PLAY


@kernel
def pass_turn(table: PackedConfig, state: Int64s) -> None:
    """Paragraphs 4, 5, 10 and 11."""
    if state[packed.BONUS]:
        state[packed.BONUS] = 0
    elif state[packed.ROUND] > 1 or state[packed.N_ROW] == 0:
        state[packed.N_PASSES] += 1
        if state[packed.N_UNDRAWN]:
            if table.pass_bonus:
                state[packed.PHASE] = packed.FUGITIVE_DRAW
                state[packed.BONUS] = 1
                return
        elif table.idle_passes and state[packed.ROUND] - newest_round(table, state) == table.idle_passes:
            finish(state, packed.HAS_GIVEN_UP)
            return
    marshals_turn(table, state)


@kernel
def newest_round(table: PackedConfig, state: Int64s) -> int:
    """The last round in which a card was drawn or placed."""
    newest = 0
    if state[packed.N_ROW]:
        newest = state[packed.LOGS + 2 * state[packed.N_ROW] - 2] >> 8 & 0xFFFF
    if state[packed.N_DRAWS]:
        newest = max(newest, state[table.draws_at + state[packed.N_DRAWS] - 1] >> 8 & 0xFFFF)
    return int(newest)


@kernel
def place(table: PackedConfig, state: Int64s) -> None:
    """Paragraphs 3, 4 and 8."""
    card, cards = state[packed.HIDEOUT], state[packed.PENDING]
    at = packed.LOGS + 2 * state[packed.N_ROW]
    state[at] = card | state[packed.ROUND] << 8 | state[packed.N_DRAWS] << 24
    state[at + 1] = cards
    state[packed.N_ROW] += 1
    state[packed.LAST_CARD] = card
    state[packed.HAND] &= ~(cards | 1 << card)
    state[packed.HIDEOUT] = 0
    state[packed.PENDING] = 0
    state[packed.TOP] = 0
    if card == table.last:
        if state[packed.SHOWN] & ~up_to(table.manhunt_below - 1):
            finish(state, packed.HAS_ESCAPED)
        else:
            state[packed.PHASE] = packed.MANHUNT
        state[packed.SHOWN] |= 1 << card
        return
    state[packed.HIDDEN] |= 1 << card
    if state[packed.ROUND] > 1 or state[packed.N_ROW] > 1:
        marshals_turn(table, state)


@kernel
def marshals_turn(table: PackedConfig, state: Int64s) -> None:
    state[packed.PHASE] = packed.MARSHAL_DRAW
    state[packed.N_LEFT] = table.first_draws if state[packed.ROUND] == 1 else 1
    marshal_goes_on(table, state)


@kernel
def marshal_goes_on(table: PackedConfig, state: Int64s) -> None:
    """Paragraph 5: with all piles empty the draw is skipped."""
    if state[packed.N_LEFT] == 0 or not state[packed.N_UNDRAWN]:
        state[packed.PHASE] = packed.MARSHAL_GUESS
        state[packed.N_LEFT] = 0


@kernel
def ask(table: PackedConfig, state: Int64s) -> None:
    """Paragraphs 6, 7 and 11."""
    numbers = state[packed.PENDING]
    if numbers:
        claim(table, state, numbers)
        state[packed.PENDING] = 0
        state[packed.TOP] = 0
        if state[packed.HIDDEN] == 0 and state[packed.N_ROW] > 0:
            finish(state, packed.IS_CAUGHT)
            return
    if state[packed.ROUND] == table.max_rounds:
        finish(state, packed.TOO_LATE)
        return
    state[packed.ROUND] += 1
    state[packed.PHASE] = packed.FUGITIVE_DRAW if state[packed.N_UNDRAWN] else packed.FUGITIVE_PLAY


@kernel
def hunt(table: PackedConfig, state: Int64s, number: int) -> None:
    """Paragraph 8: a miss loses, finding the last one wins."""
    if not claim(table, state, 1 << number):
        finish(state, packed.HAS_ESCAPED)
    elif state[packed.HIDDEN] == 0:
        finish(state, packed.IS_CAUGHT)


@kernel
def claim(table: PackedConfig, state: Int64s, numbers: int) -> bool:
    """Paragraph 6: all of the numbers are turned up, or none."""
    hit = (numbers & ~state[packed.HIDDEN]) == 0
    at = table.guesses_at + 2 * state[packed.N_GUESSES]
    state[at] = numbers
    state[at + 1] = (1 if hit else 0) | state[packed.ROUND] << 8 | n_hideouts(table, state) << 24
    state[packed.N_GUESSES] += 1
    if hit:
        state[packed.HIDDEN] &= ~numbers
        state[packed.SHOWN] |= numbers
    return bool(hit)


@kernel
def finish(state: Int64s, end: int) -> None:
    state[packed.PHASE] = packed.OVER
    state[packed.END] = end


@kernel
def perft(table: PackedConfig, deck: Int64s, states: Int64s, actions: Int64s, depth: int) -> int:
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
