"""The table of Fugitive as the Marshal or a spectator sees it, followed from one event to the next.

The rules make the turns. They are given a state in which every card that was not seen is unknown: a negative number of
its own. So nothing here repeats the rules; it only says what cannot have happened, and turns cards up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count, islice

from manhunt.core.errors import IllegalAction, one_of
from manhunt.core.ids import Seat
from manhunt.core.outcome import Outcome
from manhunt.games.fugitive.rules import rules
from manhunt.games.fugitive.rules.actions import Action, Ask, Done, Name, Pass, TakeFrom
from manhunt.games.fugitive.rules.config import Config, Opening
from manhunt.games.fugitive.rules.public import Card, Phase, Public
from manhunt.games.fugitive.rules.state import Cards, Hideout, State
from manhunt.games.fugitive.rules.views import FugitiveView, view

_TURNS = {
    Phase.FUGITIVE_DRAW: "the Fugitive is to draw",
    Phase.FUGITIVE_PLAY: "the Fugitive has to place a hideout or pass",
    Phase.MARSHAL_DRAW: "the Marshal is to draw",
    Phase.MARSHAL_GUESS: "the Marshal is to guess",
    Phase.MANHUNT: "the Marshal names one number after the other",
    Phase.OVER: "the game is over",
}


@dataclass(frozen=True)
class MarshalTable:
    """Every method gives the next table, or says in an IllegalAction why that cannot happen now."""

    state: State
    found: Cards = ()
    """Numbers of a right guess that have not been turned up yet; till then the guess is not written down."""
    turned: tuple[tuple[int, Card, Cards], ...] = ()
    """What of that guess was turned up: position, card, sprint cards."""

    @classmethod
    def begin(cls, config: Config) -> MarshalTable:
        unknown = count(-1, -1)
        sizes = [len(config.cards_of(i)) - n for i, n in enumerate(config.dealt)]
        piles = tuple(_some(unknown, size) for size in sizes)
        return cls(State(config, piles, _some(unknown, len(config.kept) + sum(config.dealt))))

    @classmethod
    def of(cls, seen: FugitiveView) -> MarshalTable:
        """A game that has begun."""
        unknown = count(-1, -1)
        row = tuple(
            Hideout(
                next(unknown) if spot.card is None else spot.card,
                _some(unknown, spot.n_sprints) if spot.sprints is None else spot.sprints,
                spot.round,
                spot.n_draws,
                face_up=spot.card is not None,
            )
            for spot in seen.row
        )
        fugitive, marshal = (_some(unknown, size) for size in seen.hand_sizes)
        return cls(
            State(
                seen.config,
                tuple(_some(unknown, size) for size in seen.pile_sizes),
                fugitive,
                marshal if seen.marshal is None else seen.marshal,
                row,
                seen.public.draws,
                seen.public.guesses,
                seen.public.n_passes,
                seen.round,
                seen.phase,
                seen.n_left,
                seen.bonus,
                seen.outcome,
                seen.pending,
            )
        )

    @property
    def config(self) -> Config:
        return self.state.config

    @cached_property
    def public(self) -> Public:
        return self.view().public

    @property
    def hand(self) -> Cards:
        """The Marshal's, empty for a spectator."""
        return tuple(card for card in self.state.marshal if card > 0)

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(map(len, self.state.piles))

    @property
    def n_fugitive(self) -> int:
        return len(self.state.fugitive)

    @property
    def end(self) -> Outcome | None:
        return self.state.end

    def view(self, seat: Seat = Seat.PURSUERS) -> FugitiveView:
        """What the seat knows. After the end the cards that stayed face down are still unknown here."""
        return replace(view(self.state._replace(end=None), seat), outcome=self.state.end)

    def _after(self, action: Action, state: State | None = None) -> MarshalTable:
        return MarshalTable(rules.apply_legal(state or self.state, action))

    # -- the Fugitive ------------------------------------------------------------------------------

    def he_draws(self, pile: int) -> MarshalTable:
        self._expect(Phase.FUGITIVE_DRAW)
        if self.state.bonus and any(self.sizes[:pile]):
            raise IllegalAction("the bonus card comes from the lowest pile that is not empty (paragraph 10)")
        return self._takes(pile)

    def he_places(self, n_sprints: int, *, escape: bool = False) -> MarshalTable:
        self._expect(Phase.FUGITIVE_PLAY)
        state, last = self.state, self.config.last
        if n_sprints + 1 > self.n_fugitive:
            raise IllegalAction(f"the Fugitive has {self.n_fugitive} cards, too few for {n_sprints} sprint cards")
        if escape and not state.row:
            raise IllegalAction(f"{last} cannot be the first hideout (paragraph 8)")
        hand = (last, *state.fugitive[1:]) if escape else state.fugitive
        return self._after(Done(), state._replace(fugitive=hand, pending=hand[: n_sprints + 1]))

    def he_passes(self) -> MarshalTable:
        if not (self.state.bonus and self.state.phase is Phase.FUGITIVE_DRAW):
            self._expect(Phase.FUGITIVE_PLAY)
            if (reason := self.against_pass()) is not None:
                raise IllegalAction(reason)
        return self._after(Pass())

    def against_pass(self) -> str | None:
        """Why he cannot pass the placing; None if he can, or if that depends on what was dealt."""
        if self.state.round > 1:
            return None
        if not self.state.row:
            words = "in his first turn the Fugitive places a hideout (paragraph 4)"
            return words if self._surely_places(1) else None
        exact = self.config.opening_hideouts is Opening.EXACTLY_TWO
        return "the opening is exactly two hideouts (paragraph 4)" if exact and self._surely_places(2) else None

    def _surely_places(self, n: int) -> bool:
        """Whether he has so many hideouts to place in his first turn, whatever was dealt: with the cards he keeps."""
        near = [card for card in self.config.kept if card <= self.config.reach and card < self.config.last]
        return len(near) >= n

    # -- the Marshal -------------------------------------------------------------------------------

    def she_draws(self, card: Card) -> MarshalTable:
        self._expect(Phase.MARSHAL_DRAW)
        config = self.config
        pile = config.pile_of[card] if 0 <= card <= config.last else None
        if pile is None:
            held = ", ".join(f"{low} to {high}" for low, high in config.piles)
            raise IllegalAction(f"{card} is in no pile; they hold {held}")
        if card in self.hand:
            raise IllegalAction(f"you hold {card} already")
        if card in self.open_cards():
            raise IllegalAction(f"{card} lies face up on the row")
        return self._takes(pile, card)

    def she_draws_unseen(self, pile: int) -> MarshalTable:
        """For those who do not see the card."""
        self._expect(Phase.MARSHAL_DRAW)
        return self._takes(pile)

    def _takes(self, pile: int, card: Card | None = None) -> MarshalTable:
        piles = list(self.state.piles)
        if not piles[pile]:
            raise IllegalAction(f"the {self.config.pile_names[pile]} pile is empty (paragraph 5)")
        if card is not None:
            piles[pile] = (card, *piles[pile][1:])
        return self._after(TakeFrom(pile), self.state._replace(piles=tuple(piles)))

    def she_names(self, number: Card) -> MarshalTable:
        """One number of a guess; they come ascending."""
        self._expect(Phase.MARSHAL_GUESS)
        return MarshalTable(self.state.naming(number))

    def she_guesses(self, numbers: Cards, hit: bool) -> MarshalTable:
        """A right guess waits for its cards to be turned up."""
        if self.state.phase is not Phase.MANHUNT:
            self._expect(Phase.MARSHAL_GUESS)
        elif len(numbers) != 1:
            raise IllegalAction("in the manhunt one number is named at a time (paragraph 8)")
        last = self.config.last
        if not numbers and self.config.must_guess:
            raise IllegalAction("the Marshal must guess (paragraph 6)")
        if bad := [n for n in numbers if not 1 <= n < last]:
            raise IllegalAction(f"{bad[0]} cannot be guessed; hideouts are numbered 1 to {last - 1} (paragraph 6)")
        if len(set(numbers)) < len(numbers):
            raise IllegalAction("a number is named twice")
        if not hit or not numbers:
            return self._guessed(self.state, numbers)
        if known := [n for n in numbers if n in self.hand or n in self.open_cards()]:
            raise IllegalAction(f"{known[0]} cannot be found: you see it elsewhere")
        n_hidden = self.public.n_hidden
        if len(numbers) > n_hidden:
            raise IllegalAction(f"{len(numbers)} numbers cannot be right with {n_hidden} hideouts face down")
        return MarshalTable(self.state._replace(pending=()), found=tuple(sorted(numbers)))

    def turn_up(self, position: int, card: Card, sprints: Cards) -> MarshalTable:
        """One card of a right guess with what lay under it."""
        if card not in self.found:
            turn = _TURNS[self.state.phase]
            wanted = f"the cards to turn up are {' '.join(map(str, self.found))}" if self.found else turn
            raise IllegalAction(f"{card} cannot be turned up now: {wanted}")
        row = self.public.row
        if not 1 <= position <= len(row) or row[position - 1].card is not None:
            hidden = one_of(str(i) for i, spot in enumerate(row, 1) if spot.card is None)
            raise IllegalAction(f"no hideout {position} lies face down; those that do: {hidden}")
        if any(position == place for place, _, _ in self.turned):
            raise IllegalAction(f"hideout {position} was turned up already")
        if len(sprints) != row[position - 1].n_sprints:
            n = row[position - 1].n_sprints
            raise IllegalAction(f"hideout {position} has {n} sprint card{'s' * (n != 1)}, not {len(sprints)}")
        self._check_unseen(card, sprints)
        turned = (*self.turned, (position, card, tuple(sorted(sprints))))
        left = tuple(n for n in self.found if n != card)
        return replace(self, turned=turned, found=left) if left else self._all_turned(turned)

    def _check_unseen(self, hideout: Card, sprints: Cards) -> None:
        unseen = {hideout, *self.unseen()}
        for i, card in enumerate(sprints):
            if card in self.hand:
                raise IllegalAction(f"{card} is in your hand")
            if card not in unseen or card in (hideout, *sprints[:i], *self.found):
                raise IllegalAction(f"{card} cannot be a sprint card here; it lies elsewhere, or is no such card")

    def unseen(self) -> list[Card]:
        """The cards that may lie under a hideout."""
        seen = {*self.hand, *self.open_cards(), *(c for _, card, under in self.turned for c in (card, *under))}
        end = self.config.last + self.config.allow_last_sprint
        return [card for card in range(1, end) if card not in seen]

    def open_cards(self) -> set[Card]:
        row = self.public.row
        return {card for spot in row for card in (spot.card, *(spot.sprints or ())) if card is not None}

    def _all_turned(self, turned: tuple[tuple[int, Card, Cards], ...]) -> MarshalTable:
        """With its cards known the rules find the guess right."""
        row = list(self.state.row)
        for position, card, sprints in turned:
            row[position - 1] = row[position - 1]._replace(card=card, sprints=sprints)
        return self._guessed(self.state._replace(row=tuple(row)), [card for _, card, _ in turned])

    def _guessed(self, state: State, numbers: Cards | list[Card]) -> MarshalTable:
        if state.phase is Phase.MANHUNT:
            return self._after(Name(numbers[0]), state)
        return self._after(Ask(), state._replace(pending=tuple(sorted(numbers))))

    def _expect(self, phase: Phase) -> None:
        if self.found:
            raise IllegalAction(
                f"first write where {' '.join(map(str, self.found))} lay, such as: show 2 {self.found[0]}"
            )
        if self.state.phase is not phase:
            raise IllegalAction(f"{_TURNS[self.state.phase]} now")


def _some(unknown: Iterator[Card], n: int) -> Cards:
    return tuple(islice(unknown, n))
