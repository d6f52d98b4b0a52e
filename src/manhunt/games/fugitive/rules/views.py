"""What each seat of Fugitive may know, now and event by event (paragraph 9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from manhunt.core.events import Event
from manhunt.core.ids import EVERYBODY, Seat, Side
from manhunt.core.outcome import Outcome
from manhunt.core.short_repr import line_repr
from manhunt.games.fugitive.rules import rules
from manhunt.games.fugitive.rules.actions import Action, Ask, Done, Hide, Name, Sprint, TakeFrom
from manhunt.games.fugitive.rules.config import Config
from manhunt.games.fugitive.rules.messages import (
    Begun,
    CardDrawn,
    Drew,
    Guessed,
    Hand,
    Named,
    Over,
    Passed,
    Placed,
    Revealed,
    RowCard,
    RowSpot,
    ViewMessage,
)
from manhunt.games.fugitive.rules.public import Card, Phase, Public, Spot, without_marshal_draws
from manhunt.games.fugitive.rules.state import Hideout, State

if TYPE_CHECKING:
    from manhunt.core.arrays import Int8s

FUGITIVE_ALONE = frozenset({Seat.EVADER})
MARSHAL_ALONE = frozenset({Seat.PURSUERS})


@dataclass(frozen=True, slots=True)
class FugitiveView:
    """What a seat sees. `row` is the public row, for the Fugitive with all its cards; hidden hands are None.

    After the end everybody sees everything but the order of the piles.
    """

    config: Config
    """The options of the game."""
    seat: Seat
    """Whose knowledge this is."""
    public: Public
    """The table as everybody sees it: draws by pile, row, guesses."""
    row: tuple[Spot, ...]
    """The row of hideouts; for the Fugitive with all its cards, for others face-down cards are None."""
    fugitive: tuple[Card, ...] | None
    """The Fugitive's hand; None for those who may not see it."""
    marshal: tuple[Card, ...] | None
    """The Marshal's hand; None for those who may not see it."""
    pending: tuple[Card, ...]
    """For the Fugitive the hideout being placed and its sprint cards so far, for the Marshal her guess so far."""
    pile_sizes: tuple[int, ...]
    """Cards left in each pile, in the order of the config."""
    hand_sizes: tuple[int, int]
    """Fugitive and Marshal; cards being placed are still counted."""
    n_left: int
    """Cards that the Marshal still draws in this turn."""
    bonus: bool
    """The Fugitive has passed and may take the bonus card of paragraph 10."""
    round: int
    """The round that is being played, counted from 1."""
    phase: Phase
    """Which kind of decision comes next."""
    to_act: Seat | None
    """Who acts now; None when the game is over."""
    legal: tuple[Action, ...]
    """What this seat may do now, in a fixed order; empty when another seat acts."""
    outcome: Outcome | None
    """How the game ended; None while it goes on."""
    game: ClassVar[str] = "fugitive"
    """The game's name in the registry."""

    @property
    def hand(self) -> tuple[Card, ...]:
        """The seat's own cards, ascending."""
        own = self.fugitive if self.seat is Seat.EVADER else self.marshal if self.seat is Seat.PURSUERS else None
        return () if own is None else own

    @property
    def guess_mask(self) -> Int8s:
        """By number, 1 if it can still be a face-down hideout; computed from the quick notes when you ask for it."""
        from manhunt.games.fugitive.beliefs.guess_mask import guess_mask

        return guess_mask(self)

    def __repr__(self) -> str:
        from manhunt.games.fugitive.rules.notation import format_view

        return line_repr(self, format_view)

    def _repr_svg_(self) -> str:
        from manhunt.draw.scenes import draw_view

        return draw_view(self)


def view_to_json(view: FugitiveView) -> ViewMessage:
    """Cards are their numbers; piles are counted from 0, in the order of the config."""
    public = view.public
    row = [_spot_to_json(spot, shown.card is not None) for spot, shown in zip(view.row, public.row, strict=True)]
    return {
        "seat": view.seat.value,
        "round": view.round,
        "phase": view.phase.value,
        "to_act": view.to_act.value if view.to_act else None,
        "fugitive": None if view.fugitive is None else list(view.fugitive),
        "marshal": None if view.marshal is None else list(view.marshal),
        "pending": list(view.pending),
        "row": row,
        "pile_sizes": list(view.pile_sizes),
        "hand_sizes": list(view.hand_sizes),
        "n_left": view.n_left,
        "bonus": view.bonus,
        "draws": [
            {"side": d.side.value, "pile": d.pile, "round": d.round, "n_placed": d.n_placed} for d in public.draws
        ],
        "guesses": [
            {"round": g.round, "numbers": list(g.numbers), "hit": g.hit, "n_placed": g.n_placed} for g in public.guesses
        ],
        "n_passes": public.n_passes,
        "guess_mask": view.guess_mask.tolist() if view.seat is Seat.PURSUERS else None,
        "outcome": str(view.outcome) if view.outcome else None,
    }


def _spot_to_json(spot: Spot, face_up: bool) -> RowSpot:
    return {
        "round": spot.round,
        "n_sprints": spot.n_sprints,
        "n_draws": list(spot.n_draws),
        "card": spot.card,
        "sprints": None if spot.sprints is None else list(spot.sprints),
        "face_up": face_up,
    }


