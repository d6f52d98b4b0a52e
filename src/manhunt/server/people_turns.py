"""What people at a table do beyond single moves: draft and confirm a turn, take one back, run out of time."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from manhunt.core.errors import IllegalAction, ManhuntError
from manhunt.core.game import View
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.seeds import seeded
from manhunt.core.turns import TurnEnd
from manhunt.draw.scenes import scene_of
from manhunt.play.fault import FaultPolicy
from manhunt.play.referee import PendingPly
from manhunt.play.reopening import plies_before
from manhunt.server.drafts import SEAT, Draft, DraftMove, Team, needed
from manhunt.server.durable import NotStored
from manhunt.server.limits import is_person
from manhunt.server.room_clock import LONG_SECONDS, TimerHandle
from manhunt.server.table_options import OnTimeout
from manhunt.server.take_backs import Request, TakenBack

if TYPE_CHECKING:
    from manhunt.server.rooms import GameRoom, Holder

LATE_SECONDS = 0.01
"""After the end of somebody's time the room looks."""
RETRY_SECONDS = 5.0
ANYBODY = 0
"""The number of whoever holds the token of a whole seat."""
LOG = logging.getLogger("manhunt.server")


class PeopleTurns:
    """The turns of people in one room. Used from the event loop alone."""

    def __init__(self, room: GameRoom) -> None:
        self._room = room
        self.team = Team.of(room.game, room.plan.config)
        self.draft: Draft | None = room.plan.draft
        self.request: Request | None = None
        """Somebody asks the other side to let them take a turn back."""
        self.taken_back: TakenBack = room.plan.taken_back
        self._overdue: int | None = None
        """The number of a ply that an agent plays, because the people were out of time."""
        self._timer: TimerHandle | None = None
        self.to_come: tuple[str, ...] = ()
        """The rest of a confirmed turn while its plies happen one after the other."""

    # -- who plays which pieces --------------------------------------------------------------------------

    def held(self, seat: Seat) -> frozenset[str]:
        """The places of a seat that people hold; of a seat that is one place, its name."""
        everything = frozenset(self.team.ids) if self.team is not None and seat is SEAT else frozenset({seat.value})
        if self._room.people is None:
            return everything if is_person(self._room.plan.seats[seat]) else frozenset()
        found = frozenset().union(*self._room.people.members(seat).values())
        return everything if seat.value in found else found

    def members(self) -> dict[int, frozenset[str]]:
        """Those who share the pieces."""
        if self._room.people is None:
            return {ANYBODY: self.held(SEAT)}
        found = self._room.people.members(SEAT)
        return {person: self.held(SEAT) if SEAT.value in places else places for person, places in found.items()}

    def is_for_agent(self, seat: Seat) -> bool:
        """Whether an agent moves now on a seat of people: a piece that nobody holds, or for those out of time."""
        room = self._room
        if self._overdue == room.n:
            return True
        if self.team is None or room.people is None or seat is not SEAT:
            return False
        if "for agent" not in room.kept:
            room.kept["for agent"] = self.team.open_places(room.view(SEAT)).isdisjoint(self.held(SEAT))
        is_so: bool = room.kept["for agent"]
        return is_so

    def check_place(self, holder: Holder, text: str) -> None:
        """Nobody moves the pieces of others."""
        if self.team is None or holder.seat is not SEAT or self._room.people is None:
            return
        place = self.team.place_of_text(text)
        if place not in self.held(SEAT) or not _may_move(holder, place):
            name = self.team.names[self.team.ids.index(place)]
            raise IllegalAction(f"{name} is not yours to move")

    # -- drafts ------------------------------------------------------------------------------------------

    @property
    def is_drafted(self) -> bool:
        """Whether the turn that is being played waits for a confirmation."""
        room = self._room
        return (
            room.plan.options.confirm
            and self.team is not None
            and room.referee.to_act is SEAT
            and is_person(room.plan.seats[SEAT])
            and not self.to_come
            and not self.is_for_agent(SEAT)
        )

    @property
    def present_draft(self) -> Draft:
        """The draft of the turn that is being played."""
        n = self._room.n
        return self.draft if self.draft is not None and self.draft.ply == n else Draft(n)

    def drafted_view(self, view: View) -> View:
        """What the team would see after its draft."""
        assert self.team is not None
        return self.present_draft.view(self.team, view)

    def shown_view(self, view: View) -> View:
        """What the team is shown: where the pieces stand when everything drafted has happened."""
        if self.to_come and self.team is not None and view.outcome is None:
            return self.team.planned(view, self.to_come)
        return self.drafted_view(view) if self.is_drafted else view

    def needed(self) -> list[int]:
        """Those whose pieces can move in this turn."""
        assert self.team is not None
        view = self._room.view(SEAT)
        places = self.team.open_places(view) | self.team.open_places(self.drafted_view(view))
        places |= {move.place for move in self.present_draft.moves}
        return needed(self.members(), places)

    def still_to_move(self) -> list[int]:
        """Those whose pieces can move after what is drafted."""
        return needed(self.members(), self.open_places(self.present_draft))

    def is_waiting_for(self, person: int) -> bool:
        """Whether somebody on the seat to act has something to do: a piece to move, or a turn to confirm."""
        seat = self._room.referee.to_act
        if seat is None or self.is_for_agent(seat):
            return False
        if seat is not SEAT or self.team is None:
            return True
        draft = self.present_draft
        rest = self.open_places(draft)
        if rest or not self.is_drafted:
            return not rest.isdisjoint(self.members().get(person, ()))
        return person in self.needed() and person not in draft.confirmed

    async def play(self, holder: Holder, n: int, text: str) -> None:
        """A move that somebody asks for: it happens, or goes into the draft of the team."""
        room = self._room
        if holder.seat is SEAT and self.is_drafted:
            await room.in_turn(lambda: self._draft_move(holder, n, text))
            return
        if holder.seat is SEAT and room.referee.to_act is SEAT:
            self.check_place(holder, text)
            if self.is_for_agent(SEAT):
                raise IllegalAction("an agent is moving; wait for it")
        await room.move(holder.seat, n, text)

    async def undo(self, holder: Holder, place: str) -> None:
        """Take a drafted move back."""
        self._check_team(holder)
        await self._room.in_turn(lambda: self._undo(place))

    async def confirm(self, holder: Holder, yes: bool = True) -> None:
        """This person agrees with the draft, or not any more; the turn happens when all have agreed."""
        self._check_team(holder)
        await self._room.in_turn(lambda: self._confirm(holder, yes))

    async def _draft_move(self, holder: Holder, n: int, text: str) -> None:
        room, team = self._room, self.team
        if not self.is_drafted or team is None:
            raise IllegalAction("the turn is over")
        if n != room.n:
            raise IllegalAction(f"a move with n {n}; the game waits for {room.n}")
        self.check_place(holder, text)
        place, draft = team.place_of_text(text), self.present_draft
        before = draft.without(team, room.view(SEAT), place) if draft.has(place) else draft
        offer = next((o for o in scene_of(before.view(team, room.view(SEAT))).offers if o.action == text), None)
        move = DraftMove(place, holder.person, text, offer.words if offer else text, offer.picks if offer else ())
        drafted = draft.with_move(team, room.view(SEAT), move)
        if len(self.members()) > 1 or self.open_places(drafted):
            await self._keep(drafted)
        else:  # nobody else discusses the turn: it happens with its last move
            await room.store_and_commit(lambda: self._drafted_plies(drafted))

    def open_places(self, draft: Draft) -> frozenset[str]:
        """The places that people hold whose pieces can still move after a draft."""
        assert self.team is not None
        return self.team.open_places(draft.view(self.team, self._room.view(SEAT))) & self.held(SEAT)

    async def _undo(self, place: str) -> None:
        draft = self.present_draft
        if self.team is None or not draft.has(place):
            raise IllegalAction("there is no drafted move of that piece")
        await self._keep(draft.without(self.team, self._room.view(SEAT), place))

    async def _confirm(self, holder: Holder, yes: bool) -> None:
        draft, person = self.present_draft, ANYBODY if holder.person is None else holder.person
        if not self.is_drafted or self.team is None:
            raise IllegalAction("there is nothing to confirm")
        if not yes:
            await self._keep(replace(draft, confirmed=draft.confirmed - {person}))
            return
        rest = self.open_places(draft)
        if rest:
            names = [self.team.names[self.team.ids.index(place)] for place in sorted(rest)]
            raise IllegalAction(f"{', '.join(names)} can still move")
        agreed = replace(draft, confirmed=draft.confirmed | {person})
        if agreed.confirmed.issuperset(self.needed()):
            await self._room.store_and_commit(lambda: self._drafted_plies(agreed))
        else:
            await self._keep(agreed)

    def _drafted_plies(self, draft: Draft) -> Sequence[PendingPly]:
        self._room.referee.check_time()
        return self._room.referee.prepare_turn(draft.actions, SEAT, draft.ply)

    async def _keep(self, draft: Draft) -> None:
        await self._room.writer.draft(self._room.uid, draft.to_json())
        self.draft = draft
        self._room.tell_seat(SEAT)

    def _check_team(self, holder: Holder) -> None:
        if holder.seat is not SEAT:
            raise IllegalAction("only the team drafts its turn")

    def seats_changed(self) -> None:
        """Places changed hands: what others drafted stays if somebody holds the piece, and everybody confirms anew."""
        if self.team is not None and self.draft is not None and self.draft.ply == self._room.n and self.is_drafted:
            moves = [move for move in self.draft.moves if move.place in self.held(SEAT)]
            self.draft = self.draft.only(self.team, self._room.view(SEAT), moves)

    def found(self, draft: Draft | None) -> None:
        """What the store has, which may be another draft than the one in memory."""
        if draft != self.draft and (draft is None or draft.ply == self._room.n):
            self.draft = draft
            self.loaded()
            self._room.tell_seat(SEAT)

    def loaded(self) -> None:
        """The draft was stored, but perhaps not that places changed hands since."""
        if self.draft is not None and not self.held(SEAT).issuperset(move.place for move in self.draft.moves):
            self.seats_changed()

    # -- taking back ---------------------------------------------------------------------------------------

    async def take_back(self, holder: Holder) -> None:
        """Back to before the last turn of this side's people: at once, or when the other side agrees."""
        room = self._room
        if not room.plan.options.take_backs:
            raise IllegalAction("this table does not allow taking turns back")
        self._plies_left(holder.seat)
        others = self._people_against(holder)
        if others:
            self.request = Request(holder.seat, holder.person)
            room.tell_status()
            return
        await room.in_turn(lambda: self._take_back(holder.seat))

    async def answer(self, holder: Holder, yes: bool) -> None:
        """Somebody on the other side agrees, or does not."""
        request = self.request
        if request is None or holder.seat not in PLAYERS or holder.seat is request.seat:
            raise IllegalAction("nobody asks you for a take-back")
        self.request = None
        if yes:
            await self._room.in_turn(lambda: self._take_back(request.seat))
        else:
            self._room.tell_status()

    def _people_against(self, holder: Holder) -> bool:
        """Whether somebody else sits on the other side."""
        room = self._room
        other = next(seat for seat in PLAYERS if seat is not holder.seat)
        if room.people is None:
            return is_person(room.plan.seats[other])
        return bool(set(room.people.members(other)) - {holder.person})

    def _plies_left(self, seat: Seat) -> int:
        room = self._room
        if room.over:
            raise IllegalAction("the game is over; turns can no longer be taken back")
        if seat not in PLAYERS:
            raise IllegalAction("only a player can take a turn back")
        movers, actions = room.movers, room.referee.actions
        found = plies_before(seat, movers, lambda i: self._is_persons(movers[i], actions[i]))
        if found is None:
            raise IllegalAction("there is nothing to take back yet")
        return found

    def _is_persons(self, seat: Seat, action: Any) -> bool:
        if not is_person(self._room.plan.seats[seat]):
            return False
        return self.team is None or seat is not SEAT or self.team.place_of(action) in self.held(SEAT)

    async def _take_back(self, seat: Seat) -> None:
        room, n_plies = self._room, self._plies_left(seat)
        taken_back = self.taken_back.one_more(seat, room.clock.wall())
        await room.writer.take_back(room.uid, n_plies, taken_back.to_json())
        await room.go_back(n_plies, taken_back)

    def forget(self) -> None:
        """The game has gone on or back: what was asked and drafted is of no use any more."""
        self._overdue = None
        self.request = None
        if self.draft is not None and self.draft.ply != self._room.n:
            self.draft = None

    # -- clocks --------------------------------------------------------------------------------------------

    @property
    def is_timed(self) -> bool:
        return self._room.referee.clock.is_limited

    def run_clock(self, turn_at: float | None = None, *, is_new: bool = True) -> None:
        """People are charged from now on, if they are to move; of a long turn the time since `turn_at` counts.

        If it is not a new moment, what they have used of it counts, too.
        """
        if not self.is_timed:
            return
        room, clock = self._room, self._room.referee.clock
        seat = room.referee.to_act
        used = 0.0 if is_new or seat is None else clock.elapsed(seat) or 0.0
        is_charged = seat is not None and room.thinking is None
        clock.run(seat, is_charged=False)
        if turn_at is not None and seat is not None and (clock.remaining(seat) or 0.0) >= LONG_SECONDS:
            used = max(0.0, room.clock.wall() - turn_at)
        clock.run(seat, is_charged=is_charged, used_seconds=used)
        self._set_timer()

    @property
    def due_in(self) -> float | None:
        """Seconds until somebody's time is over."""
        seat = self._room.referee.clock.running
        return None if seat is None else self._room.referee.clock.remaining(seat)

    @property
    def is_short(self) -> bool:
        """Whether a clock runs that would begin again if the room left the memory."""
        clock = self._room.referee.clock
        seat = clock.running
        return seat is not None and (clock.remaining(seat) or 0.0) + (clock.elapsed(seat) or 0.0) < LONG_SECONDS

    def _set_timer(self, seconds: float | None = None) -> None:
        self.stop_timer()
        due = self.due_in if seconds is None else seconds
        if due is not None:
            self._timer = self._room.clock.call_later(max(0.0, due) + LATE_SECONDS, self._on_timer)

    def stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _on_timer(self) -> None:
        self._timer = None
        self._room.spawn(self._look_at_clock())

    async def _look_at_clock(self) -> None:
        try:
            await self._room.in_turn(self._time_over)
        except NotStored:
            self._set_timer(RETRY_SECONDS)
        except ManhuntError as error:
            LOG.error("game %s: the end of a turn's time was refused: %s", self._room.uid, error)

    async def _time_over(self) -> None:
        """What the options say happens to those whose time is over; their draft counts."""
        room, clock = self._room, self._room.referee.clock
        seat = clock.running
        if seat is None or room.over:
            return
        if not clock.is_over(seat):
            self._set_timer()
            return
        policy, detail = room.plan.options.on_timeout, "the time was over"
        if policy is OnTimeout.LOSE:
            forfeit = FaultPolicy.FORFEIT
            end = room.referee.prepare_failed(seat, TurnEnd.TIMEOUT, detail, policy=forfeit)
            await room.store_and_commit(lambda: (end,))
        elif self.is_drafted and (draft := self.present_draft).moves:
            await room.store_and_commit(lambda: room.referee.prepare_turn(draft.actions, SEAT, draft.ply))
        elif policy is OnTimeout.AGENT and seat in room.plan.agents:
            self._overdue = room.n
            clock.run(seat, is_charged=False)
            room.kept.clear()
            room.tell_moved()
            room.go_on()
        else:
            await room.store_and_commit(lambda: (self.random_ply(seat),))

    def random_ply(self, seat: Seat) -> PendingPly:
        """A move for people who are out of time: drawn from the game's seed, of one of their pieces."""
        room = self._room
        legal = [action for action in room.view(seat).legal if self._is_persons(seat, action)]
        action = seeded(room.plan.seed, f"stand-in/{room.n}").choice(legal or list(room.view(seat).legal))
        return self._instead(seat, action, FaultPolicy.RANDOM)

    def agents_ply(self, seat: Seat, text: str) -> PendingPly | None:
        """An agent's move in place of people who are out of time; None if it plays for itself."""
        if self._overdue != self._room.n:
            return None
        try:
            return self._instead(seat, self._room.game.parse_action(self._room.plan.config, text), None)
        except ManhuntError:
            return self.random_ply(seat)

    def _instead(self, seat: Seat, action: Any, policy: FaultPolicy | None) -> PendingPly:
        referee = self._room.referee
        return referee.prepare_failed(seat, TurnEnd.TIMEOUT, "the time was over", policy=policy, instead=action)

    # -- what players hear about it -------------------------------------------------------------------------

    def status(self) -> dict[str, Any]:
        """For players of both sides."""
        request, people = self.request, self._room.people
        name = "" if request is None or people is None or request.person is None else people.name(request.person)
        return {
            "t": "status",
            "takeback": request and {"seat": request.seat.value, "name": name},
            "takeBacks": {seat.value: n for seat, n in self.taken_back.counts.items()},
            "clock": self._clock_json() if self.is_timed else None,
        }

    def _clock_json(self) -> dict[str, Any]:
        clock = self._room.referee.clock
        seat = clock.running
        left = {other.value: self._left(other) for other in PLAYERS}
        turn = None if seat is None else clock.remaining(seat)
        shown = None if turn is None else round(max(0.0, turn), 1)
        return {"left": left, "turn": shown, "running": seat and seat.value}

    def _left(self, seat: Seat) -> float | None:
        clock = self._room.referee.clock
        bank = clock.left.get(seat)
        return None if bank is None else round(max(0.0, bank - (clock.elapsed(seat) or 0.0)), 1)


def _may_move(holder: Holder, place: str) -> bool:
    return holder.places is None or place in holder.places or holder.seat.value in holder.places
