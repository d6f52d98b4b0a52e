"""Random games of Fugitive in compiled code: uniform choice among the legal steps, without lists."""

from manhunt.core.arrays import Int64s, Words
from manhunt.core.jit import kernel
from manhunt.core.kernel_random import below, new_rng
from manhunt.games.fugitive.rules import kernels, packed
from manhunt.games.fugitive.rules.packed import PackedConfig, PackedPiles

__all__ = ["deal", "draw", "new_rng", "play_dealt", "playout"]


@kernel
def card_at(bits: int, k: int) -> int:
    """The k-th lowest card of a set."""
    for _ in range(k):
        bits &= bits - 1
    return kernels.lowest(bits)


@kernel
def draw(table: PackedConfig, state: Int64s, rng: Words) -> int:
    """A uniformly random legal action of a game that goes on."""
    phase = state[packed.PHASE]
    if phase == packed.MARSHAL_GUESS:
        top = state[packed.TOP]
        n = table.last - 1 - top
        k = below(rng, n + (1 if top or not table.must_guess else 0))
        return packed.ASK if k == n else int(packed.NAME | (top + 1 + k))
    if phase == packed.FUGITIVE_PLAY:
        return draw_placement(table, state, rng)
    if phase == packed.MANHUNT:
        return packed.NAME | (1 + below(rng, table.last - 1))
    return draw_pile(table, state, rng)


@kernel
def draw_placement(table: PackedConfig, state: Int64s, rng: Words) -> int:
    if state[packed.HIDEOUT]:
        cards, kind, end = kernels.sprints(table, state), packed.SPRINT, packed.DONE
        may_end = kernels.is_complete(table, state)
    else:
        cards, kind, end = kernels.hideouts(table, state), packed.HIDE, packed.PASS
        may_end = kernels.may_pass(table, state, cards != 0)
    n = kernels.n_cards(cards)
    if n == 0:
        return end
    k = below(rng, n + (1 if may_end else 0))
    return end if k == n else kind | card_at(cards, k)


@kernel
def draw_pile(table: PackedConfig, state: Int64s, rng: Words) -> int:
    n = 0
    for pile in range(table.n_piles):
        n += kernels.is_left(state, pile)
    if state[packed.BONUS]:
        if below(rng, 2):
            return packed.PASS
        n = 1
    k = below(rng, n)
    for pile in range(table.n_piles):
        if kernels.is_left(state, pile):
            if k == 0:
                return packed.TAKE | pile
            k -= 1
    return packed.PASS


@kernel
def deal(table: PackedConfig, piles: PackedPiles, rng: Words, state: Int64s, deck: Int64s) -> None:
    """Paragraph 2: shuffle every pile, give the Fugitive his cards; the logs need no clearing."""
    state[: packed.LOGS] = 0
    state[packed.HAND] = table.kept
    state[packed.PHASE] = packed.FUGITIVE_PLAY
    state[packed.ROUND] = 1
    deck[:] = piles.cards
    for pile in range(table.n_piles):
        first, end = piles.indptr[pile], piles.indptr[pile + 1]
        for i in range(first, end - 1):
            j = i + below(rng, end - i)
            deck[i], deck[j] = deck[j], deck[i]
        start = first + piles.dealt[pile]
        for i in range(first, start):
            state[packed.HAND] |= 1 << deck[i]
        state[packed.NEXT + pile], state[packed.STOP + pile] = start, end
        state[packed.N_UNDRAWN] += end - start


@kernel
def playout(table: PackedConfig, deck: Int64s, state: Int64s, rng: Words) -> int:
    """Play to the end at random, in place; return the plies."""
    n = 0
    while state[packed.PHASE] != packed.OVER:
        if state[packed.PHASE] == packed.MARSHAL_GUESS:
            n += guess(table, state, rng)
        else:
            kernels.advance(table, deck, state, draw(table, state, rng))
            n += 1
    return n


@kernel
def guess(table: PackedConfig, state: Int64s, rng: Words) -> int:
    """A whole guess as `draw` and `advance` would make it, step by step; return the plies."""
    top, numbers, n = state[packed.TOP], state[packed.PENDING], 0
    while True:
        n_left = table.last - 1 - top
        k = below(rng, n_left + (1 if top or not table.must_guess else 0))
        n += 1
        if k == n_left:
            break
        top += 1 + k
        numbers |= 1 << top
    state[packed.TOP] = top
    state[packed.PENDING] = numbers
    kernels.ask(table, state)
    return n


@kernel
def play_dealt(
    table: PackedConfig, piles: PackedPiles, n_games: int, rng: Words, state: Int64s, deck: Int64s, counts: Int64s
) -> int:
    """Deal and play so many games; add each end to `counts` by its code, return the plies."""
    n_plies = 0
    for _ in range(n_games):
        deal(table, piles, rng, state, deck)
        n_plies += playout(table, deck, state, rng)
        counts[state[packed.END]] += 1
    return n_plies
