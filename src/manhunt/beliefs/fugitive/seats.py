"""Whole states that a seat cannot tell from the true one, for planning: the Marshal's and the Fugitive's."""

from __future__ import annotations

from random import Random

from manhunt.beliefs.fugitive.sampling import World
from manhunt.beliefs.fugitive.worlds import Worlds
from manhunt.errors import ManhuntError
from manhunt.games.fugitive.public import Card, Spot
from manhunt.games.fugitive.state import Hideout, State
from manhunt.games.fugitive.views import View
from manhunt.ids import Seat, Side


def state_of(view: View, world: World, rng: Random) -> State:
    """The state in which a world holds, as the Marshal sees it; the order of the piles is drawn by `rng`.

    While the Fugitive is at a decision nothing that he has begun to place is kept.
    """
    if view.marshal is None:
        raise ManhuntError(f"a world needs the Marshal's hand, which the seat {view.seat.value} does not see")
    row = tuple(
        _hideout(spot, card, sprints) for spot, card, sprints in zip(view.row, world.row, world.sprints, strict=True)
    )
    return _state(view, world.piles, world.hand, view.marshal, row, rng)


def sample_states(view: View, rng: Random, n: int, worlds: Worlds | None = None) -> list[State]:
    """States drawn by the seat's belief: for the Marshal over worlds, for the Fugitive over her hand, all alike."""
    if view.seat is Seat.PURSUERS:
        worlds = worlds or Worlds(view.public, view.marshal or ())
        return [state_of(view, world, rng) for world in worlds.sample(rng, n)]
    if view.seat is Seat.EVADER:
        return [_with_marshal(view, rng) for _ in range(n)]
    raise ManhuntError(f"states are drawn for the two players, not for the seat {view.seat.value}")


def _with_marshal(view: View, rng: Random) -> State:
    """Paragraph 9: of her hand he knows how many cards of each pile she drew; she has any of those he never had."""
    config, own = view.config, view.fugitive or ()
    mine = {*own, *(card for spot in view.row for card in (spot.card, *(spot.sprints or ())))}
    hers: list[Card] = []
    piles = []
    for pile in range(len(config.piles)):
        unseen = [card for card in config.cards_of(pile) if card not in mine]
        n_hers = sum(draw.side is Side.PURSUERS and draw.pile == pile for draw in view.public.draws)
        rng.shuffle(unseen)
        hers += unseen[:n_hers]
        piles.append(tuple(unseen[n_hers:]))
    public_row = view.public.row
    row = tuple(
        _hideout(seen, spot.card or 0, spot.sprints or ()) for seen, spot in zip(public_row, view.row, strict=True)
    )
    return _state(view, tuple(piles), own, tuple(sorted(hers)), row, rng)


def _hideout(seen: Spot, card: Card, sprints: tuple[Card, ...]) -> Hideout:
    return Hideout(card, sprints, seen.round, seen.n_draws, face_up=seen.card is not None)


def _state(
    view: View,
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
