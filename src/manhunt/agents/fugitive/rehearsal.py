"""What an agent would do with a whole turn: it is asked step by step, before anything is played."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from manhunt.agents.base import Agent, Limit
from manhunt.agents.fugitive.planned import Placement
from manhunt.games.fugitive import placing
from manhunt.games.fugitive.actions import Action, Ask, Done, Hide, Name, Sprint
from manhunt.games.fugitive.public import Card
from manhunt.games.fugitive.state import Hideout, State
from manhunt.games.fugitive.views import View


def rehearsed_guess(agent: Agent, view: View, limit: Limit, rng: Random) -> tuple[Card, ...]:
    """The numbers that she would name from here on."""
    named: tuple[Card, ...] = ()
    while True:
        first = named[-1] + 1 if named else 1
        legal: tuple[Action, ...] = tuple(map(Name, range(first, view.config.last)))
        if named or not view.config.must_guess:
            legal = (*legal, Ask())
        step = agent.act(replace(view, pending=named, legal=legal), limit, rng).action
        if not isinstance(step, Name) or step.number < first:
            return named
        named = (*named, step.number)


def rehearsed_placement(agent: Agent, view: View, limit: Limit, rng: Random) -> Placement | None:
    """The hideout that he would place, with its sprint cards; None if he would pass."""
    step = agent.act(view, limit, rng).action
    if not isinstance(step, Hide):
        return None
    pending: tuple[Card, ...] = (step.card,)
    while True:
        state = state_of(view, pending)
        legal: tuple[Action, ...] = tuple(map(Sprint, placing.sprints_of(state)))
        if placing.is_complete(state):
            legal = (*legal, Done())
        step = agent.act(replace(view, pending=pending, legal=legal), limit, rng).action
        if not isinstance(step, Sprint) or step not in legal:
            return Placement(pending[0], pending[1:])
        pending = (*pending, step.card)


def state_of(view: View, pending: tuple[Card, ...]) -> State:
    """What the Fugitive knows as a state, as far as placing a hideout asks for it; piles are unknown, so empty."""
    row = tuple(Hideout(spot.card or 0, spot.sprints or (), spot.round, spot.n_draws) for spot in view.row)
    piles: tuple[tuple[Card, ...], ...] = ((),) * len(view.config.piles)
    return State(view.config, piles, view.hand, row=row, round=view.round, pending=pending)
