"""Fugitive as flat arrays for the kernels: the table, the state, actions as numbers, sets of cards as bits."""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from manhunt.core.arrays import Int64s
from manhunt.core.ids import Side
from manhunt.core.outcome import Outcome
from manhunt.games.fugitive.rules.actions import Action, Ask, Done, Hide, Name, Pass, Sprint, TakeFrom, number_of
from manhunt.games.fugitive.rules.card_bits import bits_of, cards_of
from manhunt.games.fugitive.rules.config import MOST_PILES, Config, Opening
from manhunt.games.fugitive.rules.public import Draw, Guess, Phase
from manhunt.games.fugitive.rules.rules import CAUGHT, ESCAPED, GIVEN_UP, NOT_ESCAPED
from manhunt.games.fugitive.rules.state import Hideout, State

# A packed state is one int64 row: these offsets, then the logs. Sets of cards are bits, card c is 1 << c.
HAND, MARSHAL, HIDDEN, SHOWN = range(4)  # hands; hideouts on the row, face down and face up (the escape, too)
HIDEOUT, PENDING, TOP = range(4, 7)  # card being placed; its sprints or the numbers of the guess; the highest of them
LAST_CARD, N_ROW, N_DRAWS, N_GUESSES, N_PASSES = range(7, 12)
ROUND, PHASE, N_LEFT, BONUS, END = range(12, 17)
N_UNDRAWN = 17  # cards in all piles
NEXT = 18  # by pile, where its next card is in the deck ...
STOP = NEXT + MOST_PILES  # ... and where it ends
LOGS = STOP + MOST_PILES

PHASES = tuple(Phase)
FUGITIVE_DRAW, FUGITIVE_PLAY, MARSHAL_DRAW, MARSHAL_GUESS, MANHUNT, OVER = range(6)
ENDS: tuple[Outcome | None, ...] = (None, CAUGHT, ESCAPED, NOT_ESCAPED, GIVEN_UP)
"""The outcome for each code that a kernel returns."""
GOES_ON, IS_CAUGHT, HAS_ESCAPED, TOO_LATE, HAS_GIVEN_UP = range(5)

# An action as one number: kind << 6 | pile or card.
TAKE, HIDE, SPRINT, DONE, PASS, NAME, ASK = (kind << 6 for kind in range(7))
_KINDS: tuple[Any, ...] = (TakeFrom, Hide, Sprint, Done, Pass, Name, Ask)
_SIDES = (Side.EVADER, Side.PURSUERS)


class PackedPiles(NamedTuple):
    """What is needed to deal. Pile p is deck[indptr[p]:indptr[p + 1]], the dealt cards first."""

    indptr: Int64s
    dealt: Int64s
    cards: Int64s
    """The cards of the piles, ascending: a deck before it is shuffled."""


class PackedConfig(NamedTuple):
    """What does not change during a game: numbers alone, as arrays in here would cost each call their counting."""

    kept: int
    sprints: int
    """The cards that may be sprint cards."""
    last: int
    reach: int
    manhunt_below: int
    first_draws: int
    exactly_two: int
    must_guess: int
    pass_bonus: int
    max_rounds: int
    idle_passes: int
    n_piles: int
    draws_at: int
    guesses_at: int
    """Where the logs of draws and guesses begin; that of hideouts begins at LOGS."""


@lru_cache(maxsize=64)
def pack_piles(config: Config) -> PackedPiles:
    every = [config.cards_of(pile) for pile in range(len(config.piles))]
    cards = [card for pile in every for card in pile]
    return PackedPiles(_fixed(np.cumsum([0, *map(len, every)])), _fixed(config.dealt), _fixed(cards))


@lru_cache(maxsize=64)
def pack_config(config: Config) -> PackedConfig:
    top = config.last if config.allow_last_sprint else config.last - 1
    draws_at = LOGS + 2 * (config.last + 1)
    return PackedConfig(
        kept=bits_of(config.kept),
        sprints=(1 << (top + 1)) - 2,
        last=config.last,
        reach=config.reach,
        manhunt_below=config.manhunt_below,
        first_draws=config.first_draws,
        exactly_two=int(config.opening_hideouts is Opening.EXACTLY_TWO),
        must_guess=int(config.must_guess),
        pass_bonus=int(config.pass_bonus),
        max_rounds=config.max_rounds,
        idle_passes=config.idle_passes,
        n_piles=len(config.piles),
        draws_at=draws_at,
        guesses_at=draws_at + config.last + 1,
    )


def _fixed(numbers: ArrayLike) -> Int64s:
    array = np.array(numbers, np.int64)
    array.setflags(write=False)
    return array


def state_size(config: Config) -> int:
    return pack_config(config).guesses_at + 2 * (config.max_rounds + config.last)


def most_actions(config: Config) -> int:
    """No position has more legal actions than this."""
    return config.last + 1


def pack_deck(state: State) -> Int64s:
    """The order of the piles; the places of cards that are gone hold 0."""
    piles = pack_piles(state.config)
    deck = np.zeros(len(piles.cards), np.int64)
    for pile, cards in enumerate(state.piles):
        end = piles.indptr[pile + 1]
        deck[end - len(cards) : end] = cards
    return deck


