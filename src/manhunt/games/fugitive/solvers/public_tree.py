"""A small deck of Fugitive as a bilinear game, built over what both players see.

At each public node there is a list of private states of the Fugitive (hand, hidden hideouts with their sprint cards)
and of hands of the Marshal. A pair of them is possible iff they share no card, and as pile sizes are public every
possible pair has the same chance. So the Fugitive's winning chance is

    sum over public ends of sign * chance * sum over pairs (private state, hand) without a common card of x * y

where x and y are the probabilities with which his and her own choices lead there (sequence form; a list of sequences
where several ways of drawing lead to the same cards), and sign is 1 for an escape and -1 for each manhunt that takes it
back. The tree visits public nodes depth first and keeps at each node only states that can still escape in time. Cost of
building it: the private states and the hands of all public nodes, added up, never multiplied. What is left out never
changes the value:

- Guesses that everybody knows to fail are one guess (a set larger than the number of hidden hideouts always is one).
- States keep the cards, not the order in which they were drawn: it matters for nothing that comes later.
- The Fugitive escapes when that wins at once, and in the last round; states that cannot escape in time are lost.
- In the manhunt the Marshal names a number that is sure, if there is one, and never a number of her own hand.
- `must_guess` and `allow_last_sprint` change nothing: she can always fail, and who sprints with the last card loses.
"""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from math import comb, prod
from typing import NamedTuple

from manhunt.core.errors import ManhuntError
from manhunt.games.fugitive.rules.card_bits import bits_of, cards_of
from manhunt.games.fugitive.rules.config import Config, Opening, sprint_value
from manhunt.solvers.equilibrium.game import BilinearGame, DecisionsBuilder, Payoffs, PayoffsBuilder, add_entries
from manhunt.solvers.memory import TooLarge

Cards = int
"""A set of cards, one bit each."""


class Hidden(NamedTuple):
    """A face-down hideout."""

    card: int
    sprints: Cards


class Private(NamedTuple):
    """What the Fugitive alone knows; the last card is always in his hand."""

    hand: Cards
    own: Cards
    """All cards that he has or had."""
    top: int
    hidden: tuple[Hidden, ...]


class PlacementOption(NamedTuple):
    """A card with the sprint cards under it; `bluff` if he could have left one out."""

    card: int
    sprints: Cards
    n_sprints: int
    bluff: bool


class PublicTable(NamedTuple):
    """What both see, as far as it matters for what comes; the rest is in the lists of states."""

    round: int
    piles: tuple[int, ...]
    """Cards left in each."""
    n_hidden: int
    newest_round: int
    high_shown: bool
    """A hideout of at least `manhunt_below` lies face up."""
    shown: Cards
    chance: float


Fugitives = Sequence[tuple[Private, Sequence[int]]]
"""His possible states, each with the sequences that lead to it."""
Marshals = Sequence[tuple[Cards, Sequence[int]]]


class EventTag(NamedTuple):
    """Something that can happen in play, to be counted."""

    name: str
    round: int


@dataclass(frozen=True, slots=True)
class Restrictions:
    """What a side does without, to see what it is worth; the rules of the deck stay as they are."""

    bluffs: bool = True
    """The Fugitive may pay with more sprint cards than he needs."""
    passes: bool = True
    """He may pass although he could place a hideout."""
    largest_guess: int | None = None
    """The most numbers that the Marshal guesses at once."""
    shunned_pile: int | None = None
    """A pile that the Marshal does not draw from while there is another (a number into `config.piles`)."""


FREE = Restrictions()


