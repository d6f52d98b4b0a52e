"""A game followed from one seat: stepped by ply or by round, with everything that seat saw kept."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from manhunt.core.agent import Agent
from manhunt.core.errors import IllegalAction
from manhunt.core.game import View
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.outcome import Outcome
from manhunt.play.hindsight import truth_for
from manhunt.play.referee import Bookmark, Notice, Referee
from manhunt.play.reopening import plies_before, reopen

Events = tuple[dict[str, Any], ...]


class Onlooker:
    """Steps a referee's game and keeps the views and events of `seat`.

    With `acting`, you move the seat by `submit`; otherwise it only watches, and its views offer nothing. `mine` picks
    the legal actions of a view that you submit; if there are none, the seat's agent moves. `views` and `events` begin
    with the opening, and every ply adds one entry to both. `reveal` puts the truth into both, for experiments;
    `opening` and `told` still hold only what the seat knows.
    """

    def __init__(
        self,
        referee: Referee,
        seat: Seat = Seat.SPECTATOR,
        *,
        acting: bool = False,
        mine: Callable[[Any], tuple[Any, ...]] | None = None,
        reveal: bool = False,
    ) -> None:
        self.referee = referee
        self.seat = seat
        self.acting = acting
        self._mine = mine
        self._reveal = reveal
        self.opening: View = referee.view(seat)
        """The first view that the seat had."""
        self.told: list[Events] = [referee.events_for(seat)]
        """The events as the seat may read them, by ply."""
        self.views: list[View] = [self._shown(self.opening)]
        self.events: list[Events] = [self._readable(self.told[0])]
        self._to_act: Seat | None = referee.to_act
        self._first: Seat | None = referee.to_act
        self._movers: list[Seat] = []
        self._submitted: list[bool] = []
        """Of each ply, whether it was for `submit` to make."""
        self._marks: dict[int, Bookmark] = {}
        self._mark()
        referee.register(self._hear, seat)

    @property
    def view(self) -> View:
        """What the seat knows now."""
        return self.views[-1]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.referee.over

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.referee.outcome

    @property
    def fault(self) -> str | None:
        """Why the game was forfeited."""
        return self.referee.fault

    @property
    def my_turn(self) -> bool:
        """Whether the game waits for `submit`."""
        if not self.acting or self.referee.to_act is not self.seat:
            return False
        return self._mine is None or bool(self.view.legal)

    @property
    def at_round_start(self) -> bool:
        """Whether a new round is about to begin."""
        last = self._movers[-1] if self._movers else None
        return last is not self._first and self.referee.to_act is self._first

    def step(self) -> None:
        """Play one player's move with the chance actions around it; does nothing if it is the seat's turn."""
        self._draw()
        if not self.over and not self.my_turn:
            self.referee.step()
            self._draw()

    def finish_round(self) -> None:
        """Play to the end of the current round."""
        moved = False
        while not self.over and not self.my_turn and not (moved and self.at_round_start):
            self.step()
            moved = True

    def finish(self) -> None:
        """Play to the end of the game, or to the seat's next turn."""
        while not self.over and not self.my_turn:
            self.step()

    def submit(self, action: Any) -> None:
        """Make the seat's own action; if it raises IllegalAction, nothing has changed."""
        self.referee.submit(action)
        self._draw()

    def check_take_back(self) -> int:
        """How many plies would remain; IllegalAction if there is nothing to take back."""
        if self.over:
            raise IllegalAction("the game is over; turns can no longer be taken back")
        n_plies = plies_before(self.seat, self._movers, self._submitted.__getitem__)
        if n_plies is None:
            raise IllegalAction("there is nothing to take back yet")
        return n_plies

    def take_back(self, make_agents: Callable[[], Mapping[Seat, Agent]]) -> None:
        """Go back to before the seat's last turn, with new agents that know everything up to then.

        IllegalAction if there is nothing to take back.
        """
        n_plies = self.check_take_back()
        old, agents = self.referee, make_agents()
        for agent in old.agents.values():
            with suppress(Exception):  # whatever a stranger's agent raises, it is of no use any more
                agent.stop()
        self.referee = reopen(old, self._marks[n_plies], agents)
        for kept in (self.views, self.events, self.told):
            del kept[n_plies + 1 :]
        del self._movers[n_plies:], self._submitted[n_plies:]
        self._to_act = self.referee.to_act
        self.referee.register(self._hear, self.seat)

    def _draw(self) -> None:
        while self.referee.to_act is Seat.CHANCE:
            self.referee.step()

    def _hear(self, notice: Notice) -> None:
        assert self._to_act is not None
        self._movers.append(self._to_act)
        self._submitted.append(bool(self.view.legal))
        self._to_act = self.referee.to_act
        self.told.append(notice.events)
        self.views.append(self._shown(notice.view))
        self.events.append(self._readable(notice.events))
        self._mark()

    def _mark(self) -> None:
        """Remember the moments to which `take_back` may lead."""
        if self.view.legal:
            self._marks[len(self._movers)] = self.referee.bookmark()

    def _shown(self, view: View) -> View:
        legal = view.legal if self.acting else ()
        if self.acting and self._mine is not None:
            legal = self._mine(view)
        if self._reveal:
            truth = truth_for(self.referee.game, self.referee.state, self.seat)
            return replace(truth, legal=legal, to_act=view.to_act, outcome=view.outcome)  # type: ignore[type-var]
        return replace(view, legal=legal)  # type: ignore[type-var]

    def _readable(self, events: Events) -> Events:
        """The seat's last events; those that it may not read as others read them, if they are revealed."""
        if not self._reveal:
            return events
        since = self.referee.n_events - len(events)
        versions = zip(events, *(self.referee.events_for(seat, since) for seat in PLAYERS), strict=True)
        return tuple(next((version for version in each if "t" in version), each[0]) for each in versions)