def spot_of(hideout: Hideout, config: Config, *, known: bool) -> Spot:
    """A position as everybody sees it, or with its cards if they are known. The escape hides its sprint cards."""
    shows_sprints = known or (hideout.face_up and hideout.card != config.last)
    return Spot(
        hideout.round,
        len(hideout.sprints),
        hideout.n_draws,
        hideout.card if known or hideout.face_up else None,
        hideout.sprints if shows_sprints else None,
    )


def public_of(state: State) -> Public:
    """Paragraph 9."""
    over = state.end is not None
    row = tuple(spot_of(hideout, state.config, known=over) for hideout in state.row)
    return Public(state.config, state.draws, row, state.guesses, state.n_passes)


def view(state: State, seat: Seat) -> FugitiveView:
    over = state.end is not None
    is_fugitive, is_marshal = seat is Seat.EVADER or over, seat is Seat.PURSUERS or over
    public, acting = public_of(state), rules.to_act(state)
    row = tuple(spot_of(hideout, state.config, known=True) for hideout in state.row) if is_fugitive else public.row
    return FugitiveView(
        config=state.config,
        seat=seat,
        public=public,
        row=row,
        fugitive=state.fugitive if is_fugitive else None,
        marshal=state.marshal if is_marshal else None,
        pending=state.pending if acting is seat else (),
        pile_sizes=tuple(map(len, state.piles)),
        hand_sizes=(len(state.fugitive), len(state.marshal)),
        n_left=state.n_left,
        bonus=state.bonus,
        round=state.round,
        phase=state.phase,
        to_act=acting,
        legal=rules.legal_actions(state) if acting is seat else (),
        outcome=state.end,
    )


def known_to(view: FugitiveView) -> tuple[Public, tuple[Card, ...]]:
    """What a seat can reason from: the table and her hand for the Marshal, the table alone for all others."""
    if view.seat is Seat.PURSUERS:
        return view.public, view.marshal or ()
    return without_marshal_draws(view.public), ()


def opening_events(state: State) -> tuple[Event, ...]:
    """Two: the table for all, the hand for the Fugitive."""
    piles = dict(zip(state.config.pile_names, map(len, state.piles), strict=True))
    return (
        Event("begun", Begun(last=state.config.last, piles=piles, fugitive=len(state.fugitive))),
        Event("hand", Hand(cards=list(state.fugitive)), FUGITIVE_ALONE),
    )


def events(before: State, action: Action, after: State) -> tuple[Event, ...]:
    """What happened, and after the last ply how it ended with all cards.

    A draw makes two events (the pile for all, the card for who drew it), every other action one; a hit makes one more
    for each card turned up. All of that can be counted by everybody at the latest when the turn is over.
    """
    happened = _action_events(before, action, after)
    return happened if after.end is None else (*happened, _over(after))


def _action_events(before: State, action: Action, after: State) -> tuple[Event, ...]:
    if isinstance(action, TakeFrom):
        return _drew(before, action.pile)
    if isinstance(action, Hide | Sprint):
        word = "hideout" if isinstance(action, Hide) else "sprint"
        return (Event("named", Named({"as": word, "card": action.card}), FUGITIVE_ALONE),)
    if isinstance(action, Done):
        placed = after.row[-1]
        card = placed.card if placed.face_up else None
        return (Event("placed", Placed(position=len(after.row), sprints=len(placed.sprints), card=card)),)
    if isinstance(action, Ask) or (isinstance(action, Name) and before.phase is Phase.MANHUNT):
        return _guessed(before, after)
    if isinstance(action, Name):
        return (Event("named", Named({"as": "guess", "card": action.number}), MARSHAL_ALONE),)
    return (Event("passed", Passed(round=before.round)),)


def _drew(before: State, pile: int) -> tuple[Event, ...]:
    side = Side.EVADER if before.phase is Phase.FUGITIVE_DRAW else Side.PURSUERS
    alone = FUGITIVE_ALONE if side is Side.EVADER else MARSHAL_ALONE
    drew = Event("drew", Drew(side=side.value, pile=before.config.pile_names[pile]), EVERYBODY)
    return (drew, Event("card", CardDrawn(card=before.piles[pile][0]), alone))


def _guessed(before: State, after: State) -> tuple[Event, ...]:
    """The guess, and each card that it turned up."""
    if len(after.guesses) == len(before.guesses):
        return (Event("guessed", Guessed(round=before.round, numbers=[], hit=False)),)
    guess = after.guesses[-1]
    found = [Event("guessed", Guessed(round=guess.round, numbers=list(guess.numbers), hit=guess.hit))]
    for position, (old, new) in enumerate(zip(before.row, after.row, strict=True), 1):
        if new.face_up and not old.face_up:
            found.append(Event("revealed", Revealed(position=position, card=new.card, sprints=list(new.sprints))))
    return tuple(found)


def _over(state: State) -> Event:
    """How it ended, and all cards."""
    row = [RowCard(card=hideout.card, sprints=list(hideout.sprints)) for hideout in state.row]
    hands = list(state.fugitive), list(state.marshal)
    return Event("over", Over(outcome=str(state.end), row=row, fugitive=hands[0], marshal=hands[1]))