@dataclass
class PublicTree:
    """Builds the game of a deck; `tags` has blocks like payoffs that count what happens in play."""

    config: Config
    restrictions: Restrictions = FREE
    most_infosets: int = 20_000_000
    on_progress: Callable[[int], None] | None = None
    n_public: int = 0
    evader: DecisionsBuilder = field(default_factory=DecisionsBuilder)
    pursuers: DecisionsBuilder = field(default_factory=DecisionsBuilder)
    payoffs: PayoffsBuilder = field(default_factory=PayoffsBuilder)
    events: PayoffsBuilder = field(init=False)
    tags: dict[EventTag, int] = field(default_factory=dict)
    tag_of_block: "array[int]" = field(default_factory=lambda: array("i"))

    def __post_init__(self) -> None:
        config = self.config
        if config.opening_hideouts is not Opening.ONE_OR_TWO or config.pass_bonus:
            raise ManhuntError("only decks with opening_hideouts one_or_two and without pass_bonus can be solved")
        self.events = PayoffsBuilder(evader=self.payoffs.evader, pursuers=self.payoffs.pursuers)
        self._placements = lru_cache(None)(self._list_placements)
        self._can_escape = lru_cache(None)(self._may_come_to_the_end)
        self._pile_cards = [bits_of(config.cards_of(pile)) for pile in range(len(config.piles))]

    def build(self) -> BilinearGame:
        config = self.config
        kept = bits_of(card for card in config.kept if card != config.last)
        hands = [kept]
        for pile, n in enumerate(config.dealt):
            deals = [bits_of(cards) for cards in combinations(config.cards_of(pile), n)]
            hands = [hand | deal for hand in hands for deal in deals]
        sizes = [len(config.cards_of(pile)) for pile in range(len(config.piles))]
        chance = 1 / prod(comb(size, n) for size, n in zip(sizes, config.dealt, strict=True))
        left = tuple(size - n for size, n in zip(sizes, config.dealt, strict=True))
        table = PublicTable(1, left, 0, 0, False, 0, chance)
        self._place(table, [(Private(hand, hand, 0, ()), [0]) for hand in hands], [(0, [0])])
        return BilinearGame(self.evader.finish(), self.pursuers.finish(), self.payoffs.finish())

    def finish_events(self) -> Payoffs:
        return self.events.finish()

    # The Fugitive's turn

    def _fugitives_turn(self, table: PublicTable, fugitives: Fugitives, marshals: Marshals) -> None:
        rounds = self.config.max_rounds - table.round + 1
        n_left = sum(table.piles)
        alive = [each for each in fugitives if self._can_escape(each[0].hand, each[0].top, rounds, min(rounds, n_left))]
        if not alive or not marshals:
            return
        self._count(table)
        if not n_left:
            self._place(table, alive, marshals)
            return
        piles = [pile for pile, n in enumerate(table.piles) if n]
        choices = [self._choose(self.evader, parents, len(piles)) for _, parents in alive]
        for k, pile in enumerate(piles):
            drawn: dict[Private, list[int]] = defaultdict(list)
            for (private, _), choice in zip(alive, choices, strict=True):
                for card in cards_of(self._pile_cards[pile] & ~private.own):
                    bit = 1 << card
                    drawn[private._replace(hand=private.hand | bit, own=private.own | bit)].extend(choice[k])
            after = table._replace(
                piles=_less(table.piles, pile), newest_round=table.round, chance=table.chance / table.piles[pile]
            )
            chosen = [(private, choice[k]) for (private, _), choice in zip(alive, choices, strict=True)]
            self._add_event(table, f"Fugitive draws pile {pile + 1}", *self._entries(chosen, marshals))
            self._place(after, list(drawn.items()), marshals)

    def _place(self, table: PublicTable, fugitives: Fugitives, marshals: Marshals) -> None:
        """One placement or a pass; in the first round this is also called for the second placement."""
        config = self.config
        after: dict[tuple[bool, int], dict[Private, list[int]]] = defaultdict(lambda: defaultdict(list))
        made: dict[str, list[tuple[Private, Sequence[int]]]] = defaultdict(list)
        for private, parents in fugitives:
            options = self._options(table, private)
            if not options:
                continue
            choice = self._choose(self.evader, parents, len(options))
            for option, sequences in zip(options, choice, strict=True):
                if option is None:
                    after[False, -1][private].extend(sequences)
                    made["passes" if table.round > 1 else "places no second"].append((private, sequences))
                    continue
                placed = self._placed(private, option)
                after[option.card == config.last, option.n_sprints][placed].extend(sequences)
                made[self._name(table, option)].append((private, sequences))
                if option.bluff and table.round == 1 and not table.n_hidden:
                    made["bluffs with the first hideout"].append((private, sequences))
        for name, group in made.items():
            self._add_event(table, f"Fugitive {name}", *self._entries(group, marshals))
        for (escapes, n_sprints), states in sorted(after.items()):
            self._after_placing(table, escapes, n_sprints, list(states.items()), marshals)

    def _after_placing(
        self, table: PublicTable, escapes: bool, n_sprints: int, group: Fugitives, marshals: Marshals
    ) -> None:
        if escapes:
            self._escape(table, group, marshals)
        elif n_sprints < 0:
            idle = 0 if any(table.piles) else table.round - table.newest_round
            if not (table.round == 1 and table.n_hidden) and idle and idle == self.config.idle_passes:
                return
            self._marshals_turn(table, group, marshals)
        else:
            placed = table._replace(n_hidden=table.n_hidden + 1, newest_round=table.round)
            if table.round == 1 and table.n_hidden == 0:
                self._count(placed)
                self._place(placed, group, marshals)
            else:
                self._marshals_turn(placed, group, marshals)

    def _options(self, table: PublicTable, private: Private) -> Sequence[PlacementOption | None]:
        """His placements that are worth a thought; None is to pass."""
        config = self.config
        placements = self._placements(private.hand, private.top)
        escapes = [each for each in placements if each.card == config.last]
        if escapes and (table.high_shown or table.round == config.max_rounds):
            return escapes[:1] if table.high_shown else escapes
        if table.round == config.max_rounds and not (table.round == 1 and table.n_hidden == 0):
            return ()
        opening = table.round == 1 and table.n_hidden == 0
        rounds = config.max_rounds - table.round + opening
        draws = min(config.max_rounds - table.round, sum(table.piles))
        hopeful: list[PlacementOption | None] = [
            each
            for each in placements
            if each.card == config.last
            or self._can_escape(private.hand & ~(1 << each.card | each.sprints), each.card, rounds, draws)
        ]
        if opening and placements:
            return hopeful
        may_pass = self.restrictions.passes or not placements
        if may_pass and self._can_escape(private.hand, private.top, config.max_rounds - table.round, draws):
            hopeful.append(None)
        return hopeful

    def _placed(self, private: Private, option: PlacementOption) -> Private:
        hand = private.hand & ~(1 << option.card | option.sprints)
        if option.card == self.config.last:
            return private._replace(hand=hand, top=option.card)
        return Private(hand, private.own, option.card, (*private.hidden, Hidden(option.card, option.sprints)))

    def _name(self, table: PublicTable, option: PlacementOption) -> str:
        if option.card == self.config.last:
            return "escapes with a bluff" if option.bluff else "escapes"
        if table.round == 1 and table.n_hidden == 0:
            sprints = ",".join(map(str, cards_of(option.sprints)))
            return f"opens H{option.card}" + (f"+{sprints}" if sprints else "")
        return "places with a bluff" if option.bluff else "places with sprints" if option.n_sprints else "places"

    def _list_placements(self, hand: Cards, top: int) -> list[PlacementOption]:
        """Paragraph 3: every card above the top with every set of sprint cards that pays for it."""
        config = self.config
        found = []
        for card in (*cards_of(hand), config.last):
            if card <= top or (card == config.last and not top):
                continue
            need = max(0, card - top - config.reach)
            others = [each for each in cards_of(hand) if each != card]
            for n in range(len(others) + 1):
                for sprints in combinations(others, n):
                    values = [sprint_value(each) for each in sprints]
                    if sum(values) >= need:
                        bluff = bool(values) and sum(values) - min(values) >= need
                        found.append(PlacementOption(card, bits_of(sprints), n, bluff))
        return [each for each in found if self.restrictions.bluffs or not each.bluff]

    def _may_come_to_the_end(self, hand: Cards, top: int, rounds: int, draws: int) -> bool:
        """Whether he could escape in so many rounds if every draw were worth 2 and fitted; never wrongly False."""
        if rounds < 1:
            return False
        gap = self.config.last - top
        if not top:  # the opening may have two hideouts
            gap -= self.config.reach
        values = sorted([sprint_value(card) for card in cards_of(hand)] + [2] * draws, reverse=True)
        for hideouts in range(min(rounds - 1, len(values)) + 1):
            if (hideouts + 1) * self.config.reach + sum(values[: len(values) - hideouts]) >= gap:
                return True
        return False

    # The Marshal's turn

    def _marshals_turn(self, table: PublicTable, fugitives: Fugitives, marshals: Marshals) -> None:
        if table.round < self.config.max_rounds:
            self._draw(table, self.config.first_draws if table.round == 1 else 1, fugitives, marshals)

    def _draw(self, table: PublicTable, n: int, fugitives: Fugitives, marshals: Marshals) -> None:
        piles = [pile for pile, left in enumerate(table.piles) if left]
        if not n or not piles:
            self._guess(table, fugitives, marshals)
            return
        self._count(table)
        piles = [pile for pile in piles if pile != self.restrictions.shunned_pile] or piles
        choices = [self._choose(self.pursuers, parents, len(piles)) for _, parents in marshals]
        for k, pile in enumerate(piles):
            drawn: dict[Cards, list[int]] = defaultdict(list)
            for (hand, _), choice in zip(marshals, choices, strict=True):
                for card in cards_of(self._pile_cards[pile] & ~hand & ~table.shown):
                    drawn[hand | 1 << card].extend(choice[k])
            after = table._replace(
                piles=_less(table.piles, pile), newest_round=table.round, chance=table.chance / table.piles[pile]
            )
            chosen = [(hand, choice[k]) for (hand, _), choice in zip(marshals, choices, strict=True)]
            self._add_event(table, f"Marshal draws pile {pile + 1}", *self._entries(fugitives, chosen))
            if drawn:
                self._draw(after, n - 1, fugitives, list(drawn.items()))

    def _guess(self, table: PublicTable, fugitives: Fugitives, marshals: Marshals) -> None:
        """A guess that surely fails, or any set that may be right."""
        hidden = [_hidden_cards(private) for private, _ in fugitives]
        most = self.restrictions.largest_guess or table.n_hidden
        sets = {guess for each in hidden for guess in _subsets(each) if guess.bit_count() <= most}
        guesses = sorted(sets, key=lambda guess: (guess.bit_count(), guess))
        self._count(table)
        choices = [self._choose(self.pursuers, parents, 1 + len(guesses)) for _, parents in marshals]
        self._add_guesses(table, guesses, choices, fugitives, marshals)
        following = table._replace(round=table.round + 1)
        for k, guess in enumerate((0, *guesses)):
            chosen = [(hand, choice[k]) for (hand, _), choice in zip(marshals, choices, strict=True)]
            missed = [each for each, cards in zip(fugitives, hidden, strict=True) if not guess or guess & ~cards]
            self._fugitives_turn(following, missed, chosen)
            if guess and guess.bit_count() < table.n_hidden:
                hit = [each for each, cards in zip(fugitives, hidden, strict=True) if not guess & ~cards]
                for shown, group in _reveal(hit, guess):
                    seen = self._seen(following, guess, shown)
                    self._fugitives_turn(seen, group, [each for each in chosen if not each[0] & shown])

    def _seen(self, table: PublicTable, guess: Cards, shown: Cards) -> PublicTable:
        high = guess >> self.config.manhunt_below > 0
        return table._replace(
            n_hidden=table.n_hidden - guess.bit_count(),
            high_shown=table.high_shown or high,
            shown=table.shown | shown,
        )

    # The end

    def _escape(self, table: PublicTable, fugitives: Fugitives, marshals: Marshals) -> None:
        """Paragraph 8: he has won, unless the manhunt takes it back."""
        entries = self._entries(fugitives, marshals)
        self.payoffs.add_block(table.chance, *entries)
        name = "escape at once" if table.high_shown else "manhunt"
        self._add_event(table, name, *entries)
        if not table.high_shown:
            self._hunt(table, fugitives, marshals)

    def _hunt(self, table: PublicTable, fugitives: Fugitives, marshals: Marshals) -> None:
        self._count(table)
        hidden = [_hidden_cards(private) for private, _ in fugitives]
        every = sure = hidden[0]
        for cards in hidden:
            every |= cards
            sure &= cards
        numbers = [sure & -sure] if sure else [1 << card for card in cards_of(every)]
        chosen: dict[int, list[tuple[Cards, Sequence[int]]]] = defaultdict(list)
        for hand, parents in marshals:
            options = [number for number in numbers if not number & hand]
            if options:
                for number, sequences in zip(options, self._choose(self.pursuers, parents, len(options)), strict=True):
                    chosen[number].append((hand, sequences))
        for number, namers in chosen.items():
            hit = [each for each, cards in zip(fugitives, hidden, strict=True) if number & cards]
            if table.n_hidden == 1:
                entries = self._entries(hit, namers)
                self.payoffs.add_block(-table.chance, *entries)
                self._add_event(table, "caught in the manhunt", *entries)
                continue
            for shown, group in _reveal(hit, number):
                able = [each for each in namers if not each[0] & shown]
                if able:
                    self._hunt(self._seen(table, number, shown), group, able)

    # What is written down

    def _count(self, table: PublicTable) -> None:
        self.n_public += 1
        if self.n_public % 1024 == 0:
            size = self.evader.n_infosets + self.pursuers.n_infosets
            if size > self.most_infosets:
                raise TooLarge(f"more than {self.most_infosets:,} infosets; give a smaller deck or fewer rounds")
            if self.on_progress is not None:
                self.on_progress(size)

    def _choose(self, side: DecisionsBuilder, parents: Sequence[int], n: int) -> Sequence[Sequence[int]]:
        """For each of n actions the sequences that it is; no infoset where there is no choice."""
        if n == 1:
            return (parents,)
        first = side.add_infoset(parents, n)
        return [(sequence,) for sequence in range(first, first + n)]

    def _entries(self, fugitives: Fugitives, marshals: Marshals) -> tuple[tuple[int, int], tuple[int, int]]:
        return self._evader_entries(fugitives), self._pursuer_entries(marshals)

    def _evader_entries(self, fugitives: Fugitives) -> tuple[int, int]:
        pairs = [(sequence, private.own) for private, sequences in fugitives for sequence in sequences]
        return add_entries(self.payoffs.evader, [s for s, _ in pairs], [cards for _, cards in pairs])

    def _pursuer_entries(self, marshals: Marshals) -> tuple[int, int]:
        pairs = [(sequence, hand) for hand, sequences in marshals for sequence in sequences]
        return add_entries(self.payoffs.pursuers, [s for s, _ in pairs], [cards for _, cards in pairs])

    def _add_event(self, table: PublicTable, name: str, evader: tuple[int, int], pursuers: tuple[int, int]) -> None:
        self.events.add_block(table.chance, evader, pursuers)
        self.tag_of_block.append(self.tags.setdefault(EventTag(name, table.round), len(self.tags)))

    def _add_guesses(
        self,
        table: PublicTable,
        guesses: Sequence[Cards],
        choices: Sequence[Sequence[Sequence[int]]],
        fugitives: Fugitives,
        marshals: Marshals,
    ) -> None:
        """By the size of the guess; own is one with a card of her hand, a bluff."""
        evader = self._evader_entries(fugitives)
        groups: dict[str, list[tuple[Cards, Sequence[int]]]] = defaultdict(list)
        for (hand, _), choice in zip(marshals, choices, strict=True):
            for guess, sequences in zip((0, *guesses), choice, strict=True):
                word = "nothing" if not guess else "own" if guess & hand else f"{guess.bit_count()} of {table.n_hidden}"
                groups[word].append((hand, sequences))
        for word, chosen in groups.items():
            self._add_event(table, f"Marshal guesses {word}", evader, self._pursuer_entries(chosen))


