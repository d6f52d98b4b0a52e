"""The Fugitive who plans against the Marshal's belief."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import ClassVar, NamedTuple

import numpy as np

from manhunt.core.arrays import Floats
from manhunt.core.errors import BadAgent
from manhunt.games.fugitive.agents import planners
from manhunt.games.fugitive.agents.planners import BudgetedPlanner, FugitivePlanner, Placement
from manhunt.games.fugitive.agents.supposed_marshal import SupposedBelief, SupposedHunter, guess_hand, log_chance
from manhunt.games.fugitive.beliefs.models import CHANCE_ONLY, PlayModel, SensiblePlay
from manhunt.games.fugitive.rules.config import Config, sprint_value
from manhunt.games.fugitive.rules.placing import need_of, total_value
from manhunt.games.fugitive.rules.public import Card, Public, with_draw, with_hideout
from manhunt.games.fugitive.rules.views import FugitiveView

N_BLUFFS = 3
"""Sprint cards more than needed that are considered."""
MOST_BLUFFS = 60
N_HUNTS = 4
N_LATE = 4
"""With so few cards in the piles he asks what waiting can lead to."""
WAITING = 0.95
"""What a turn more leaves of his chance to get away."""
CARD_VALUE = 1.5
"""What a card sprints on average."""
N_DRAWN = 6
"""Cards of a pile by which it is judged."""
MODELS: tuple[PlayModel, ...] = (SensiblePlay(), CHANCE_ONLY)
WEIGHTS = np.array(
    [1.12, -0.66, -1.44, 1.03, -0.17, -1.92, 1.01, 0.33, -1.04, -2.3, -0.32, -0.88, 1.3, 0.64, -0.58, 0.45, -1.04]
)
"""Of the terms, fitted to the outcomes of games against bir-2u and exact with both of its models."""


class TurnOption(NamedTuple):
    """A table after one of his turns, with his own cards."""

    public: Public
    hidden: tuple[Card, ...]
    newest: Card
    rest: tuple[Card, ...]
    placements: tuple[Placement, ...]


def worth_of(config: Config, option: TurnOption) -> int:
    """What all his other cards sprint together."""
    return total_value(c for c in option.rest if c != config.last)


def gap_of(config: Config, option: TurnOption) -> int:
    """What he lacks for the escape; not more than 0 if he can pay for it."""
    return config.last - config.reach - option.newest - worth_of(config, option)


def payments(config: Config, hand: Sequence[Card], start: Card, hideout: Card, n_bluffs: int = N_BLUFFS
             ) -> list[tuple[Card, ...]]:  # fmt: skip
    """For each number of sprint cards and of even ones among them, the cards that he misses least."""
    need = need_of(config, start, hideout)
    own = sorted((c for c in hand if c not in (hideout, config.last)), key=lambda c: (c > hideout, c))
    evens, odds = [c for c in own if c % 2 == 0], [c for c in own if c % 2]
    found: list[tuple[Card, ...]] = []
    fewest = None
    for n in range(len(own) + 1):
        if fewest is not None and n > fewest + n_bluffs:
            break
        for n_even in range(max(0, need - n), min(n, len(evens)) + 1):
            if n - n_even <= len(odds):
                fewest = n if fewest is None else fewest
                found.append(tuple(sorted((*evens[:n_even], *odds[: n - n_even]))))
    return found


def placements(config: Config, hand: Sequence[Card], start: Card, n_bluffs: int = N_BLUFFS) -> list[Placement]:
    """The escape among them, which is never paid more than needed."""
    found = []
    for card in hand:
        if card > start:
            options = payments(config, hand, start, card, 0 if card == config.last else n_bluffs)
            found += [Placement(card, sprints) for sprints in options]
    return found


def some_hunters(view: FugitiveView, rng: Random) -> list[SupposedHunter]:
    """Marshals with guessed hands, of each model of his play in turn."""
    return [SupposedHunter(guess_hand(view, rng), MODELS[i % len(MODELS)]) for i in range(N_HUNTS)]


def _ends(lots: Sequence[Sequence[TurnOption]]) -> list[int]:
    """Where one lot ends and the next one begins."""
    return [int(end) for end in np.cumsum([len(lot) for lot in lots])[:-1]]


def survived(n: int, n_hunts: int) -> float:
    """The share of hunts that he got away from, never quite none or all of them."""
    return (n + 0.2) / (n_hunts + 0.4)


class SearchFugitive(BudgetedPlanner, FugitivePlanner):
    """Rates hideouts, bluffs and passes by how near the escape is and what the Marshal could infer."""

    usual_seconds: ClassVar[float] = 0.25

    def __init__(self, bluffs: int = N_BLUFFS) -> None:
        if not 0 <= bluffs <= MOST_BLUFFS:
            raise BadAgent(f"fugitive-search: bluffs must be from 0 to {MOST_BLUFFS}, not {bluffs}")
        self.bluffs = bluffs
        self.weights = WEIGHTS

    def pile(self, view: FugitiveView, piles: tuple[int, ...], rng: Random) -> int:
        """The pile after which the best turn is worth most on average, estimated from some of the unseen cards."""
        values = []
        for pile in piles:
            cards = planners.unseen_of(view, pile)
            drawn = rng.sample(cards, min(len(cards), N_DRAWN))
            after = replace(view, public=with_draw(view.public, pile, view.round))
            lots = [
                self.turns(replace(after, fugitive=tuple(sorted((*view.hand, card)))), min(1, self.bluffs))
                for card in drawn
            ]
            values.append(np.mean([found.max() for found in self.values(after, lots, rng, n_best=1)]))
        return piles[int(np.argmax(values))]

    def opening(self, view: FugitiveView, rng: Random) -> tuple[Placement, ...]:
        options = self.openings(view)
        return self.choose(view, options, rng).placements if options else ()

    def openings(self, view: FugitiveView) -> list[TurnOption]:
        """All pairs of hideouts."""
        config, hand = view.config, view.hand
        options = []
        for first in placements(config, [c for c in hand if c < config.last], 0, self.bluffs):
            rest = tuple(c for c in hand if c != first.hideout and c not in first.sprints)
            public = with_hideout(view.public, len(first.sprints), view.round)
            for second in placements(config, [c for c in rest if c < config.last], first.hideout, self.bluffs):
                left = tuple(c for c in rest if c != second.hideout and c not in second.sprints)
                table = with_hideout(public, len(second.sprints), view.round)
                options.append(
                    TurnOption(table, (first.hideout, second.hideout), second.hideout, left, (first, second))
                )
        return options

    def placement(self, view: FugitiveView, rng: Random) -> Placement | None:
        options = self.turns(view, self.bluffs)
        if not options:
            return None
        chosen = self.choose(view, options, rng).placements
        return chosen[0] if chosen else None

    def turns(self, view: FugitiveView, n_bluffs: int) -> list[TurnOption]:
        """All possible turns after drawing; a pass comes first."""
        config, hand, start, hidden = view.config, view.hand, planners.before(view), tuple(planners.hidden_cards(view))
        options = [TurnOption(view.public, hidden, start, hand, ())] if planners.may_pass(view) else []
        for each in placements(config, hand, start, n_bluffs):
            escapes = each.hideout == config.last
            if escapes and not view.row:
                continue
            left = tuple(c for c in hand if c != each.hideout and c not in each.sprints)
            table = with_hideout(view.public, len(each.sprints), view.round, config.last if escapes else None)
            options.append(
                TurnOption(table, hidden if escapes else (*hidden, each.hideout), each.hideout, left, (each,))
            )
        return options

    def choose(self, view: FugitiveView, options: Sequence[TurnOption], rng: Random) -> TurnOption:
        """The turn with the highest value."""
        is_late = sum(view.pile_sizes) <= N_LATE
        values = self.values(view, [options], rng, n_best=len(options) if is_late else 2)[0]
        if is_late:
            values = self.in_time(view, options, values, some_hunters(view, rng))
        best = int(np.argmax(values))
        self.note(float(values[best]), planners.lead(values.tolist(), best))
        self.counted = {"options": len(options)}
        return options[best]

    def values(
        self, view: FugitiveView, lots: Sequence[Sequence[TurnOption]], rng: Random, n_best: int
    ) -> list[Floats]:
        """The values of all turns, lot by lot; an escape that is not among the `n_best` of its lot may be worth more
        than the value given.
        """
        hands = [guess_hand(view, rng) for _ in MODELS]
        found = np.split(self._of_tables(view, [each for lot in lots for each in lot], hands), _ends(lots))
        for lot, values in zip(lots, found, strict=True):
            for i, option in enumerate(lot):
                if option.newest == view.config.last:
                    least = np.sort(values)[-n_best] if n_best < len(values) else 0.0
                    values[i] = self.survival(view, option, some_hunters(view, rng), float(least))
        return found

    def _of_tables(
        self, view: FugitiveView, options: Sequence[TurnOption], hands: Sequence[tuple[Card, ...]]
    ) -> Floats:
        """The values of those turns that are not escapes."""
        beliefs: dict[tuple[int, ...], list[SupposedBelief]] = {}
        own: defaultdict[tuple[int, ...], list[tuple[Card, ...]]] = defaultdict(list)
        keys = [tuple(spot.n_sprints for spot in option.public.row) for option in options]
        for key, option in zip(keys, options, strict=True):
            own[key].append(option.hidden)
        out = np.zeros(len(options))
        for i, (key, option) in enumerate(zip(keys, options, strict=True)):
            if option.newest == view.config.last:
                continue
            if key not in beliefs:
                if beliefs and not self.spend():
                    continue
                pairs = zip(hands, MODELS, strict=True)
                beliefs[key] = [SupposedBelief(option.public, hand, model, own[key]) for hand, model in pairs]
            out[i] = self.value(view, option, beliefs[key])
        return out

    def value(self, view: FugitiveView, option: TurnOption, beliefs: Sequence[SupposedBelief]) -> float:
        """His winning chance after a turn, by a logistic function of its terms."""
        return float(1 / (1 + np.exp(-self.weights @ self.terms(view, option, beliefs))))

    def terms(self, view: FugitiveView, option: TurnOption, beliefs: Sequence[SupposedBelief]) -> Floats:
        """The terms of a turn's value: distance, reach, hand, and how likely the truth looks to Marshals."""
        config = view.config
        ahead = [c for c in option.rest if option.newest < c < config.last]
        worth, gap = worth_of(config, option), gap_of(config, option)
        reachable = sum(c - option.newest <= config.reach + worth - sprint_value(c) for c in ahead)
        opened = float(view.public.way_is_clear)
        signs = [belief.signs(option.hidden) for belief in beliefs]
        terms = [1.0, gap / 10, max(gap, 0) / 10, min(len(ahead), 6) / 3]
        for sign in signs:
            terms += [log_chance(sign.row), sign.row, log_chance(sign.safest), sign.average]
        terms += [len(option.hidden) / 5, opened, opened * max(gap, 0) / 10, float(reachable > 0), view.round / 10]
        return np.array(terms)

    def survival(
        self, view: FugitiveView, option: TurnOption, hunters: Sequence[SupposedHunter], least: float = 0.0
    ) -> float:
        """The share of manhunts that he survives if this was his escape; 1 if there is none.

        The result may be too low once it cannot exceed `least` any more.
        """
        if view.public.way_is_clear:
            return 1.0
        row = [*view.row, *option.public.row[len(view.row) :]]
        for i, placed in enumerate(option.placements, len(view.row)):
            row[i] = replace(row[i], card=placed.hideout, sprints=placed.sprints)
        n_missed, n_hunts = 0, len(hunters)
        for i, hunter in enumerate(hunters):
            if survived(n_missed + n_hunts - i, n_hunts) <= least:
                break
            n_missed += hunter.misses(option.public, row)
        return survived(n_missed, n_hunts)

    def in_time(
        self, view: FugitiveView, options: Sequence[TurnOption], values: Floats, hunters: Sequence[SupposedHunter]
    ) -> Floats:
        """The values, limited to the chance to get away now or, after anything but an escape, in the next turn.

        A wait is never worth more than what it leads to. The fitted value comes from games that end earlier, and would
        make him wait until all cards are drawn and he has lost (paragraph 11). Turns that cannot be among the two best
        any more count as 0.
        """
        waits = np.array([option.newest != view.config.last for option in options])
        most = 1.0 if view.public.way_is_clear else survived(len(hunters), len(hunters))
        bounds = np.where(waits, np.minimum(values, WAITING * most), values)
        out = np.zeros(len(options))
        best = second = 0.0
        for i in np.argsort(-bounds, kind="stable").tolist():
            if bounds[i] <= second or (best and not self.spend()):
                break
            out[i] = min(float(values[i]), self.way_out(view, options[i], hunters))
            best, second, _ = sorted((best, second, float(out[i])), reverse=True)
        return out if best else values

    def way_out(self, view: FugitiveView, option: TurnOption, hunters: Sequence[SupposedHunter]) -> float:
        """The chance to get away by this escape, or by one in the next turn."""
        if option.newest == view.config.last:
            return self.survival(view, option, hunters)
        return WAITING * self._later(view, option, hunters) if view.round < view.config.max_rounds else 0.0

    def _later(self, view: FugitiveView, option: TurnOption, hunters: Sequence[SupposedHunter]) -> float:
        config = view.config
        paid = payments(config, option.rest, option.newest, config.last, 0)
        if not paid:
            n_turns = -(-gap_of(config, option) // CARD_VALUE)
            return float(WAITING**n_turns) if sum(view.pile_sizes) >= 2 * n_turns else 0.0
        table = with_hideout(option.public, len(paid[0]), view.round, config.last)
        return self.survival(view, option._replace(public=table), hunters)
