"""All histories of a small deck straight from the definition: every order of the cards drawn, every play that
looks the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, permutations, product

from manhunt.core.ids import Side
from manhunt.games.fugitive.beliefs.models import CHANCE_ONLY, PlayModel, paid_placement
from manhunt.games.fugitive.beliefs.sampling import World
from manhunt.games.fugitive.rules.config import sprint_value
from manhunt.games.fugitive.rules.public import Card, Public

Stacks = tuple[tuple[Card, ...], ...]


@dataclass
class BruteForce:
    """Worlds with their weights: the orders of the drawn cards that lead to them, times the model's factors."""

    public: Public
    hand: frozenset[Card]
    model: PlayModel = CHANCE_ONLY
    worlds: dict[World, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        config = self.public.config
        tops = [n + sum(draw.pile == pile for draw in self.public.draws) for pile, n in enumerate(config.dealt)]
        for orders in product(*(permutations(config.cards_of(pile), n) for pile, n in enumerate(tops))):
            hers, his = self._drawn(orders)
            if hers != self.hand:
                continue
            for row, stacks in self._plays(his):
                gone = {*row, *(card for stack in stacks for card in stack)}
                hand = {*config.kept, *(card for cards in his for card in cards)} - gone
                rest = (sorted(set(config.cards_of(p)) - set(order)) for p, order in enumerate(orders))
                world = World(row, stacks, tuple(sorted(hand)), tuple(map(tuple, rest)))
                self.worlds[world] = self.worlds.get(world, 0) + self._factor(row, stacks)

    def _drawn(self, orders: tuple[tuple[Card, ...], ...]) -> tuple[frozenset[Card], list[list[Card]]]:
        """The Marshal's cards, and the Fugitive's by pile in order."""
        dealt = self.public.config.dealt
        his = [list(order[:n]) for order, n in zip(orders, dealt, strict=True)]
        rest = [list(order[n:]) for order, n in zip(orders, dealt, strict=True)]
        hers = set()
        for draw in self.public.draws:
            card = rest[draw.pile].pop(0)
            if draw.side is Side.EVADER:
                his[draw.pile].append(card)
            else:
                hers.add(card)
        return frozenset(hers), his

    def _plays(self, his: list[list[Card]]) -> Iterator[tuple[tuple[Card, ...], Stacks]]:
        def place(row: tuple[Card, ...], stacks: Stacks) -> Iterator[tuple[tuple[Card, ...], Stacks]]:
            if len(row) == len(self.public.row):
                if self._guesses_fit(row):
                    yield row, stacks
                return
            spot, config = self.public.row[len(row)], self.public.config
            held = set(config.kept)
            for pile, cards in enumerate(his):
                held |= set(cards[: config.dealt[pile] + spot.n_draws[pile]])
            held -= {*row, *(card for stack in stacks for card in stack)}
            before = row[-1] if row else 0
            for card in sorted(held):
                if card <= before or (card == config.last) != (spot.card == config.last):
                    continue
                if spot.card not in (None, card):
                    continue
                useful = sorted(c for c in held if c != card and (c != config.last or config.allow_last_sprint))
                for stack in combinations(useful, spot.n_sprints):
                    if card - before > config.reach + sum(map(sprint_value, stack)):
                        continue
                    if spot.sprints is None or set(spot.sprints) == set(stack):
                        yield from place((*row, card), (*stacks, stack))

        return place((), ())

    def _guesses_fit(self, row: tuple[Card, ...]) -> bool:
        """Play the guesses again: the same results, the same cards face up."""
        up = {self.public.config.last}
        for guess in self.public.guesses:
            hidden = set(row[: guess.n_placed]) - up
            if hidden.issuperset(guess.numbers) != guess.hit:
                return False
            if guess.hit:
                up |= set(guess.numbers)
        return all((spot.card is not None) == (card in up) for spot, card in zip(self.public.row, row, strict=True))

    def _factor(self, row: tuple[Card, ...], stacks: Stacks) -> float:
        factor: float = 1
        for spot, before, card, stack in zip(self.public.row, (0, *row), row, stacks, strict=False):
            n_even = sum(c % 2 == 0 for c in stack)
            config = self.public.config
            factor *= self.model.factor(paid_placement(config.reach, before, card, spot.n_sprints, n_even, spot.round))
        return factor
