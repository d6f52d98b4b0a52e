"""What the Marshal has seen, position by position: the ground for notes, worlds and reasons."""

from collections.abc import Iterable
from dataclasses import dataclass

from manhunt.core.errors import ManhuntError
from manhunt.core.ids import Side
from manhunt.games.fugitive.rules.config import Config, sprint_value
from manhunt.games.fugitive.rules.public import Card, Guess, Public, Spot

KEPT = 0
"""The group of the cards in no pile, which the Fugitive always has; pile p is group p + 1."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Public facts with the Marshal's hand, sorted by what they forbid. Positions count from 0 here.

    A card's group is its pile (+ 1) or KEPT; its kind is 2 * group, + 1 for even cards.
    """

    public: Public
    hand: frozenset[Card]
    shown: tuple[Card | None, ...]
    """Per position its card if that lies face up."""
    face_up: frozenset[Card]
    """All face-up cards, sprint cards too."""
    barred: tuple[frozenset[Card], ...]
    """Per position the numbers of failed single guesses that were made when it lay there."""
    failed_sets: tuple[tuple[frozenset[Card], int], ...]
    """Failed guesses of two or more numbers, with the number of positions that lay there."""
    slots: tuple[tuple[int, ...], ...]
    """Per position and pile, the cards of that pile that he had had by then, the dealt ones included."""
    n_his: tuple[int, ...]
    """Per pile, the cards that he has had till now."""

    @property
    def config(self) -> Config:
        return self.public.config

    @property
    def n(self) -> int:
        """Positions on the row, the start not counted, the escape counted."""
        return len(self.public.row)

    def group_of(self, card: Card) -> int:
        pile = self.config.pile_of[card]
        return KEPT if pile is None else pile + 1

    def n_hidden_sprints(self, position: int) -> int:
        spot = self.public.row[position]
        return spot.n_sprints if spot.sprints is None else 0

    def step(self, position: int) -> int:
        """The farthest that this position may lie from the one before it, each unknown sprint card counted as 2."""
        spot = self.public.row[position]
        values = 2 * spot.n_sprints if spot.sprints is None else sum(map(sprint_value, spot.sprints))
        return self.config.reach + values

    def allowed(self, position: int) -> frozenset[Card]:
        """What a position may be if nothing but its own facts counts."""
        shown = self.shown[position]
        if shown is not None:
            return frozenset({shown})
        config = self.config
        piles = (config.cards_of(pile) for pile, n_had in enumerate(self.slots[position]) if n_had)
        cards = frozenset(card for card in config.kept if 0 < card < config.last).union(*piles)
        return cards - self.hand - self.face_up - self.barred[position]

    def unseen(self) -> tuple[Card, ...]:
        """The cards whose place she does not know; with the last card only if it may be a sprint card."""
        known = self.hand | self.face_up
        last = self.config.last
        end = last + 1 if self.config.allow_last_sprint else last
        return tuple(card for card in range(1, end) if card not in known)


def gather(public: Public, hand: Iterable[Card]) -> Evidence:
    """Sort what was seen; a hand that does not fit the draws is refused."""
    cards = frozenset(hand)
    shown = tuple(spot.card for spot in public.row)
    sprints = [card for spot in public.row for card in spot.sprints or ()]
    face_up = frozenset([*(card for card in shown if card is not None), *sprints])
    _check_hand(public, cards, face_up)
    barred: list[set[Card]] = [set() for _ in public.row]
    failed_sets = []
    for numbers, n_placed in _telling_misses(public.guesses, public.config):
        if len(numbers) > 1:
            failed_sets.append((numbers, n_placed))
            continue
        for position in range(n_placed):
            barred[position] |= numbers
    dealt = public.config.dealt
    slots = tuple(tuple(d + n for d, n in zip(dealt, spot.n_draws, strict=True)) for spot in public.row)
    n_his = tuple(d + n for d, n in zip(dealt, public.n_drawn(Side.EVADER), strict=True))
    return Evidence(
        public, cards, shown, face_up, tuple(map(frozenset, barred)), tuple(dict.fromkeys(failed_sets)), slots, n_his
    )


def _telling_misses(guesses: Iterable[Guess], config: Config) -> list[tuple[frozenset[Card], int]]:
    """Paragraph 6: failed guesses, but those with a number that lay face up already, which had to fail."""
    found, open_cards = [], {config.last}
    for guess in guesses:
        if guess.hit:
            open_cards |= set(guess.numbers)
        elif not open_cards & set(guess.numbers):
            found.append((frozenset(guess.numbers), guess.n_placed))
    return found


def _check_hand(public: Public, hand: frozenset[Card], face_up: frozenset[Card]) -> None:
    config = public.config
    for card in sorted(hand):
        if not 0 <= card <= config.last or config.pile_of[card] is None:
            raise ManhuntError(f"card {card} cannot be in the Marshal's hand: it is in no pile of this deck")
        if card in face_up:
            raise ManhuntError(f"card {card} cannot be in the Marshal's hand: it lies face up on the row")
    for pile, (name, n_drawn) in enumerate(zip(config.pile_names, public.n_drawn(Side.PURSUERS), strict=True)):
        n_held = sum(config.pile_of[card] == pile for card in hand)
        if n_held != n_drawn:
            raise ManhuntError(f"the Marshal holds {n_held} cards of the {name} pile, but has drawn {n_drawn} from it")


def hidden_positions(row: Iterable[Spot]) -> tuple[int, ...]:
    return tuple(i for i, spot in enumerate(row) if spot.card is None)
