"""What a perfect Marshal knows: every world that fits what she saw, counted exactly.

A world is a full assignment: the row, the sprint cards under each position, the Fugitive's hand, the piles. It weighs
what the deal and the draws give it, times a stated model of his play (chance alone, unless another one is given).
Positions count from 1; position 0 is the start card.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random

import numpy as np

from manhunt.core.arrays import Floats, Int64s, Words
from manhunt.core.errors import ManhuntError
from manhunt.games.fugitive.beliefs import card_kernels, row_kernels
from manhunt.games.fugitive.beliefs.counting import Count
from manhunt.games.fugitive.beliefs.evidence import Evidence, gather
from manhunt.games.fugitive.beliefs.models import CHANCE_ONLY, PlayModel
from manhunt.games.fugitive.beliefs.sampling import World, draw_worlds
from manhunt.games.fugitive.beliefs.trails import Trails, possible_trails
from manhunt.games.fugitive.beliefs.why import explain
from manhunt.games.fugitive.rules.public import Card, Public

NO_WORLD = "no deal and no draws lead to this table with this hand; a guess or a card is wrong"

ROUNDING = 1e-12
"""What is left of a whole when it is all elsewhere; a chance this small is none."""


@dataclass(frozen=True)
class Places:
    """By card, the probability that it is a hidden sprint card, in his hand, in its pile."""

    sprint: Floats
    hand: Floats
    pile: Floats


class Worlds:
    """The Marshal's exact belief, from what is public and her hand. Results are computed on first use and kept.

    Examples:
        >>> from random import Random
        >>> from manhunt import Seat, make_game
        >>> game = make_game("fugitive")
        >>> config = game.make_config()
        >>> state = game.new(config, Random(1))
        >>> for text in ("hide:3", "done", "pass"):
        ...     state = game.apply_action(state, game.parse_action(config, text))
        >>> view = game.view(state, Seat.PURSUERS)
        >>> sorted(Worlds(view.public, view.hand).candidates(1))
        [1, 2, 3]
    """

    def __init__(self, public: Public, hand: Iterable[Card], model: PlayModel = CHANCE_ONLY) -> None:
        self.evidence: Evidence = gather(public, hand)
        self.model = model
        self._drawn: dict[int, Floats] = {}
        self._count = Count(self.evidence, model)
        if not len(self._count.rows):
            raise ManhuntError(NO_WORLD)
        self._leaves = self._count.leaves()
        self._weights = self._count.weights(self._leaves)
        self._total = float(self._weights.sum())
        if not self._total > 0:
            raise ManhuntError(NO_WORLD)

    @cached_property
    def trails(self) -> Trails:
        """All possible rows with their probabilities."""
        return self._trails(self._weights)

    def _trails(self, weights: Floats) -> Trails:
        return possible_trails(self._count.rows, self._masks, weights, self._count.positions, self._last)

    @property
    def _last(self) -> int:
        return self.evidence.config.last

    @cached_property
    def _masks(self) -> Words:
        return self._count.masks_of(self._count.rows)

    def candidates(self, position: int) -> frozenset[Card]:
        """The cards that a position can be in some world."""
        return frozenset(np.flatnonzero(self.marginals[self._checked(position)]).tolist())

    @property
    def marginals(self) -> Floats:
        """The probability of each card at each position: an array of position by card; position 0 is the start."""
        return self.trails.marginals

    @property
    def hideouts(self) -> Floats:
        """By number, the probability that it is a face-down hideout now."""
        return self.trails.hideouts

    def probability(self, numbers: Iterable[Card]) -> float:
        """The probability that all these numbers are face-down hideouts now, so that guessing them succeeds."""
        return self.trails.probability(numbers)

    @cached_property
    def count(self) -> int:
        """The number of worlds, each counted once, whatever its weight."""
        self._needs_chance_only()
        rough = self._count.weights(self._count.leaves(worlds=True))
        return self._count.exact_sums(float(rough.sum()), _total, worlds=True)[0]

    @property
    def n_histories(self) -> int:
        """In how many orders he can have got his cards, over all worlds; this is the weight of chance alone."""
        return self._exact[0]

    @property
    def exact_hideouts(self) -> tuple[int, ...]:
        """By number, in how many of the `n_histories` it is a face-down hideout; exact integers."""
        return self._exact[1:]

    @cached_property
    def _exact(self) -> tuple[int, ...]:
        self._needs_chance_only()
        size, count = self._last + 1, self._count

        def add(weights: Floats) -> list[float]:
            sums = np.zeros(size)
            row_kernels.add_hidden(count.rows, count.hidden, weights, sums)
            return [float(weights.sum()), *sums.tolist()]

        return tuple(count.exact_sums(self._total, add))

    def _needs_chance_only(self) -> None:
        if self.model != CHANCE_ONLY:
            raise ManhuntError("exact counts exist only without a model of play; weighted worlds have floats")

    @cached_property
    def places(self) -> Places:
        """For each card, the probabilities of the places where it may be if it is not a hideout."""
        sprint, hand = np.zeros(self._last + 1), np.zeros(self._last + 1)
        count, evidence = self._count, self.evidence
        spent, held = count.expect_ends(self._leaves)
        share = self._weights / self._total
        card_kernels.add_places(share, self._masks, count.leaf_of, spent, held, self._unseen, sprint, hand)
        row_card = self.marginals[1:].sum(axis=0)
        for card in evidence.config.kept:
            if card == self._last and not evidence.config.allow_last_sprint:
                hand[card] = 1.0 - row_card[card]
        pile = np.zeros(self._last + 1)
        for card in evidence.unseen():
            if evidence.config.pile_of[card] is not None:
                rest = 1.0 - row_card[card] - sprint[card] - hand[card]
                pile[card] = rest if rest > ROUNDING else 0.0
        return Places(sprint, hand, pile)

    @cached_property
    def _unseen(self) -> Int64s:
        """Unseen cards with their kinds."""
        cards = self.evidence.unseen()
        kinds = [2 * self.evidence.group_of(card) + (card % 2 == 0) for card in cards]
        return np.array([cards, kinds], np.int64).T.copy()

    def draw_chances(self, pile: int) -> Mapping[Card, float]:
        """What the Marshal would draw from a pile."""
        chances = {card: float(self.places.pile[card]) for card in self.evidence.config.cards_of(pile)}
        total = sum(chances.values())
        return {card: chance / total for card, chance in chances.items() if chance > 0}

    def after_draw(self, card: Card) -> Trails:
        """What she would believe about the row after drawing this card."""
        pile = self.evidence.config.pile_of[card] if 0 <= card <= self._last else None
        weights = np.zeros(len(self._count.rows))
        if pile is not None and card in self.evidence.unseen():
            weights = self._weights_after(2 * (pile + 1) + (card % 2 == 0)).copy()
            weights[(self._masks >> np.uint64(card)) & np.uint64(1) == 1] = 0.0
        if not weights.any():
            raise ManhuntError(f"the Marshal cannot draw {card} now: it lies in no pile in any world")
        return self._trails(weights)

    def _weights_after(self, kind: int) -> Floats:
        if kind not in self._drawn:
            self._drawn[kind] = self._count.weights(self._leaves, drawn=kind)
        return self._drawn[kind]

    def sample(self, rng: Random, n: int) -> list[World]:
        """Worlds drawn by their probabilities; the same seed gives the same worlds."""
        lines = rng.choices(range(len(self._weights)), self._weights.tolist(), k=n)
        return draw_worlds(self._count, self._leaves, lines, rng)

    def witness(self, position: int, card: Card) -> World:
        """A world in which the position is this card; an error if there is none."""
        fitting = np.flatnonzero((self._weights > 0) & (self._count.rows[:, self._checked(position) - 1] == card))
        if position == 0 or not len(fitting):
            raise ManhuntError(f"no world has {card} at position {position}: {self.why(position, card)}")
        return draw_worlds(self._count, self._leaves, [int(fitting[0])], Random(0))[0]

    def why(self, position: int, card: Card) -> str:
        """Why a position cannot be this card, in words; or that it can."""
        return explain(self.evidence, self._checked(position), card, card in self.candidates(position))

    def _checked(self, position: int) -> int:
        if not 0 <= position <= self.evidence.n:
            raise ManhuntError(f"there is no position {position}; the row has positions 0 to {self.evidence.n}")
        return position


def worlds_or_none(public: Public, hand: Iterable[Card], model: PlayModel = CHANCE_ONLY) -> Worlds | None:
    """None where nothing lies face down, or where the worlds are too many to be counted."""
    try:
        return Worlds(public, hand, model) if public.n_hidden else None
    except ManhuntError:
        return None


def _total(weights: Floats) -> list[float]:
    return [float(weights.sum())]
