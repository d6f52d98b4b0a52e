"""Whole states that a seat cannot tell from the true one, for planning."""

from collections.abc import Sequence
from random import Random

from manhunt.core.ids import Seat, Side
from manhunt.games.fugitive.beliefs.sampling import World
from manhunt.games.fugitive.beliefs.worlds import Worlds
from manhunt.games.fugitive.rules.public import Card, Spot
from manhunt.games.fugitive.rules.state import Hideout, State
from manhunt.games.fugitive.rules.views import FugitiveView, known_to


def state_of(view: FugitiveView, world: World, rng: Random) -> State:
    """The state in which a world holds, as the Marshal or a spectator sees it; `rng` draws the order of the piles.

    While the Fugitive is at a decision nothing that he has begun to place is kept. To a spectator the Marshal's cards
    are any of the piles.
    """
    row = tuple(
        _hideout(spot, card, sprints) for spot, card, sprints in zip(view.row, world.row, world.sprints, strict=True)
    )
    if view.marshal is not None:
        return _state(view, world.piles, world.hand, view.marshal, row, rng)
    marshal, piles = _deal_marshal(view, world.piles, rng)
    return _state(view, piles, world.hand, marshal, row, rng)


def sample_states(view: FugitiveView, rng: Random, n: int, worlds: Worlds | None = None) -> list[State]:
    """States drawn by the seat's belief: for the Fugitive over her hand, all alike, for all others over worlds.

    When the game is over all cards are known, and only the order of the piles is not.
    """
    if view.outcome is not None:
        return [state_of(view, _known_world(view), rng) for _ in range(n)]
    if view.seat is Seat.EVADER:
        return [_with_marshal(view, rng) for _ in range(n)]
    worlds = worlds or Worlds(*known_to(view))
    return [state_of(view, world, rng) for world in worlds.sample(rng, n)]


def _known_world(view: FugitiveView) -> World:
    row = tuple(spot.card or 0 for spot in view.row)
    sprints = tuple(spot.sprints or () for spot in view.row)
    hand = view.fugitive or ()
    gone = {*row, *hand, *(view.marshal or ()), *(card for stack in sprints for card in stack)}
    piles = range(len(view.config.piles))
    return World(row, sprints, hand, tuple(tuple(c for c in view.config.cards_of(p) if c not in gone) for p in piles))


def _deal_marshal(
    view: FugitiveView, unseen: Sequence[Sequence[Card]], rng: Random
) -> tuple[tuple[Card, ...], tuple[tuple[Card, ...], ...]]:
    """A hand for her, as many cards of each pile as she drew, any of the unseen ones; and what is left of the piles."""
    hers: list[Card] = []
    piles = []
    for cards, n_hers in zip(unseen, view.public.n_drawn(Side.PURSUERS), strict=True):
        shuffled = list(cards)
        rng.shuffle(shuffled)
        hers += shuffled[:n_hers]
        piles.append(tuple(shuffled[n_hers:]))
    return tuple(sorted(hers)), tuple(piles)


def _with_marshal(view: FugitiveView, rng: Random) -> State:
    """Paragraph 9: of her hand he knows how many cards of each pile she drew; she has any of those he never had."""
    config, own = view.config, view.fugitive or ()
    mine = {*own, *(card for spot in view.row for card in (spot.card, *(spot.sprints or ())))}
    unseen = [[card for card in config.cards_of(pile) if card not in mine] for pile in range(len(config.piles))]
    marshal, piles = _deal_marshal(view, unseen, rng)
    public_row = view.public.row
    row = tuple(
        _hideout(seen, spot.card or 0, spot.sprints or ()) for seen, spot in zip(public_row, view.row, strict=True)
    )
    return _state(view, piles, own, marshal, row, rng)


def _hideout(seen: Spot, card: Card, sprints: tuple[Card, ...]) -> Hideout:
    return Hideout(card, sprints, seen.round, seen.n_draws, face_up=seen.card is not None)


def _state(
    view: FugitiveView,
    piles: tuple[tuple[Card, ...], ...],
    fugitive: tuple[Card, ...],
    marshal: tuple[Card, ...],
    row: tuple[Hideout, ...],
    rng: Random,
) -> State:
    return State(
        config=view.config,
        piles=tuple(tuple(rng.sample(pile, len(pile))) for pile in piles),
        fugitive=fugitive,
        marshal=marshal,
        row=row,
        draws=view.public.draws,
        guesses=view.public.guesses,
        n_passes=view.public.n_passes,
        round=view.round,
        phase=view.phase,
        pending=view.pending,
        n_left=view.n_left,
        bonus=view.bonus,
        end=view.outcome,
    )