def _less(piles: tuple[int, ...], pile: int) -> tuple[int, ...]:
    return (*piles[:pile], piles[pile] - 1, *piles[pile + 1 :])


def _hidden_cards(private: Private) -> Cards:
    return bits_of(hidden.card for hidden in private.hidden)


def _subsets(cards: Cards) -> Iterable[Cards]:
    """All but the empty one."""
    subset = cards
    while subset:
        yield subset
        subset = (subset - 1) & cards


def _reveal(fugitives: Fugitives, guess: Cards) -> list[tuple[Cards, list[tuple[Private, Sequence[int]]]]]:
    """A hit by what it turns up: all cards that lie open then, and the states behind it."""
    groups: dict[tuple[Hidden | None, ...], list[tuple[Private, Sequence[int]]]] = defaultdict(list)
    for private, sequences in fugitives:
        seen = tuple(each if guess >> each.card & 1 else None for each in private.hidden)
        left = tuple(each for each in private.hidden if not guess >> each.card & 1)
        groups[seen].append((private._replace(hidden=left), sequences))
    return [(_lying(seen), group) for seen, group in groups.items()]


def _lying(seen: tuple[Hidden | None, ...]) -> Cards:
    cards = 0
    for each in seen:
        if each is not None:
            cards |= 1 << each.card | each.sprints
    return cards
