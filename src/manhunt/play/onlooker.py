"""A game followed from one seat: stepped by ply or by round, with everything that seat saw kept."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from manhunt.core.game import View
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.outcome import Outcome
from manhunt.play.hindsight import truth_for
from manhunt.play.referee import Notice, Referee

Events = tuple[dict[str, Any], ...]


class Onlooker:
    """Steps a referee's game and keeps the views and events of `seat`.

    With `acting` the seat is moved by `submit`; otherwise it only looks on, and its views offer nothing. `mine` tells
    which of a view's legal actions are to be submitted; where there are none the seat's agent moves. `views` and
    `events` begin with the opening; every ply adds one entry to both. `reveal` puts the truth into both, for trying
    things out: whoever reads them then knows more than the seat may.
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
        self.views: list[View] = [self._shown(referee.view(seat))]
        self.events: list[Events] = [self._readable(referee.events_for(seat))]
        self._first: Seat | None = referee.to_act
        self._last: Seat | None = None
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
        """Whether the seat that began is about to begin again."""
        return self._last is not self._first and self.referee.to_act is self._first

    def step(self) -> None:
        """One player's move; chance in front of it and behind it comes along. Waits where it is the seat's turn."""
        self._draw()
        if not self.over and not self.my_turn:
            self._last = self.referee.to_act
            self.referee.step()
            self._draw()

    def finish_round(self) -> None:
        """To the end of the round that is being played."""
        moved = False
        while not self.over and not self.my_turn and not (moved and self.at_round_start):
            self.step()
            moved = True

    def finish(self) -> None:
        """To the end of the game, or to the seat's next turn."""
        while not self.over and not self.my_turn:
            self.step()

    def submit(self, action: Any) -> None:
        """The seat's own action; IllegalAction leaves everything as it was."""
        seat = self.referee.to_act
        self.referee.submit(action)
        self._last = seat
        self._draw()

    def _draw(self) -> None:
        while self.referee.to_act is Seat.CHANCE:
            self.referee.step()

    def _hear(self, notice: Notice) -> None:
        self.views.append(self._shown(notice.view))
        self.events.append(self._readable(notice.events))

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
