"""Fugitive as flat arrays for the kernels: the table, the state, actions as numbers, sets of cards as bits."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from manhunt.games.fugitive.actions import Action, Ask, Done, Hide, Name, Pass, Sprint, TakeFrom
from manhunt.games.fugitive.config import MOST_PILES, Config, Opening
from manhunt.games.fugitive.public import Card, Draw, Guess, Phase
from manhunt.games.fugitive.rules import CAUGHT, ESCAPED, GIVEN_UP, NOT_ESCAPED
from manhunt.games.fugitive.state import Hideout, State
from manhunt.ids import Side

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    from manhunt.games.outcome import Outcome

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
_SIDES = (Side.EVADER, Side.PURSUERS)


class Piles(NamedTuple):
    """What is needed to deal. Pile p is deck[indptr[p]:indptr[p + 1]], the dealt cards first."""

    indptr: NDArray[np.int64]
    dealt: NDArray[np.int64]
    cards: NDArray[np.int64]
    """The cards of the piles, ascending: a deck before it is shuffled."""


class Table(NamedTuple):
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
def pack_piles(config: Config) -> Piles:
    every = [config.cards_of(pile) for pile in range(len(config.piles))]
    cards = [card for pile in every for card in pile]
    return Piles(_fixed(np.cumsum([0, *map(len, every)])), _fixed(config.dealt), _fixed(cards))


@lru_cache(maxsize=64)
def pack_table(config: Config) -> Table:
    top = config.last if config.allow_last_sprint else config.last - 1
    draws_at = LOGS + 2 * (config.last + 1)
    return Table(
        kept=pack_cards(config.kept),
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


def _fixed(numbers: ArrayLike) -> NDArray[np.int64]:
    array = np.array(numbers, np.int64)
    array.setflags(write=False)
    return array


def state_size(config: Config) -> int:
    return pack_table(config).guesses_at + 2 * (config.max_rounds + config.last)


def most_actions(config: Config) -> int:
    """No position has more legal actions than this."""
    return config.last + 1


def pack_cards(cards: Iterable[Card]) -> int:
    return sum(1 << card for card in cards)


def unpack_cards(bits: int) -> tuple[Card, ...]:
    return tuple(card for card in range(64) if bits >> card & 1)


def pack_deck(state: State) -> NDArray[np.int64]:
    """The order of the piles; the places of cards that are gone hold 0."""
    piles = pack_piles(state.config)
    deck = np.zeros(len(piles.cards), np.int64)
    for pile, cards in enumerate(state.piles):
        end = piles.indptr[pile + 1]
        deck[end - len(cards) : end] = cards
    return deck


def pack(state: State) -> NDArray[np.int64]:
    """Everything but the order of the piles."""
    config, table = state.config, pack_table(state.config)
    row = np.zeros(state_size(config), np.int64)
    row[HAND], row[MARSHAL] = pack_cards(state.fugitive), pack_cards(state.marshal)
    row[HIDDEN] = pack_cards(hideout.card for hideout in state.row if not hideout.face_up)
    row[SHOWN] = pack_cards(hideout.card for hideout in state.row if hideout.face_up)
    places = state.phase is Phase.FUGITIVE_PLAY and bool(state.pending)
    row[HIDEOUT] = state.pending[0] if places else 0
    named = state.pending[1:] if places else state.pending
    row[PENDING], row[TOP] = pack_cards(named), max(named, default=0)
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
        row[LOGS + 2 * i + 1] = pack_cards(hideout.sprints)
    for i, draw in enumerate(state.draws):
        row[table.draws_at + i] = _SIDES.index(draw.side) | draw.pile << 1 | draw.round << 8 | draw.n_placed << 24
    for i, guess in enumerate(state.guesses):
        at = table.guesses_at + 2 * i
        row[at], row[at + 1] = pack_cards(guess.numbers), guess.hit | guess.round << 8 | guess.n_placed << 24
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


def unpack(config: Config, row: NDArray[np.int64], deck: NDArray[np.int64]) -> State:
    """The inverse of `pack` and `pack_deck`."""
    table, phase = pack_table(config), PHASES[row[PHASE]]
    numbers = [int(number) for number in row]
    draws = tuple(_draw(number) for number in numbers[table.draws_at : table.draws_at + numbers[N_DRAWS]])
    hideouts = []
    for i in range(numbers[N_ROW]):
        first, sprints = numbers[LOGS + 2 * i], numbers[LOGS + 2 * i + 1]
        card, known = first & 0xFF, draws[: first >> 24]
        counts = tuple(sum(d.side is Side.EVADER and d.pile == p for d in known) for p in range(table.n_piles))
        face_up = bool(numbers[SHOWN] >> card & 1)
        hideouts.append(Hideout(card, unpack_cards(sprints), first >> 8 & 0xFFFF, counts, face_up))
    guesses = []
    for i in range(numbers[N_GUESSES]):
        bits, second = numbers[table.guesses_at + 2 * i], numbers[table.guesses_at + 2 * i + 1]
        guesses.append(Guess(second >> 8 & 0xFFFF, unpack_cards(bits), bool(second & 1), second >> 24))
    piles = [deck[numbers[NEXT + pile] : numbers[STOP + pile]] for pile in range(table.n_piles)]
    hideout = (numbers[HIDEOUT],) if numbers[HIDEOUT] else ()
    return State(
        config,
        tuple(tuple(int(card) for card in pile) for pile in piles),
        unpack_cards(numbers[HAND]),
        unpack_cards(numbers[MARSHAL]),
        tuple(hideouts),
        draws,
        tuple(guesses),
        numbers[N_PASSES],
        numbers[ROUND],
        phase,
        numbers[N_LEFT],
        bool(numbers[BONUS]),
        ENDS[numbers[END]],
        (*hideout, *unpack_cards(numbers[PENDING])),
    )


def _draw(number: int) -> Draw:
    return Draw(_SIDES[number & 1], number >> 1 & 0x7F, number >> 8 & 0xFFFF, number >> 24)


def encode(action: Action) -> int:
    if isinstance(action, TakeFrom):
        return TAKE | action.pile
    if isinstance(action, Hide):
        return HIDE | action.card
    if isinstance(action, Sprint):
        return SPRINT | action.card
    if isinstance(action, Name):
        return NAME | action.number
    return {Done: DONE, Pass: PASS, Ask: ASK}[type(action)]


def decode(code: int) -> Action:
    kind, number = code & ~63, code & 63
    if kind == TAKE:
        return TakeFrom(number)
    if kind == HIDE:
        return Hide(number)
    if kind == SPRINT:
        return Sprint(number)
    if kind == NAME:
        return Name(number)
    return Done() if kind == DONE else Pass() if kind == PASS else Ask()
