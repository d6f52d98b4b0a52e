"""A finished game as one HTML page: the truth and what each seat knew, ply by ply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from manhunt.core.game import AnyGame
from manhunt.core.ids import PLAYERS, Node, Seat
from manhunt.core.registry import kit_of
from manhunt.core.scene import Scene
from manhunt.draw.replay import ReplayFrame, ReplayTrack, Story, story_page
from manhunt.draw.scenes import has_scene, scene_of
from manhunt.play.fair_deal import deal_words
from manhunt.play.hindsight import TRUTH, Hindsight
from manhunt.play.record import Record

Comments = Sequence[tuple[int, str]]
"""What somebody wrote about a ply, for all to read."""


def replay_page(record: Record, comments: Comments = ()) -> str:
    """The page of a game that is over. It shows everything, so BadText where the game goes on."""
    return story_page(story_of(record, comments))


def story_of(record: Record, comments: Comments = ()) -> Story:
    past = Hindsight(record)
    game, maker = past.game, _FrameMaker(past, comments)
    tracks = [ReplayTrack(track_name(game, name), tuple(maker.frames(seat))) for name, seat in past.tracks.items()]
    frames = tracks[0].frames
    who = [record.seats.get(seat.value, "?").removeprefix("person:") for seat in PLAYERS]
    names = [f"{game.seat_names[seat]}: {name}" for seat, name in zip(PLAYERS, who, strict=True)]
    return Story(
        title=f"{game.title}: {' against '.join(who)}",
        subtitle=" · ".join([*names, *([f"seed {record.seed}"] if isinstance(record.seed, int) else [])]),
        outcome=_ending(record, frames[-1].scene.title),
        board=frames[0].scene.board,
        tracks=tuple(tracks),
        rounds=tuple(past.round(ply) for ply in past.stops[1:]),
        record=record.format(),
        deal=deal_words(record),
    )


def track_name(game: AnyGame, track: str) -> str:
    """As the game calls the seat."""
    return track if track == TRUTH else game.seat_names.get(Seat(track), track)


def _ending(record: Record, last: str) -> str:
    return f"{last}: {record.fault}" if record.fault else last


class _FrameMaker:
    """Makes the frames of each track of one game."""

    def __init__(self, past: Hindsight, comments: Comments = ()) -> None:
        self.past, self.game, self.comments = past, past.game, comments
        self.has_scene = has_scene(kit_of(past.game.name))
        self.candidates = self._candidates()

    def frames(self, seat: Seat | None) -> list[ReplayFrame]:
        out: list[ReplayFrame] = []
        for ply in self.past.stops:
            before = out[-1].scene if out else None
            out.append(self._frame(ply, seat, before))
        return out

    def _frame(self, ply: int, seat: Seat | None, before: Scene | None) -> ReplayFrame:
        first = max((stop for stop in self.past.stops if stop < ply), default=0)
        said = tuple(f"\u201c{text}\u201d" for at, text in self.comments if (first < at or ply == 0) and at <= ply)
        view, action_text = self.past.view(ply, seat), self.past.turn_text(first, ply, seat) if ply else ""
        if not self.has_scene:
            text = self.game.format_state(self.past.states[ply]) if seat is None else self.game.format_view(view)
            return ReplayFrame(Scene(self.past.title(ply), caption=said), action_text, text)
        scene = replace(scene_of(view), offers=())
        found = self.candidates[ply]
        # Where the hunters see the piece itself, a glow would only say it again.
        if seat is not Seat.EVADER and len(found) > 1:
            who = self.game.called(Seat.EVADER)
            counted = f"Glowing: the {len(found)} places where {who} can be, by what all know."
            scene = replace(scene, candidates=found, caption=(*scene.caption, counted))
        if before is not None and not scene.arrows:
            scene = replace(scene, arrows=scene.moves_since(before))
        return ReplayFrame(replace(scene, caption=(*said, *scene.caption)), action_text)

    def _candidates(self) -> list[tuple[Node, ...]]:
        make = kit_of(self.game.name).belief
        if make is None or not self.game.capabilities.board:
            return [() for _ in self.past.states]
        belief = make()
        belief.start(self.game.view(self.past.states[0], Seat.SPECTATOR))
        out = []
        for happened in self.past.happened:
            belief.observe(event.seen_by(Seat.SPECTATOR) for event in happened)
            out.append(tuple(sorted(belief.candidates)))
        return out
