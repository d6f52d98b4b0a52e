"""The Marshal who plays by the rules of the guide, each of which can be switched off: a notepad and no counting."""

from collections.abc import Sequence
from random import Random

from manhunt.core.errors import BadAgent, unknown
from manhunt.games.fugitive.agents.planners import MarshalPlanner
from manhunt.games.fugitive.rules.config import sprint_value
from manhunt.games.fugitive.rules.public import Card, Public
from manhunt.games.fugitive.rules.views import FugitiveView

DRAWS = ("near", "low", "middle", "high", "first-high", "any")
NUMBERS = ("sure-and-one", "sure", "one", "two", "all")
NOTHING_KNOWN = 1


class RulesMarshal(MarshalPlanner):
    """Plays by the rules of the guide."""

    def __init__(
        self,
        ranges: bool = True,
        thrift: bool = True,
        piles: bool = True,
        failed: bool = True,
        likely: bool = True,
        far: float = 1.0,
        numbers: str = NUMBERS[0],
        draw: str = DRAWS[0],
        guard: bool = False,
        hunt: str = "narrow",
        allin: float = 9,
        learn: int = 1,
    ) -> None:
        if numbers not in NUMBERS:
            raise BadAgent(unknown("numbers of rules-marshal", numbers, NUMBERS))
        if draw not in DRAWS:
            raise BadAgent(unknown("draw of rules-marshal", draw, DRAWS))
        self.ranges, self.thrift, self.piles, self.failed = ranges, thrift, piles, failed
        self.likely, self.far, self.numbers, self.draw, self.guard = likely, far, numbers, draw, guard
        self.hunting = hunt; self.allin = allin; self.learn = learn

    def notes(self, view: FugitiveView) -> dict[int, frozenset[Card]]:
        for thrift in ((1,2,0) if self.learn==2 else (1,0)) if self.thrift else (0,):
            found = self._notes(view, thrift)
            if all(found.values()):
                return found
        return {}

    def _notes(self, view: FugitiveView, thrift: int) -> dict[int, frozenset[Card]]:
        public, config = view.public, view.config
        row = public.row
        shown = {c for s in row for c in ((s.card, *(s.sprints or ())) if s.card is not None else ())}
        free = [c for c in range(1, config.last) if c not in shown and c not in view.hand]
        lists: list[set[Card]] = [{0}]
        for i, spot in enumerate(row, 1):
            if spot.card is not None:
                lists.append({spot.card})
            else:
                lists.append({c for c in free if not self.piles or self._had(public, i, c)})
        steps = [steps_of(public, i, thrift) for i in range(1, len(row) + 1)]
        while True:
            n_before = sum(map(len, lists))
            self._strike(public, lists)
            for i, (low, high) in enumerate(steps, 1):
                lists[i] = {c for c in lists[i] if any(low <= c - b <= high for b in lists[i - 1])}
            if self.ranges:
                for i in range(len(row), 0, -1):
                    low, high = steps[i - 1]
                    lists[i - 1] = {b for b in lists[i - 1] if any(low <= c - b <= high for c in lists[i])}
            if sum(map(len, lists)) == n_before:
                return {i: frozenset(lists[i]) for i, s in enumerate(row, 1) if s.card is None}

    def _strike(self, public: Public, lists: list[set[Card]]) -> None:
        up = [s.card for s in public.row]
        for guess in public.guesses:
            numbers = set(guess.numbers)
            if guess.hit:
                continue
            if self.failed:
                for cards in lists[1 : guess.n_placed + 1]:
                    if len(cards) == 1:
                        numbers -= cards
            if len(numbers) == 1 and not numbers & set(up):
                for cards in lists[1 : guess.n_placed + 1]:
                    cards -= numbers

    def _had(self, public: Public, position: int, card: Card) -> bool:
        config = public.config
        pile = config.pile_of[card]
        if pile is None:
            return True
        n = config.dealt[pile] + public.row[position - 1].n_draws[pile]
        for s in public.row[:position]:
            if s.card is not None and s.card != config.last:
                n -= sum(config.pile_of[c] == pile for c in (s.card, *(s.sprints or ())))
        return n > 0

    def points(self, notes: dict[int, frozenset[Card]]) -> dict[Card, float]:
        found: dict[Card, float] = {}
        for cards in notes.values():
            for card in cards:
                found[card] = found.get(card, 0.0) + (1 / len(cards) if self.likely else 1)
        return found

    def best(self, points: dict[Card, float]) -> Card:
        return max(sorted(points), key=lambda c: round(points[c] * self.far**c, 9))

    def pile(self, view: FugitiveView, piles: tuple[int, ...], rng: Random) -> int:
        if self.draw == "any":
            return rng.choice(piles)
        if self.draw in ("low", "high") or (self.draw == "first-high" and view.round == 1):
            return piles[0] if self.draw == "low" else piles[-1]
        if self.draw == "middle":
            return 1 if 1 in piles else piles[0]
        points = self.points(self.notes(view))
        return max(piles, key=lambda p: sum(points.get(c, 0) for c in view.config.cards_of(p))/(view.pile_sizes[p]))

    def guess(self, view: FugitiveView, rng: Random) -> Sequence[Card]:
        notes = self.notes(view)
        sure = {c for cards in notes.values() if len(cards) == 1 for c in cards}
        points = self.points(notes)
        if self.guard:
            below = view.config.manhunt_below
            if len(sure) < len(notes):
                sure = {c for c in sure if c < below}
                points = {c: p for c, p in points.items() if c < below} or points
        others = {c: p for c, p in points.items() if c not in sure}
        want = {"sure-and-one": len(sure) + 1, "sure": len(sure) or 1, "one": 1, "two": 2, "all": len(notes)}[self.numbers]
        named = sorted(sure)[:want]
        while len(named) < min(want, len(notes)) and others:
            c = self.best(others)
            named.append(c); del others[c]
        return tuple(sorted(named)) or (NOTHING_KNOWN,)

    def hunt(self, view: FugitiveView, rng: Random) -> Card:
        notes = self.notes(view)
        points = self.points(notes)
        if not points:
            return NOTHING_KNOWN
        if self.hunting == "narrow":
            cards = min(notes.values(), key=len)
            return self.best({c: points[c] for c in cards})
        if self.hunting == "left":
            cards = notes[min(notes)]
            return self.best({c: points[c] for c in cards})
        return self.best(points)


def steps_of(public: Public, position: int, thrift: bool) -> tuple[int, int]:
    """The shortest and the longest step to a position."""
    spot, reach = public.row[position - 1], public.config.reach
    if spot.card is not None and spot.sprints is not None:
        values = [sprint_value(c) for c in spot.sprints]
        return (reach + sum(values) - min(values) + 1 if thrift == 1 and values else 1), reach + sum(values)
    return (reach + spot.n_sprints if thrift and spot.n_sprints else 1), reach + 2 * spot.n_sprints


def n_bluffs(public: Public) -> int:
    """Turned-up hideouts that had more sprint cards than they needed."""
    found, before = 0, 0
    for spot in public.row:
        if before is not None and spot.card is not None and spot.sprints:
            values = [sprint_value(c) for c in spot.sprints]
            found += spot.card - before <= public.config.reach + sum(values) - min(values)
        before = spot.card
    return found
