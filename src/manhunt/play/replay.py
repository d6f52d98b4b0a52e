"""A finished game to step through: its moments, each seen with anybody's knowledge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from typing import Any, overload

from manhunt.core.game import View
from manhunt.core.ids import Node, Seat, Side
from manhunt.core.outcome import forfeit_words
from manhunt.core.registry import kit_of
from manhunt.core.scene import Scene
from manhunt.draw.scenes import has_scene, scene_of
from manhunt.play.event_words import event_words
from manhunt.play.hindsight import TRUTH, Hindsight
from manhunt.play.record import GAVE_UP, Record

PAGE_HEIGHT = 760
"""Of a replay in a notebook, in pixels."""


@dataclass(frozen=True)
class Moment:
    """One moment of a finished game. It never changes: `turn`, `step` and similar methods return another one."""

    past: Hindsight = field(repr=False)
    ply: int
    seat: Seat | None = None
    """Whose knowledge is shown; None is the truth."""

    def __repr__(self) -> str:
        return f"<Moment {self.where}, {self.shown}: {self.title}>"

    # -- where else to stand ---------------------------------------------------------------------

    def turn(self, by: int = 1) -> Moment:
        """This many turns forward, or back if negative; it stops at the first and the last moment."""
        stops = self.past.stops
        if by > 0:
            later = [stop for stop in stops if stop > self.ply]
            return self.at(later[min(by, len(later)) - 1]) if later else self
        earlier = [stop for stop in stops if stop < self.ply]
        return self.at(earlier[max(by, -len(earlier))]) if by < 0 and earlier else self

    def step(self, by: int = 1) -> Moment:
        """This many plies forward, or back if negative."""
        return replace(self, ply=min(max(self.ply + by, 0), self.past.last))

    def at(self, ply: int) -> Moment:
        """The moment at a ply; BadText if the game has no such ply."""
        return replace(self, ply=self.past.check_ply(ply))

    def in_round(self, number: int) -> Moment:
        """The beginning of that round, or the end if there are fewer rounds."""
        plies = range(self.past.last + 1)
        return self.at(next((ply for ply in plies if self.past.round_to_play(ply) >= number), self.past.last))

    def seen_by(self, seat: Seat | None) -> Moment:
        """The same moment as a seat knew it; None is the truth."""
        track = TRUTH if seat is None or not self.past.game.capabilities.hidden else seat.value
        return replace(self, seat=self.past.seat_of(track))

    # -- what is shown ---------------------------------------------------------------------------

    @property
    def shown(self) -> str:
        """Whose knowledge is shown, in words."""
        if self.seat is None:
            return "the truth"
        who = "everybody" if self.seat is Seat.SPECTATOR else self.past.game.called(self.seat)
        return f"what {who} knew"

    @property
    def state(self) -> Any:
        """The whole truth."""
        return self.past.states[self.ply]

    @property
    def view(self) -> View:
        """What the seat knew, or the truth, without the legal moves."""
        return self.past.view(self.ply, self.seat)

    @property
    def round(self) -> int:
        """How many rounds have begun."""
        return self.past.round(self.ply)

    @property
    def round_to_play(self) -> int:
        """The round that the next move belongs to; at the end, one more than the last round."""
        return self.past.round_to_play(self.ply)

    @property
    def where(self) -> str:
        """`ply 7 of 24`."""
        return f"ply {self.ply} of {self.past.last}"

    @property
    def title(self) -> str:
        """Round and turn, or how the game ended."""
        return scene_of(self.view).title if can_be_drawn(self.past) else self.past.title(self.ply)

    @property
    def first(self) -> int:
        """The ply at which the latest turn began; 0 at the start."""
        return self.past.stop_before(self.ply)

    @property
    def moved(self) -> Seat | None:
        """Who made the latest turn."""
        return self.past.acting(self.first) if self.ply else None

    @property
    def action_text(self) -> str:
        """The latest turn in notation, as far as the seat may know it."""
        return self.past.turn_text(self.first, self.ply, self.seat) if self.ply else ""

    @property
    def words(self) -> tuple[str, ...]:
        """What happened in the latest turn, as far as the seat may know it."""
        plies = range(self.first + 1, self.ply + 1) if self.ply else (0,)
        events = [event for ply in plies for event in self.past.seen(ply, self.seat)]
        told = [words for event in events if (words := event_words(self.past.game.name, event))]
        return (*told, *(_forfeit(self.past) if self.ply == self.past.last else ()))

    @property
    def position_text(self) -> str:
        """The position in the game's notation, as far as the seat may know it."""
        game = self.past.game
        return game.format_state(self.state) if self.seat is None else game.format_view(self.view)

    @property
    def candidates(self) -> tuple[Node, ...]:
        """Where the quarry could be according to what everybody knew; empty for a seat that saw it."""
        found = self.past.candidates[self.ply]
        return found if self.seat is not Seat.EVADER and len(found) > 1 else ()

    @property
    def scene(self) -> Scene:
        """The scene to draw: the view, with arrows for what moved and marks where the quarry could be."""
        scene = replace(scene_of(self.view), offers=())
        if found := self.candidates:
            who = self.past.game.called(Seat.EVADER)
            counted = f"Glowing: the {len(found)} places where {who} can be, from what everybody knows."
            scene = replace(scene, candidates=found, caption=(*scene.caption, counted))
        if self.ply and not scene.arrows:
            before = scene_of(self.past.view(self.first, self.seat))
            scene = replace(scene, arrows=scene.moves_since(before))
        return scene

    def _repr_svg_(self) -> str:
        from manhunt.draw.svg import draw_scene

        return draw_scene(self.scene)


