"""The table of Fugitive as the Marshal sees it, followed by what she can tell of it: no hidden card is known here.

It says the turns of the rules once more, as far as they are public; random games keep the two equal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from manhunt.errors import IllegalAction, one_of
from manhunt.games.fugitive import rules
from manhunt.games.fugitive.config import Config, Opening
from manhunt.games.fugitive.public import Card, Draw, Guess, Phase, Public, Spot
from manhunt.games.fugitive.state import State
from manhunt.games.fugitive.views import View
from manhunt.games.outcome import Outcome
from manhunt.ids import Seat, Side

_FUGITIVES = (Phase.FUGITIVE_DRAW, Phase.FUGITIVE_PLAY)
_TURNS = {
    Phase.FUGITIVE_DRAW: "the Fugitive is to draw",
    Phase.FUGITIVE_PLAY: "the Fugitive is to place a hideout or to pass",
    Phase.MARSHAL_DRAW: "the Marshal is to draw",
    Phase.MARSHAL_GUESS: "the Marshal is to guess",
    Phase.MANHUNT: "the Marshal names one number after the other",
    Phase.OVER: "the game is over",
}


@dataclass(frozen=True)
class Table:
    """Every method gives the next table, or says in an IllegalAction why that cannot happen now."""

    public: Public
    sizes: tuple[int, ...]
    hand: tuple[Card, ...] = ()
    n_fugitive: int = 0
    round: int = 1
    phase: Phase = Phase.FUGITIVE_PLAY
    n_left: int = 0
    bonus: bool = False
    end: Outcome | None = None
    found: tuple[Card, ...] = ()
    """Numbers of a right guess that have not been turned up yet; till then the guess is not written down."""
    turned: tuple[tuple[int, Card, tuple[Card, ...]], ...] = ()
    """What of that guess was turned up: position, card, sprint cards."""

    @classmethod
    def begin(cls, config: Config) -> Table:
        sizes = tuple(len(config.cards_of(i)) - n for i, n in enumerate(config.dealt))
        return cls(Public(config), sizes, n_fugitive=len(config.kept) + sum(config.dealt))

    @property
    def config(self) -> Config:
        return self.public.config

    @property
    def n_hideouts(self) -> int:
        """Cards on the row, the start and the escape not counted."""
        return sum(spot.card != self.config.last for spot in self.public.row)

    def n_drawn(self, side: Side) -> tuple[int, ...]:
        draws = [draw.pile for draw in self.public.draws if draw.side is side]
        return tuple(draws.count(pile) for pile in range(len(self.config.piles)))

    # -- the Fugitive ------------------------------------------------------------------------------

    def he_draws(self, pile: int) -> Table:
        self._expect(Phase.FUGITIVE_DRAW)
        if self.bonus and any(self.sizes[:pile]):
            raise IllegalAction("the bonus card comes from the lowest pile that is not empty (paragraph 10)")
        after = replace(self._take(Side.EVADER, pile), n_fugitive=self.n_fugitive + 1)
        if self.bonus:
            return replace(after, bonus=False)._marshals_turn()
        return replace(after, phase=Phase.FUGITIVE_PLAY)

    def he_places(self, n_sprints: int, *, escape: bool = False) -> Table:
        self._expect(Phase.FUGITIVE_PLAY)
        config = self.config
        if n_sprints + 1 > self.n_fugitive:
            raise IllegalAction(f"the Fugitive has {self.n_fugitive} cards, too few for {n_sprints} sprint cards")
        if escape and not self.public.row:
            raise IllegalAction(f"{config.last} cannot be the first hideout (paragraph 8)")
        spot = Spot(self.round, n_sprints, self.n_drawn(Side.EVADER), config.last if escape else None)
        was_open = any(s.card is not None and s.card >= config.manhunt_below for s in self.public.row)
        public = replace(self.public, row=(*self.public.row, spot))
        after = replace(self, public=public, n_fugitive=self.n_fugitive - 1 - n_sprints)
        if escape:
            if was_open:
                return after._over(rules.ESCAPED)
            return replace(after, phase=Phase.MANHUNT)
        return after if self.round == 1 and len(public.row) == 1 else after._marshals_turn()

    def he_passes(self) -> Table:
        if self.bonus and self.phase is Phase.FUGITIVE_DRAW:
            return replace(self, bonus=False)._marshals_turn()
        self._expect(Phase.FUGITIVE_PLAY)
        if (reason := self.against_pass()) is not None:
            raise IllegalAction(reason)
        config = self.config
        if self.round == 1 and self.public.row:
            return self._marshals_turn()
        passed = replace(self, public=replace(self.public, n_passes=self.public.n_passes + 1))
        idle = 0 if any(self.sizes) else self.round - self._newest_round()
        if idle and idle == config.idle_passes:
            return passed._over(rules.GIVEN_UP)
        if config.pass_bonus and any(self.sizes):
            return replace(passed, phase=Phase.FUGITIVE_DRAW, bonus=True)
        return passed._marshals_turn()

    def against_pass(self) -> str | None:
        """Why he cannot pass the placing; None if he can, or if that depends on what was dealt."""
        if self.round > 1:
            return None
        if not self.public.row:
            words = "in his first turn the Fugitive places a hideout (paragraph 4)"
            return words if self._surely_places(1) else None
        exact = self.config.opening_hideouts is Opening.EXACTLY_TWO
        return "the opening is exactly two hideouts (paragraph 4)" if exact and self._surely_places(2) else None

    def _surely_places(self, n: int) -> bool:
        """Whether he has so many hideouts to place in his first turn, whatever was dealt: with the cards he keeps."""
        near = [card for card in self.config.kept if card <= self.config.reach and card < self.config.last]
        return len(near) >= n

    def _newest_round(self) -> int:
        row, draws = self.public.row, self.public.draws
        return max(row[-1].round if row else 0, draws[-1].round if draws else 0)

    # -- the Marshal -------------------------------------------------------------------------------

    def she_draws(self, card: Card) -> Table:
        self._expect(Phase.MARSHAL_DRAW)
        config = self.config
        pile = config.pile_of[card] if 0 <= card <= config.last else None
        if pile is None:
            raise IllegalAction(f"{card} is in no pile; they hold {_piles_text(config)}")
        if card in self.hand:
            raise IllegalAction(f"you hold {card} already")
        if card in self.open_cards():
            raise IllegalAction(f"{card} lies face up on the row")
        taken = self._take(Side.PURSUERS, pile)
        return replace(taken, hand=tuple(sorted((*self.hand, card))), n_left=self.n_left - 1)._marshal_goes_on()

    def she_guesses(self, numbers: tuple[Card, ...], hit: bool) -> Table:
        """A right guess waits for its cards to be turned up."""
        if self.phase is not Phase.MANHUNT:
            self._expect(Phase.MARSHAL_GUESS)
        elif len(numbers) != 1:
            raise IllegalAction("in the manhunt one number is named at a time (paragraph 8)")
        last = self.config.last
        if not numbers:
            if self.config.must_guess:
                raise IllegalAction("the Marshal must guess (paragraph 6)")
            return self._next_round()
        if bad := [n for n in numbers if not 1 <= n < last]:
            raise IllegalAction(f"{bad[0]} cannot be guessed; hideouts are numbered 1 to {last - 1} (paragraph 6)")
        if len(set(numbers)) < len(numbers):
            raise IllegalAction("a number is named twice")
        if not hit:
            return self._guessed(numbers, hit=False)._after_miss()
        if known := [n for n in numbers if n in self.hand or n in self.open_cards()]:
            raise IllegalAction(f"{known[0]} cannot be found: you see it elsewhere")
        n_hidden = sum(spot.card is None for spot in self.public.row)
        if len(numbers) > n_hidden:
            raise IllegalAction(f"{len(numbers)} numbers cannot be right with {n_hidden} hideouts face down")
        return replace(self, found=tuple(sorted(numbers)), turned=())

    def turn_up(self, position: int, card: Card, sprints: tuple[Card, ...]) -> Table:
        """One card of a right guess with what lay under it."""
        if card not in self.found:
            wanted = f"the cards to turn up are {' '.join(map(str, self.found))}" if self.found else _TURNS[self.phase]
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
        after = replace(self, turned=turned, found=left)
        return after if left else after._all_turned()

    def _check_unseen(self, hideout: Card, sprints: tuple[Card, ...]) -> None:
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

    def _all_turned(self) -> Table:
        row = list(self.public.row)
        for position, card, sprints in self.turned:
            row[position - 1] = replace(row[position - 1], card=card, sprints=sprints)
        numbers = tuple(sorted(card for _, card, _ in self.turned))
        guessed = self._guessed(numbers, hit=True)
        after = replace(guessed, public=replace(guessed.public, row=tuple(row)), turned=())
        if all(spot.card is not None for spot in row):
            return after._over(rules.CAUGHT)
        return after if self.phase is Phase.MANHUNT else after._next_round()

    def _guessed(self, numbers: tuple[Card, ...], *, hit: bool) -> Table:
        guess = Guess(self.round, tuple(sorted(numbers)), hit, self.n_hideouts)
        return replace(self, public=replace(self.public, guesses=(*self.public.guesses, guess)))

    def _after_miss(self) -> Table:
        return self._over(rules.ESCAPED) if self.phase is Phase.MANHUNT else self._next_round()

    # -- both --------------------------------------------------------------------------------------

    def open_cards(self) -> set[Card]:
        row = self.public.row
        return {card for spot in row for card in (spot.card, *(spot.sprints or ())) if card is not None}

    def _expect(self, phase: Phase) -> None:
        if self.found:
            raise IllegalAction(f"first tell where {' '.join(map(str, self.found))} lay, as: show 2 {self.found[0]}")
        if self.phase is not phase:
            raise IllegalAction(f"{_TURNS[self.phase]} now")

    def _take(self, side: Side, pile: int) -> Table:
        if not self.sizes[pile]:
            raise IllegalAction(f"the {self.config.pile_names[pile]} pile is empty (paragraph 5)")
        sizes = (*self.sizes[:pile], self.sizes[pile] - 1, *self.sizes[pile + 1 :])
        draw = Draw(side, pile, self.round, self.n_hideouts)
        return replace(self, sizes=sizes, public=replace(self.public, draws=(*self.public.draws, draw)))

    def _marshals_turn(self) -> Table:
        n_draws = self.config.first_draws if self.round == 1 else 1
        return replace(self, phase=Phase.MARSHAL_DRAW, n_left=n_draws)._marshal_goes_on()

    def _marshal_goes_on(self) -> Table:
        if self.n_left and any(self.sizes):
            return self
        return replace(self, phase=Phase.MARSHAL_GUESS, n_left=0)

    def _next_round(self) -> Table:
        if self.round == self.config.max_rounds:
            return self._over(rules.NOT_ESCAPED)
        phase = Phase.FUGITIVE_DRAW if any(self.sizes) else Phase.FUGITIVE_PLAY
        return replace(self, round=self.round + 1, phase=phase)

    def _over(self, end: Outcome) -> Table:
        return replace(self, phase=Phase.OVER, end=end)

    def view(self) -> View:
        """What the Marshal knows. After the end the cards that stayed face down are still unknown here."""
        acting = None if self.end is not None else Seat.EVADER if self.phase in _FUGITIVES else Seat.PURSUERS
        fields: dict[str, Any] = {"n_left": self.n_left, "bonus": self.bonus, "round": self.round}
        return View(
            config=self.config,
            seat=Seat.PURSUERS,
            public=self.public,
            row=self.public.row,
            fugitive=None,
            marshal=self.hand,
            pending=(),
            pile_sizes=self.sizes,
            hand_sizes=(self.n_fugitive, len(self.hand)),
            phase=self.phase,
            to_act=acting,
            legal=self._legal() if acting is Seat.PURSUERS else (),
            outcome=self.end,
            **fields,
        )

    def _legal(self) -> tuple[Any, ...]:
        """The Marshal's actions do not depend on hidden cards."""
        piles = tuple((0,) * size for size in self.sizes)
        stand_in = State(self.config, piles, (), self.hand, phase=self.phase, n_left=self.n_left)
        return rules.legal_actions(stand_in)


def _piles_text(config: Config) -> str:
    return ", ".join(f"{low} to {high}" for low, high in config.piles)
