"""What `minimax` and `champion` share: an agent has a player for its seat, who follows what everybody can see."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.errors import BadAgent
from manhunt.core.game import View
from manhunt.core.ids import Seat
from manhunt.games.scotland_yard.agents.minimax_search.deepening import SearchBudget
from manhunt.games.scotland_yard.beliefs.weighted import WeightedBelief
from manhunt.games.scotland_yard.rules.views import ScotlandYardView
from manhunt.search.bank import BankKeeper

B = TypeVar("B", bound=WeightedBelief)


class SeatPlayer(ABC, Generic[B]):
    """One seat in one game, with what the detectives believe; Mr X works that out as they do, from what is public."""

    def __init__(self, view: ScotlandYardView, belief: B) -> None:
        self.belief = belief
        belief.start(replace(view, seat=Seat.PURSUERS, quarry=None, legal=()))

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        self.belief.observe(event for event in events if event.get("t") != "quarry")

    @abstractmethod
    def act(self, view: ScotlandYardView, budget: SearchBudget, rng: Random) -> Advice: ...


class SeatAgent(Agent):
    """Paces itself, and has a player for the seat it was started with."""

    games = ("scotland_yard",)
    name: ClassVar[str]

    def __init__(self) -> None:
        self._player: SeatPlayer[Any] | None = None
        self._keeper = BankKeeper()

    @abstractmethod
    def player(self, view: ScotlandYardView) -> SeatPlayer[Any]:
        """Who plays the seat of this view in one game."""

    @abstractmethod
    def budget(self, limit: Limit) -> SearchBudget:
        """The tighter of the limit and the agent's own."""

    def start(self, view: View) -> None:
        self._keeper = BankKeeper()
        known = self._known(view)
        self._player = None if known.outcome else self.player(known)

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        if self._player is not None:
            self._player.observe(events)

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        known = self._known(view)
        budget = self.budget(self._keeper.pace(limit, known.moves_left))
        if self._player is None or not self._player.belief.public.fits(known):
            self.start(view)  # asked about a position out of nowhere
        assert self._player is not None
        advice = self._player.act(known, budget, rng)
        self._keeper.done()
        return advice

    def stop(self) -> None:
        self._player = None

    def _known(self, view: View) -> ScotlandYardView:
        if not isinstance(view, ScotlandYardView):
            raise BadAgent(f"agent {self.name} does not play {view.game}; it plays scotland_yard")
        if view.seat not in (Seat.EVADER, Seat.PURSUERS):
            raise BadAgent(f"agent {self.name} does not play the seat {view.seat.value}; it plays evader, pursuers")
        return view