def pack(state: State) -> Int64s:
    """Everything but the order of the piles."""
    config, table = state.config, pack_config(state.config)
    row = np.zeros(state_size(config), np.int64)
    row[HAND], row[MARSHAL] = bits_of(state.fugitive), bits_of(state.marshal)
    row[HIDDEN] = bits_of(hideout.card for hideout in state.row if not hideout.face_up)
    row[SHOWN] = bits_of(hideout.card for hideout in state.row if hideout.face_up)
    places = state.phase is Phase.FUGITIVE_PLAY and bool(state.pending)
    row[HIDEOUT] = state.pending[0] if places else 0
    named = state.pending[1:] if places else state.pending
    row[PENDING], row[TOP] = bits_of(named), max(named, default=0)
    row[LAST_CARD] = state.last_card
    row[N_ROW], row[N_DRAWS], row[N_GUESSES] = len(state.row), len(state.draws), len(state.guesses)
    row[N_PASSES], row[ROUND], row[PHASE] = state.n_passes, state.round, PHASES.index(state.phase)
    row[N_LEFT], row[BONUS], row[END] = state.n_left, state.bonus, ENDS.index(state.end)
    row[N_UNDRAWN] = sum(map(len, state.piles))
    for pile, (cards, stop) in enumerate(zip(state.piles, pack_piles(config).indptr[1:], strict=True)):
        row[NEXT + pile], row[STOP + pile] = stop - len(cards), stop
    for i, hideout in enumerate(state.row):
        n_known = _n_logged(state, hideout)
        row[LOGS + 2 * i] = hideout.card | hideout.round << 8 | n_known << 24
        row[LOGS + 2 * i + 1] = bits_of(hideout.sprints)
    for i, draw in enumerate(state.draws):
        row[table.draws_at + i] = _SIDES.index(draw.side) | draw.pile << 1 | draw.round << 8 | draw.n_placed << 24
    for i, guess in enumerate(state.guesses):
        at = table.guesses_at + 2 * i
        row[at], row[at + 1] = bits_of(guess.numbers), guess.hit | guess.round << 8 | guess.n_placed << 24
    return row


def _n_logged(state: State, hideout: Hideout) -> int:
    """How many draws were logged when the hideout was placed: all up to the Fugitive's draw of that round."""
    wanted, n = sum(hideout.n_draws), 0
    while n < len(state.draws) and (
        state.draws[n].round < hideout.round
        or (state.draws[n].round == hideout.round and state.draws[n].side is Side.EVADER and wanted > 0)
    ):
        wanted -= state.draws[n].side is Side.EVADER
        n += 1
    return n


def unpack(config: Config, row: Int64s, deck: Int64s) -> State:
    """The inverse of `pack` and `pack_deck`."""
    table, phase = pack_config(config), PHASES[row[PHASE]]
    numbers = [int(number) for number in row]
    draws = tuple(_draw(number) for number in numbers[table.draws_at : table.draws_at + numbers[N_DRAWS]])
    hideouts = []
    for i in range(numbers[N_ROW]):
        first, sprints = numbers[LOGS + 2 * i], numbers[LOGS + 2 * i + 1]
        card, known = first & 0xFF, draws[: first >> 24]
        counts = tuple(sum(d.side is Side.EVADER and d.pile == p for d in known) for p in range(table.n_piles))
        face_up = bool(numbers[SHOWN] >> card & 1)
        hideouts.append(Hideout(card, cards_of(sprints), first >> 8 & 0xFFFF, counts, face_up))
    guesses = []
    for i in range(numbers[N_GUESSES]):
        bits, second = numbers[table.guesses_at + 2 * i], numbers[table.guesses_at + 2 * i + 1]
        guesses.append(Guess(second >> 8 & 0xFFFF, cards_of(bits), bool(second & 1), second >> 24))
    piles = [deck[numbers[NEXT + pile] : numbers[STOP + pile]] for pile in range(table.n_piles)]
    hideout = (numbers[HIDEOUT],) if numbers[HIDEOUT] else ()
    return State(
        config,
        tuple(tuple(int(card) for card in pile) for pile in piles),
        cards_of(numbers[HAND]),
        cards_of(numbers[MARSHAL]),
        tuple(hideouts),
        draws,
        tuple(guesses),
        numbers[N_PASSES],
        numbers[ROUND],
        phase,
        numbers[N_LEFT],
        bool(numbers[BONUS]),
        ENDS[numbers[END]],
        (*hideout, *cards_of(numbers[PENDING])),
    )


def _draw(number: int) -> Draw:
    return Draw(_SIDES[number & 1], number >> 1 & 0x7F, number >> 8 & 0xFFFF, number >> 24)


def encode(action: Action) -> int:
    return _KINDS.index(type(action)) << 6 | number_of(action)


def decode(code: int) -> Action:
    kind = _KINDS[code >> 6]
    action: Action = kind() if kind in (Done, Pass, Ask) else kind(code & 63)
    return action
