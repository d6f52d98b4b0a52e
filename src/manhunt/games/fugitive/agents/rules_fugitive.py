"""The Fugitive who plays by the guide: short steps, cards that are of no more use as sprints, no look at her belief."""

from random import Random

from manhunt.core.errors import BadAgent, unknown
from manhunt.games.fugitive.agents.planners import FugitivePlanner, Placement, before, may_pass
from manhunt.games.fugitive.rules.actions import Pass
from manhunt.games.fugitive.rules.config import Config, sprint_value
from manhunt.games.fugitive.rules.placing import need_of, total_value
from manhunt.games.fugitive.rules.public import Card
from manhunt.games.fugitive.rules.views import FugitiveView

DRAWS = ("near", "low", "middle", "high", "any")
STEPS = ("free", "far", "any")
BLUFFS = ("half", "never", "always")
BLUFF = 0.5
SAFE = 2
"""Face-down hideouts with which he may wait."""
MOST_HIDDEN = 60


class RulesFugitive(FugitivePlanner):
    """Plays by the guide for human players; every rule can be switched off.

    `dead`: sprint cards are numbers behind him where he has them, else any. `odd`: odd ones of them first. `wait`: with
    two hideouts face down he passes rather than spend a card ahead of him. `two`: he opens with two hideouts. `run`: he
    escapes as soon as he can if so many hideouts lie face down, the way is clear or no card is left to draw.
    """

    def __init__(
        self,
        draw: str = DRAWS[0],
        step: str = STEPS[0],
        bluff: str = BLUFFS[0],
        dead: bool = True,
        odd: bool = False,
        wait: bool = False,
        two: bool = True,
        run: int = 4,
    ) -> None:
        for name, value, known in (("draw", draw, DRAWS), ("step", step, STEPS), ("bluff", bluff, BLUFFS)):
            if value not in known:
                raise BadAgent(unknown(f"{name} of rules-fugitive", value, known))
        if not 1 <= run <= MOST_HIDDEN:
            raise BadAgent(f"rules-fugitive: run must be from 1 to {MOST_HIDDEN}, not {run}")
        self.draw, self.step, self.bluff, self.dead, self.odd = draw, step, bluff, dead, odd
        self.wait, self.two, self.run = wait, two, run

    def pile(self, view: FugitiveView, piles: tuple[int, ...], rng: Random) -> int:
        """`near`: the lowest pile that can hold a number as far ahead as a free step goes."""
        if self.draw == "any":
            return rng.choice(piles)
        ends = [high for _, high in view.config.piles]
        if self.draw == "near":
            ahead = before(view) + view.config.reach
            return next((pile for pile in piles if ends[pile] >= ahead), piles[-1])
        wanted = {"low": 0, "middle": len(ends) // 2, "high": len(ends) - 1}[self.draw]
        return min(piles, key=lambda pile: abs(pile - wanted))

    def opening(self, view: FugitiveView, rng: Random) -> tuple[Placement, ...]:
        first = self._hideout(view.config, view.hand, 0, rng)
        if first is None:
            return ()
        rest = tuple(card for card in view.hand if card not in (first.hideout, *first.sprints))
        second = self._hideout(view.config, rest, first.hideout, rng) if self.two else None
        return (first,) if second is None else (first, second)

    def placement(self, view: FugitiveView, rng: Random) -> Placement | None:
        config, hand, start = view.config, view.hand, before(view)
        if not may_pass(view):
            return None if Pass() in view.legal else self._hideout(config, hand, start, rng)
        hurried = not any(view.pile_sizes)
        escape = self._payment(config, hand, start, config.last, rng) if config.last in hand else None
        if escape is not None and (view.public.way_is_clear or view.public.n_hidden >= self.run or hurried):
            return Placement(config.last, escape)
        return self._hideout(config, hand, start, rng, self.wait and not hurried and view.public.n_hidden >= SAFE)

    def _hideout(self, config: Config, hand: tuple[Card, ...], start: Card, rng: Random, waits: bool = False
                 ) -> Placement | None:  # fmt: skip
        options = []
        for card in hand:
            sprints = self._payment(config, hand, start, card, rng) if start < card < config.last else None
            if sprints is not None:
                options.append(Placement(card, sprints))
        cheap = [each for each in options if not n_ahead(each)]
        if not cheap:
            return None if waits or not options else min(options, key=lambda each: (n_ahead(each), -each.hideout))
        free = [each for each in cheap if not each.sprints]
        if self.step == "any":
            chosen = rng.choice(cheap)
        else:
            chosen = cheap[-1] if self.step == "far" else (free[-1] if free else cheap[0])
        return self._with_bluff(hand, chosen, rng)

    def _with_bluff(self, hand: tuple[Card, ...], chosen: Placement, rng: Random) -> Placement:
        """One more card from behind, odd and low ones first."""
        behind = [card for card in hand if card < chosen.hideout and card not in chosen.sprints]
        if self.bluff == "never" or not behind or (self.bluff == "half" and rng.random() < BLUFF):
            return chosen
        more = min(behind, key=lambda card: (card % 2 == 0, card))
        return Placement(chosen.hideout, (*chosen.sprints, more))

    def _payment(self, config: Config, hand: tuple[Card, ...], start: Card, hideout: Card, rng: Random
                 ) -> tuple[Card, ...] | None:  # fmt: skip
        """Cards in the order of the rule until they suffice, then those taken back that were not needed."""
        need, chosen = need_of(config, start, hideout), list[Card]()
        cards = [card for card in hand if card not in (hideout, config.last)]
        if self.dead:
            cards.sort(key=lambda card: (card > hideout, (card % 2 == 1) ^ self.odd, card))
        else:
            rng.shuffle(cards)
        for card in cards:
            if total_value(chosen) < need:
                chosen.append(card)
        spare = total_value(chosen) - need
        if spare < 0:
            return None
        for card in sorted(chosen, reverse=True):
            if sprint_value(card) <= spare:
                chosen.remove(card)
                spare -= sprint_value(card)
        return tuple(chosen)


def n_ahead(placement: Placement) -> int:
    """Sprint cards that could have become hideouts later."""
    return sum(card > placement.hideout for card in placement.sprints)
