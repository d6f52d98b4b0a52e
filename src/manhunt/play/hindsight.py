"""A finished game looked back on: the truth and what each seat knew, ply by ply.

Ply 0 is the start; ply n is the moment after n actions. A track is the truth or one seat's knowledge.
"""

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import cached_property
from typing import Any

from manhunt.core.errors import BadText, unknown
from manhunt.core.events import Event, number_events
from manhunt.core.game import AnyGame, View
from manhunt.core.ids import Node, Seat
from manhunt.core.registry import kit_of
from manhunt.play.record import Record, replay

TRUTH = "truth"
HIDDEN = "hidden"
SEATS = (Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR)


def truth_for(game: AnyGame, state: Any, seat: Seat) -> View:
    """The truth as a view: what the evader knows, and where that is nothing, what the pursuers know; without offers."""
    view, other = game.view(state, Seat.EVADER), game.view(state, Seat.PURSUERS)
    unseen = {field.name: getattr(other, field.name) for field in fields(view) if getattr(view, field.name) is None}
    truth: View = replace(view, **{**unseen, "seat": seat, "legal": ()})
    return truth


class Hindsight:
    """Everything about a finished game; BadText for an unfinished one, which still has secrets."""

    def __init__(self, record: Record, source: str = "") -> None:
        if record.outcome is None:
            where = f"{source}: " if source else ""
            raise BadText(f"{where}the game is not over; this would show what is still hidden")
        played = replay(record, source or "record")
        self.record = record
        self.game: AnyGame = played.game
        self.config: Any = played.config
        self.actions: tuple[Any, ...] = played.actions
        self.states: tuple[Any, ...] = played.states
        self.forfeited: bool = self.game.outcome(self.states[-1]) is None
        """Whether it ended without its rules: somebody resigned, or failed."""

    @property
    def last(self) -> int:
        """The number of the last ply."""
        return len(self.actions)

    @cached_property
    def stops(self) -> tuple[int, ...]:
        """The plies at which a replay stops: the start, the end of each turn, and the end."""
        pairs = enumerate(zip(self.states, self.states[1:], strict=False), 1)
        ends = {ply for ply, (before, after) in pairs if self.game.ends_turn(before, after)}
        return tuple(sorted({0, *ends, self.last}))

    @cached_property
    def candidates(self) -> tuple[tuple[Node, ...], ...]:
        """By ply, where the quarry could be according to what everybody knew; empty in games without a board or a
        belief.
        """
        make = kit_of(self.game.name).belief
        if make is None or not self.game.capabilities.board:
            return ((),) * len(self.states)
        belief = make()
        belief.start(self.game.view(self.states[0], Seat.SPECTATOR))
        out = []
        for happened in self.happened:
            belief.observe(event.seen_by(Seat.SPECTATOR) for event in happened)
            out.append(tuple(sorted(belief.candidates)))
        return tuple(out)

    def stop_before(self, ply: int) -> int:
        """The stop before this ply."""
        return max((stop for stop in self.stops if stop < ply), default=0)

    @property
    def tracks(self) -> dict[str, Seat | None]:
        """Whose knowledge can be shown, by name; only the truth if everybody knows everything."""
        seats = {seat.value: seat for seat in SEATS}
        return {TRUTH: None, **(seats if self.game.capabilities.hidden else {})}

    def track_of(self, seat: Seat | None) -> str:
        """The inverse of `seat_of`."""
        return TRUTH if seat is None else seat.value

    def track_name(self, seat: Seat | None) -> str:
        """A track's name, as the game calls its seat."""
        return TRUTH if seat is None else self.game.seat_names.get(seat, seat.value)

    def seat_of(self, track: str) -> Seat | None:
        """The seat of a track, None for the truth; BadText if there is no such track."""
        if track not in self.tracks:
            raise BadText(unknown("track", track, self.tracks))
        return self.tracks[track]

    def check_ply(self, ply: int) -> int:
        """The ply itself; ManhuntError if the game has no such ply."""
        if not 0 <= ply <= self.last:
            raise BadText(f"there is no ply {ply}; this game has the plies 0 to {self.last}")
        return ply

    def acting(self, ply: int) -> Seat | None:
        """Who moves at that ply; None at the end, also after a forfeit."""
        return None if self.forfeited and ply == self.last else self.game.to_act(self.states[ply])

    def options(self, ply: int) -> tuple[Any, ...]:
        """What the seat to act could have done; after a forfeit, what it could still have done."""
        actions: tuple[Any, ...] = self.game.legal_actions(self.states[ply])
        return actions

    def round(self, ply: int) -> int:
        """The round in which a ply was played."""
        return self.game.round_of(self.states[ply])

    def round_to_play(self, ply: int) -> int:
        """The round that the next ply belongs to; at the end, one more than the last round."""
        return self.round(ply + 1) if ply < self.last else self.round(self.last) + 1

    def view(self, ply: int, seat: Seat | None) -> View:
        """What a seat knew, or the truth, without the legal moves.

        After a resignation or forfeit everybody sees the truth.
        """
        state = self.states[ply]
        forfeited = self.forfeited and ply == self.last
        if seat is None or forfeited:
            view = truth_for(self.game, state, seat or Seat.EVADER)
        else:
            view = self.game.view(state, seat)
        ending = {"outcome": self.record.outcome, "to_act": None} if forfeited else {}
        return replace(view, legal=(), **ending)  # type: ignore[type-var]

    @cached_property
    def happened(self) -> tuple[Sequence[Event], ...]:
        """Numbered events by ply; those of ply 0 are about the setup."""
        game, number, out = self.game, 1, list[Sequence[Event]]()
        steps = zip(self.states, self.actions, self.states[1:], strict=False)
        for events in (game.opening_events(self.states[0]), *(game.events(*step) for step in steps)):
            out.append(number_events(events, number))
            number += len(events)
        return tuple(out)

    def events_for(self, seat: Seat, ply: int) -> tuple[dict[str, Any], ...]:
        """All events that a seat received up to a ply."""
        return tuple(event.seen_by(seat) for events in self.happened[: ply + 1] for event in events)

    def seen(self, ply: int, seat: Seat | None) -> tuple[dict[str, Any], ...]:
        """The events of a ply that a seat could read, or all of them for the truth; hidden events are left out."""
        happened = self.happened[ply]
        if seat is None:
            return tuple({"v": event.version, "t": event.kind, **event.body} for event in happened)
        return tuple(told for event in happened if len(told := event.seen_by(seat)) > 1)

    def action_text(self, ply: int, seat: Seat | None) -> str:
        """The action of a ply in notation, as far as the seat may know it."""
        if ply == 0:
            return ""
        action = self.actions[ply - 1]
        if seat is None:
            return self.game.format_action(self.config, action)
        return self.game.visible_notation(self.config, action, self.happened[ply], seat) or HIDDEN

    def turn_text(self, first: int, ply: int, seat: Seat | None) -> str:
        """The actions from one ply to another in notation, as far as the seat may know them."""
        texts = [self.action_text(each, seat) for each in range(first + 1, ply + 1)]
        events = [event for ply in range(first + 1, ply + 1) for event in self.seen(ply, seat)]
        return self.game.format_turn([text for text in texts if text != HIDDEN], events) or HIDDEN

    def title(self, ply: int) -> str:
        """Round and whose turn it is, or how the game ended."""
        if ply == self.last and self.record.outcome is not None:
            return f"{self.game.title}: {self.record.outcome}"
        acting = self.acting(ply)
        name = "chance" if acting is None or acting is Seat.CHANCE else self.game.seat_names.get(acting, acting.value)
        return f"{self.game.title}, round {self.round(ply)}: {name} to act"
