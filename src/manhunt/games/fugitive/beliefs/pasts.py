"""Whole games of Fugitive that look the same to one seat: a world is drawn from its belief, and then how it came about.

A sampled state says which cards lie where, not when they were drawn. He had a card before he placed it, so of the
draws from one pile each of his cards has a last one that it can have come with; any order that keeps to this is as
likely as any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from manhunt.core.errors import IllegalAction, ManhuntError
from manhunt.core.game import Setup
from manhunt.core.ids import Seat, Side
from manhunt.games.fugitive.beliefs.seats import sample_states
from manhunt.games.fugitive.beliefs.worlds import Worlds
from manhunt.games.fugitive.rules import rules
from manhunt.games.fugitive.rules.actions import Action, Ask, Done, Hide, Name, Pass, Sprint, TakeFrom
from manhunt.games.fugitive.rules.public import Card, Phase, Public
from manhunt.games.fugitive.rules.state import State
from manhunt.games.fugitive.rules.views import FugitiveView, known_to

MOST_TRIES = 2_000
Look = dict[str, Any]
Plies = Sequence[tuple[list[Look], Action | None]]
"""What the seat saw of each ply and its own action in it, the opening first."""


def sample_past(view: FugitiveView, plies: Plies, rng: Random) -> tuple[Setup, list[Action]]:
    """The setup and the actions of a game in which the view's seat saw and did the same."""
    needs_worlds = view.seat is Seat.PURSUERS and view.outcome is None
    worlds = _worlds(*known_to(view)) if needs_worlds else None
    for _ in range(MOST_TRIES):
        state = sample_states(view, rng, 1, worlds)[0]
        setup = _setup_of(view, plies, state, rng)
        try:
            return setup, _play(view, plies, state, setup, rng)
        except IllegalAction:
            continue  # the belief knows no rule that depends on the rest of his hand
    raise ManhuntError("no game of Fugitive was found that looks like this one; try another seed")


@lru_cache(maxsize=4)
def _worlds(public: Public, hand: tuple[Card, ...]) -> Worlds:
    """A search draws many worlds from the same position."""
    return Worlds(public, hand)


def _setup_of(view: FugitiveView, plies: Plies, state: State, rng: Random) -> Setup:
    dealt, piles = [], []
    for pile, n_dealt in enumerate(view.config.dealt):
        his = _his_cards(view, plies, state, pile, rng)
        hers = _her_cards(view, plies, state, pile, rng)
        dealt.append([next(his) for _ in range(n_dealt)])
        sides = [draw.side for draw in view.public.draws if draw.pile == pile]
        piles.append([*(next(his if side is Side.EVADER else hers) for side in sides), *state.piles[pile]])
    return {"dealt": dealt, "piles": piles}


def _his_cards(view: FugitiveView, plies: Plies, state: State, pile: int, rng: Random) -> Iterator[Card]:
    """The Fugitive's cards of a pile in the order in which he got them, the dealt ones first."""
    config = view.config
    if view.seat is Seat.EVADER:
        dealt = [card for card in plies[0][0][1]["cards"] if config.pile_of[card] == pile]
        return iter([*dealt, *_drawn_by_seat(plies, config.pile_names[pile])])
    n_dealt = config.dealt[pile]
    n_slots = n_dealt + view.public.n_drawn(Side.EVADER)[pile]
    last_slot = dict.fromkeys(state.fugitive, n_slots)
    for hideout in state.row:
        last_slot |= dict.fromkeys((hideout.card, *hideout.sprints), n_dealt + hideout.n_draws[pile])
    left = [card for card in last_slot if config.pile_of[card] == pile]
    order = []
    for slot in reversed(range(n_slots)):
        order.append(rng.choice([card for card in left if last_slot[card] > slot]))
        left.remove(order[-1])
    return reversed(order)


def _her_cards(view: FugitiveView, plies: Plies, state: State, pile: int, rng: Random) -> Iterator[Card]:
    """The Marshal's cards of a pile in the order in which she drew them."""
    if view.seat is Seat.PURSUERS:
        return _drawn_by_seat(plies, view.config.pile_names[pile])
    cards = [card for card in state.marshal if view.config.pile_of[card] == pile]
    return iter(rng.sample(cards, len(cards)))


def _drawn_by_seat(plies: Plies, pile: str) -> Iterator[Card]:
    draws = (looks for looks, action in plies if isinstance(action, TakeFrom))
    return (card["card"] for drew, card, *_ in draws if drew["pile"] == pile)


def _play(view: FugitiveView, plies: Plies, state: State, setup: Setup, rng: Random) -> list[Action]:
    """The actions, tried one after the other; IllegalAction if the rules do not allow one."""
    now, made = rules.start(view.config, setup["dealt"], setup["piles"]), list[Action]()
    hidden = _his_steps(state) if view.seat is Seat.PURSUERS else _her_steps(plies)
    for looks, own in plies[1:]:
        action = own or _seen_action(now, looks[0]) or next(hidden, None)
        if action is None:  # this and what follows is not shown yet
            hidden = iter(_begun(now, len(plies) - 1 - len(made), rng))
            action = next(hidden)
        now = rules.apply_action(now, action)
        made.append(action)
    return made


def _seen_action(now: State, look: Look) -> Action | None:
    """What the other side did, where everybody can see it; None for a card or number that is not shown."""
    match look.get("t"):
        case "drew":
            return TakeFrom(now.config.pile_names.index(look["pile"]))
        case "placed":
            return Done()
        case "passed":
            return Pass()
        case "guessed":
            return Name(look["numbers"][0]) if look["numbers"] and not now.pending else Ask()
    return None


def _his_steps(state: State) -> Iterator[Action]:
    """The cards that he named, for what lies on the row."""
    for hideout in state.row:
        yield Hide(hideout.card)
        yield from map(Sprint, sorted(hideout.sprints))


def _her_steps(plies: Plies) -> Iterator[Action]:
    """The numbers that she named before she asked; those of the manhunt are seen at once."""
    n_named = 0
    for looks, action in plies[1:]:
        n_named += action is None and "t" not in looks[0]
        if looks[0].get("t") == "guessed" and n_named:
            yield from map(Name, looks[0]["numbers"])
            n_named = 0


def _begun(now: State, n: int, rng: Random) -> list[Action]:
    """The first n steps of a guess or of a hideout, of which the seat saw only that they were made."""
    if now.phase is Phase.MARSHAL_GUESS:
        return [Name(number) for number in sorted(_some(range(1, now.config.last), n, rng))]
    [hide] = _some([action for action in rules.legal_actions(now) if isinstance(action, Hide)], 1, rng)
    if n == 1:
        return [hide]
    sprints = [action for action in rules.legal_actions(rules.apply_action(now, hide)) if isinstance(action, Sprint)]
    return [hide, *sorted(_some(sprints, n - 1, rng))]


def _some(things: Sequence[Any], n: int, rng: Random) -> list[Any]:
    if len(things) < n:
        raise IllegalAction(f"{n} of {len(things)} cannot be named")
    return rng.sample(things, n)