def _forfeit(past: Hindsight) -> list[str]:
    """How a game was forfeited that would have gone on by its rules, with the details."""
    outcome, fault = past.record.outcome, past.record.fault
    if outcome is None or past.game.outcome(past.states[-1]) is not None:
        return []
    loser = Seat.EVADER if outcome.winner is Side.PURSUERS else Seat.PURSUERS
    words = forfeit_words(outcome, past.game.called(loser))
    return [words if fault in (None, GAVE_UP) else f"{words}: {fault}"]


class Replay(Sequence[Moment]):
    """All moments of a finished game, by ply. In a notebook it shows a page to step through.

    >>> from manhunt import Seat, make_agent, make_game, play_game
    >>> game = make_game("pursuit")
    >>> agents = {seat: make_agent("random") for seat in (Seat.EVADER, Seat.PURSUERS)}
    >>> replay = play_game(game, game.make_config(max_rounds=2), agents, seed=1).replay()
    >>> replay[1].action_text, replay[1].words, replay.ending
    ('X:7', ('Mr X goes to 7',), 'Mr X wins (Mr X survived all rounds)')
    """

    def __init__(self, past: Hindsight, seat: Seat | None = None) -> None:
        self.past, self.seat = past, seat

    @classmethod
    def of(cls, record: Record, source: str = "") -> Replay:
        """Replay a record; BadText, which names `source`, if the game is not over or breaks the rules."""
        return cls(Hindsight(record, source))

    def __repr__(self) -> str:
        return f"<Replay {self.past.record.about}>"

    def __len__(self) -> int:
        """The plies and the start."""
        return self.past.last + 1

    @overload
    def __getitem__(self, key: int) -> Moment: ...

    @overload
    def __getitem__(self, key: slice) -> tuple[Moment, ...]: ...

    def __getitem__(self, key: int | slice) -> Moment | tuple[Moment, ...]:
        found = range(len(self))[key]
        if isinstance(found, range):
            return tuple(Moment(self.past, ply, self.seat) for ply in found)
        return Moment(self.past, found, self.seat)

    def __iter__(self) -> Iterator[Moment]:
        return (Moment(self.past, ply, self.seat) for ply in range(len(self)))

    @cached_property
    def turns(self) -> tuple[Moment, ...]:
        """The moments at the start, after each turn, and at the end."""
        return tuple(Moment(self.past, ply, self.seat) for ply in self.past.stops)

    def seen_by(self, seat: Seat | None) -> Replay:
        """The same game as a seat knew it; None is the truth."""
        return Replay(self.past, self[0].seen_by(seat).seat)

    @property
    def ending(self) -> str:
        """How the game ended, in words."""
        words = scene_of(self.past.view(self.past.last, None)).ending if can_be_drawn(self.past) else ""
        return words or str(self.past.record.outcome)

    def to_html(self) -> str:
        """One page that opens from a file: the truth and what each seat knew."""
        from manhunt.draw.replay import story_page
        from manhunt.play.replay_page import story_of_past

        return story_page(story_of_past(self.past))

    def to_json(self) -> dict[str, Any]:
        """Who played, how it ended, and every turn."""
        past = self.past
        record = past.record
        return {
            "game": past.game.name,
            "title": past.game.title,
            "seats": dict(record.seats),
            "outcome": str(record.outcome),
            "ending": self.ending,
            "fault": record.fault,
            "plies": past.last,
            "seen_by": past.track_of(self.seat),
            "steps": [_step_json(moment) for moment in self.turns],
        }

    def _repr_html_(self) -> str:
        page = escape(self.to_html(), quote=True)
        style = f"width:100%;height:{PAGE_HEIGHT}px;border:0"
        return f'<iframe title="{escape(self.past.record.about)}" srcdoc="{page}" style="{style}"></iframe>'


def can_be_drawn(past: Hindsight) -> bool:
    """Whether the game brings a scene or is played on a board."""
    return has_scene(kit_of(past.game.name))


def _step_json(moment: Moment) -> dict[str, Any]:
    return {
        "ply": moment.ply,
        "round": moment.round,
        "seat": None if moment.moved is None else moment.moved.value,
        "action": moment.action_text,
        "words": list(moment.words),
        "position": moment.position_text,
    }
