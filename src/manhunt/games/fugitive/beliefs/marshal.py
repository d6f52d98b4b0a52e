"""The Marshal's belief behind the common contract: which numbers lie face down, event by event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from manhunt.core.belief import Belief
from manhunt.core.errors import BadConfig
from manhunt.core.game import View as AnyView
from manhunt.core.ids import Seat, Side
from manhunt.games.fugitive.beliefs.marshal_table import MarshalTable
from manhunt.games.fugitive.beliefs.models import CHANCE_ONLY, PlayModel
from manhunt.games.fugitive.beliefs.seats import sample_states
from manhunt.games.fugitive.beliefs.worlds import Worlds
from manhunt.games.fugitive.rules.public import Card
from manhunt.games.fugitive.rules.state import State
from manhunt.games.fugitive.rules.views import FugitiveView, known_to


class MarshalBelief(Belief[Card]):
    """The numbers that can be face-down hideouts, from all worlds that fit what was seen (`Worlds`).

    Every face-down hideout is a candidate, and the probabilities add up to their number. A spectator does not see the
    Marshal's hand, so for a spectator her cards may still be in their piles.
    """

    def __init__(self, model: PlayModel = CHANCE_ONLY) -> None:
        self.model = model
        self._counted: tuple[object, Worlds] | None = None

    def start(self, view: AnyView) -> None:
        if not isinstance(view, FugitiveView):
            raise BadConfig(f"this belief is for fugitive, not for {view.game}")
        if view.seat is Seat.EVADER:
            raise BadConfig("the Fugitive knows where he hides; this belief is for the Marshal or for a spectator")
        self._seat, self._table = view.seat, MarshalTable.of(view)
        self._ended = view if view.outcome is not None else None

    def update(self, event: Mapping[str, Any]) -> None:
        hear = self._HEARD.get(event.get("t", ""))
        if hear is not None and self._ended is None:
            hear(self, event)

    def _drew(self, event: Mapping[str, Any]) -> None:
        pile = self._table.config.pile_names.index(event["pile"])
        if event["side"] == Side.EVADER.value:
            self._table = self._table.he_draws(pile)
        elif self._seat is not Seat.PURSUERS:
            self._table = self._table.she_draws_unseen(pile)

    def _card(self, event: Mapping[str, Any]) -> None:
        self._table = self._table.she_draws(event["card"])

    def _placed(self, event: Mapping[str, Any]) -> None:
        self._table = self._table.he_places(event["sprints"], escape=event["card"] is not None)

    def _passed(self, event: Mapping[str, Any]) -> None:
        self._table = self._table.he_passes()

    def _named(self, event: Mapping[str, Any]) -> None:
        self._table = self._table.she_names(event["card"])

    def _guessed(self, event: Mapping[str, Any]) -> None:
        self._table = self._table.she_guesses(tuple(event["numbers"]), event["hit"])

    def _revealed(self, event: Mapping[str, Any]) -> None:
        self._table = self._table.turn_up(event["position"], event["card"], tuple(event["sprints"]))

    def _over(self, event: Mapping[str, Any]) -> None:
        """Everybody sees all cards now."""
        view, cards = self.view, event["row"]
        row = tuple(
            replace(spot, card=each["card"], sprints=tuple(each["sprints"]))
            for spot, each in zip(view.row, cards, strict=True)
        )
        his, hers = tuple(event["fugitive"]), tuple(event["marshal"])
        self._ended = replace(view, public=replace(view.public, row=row), row=row, fugitive=his, marshal=hers)

    _HEARD: Mapping[str, Callable[[MarshalBelief, Mapping[str, Any]], None]] = {
        "drew": _drew,
        "card": _card,
        "placed": _placed,
        "passed": _passed,
        "named": _named,
        "guessed": _guessed,
        "revealed": _revealed,
        "over": _over,
    }

    @property
    def view(self) -> FugitiveView:
        """What the seat knows now; after the end, all cards."""
        return self._table.view(self._seat) if self._ended is None else self._ended

    @property
    def worlds(self) -> Worlds:
        """All worlds that fit, counted on first use; ManhuntError if there are too many."""
        known = known_to(self.view)
        if self._counted is None or self._counted[0] != known:
            self._counted = known, Worlds(*known, self.model)
        return self._counted[1]

    @property
    def candidates(self) -> frozenset[Card]:
        return frozenset(self.probabilities)

    @property
    def probabilities(self) -> Mapping[Card, float]:
        if not self.view.public.n_hidden:
            return {}
        chances = self.worlds.hideouts
        return {number: float(chances[number]) for number in np.flatnonzero(chances).tolist()}

    def sample(self, rng: Random) -> State:
        worlds = None if self._ended is not None else self.worlds
        return sample_states(self.view, rng, 1, worlds)[0]
