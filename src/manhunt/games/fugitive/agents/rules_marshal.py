"""The Marshal who plays by the guide: one list of numbers for each face-down hideout, and no counting of rows."""

from collections.abc import Sequence
from itertools import chain
from random import Random

from manhunt.core.errors import BadAgent, unknown
from manhunt.games.fugitive.agents.planners import MarshalPlanner
from manhunt.games.fugitive.rules.config import sprint_value
from manhunt.games.fugitive.rules.public import Card, Public, Spot
from manhunt.games.fugitive.rules.views import FugitiveView

THRIFT = ("likely", "sure", "no")
NUMBERS = ("sure-and-one", "sure", "one", "two", "all")
DRAWS = ("near", "low", "middle", "high", "any")
NOTHING_KNOWN = 1
"""What is named where no number is left on any list."""
Lists = dict[int, frozenset[Card]]
"""By position of a face-down hideout, the numbers that it may be."""


class RulesMarshal(MarshalPlanner):
    """Plays by the guide for human players; every rule can be switched off.

    `ranges`: lists are also narrowed from right to left. `thrift`: that he pays no sprint card too many makes a number
    likelier, or even sure; `doubt`: until he is seen to bluff. `failed`: a failed set without its sure numbers strikes
    out, too. `piles`: he has drawn what he places. `likely`: the number with most points, else any possible one.
    `guard`: no 30 or more is turned up unless that wins. `anywhere`: the manhunt does not go from the left.
    """

    def __init__(
        self,
        ranges: bool = True,
        thrift: str = THRIFT[0],
        doubt: bool = False,
        failed: bool = True,
        piles: bool = True,
        likely: bool = True,
        numbers: str = NUMBERS[0],
        draw: str = DRAWS[0],
        guard: bool = False,
        anywhere: bool = True,
    ) -> None:
        for name, value, known in (("thrift", thrift, THRIFT), ("numbers", numbers, NUMBERS), ("draw", draw, DRAWS)):
            if value not in known:
                raise BadAgent(unknown(f"{name} of rules-marshal", value, known))
        self.ranges, self.thrift, self.doubt, self.failed, self.piles = ranges, thrift, doubt, failed, piles
        self.likely, self.numbers, self.draw, self.guard, self.anywhere = likely, numbers, draw, guard, anywhere

    def lists(self, view: FugitiveView) -> tuple[Lists, Lists]:
        """What each face-down hideout may be, and what it likely is: an assumption that leaves nothing is given up."""
        possible = self._narrowed(view, False)
        if self.thrift == "no" or (self.doubt and has_bluffed(view.public)):
            return possible, possible
        likely = self._narrowed(view, True)
        if not all(likely.values()):
            return possible, possible
        return (likely if self.thrift == "sure" else possible), likely

    def _narrowed(self, view: FugitiveView, thrift: bool) -> Lists:
        public, row = view.public, view.public.row
        shown = {card for spot in row for card in (spot.card, *(spot.sprints or ()))}
        free = [card for card in range(1, view.config.last) if card not in shown and card not in view.hand]
        lists: list[set[Card]] = [{0}]
        for position, spot in enumerate(row, 1):
            listed = [card for card in free if not self.piles or had(public, position, card)]
            lists.append(set(listed) if spot.card is None else {spot.card})
        steps = [steps_to(spot, public.config.reach, thrift) for spot in row]
        n_before = -1
        while n_before != (n_before := sum(map(len, lists))):
            self._strike(public, lists)
            for i, (least, most) in enumerate(steps, 1):
                lists[i] = {card for card in lists[i] if any(least <= card - other <= most for other in lists[i - 1])}
            for i, (least, most) in reversed(list(enumerate(steps, 1)) if self.ranges else []):
                lists[i - 1] = {c for c in lists[i - 1] if any(least <= other - c <= most for other in lists[i])}
        return {i: frozenset(lists[i]) for i, spot in enumerate(row, 1) if spot.card is None}

    def _strike(self, public: Public, lists: list[set[Card]]) -> None:
        """A failed number is no hideout that lay there; of a failed set, the one that is left without the sure ones."""
        face_up = {spot.card for spot in public.row}
        for guess in public.guesses:
            then = lists[1 : guess.n_placed + 1]
            sure = {card for cards in then if len(cards) == 1 for card in cards} if self.failed else set()
            wrong = set(guess.numbers) - sure
            if not guess.hit and len(wrong) == 1 and not wrong & face_up:
                for cards in then:
                    cards -= wrong

    def pile(self, view: FugitiveView, piles: tuple[int, ...], rng: Random) -> int:
        if self.draw == "any":
            return rng.choice(piles)
        if self.draw != "near":
            wanted = {"low": 0, "middle": len(view.config.piles) // 2, "high": len(view.config.piles) - 1}[self.draw]
            return min(piles, key=lambda pile: abs(pile - wanted))
        listed = {card for cards in self.lists(view)[1].values() for card in cards}
        return max(piles, key=lambda pile: len(listed.intersection(view.config.cards_of(pile))))

    def guess(self, view: FugitiveView, rng: Random) -> Sequence[Card]:
        possible, likely = self.lists(view)
        sure = sorted({card for cards in possible.values() if len(cards) == 1 for card in cards})
        points = points_of(possible, likely)
        if self.guard and len(sure) < len(possible):
            sure = [card for card in sure if card < view.config.manhunt_below]
            points = {card: n for card, n in points.items() if card < view.config.manhunt_below} or points
        wanted = {"sure-and-one": len(sure) + 1, "sure": len(sure) or 1, "one": 1, "two": 2, "all": len(possible)}
        n_wanted = min(wanted[self.numbers], len(possible), len(points))
        named = sure[:n_wanted]
        while len(named) < n_wanted:
            named.append(self._pick({card: n for card, n in points.items() if card not in named}, rng))
        return named or [NOTHING_KNOWN]

    def hunt(self, view: FugitiveView, rng: Random) -> Card:
        possible, likely = self.lists(view)
        points = points_of(possible, likely)
        if not points:
            return NOTHING_KNOWN
        if self.anywhere:
            return self._pick(points, rng)
        return self._pick({card: points[card] for card in possible[min(possible)]}, rng)

    def _pick(self, points: dict[Card, float], rng: Random) -> Card:
        """The number with most points, the lowest of equals; or any."""
        cards = sorted(points)
        return max(cards, key=lambda card: round(points[card], 9)) if self.likely else rng.choice(cards)


def points_of(*notes: Lists) -> dict[Card, float]:
    """Each list shares one point among its numbers."""
    found: dict[Card, float] = {}
    for cards in chain.from_iterable(lists.values() for lists in notes):
        for card in cards:
            found[card] = found.get(card, 0.0) + 1 / len(cards)
    return found


def steps_to(spot: Spot, reach: int, thrift: bool) -> tuple[int, int]:
    """The shortest and the longest step to a position; with `thrift` every face-down sprint card was needed."""
    if spot.sprints is not None:
        return 1, reach + sum(map(sprint_value, spot.sprints))
    return reach + spot.n_sprints if thrift and spot.n_sprints else 1, reach + 2 * spot.n_sprints


def had(public: Public, position: int, card: Card) -> bool:
    """Whether he can have held the card: he had more of its pile by then than are known to lie elsewhere."""
    config, pile = public.config, public.config.pile_of[card]
    if pile is None:
        return True
    row = public.row[:position]
    spent = [other for spot in row if spot.sprints is not None for other in (spot.card, *spot.sprints)]
    n_spent = sum(other is not None and config.pile_of[other] == pile for other in spent)
    return config.dealt[pile] + row[-1].n_draws[pile] > n_spent


def has_bluffed(public: Public) -> bool:
    """Whether a turned-up hideout after a known one has a sprint card too many."""
    before: Card | None = 0
    for spot in public.row:
        if before is not None and spot.card is not None and spot.sprints:
            values = [sprint_value(card) for card in spot.sprints]
            if spot.card - before <= public.config.reach + sum(values) - min(values):
                return True
        before = spot.card
    return False
